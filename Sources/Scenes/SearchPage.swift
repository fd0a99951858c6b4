import Design
import Pixels
import Typography

/// Words that are looked for, the keyboard that they are written with, and what was found: recordings by their titles and names, and sentences
/// that are spoken in them. One thread.
public final class SearchPage: Page {
    public private(set) var words = ""
    private var isTyping = true
    private var hasDigits = false
    private var titles: [ListRow] = []
    private var sentences: [ListRow] = []
    /// What these are the answer to; nil while there is none.
    private var answered: String?
    private let pictures: Pictures

    let tab = Element.Tab.library
    let title = "Search"
    let isRefreshable = false
    let isLoading = false
    /// In bytes.
    private static let mostWords = 80

    public init(_ pictures: Pictures) { self.pictures = pictures }

    // MARK: Words

    /// Returns whether something else is looked for from now on.
    public func type(_ key: Element.TypedKey) -> Bool {
        let before = words
        switch key {
        case .letter(let byte):
            // No word begins with a space, and nobody means two.
            if byte == 0x20 && (words.isEmpty || words.utf8.last == 0x20) { break }
            if words.utf8.count < SearchPage.mostWords { words += String(decoding: [byte], as: UTF8.self) }
        case .erase:
            var scalars = words.unicodeScalars
            if !scalars.isEmpty { scalars.removeLast() }
            words = String(scalars)
        case .clear:
            words = ""
            isTyping = true
        case .layer: hasDigits.toggle()
        case .done: isTyping = false
        case .edit: isTyping.toggle()
        }
        if words.isEmpty {
            answered = nil
            titles = []
            sentences = []
        }
        return words != before
    }

    /// What was found for these words.
    public func show(titles: [ListRow], sentences: [ListRow], for words: String) {
        if words != self.words && self.words.isEmpty { return }
        self.titles = titles
        self.sentences = sentences
        answered = words
    }

    public func row(_ kind: ListRow.Kind, _ name: String) -> ListRow? {
        (kind == .sentence ? sentences : titles).first { $0.name == name }
    }

    // MARK: Layout

    private func fieldHeight(_ stage: Stage) -> Int {
        max(stage.pixels(Metrics.target), stage.lineHeight(.body) + stage.pixels(Spacing.small))
    }

    private func gap(_ stage: Stage) -> Int { stage.pixels(Spacing.related) }

    /// As wide as the field and the keys are, in the middle of a wide page.
    private func readable(_ stage: Stage, _ width: Int) -> Int { min(width, stage.pixels(Breakpoint.readableWidth)) }

    private func keysHeight(_ stage: Stage, width: Int) -> Int {
        isTyping ? Keyboard(hasDigits: hasDigits).height(stage, width: readable(stage, width)) + gap(stage) : 0
    }

    private var notice: Notice? {
        if words.isEmpty {
            return Notice(
                symbol: .search, title: "What are you looking for?",
                words: "A title, a name, or words that are spoken in a recording.")
        }
        if answered != nil && titles.isEmpty && sentences.isEmpty {
            return Notice(
                symbol: .search, title: "Nothing found", words: "Neither a title nor a sentence has these words.")
        }
        return nil
    }

    private var groups: [(title: String, rows: [ListRow])] {
        [("Titles", titles), ("Spoken", sentences)].filter { !$0.1.isEmpty }
    }

    private func headHeight(_ stage: Stage) -> Int { stage.lineHeight(.footnote) + stage.pixels(Spacing.mini) }

    func height(_ stage: Stage, width: Int) -> Int {
        var height = stage.pixels(Spacing.small) + fieldHeight(stage) + gap(stage) + keysHeight(stage, width: width)
        if let notice { return height + notice.height(stage, width: width) }
        for group in groups {
            height += headHeight(stage) + group.rows.count * (RowView.height(stage) + gap(stage))
        }
        return height
    }

    func isMoving(at moment: Int) -> Bool { false }
    func swipe(_ elements: [Element], x: Int, y: Int, by: Int, at moment: Int) -> Bool { false }
    func endSwipe(at moment: Int) -> Element.Action { .none }

    // MARK: Drawing

    func draw(_ picture: Picture, x: Int, top: Int, width: Int, visible: PixelRect, at moment: Int) {
        let stage = picture.stage
        var y = top + stage.pixels(Spacing.small)
        let wide = readable(stage, width)
        let left = x + (width - wide) / 2
        drawField(picture, PixelRect(x: left, y: y, width: wide, height: fieldHeight(stage)))
        y += fieldHeight(stage) + gap(stage)
        if isTyping { Keyboard(hasDigits: hasDigits).draw(picture, x: left, y: y, width: wide) }
        y += keysHeight(stage, width: width)
        if let notice {
            let room = max(notice.height(stage, width: width), visible.maxY - y - stage.pixels(Metrics.miniBarHeight))
            return notice.draw(picture, in: PixelRect(x: x, y: y, width: width, height: room))
        }
        let height = RowView.height(stage)
        for group in groups {
            picture.write(group.title, .footnote, x: x, y: y, width: width, stage.theme.secondaryText)
            picture.add(
                Element(
                    frame: PixelRect(x: x, y: y, width: width, height: headHeight(stage)), label: group.title,
                    role: .heading))
            y += headHeight(stage)
            for row in group.rows {
                let frame = PixelRect(x: x, y: y, width: width, height: height)
                y += height + gap(stage)
                if frame.intersection(visible).isEmpty { continue }
                let view = RowView(row: row, picture: nil)
                let cover = view.hasCover ? pictures.picture(row, side: stage.pixels(Metrics.rowThumbnail)) : nil
                RowView(row: row, picture: cover).draw(picture, frame)
            }
        }
    }

    private func drawField(_ picture: Picture, _ frame: PixelRect) {
        let stage = picture.stage
        let theme = picture.theme
        let target = max(stage.pixels(Metrics.target), 0)
        picture.canvas.fill(frame, radius: stage.pixels(Radius.chip), with: theme.row)
        let sign = PixelRect(x: frame.x, y: frame.y, width: target, height: frame.height)
        picture.draw(.search, in: sign, points: Metrics.buttonSymbol, theme.secondaryText)
        let hasClear = !words.isEmpty
        let room = PixelRect(
            x: sign.maxX, y: frame.y, width: frame.width - target - (hasClear ? target : stage.pixels(Spacing.small)),
            height: frame.height)
        if words.isEmpty {
            picture.write("Titles and spoken words", .body, in: room, theme.secondaryText)
        } else {
            let text = tail(stage, room.width - stage.pixels(Spacing.mini))
            picture.write(text, .body, in: room, theme.text)
            if isTyping {
                let end = stage.set(text, .body, width: room.width).width
                let caret = stage.pixels(Spacing.mini) / 2
                picture.canvas.fill(
                    PixelRect(
                        x: room.x + end + caret, y: frame.y + frame.height / 4, width: stage.scale.line(2),
                        height: frame.height / 2), with: theme.accent)
            }
        }
        picture.add(
            Element(
                frame: PixelRect(x: frame.x, y: frame.y, width: room.maxX - frame.x, height: frame.height),
                label: "Search", value: words, hint: isTyping ? "puts the keyboard away" : "brings the keyboard",
                action: .type(.edit)))
        if hasClear {
            let clear = PixelRect(x: frame.maxX - target, y: frame.y, width: target, height: frame.height)
            picture.draw(.cross, in: clear, points: Metrics.buttonSymbol, theme.secondaryText)
            picture.add(Element(frame: clear, label: "Clear", hint: "begins anew", action: .type(.clear)))
        }
    }

    /// The end of what was typed, since that is what a person looks at.
    private func tail(_ stage: Stage, _ width: Int) -> String {
        if stage.set(words, .body, width: 8 * width).width <= width { return words }
        var scalars = Array(words.unicodeScalars)
        while scalars.count > 1 {
            scalars.removeFirst()
            var text = String.UnicodeScalarView()
            text.append("\u{2026}")
            text.append(contentsOf: scalars)
            if stage.set(String(text), .body, width: 8 * width).width <= width { return String(text) }
        }
        return ""
    }
}
