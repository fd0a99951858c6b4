// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text
import Typography

/// The search: the words, the keyboard, and the results. It finds recordings by titles and names, and spoken sentences. One thread.
public final class SearchPage: Page {
    private(set) var words = ""
    private var isTyping = true
    /// The offered layouts: the library's scripts, and digits.
    private var layouts: [KeyboardLayout] = [.latin, .digits]
    private(set) var layout = KeyboardLayout.latin
    private var told = ToldLetters()
    private var titles: [ListRow] = []
    private var sentences: [ListRow] = []
    /// The words of the shown answer; nil without one.
    private var answered: String?
    private let context: PageContext
    /// True while a search runs.
    private var isFinding = false
    private var searchesAgain = false

    let tab = Element.Tab.library
    var title: String { translated("Search") }
    /// The longest search text, in bytes.
    private static let mostWords = 80

    init(_ context: PageContext) { self.context = context }

    var takesLetters: Bool { true }

    // MARK: Words

    /// Applies a key. Returns true if the searched words have changed.
    func type(_ key: Element.TypedKey) -> Bool {
        let before = words
        switch key {
        case .letter(let code):
            // No word begins with a space, and two spaces are a mistake.
            if code == 0x20 && (words.isEmpty || words.utf8.last == 0x20) { break }
            guard let scalar = Unicode.Scalar(code), words.utf8.count < SearchPage.mostWords else { break }
            words.unicodeScalars.append(scalar)
        case .erase:
            var scalars = words.unicodeScalars
            if !scalars.isEmpty { scalars.removeLast() }
            words = String(scalars)
        case .clear:
            words = ""
            isTyping = true
        case .layer: layout = nextLayout
        case .more: break
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

    /// Offers a script that occurs in the library's titles.
    func offer(_ script: KeyboardLayout) {
        if !layouts.contains(script) { layouts.insert(script, at: layouts.count - 1) }
    }

    private var nextLayout: KeyboardLayout {
        let index = layouts.firstIndex(of: layout) ?? 0
        return layouts[(index + 1) % layouts.count]
    }

    /// Shows the results for these words.
    func show(titles: [ListRow], sentences: [ListRow], for words: String) {
        if words != self.words && self.words.isEmpty { return }
        self.titles = titles
        self.sentences = sentences
        answered = words
    }

    func row(_ kind: ListRow.Kind, _ name: String) -> ListRow? {
        (kind == .sentence ? sentences : titles).first { $0.name == name }
    }

    // MARK: The speaker

    func load() {
        offerLayouts()
        ask(for: ToldLetters())
    }

    /// Offers the scripts of titles and names. Few libraries have any but Latin, so one query for all others comes first.
    private func offerLayouts() {
        has(KeyboardLayout.foreignPattern) { [self] in
            for layout in KeyboardLayout.allCases {
                guard let pattern = layout.pattern else { continue }
                has(pattern) { [self] in
                    offer(layout)
                    context.redraw()
                }
            }
        }
    }

    private func has(_ pattern: String, then: @escaping () -> Void) {
        let filter = ("(any =~ '" + pattern + "')").quotedArgument
        context.askRows("search " + filter + " window 0:1", files: .song) { if !$0.isEmpty { then() } }
    }

    func take(_ action: Element.Action) -> Bool {
        guard case .type(let key) = action else { return false }
        if type(key) { find() }
        if layout == .titles {
            var wanted = ToldLetters(after: lastWord)
            if key == .more { wanted = ToldLetters(after: told.after, start: told.start + ToldLetters.most) }
            if key == .more || wanted.after != told.after { ask(for: wanted) }
        }
        context.redraw()
        return true
    }

    private var lastWord: String {
        words.utf8.split(separator: 0x20, omittingEmptySubsequences: false).last.map { String(Substring($0)) } ?? ""
    }

    /// Requests the letters that may come next. If there are none, requests the letters that may begin a word.
    private func ask(for wanted: ToldLetters) {
        let words = words
        context.ask(wanted.command) { [self] lines in
            // Newer letters have sent their own request.
            guard words == self.words, let lines else { return }
            var wanted = wanted
            wanted.read(lines: lines)
            if wanted.letters.isEmpty {
                if let instead = wanted.instead { ask(for: instead) }
                return
            }
            offer(.titles)
            told = wanted
            context.redraw()
        }
    }

    private func find() {
        if isFinding {
            searchesAgain = true
            return
        }
        let words = words
        guard let (titles, spoken) = SearchPage.commands(for: words) else { return }
        isFinding = true
        context.askRows(titles, files: .song) { [self] titles in
            context.askRows(spoken) { [self] sentences in
                isFinding = false
                show(titles: titles, sentences: sentences, for: words)
                context.redraw()
                // The listener typed more words before the library answered.
                if searchesAgain {
                    searchesAgain = false
                    find()
                }
            }
        }
    }

    /// Returns the commands that search titles and names, and spoken text; nil if the text has no word.
    static func commands(for text: String) -> (titles: String, spoken: String)? {
        var words: [[UInt8]] = [[]]
        for byte in text.utf8 {
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            let isWord = byte >= 0x80 || isLetter || isDigit || byte == UInt8(ascii: "'")
            if isWord { words[words.count - 1].append(byte) } else { words.append([]) }
        }
        words.removeAll { $0.isEmpty || $0.allSatisfy { $0 == UInt8(ascii: "'") } }
        if words.isEmpty { return nil }
        var (titles, spoken) = ("search", "say")
        for (index, word) in words.enumerated() {
            let text = String(decoding: word, as: UTF8.self)
            titles += " any " + text.quotedArgument
            // The last word may be the beginning of a longer one.
            spoken += " " + (index == words.count - 1 ? text + "*" : text).quotedArgument
        }
        return (titles + " window 0:\(mostFound)", spoken + " 0:\(mostFound)")
    }

    /// The most results of each kind. With more, the listener should type more.
    private static let mostFound = 40

    // MARK: Layout

    private var notice: Notice? {
        if words.isEmpty {
            return Notice(
                symbol: .search, title: translated("What are you looking for?"),
                words: translated("A title, a name, or words that are spoken in a recording."))
        }
        if answered != nil && titles.isEmpty && sentences.isEmpty {
            return Notice(
                symbol: .search, title: translated("Nothing found"),
                words: translated("Neither a title nor a sentence has these words."))
        }
        return nil
    }

    private var groups: [(title: String, rows: [ListRow])] {
        [(translated("Titles"), titles), (translated("Spoken"), sentences)].filter { !$0.1.isEmpty }
    }

    func layOut(_ column: inout Column, at moment: Int) {
        let stage = column.stage
        let theme = stage.theme
        column.space(Spacing.small)
        // A wide page centers its content, at most as wide as is easy to read and reach.
        column.narrowed(to: Breakpoint.readableWidth) { column in
            let field = max(stage.pixels(Metrics.target), stage.lineHeight(.body) + stage.pixels(Spacing.small))
            column.add(field) { drawField($0, $1) }
            column.space(Spacing.related)
            if isTyping {
                Keyboard(layout: layout, next: nextLayout, told: told).layOut(&column)
                column.space(Spacing.related)
            }
        }
        if let notice {
            let least = notice.height(stage, width: column.width)
            return column.rest(least: least, free: stage.pixels(Metrics.miniBarHeight)) { notice.draw($0, in: $1) }
        }
        let found = answered.map { FoundWords($0) }
        for group in groups {
            column.add(stage.lineHeight(.footnote) + stage.pixels(Spacing.mini)) { picture, frame in
                picture.write(
                    group.title, .footnote, in: frame.top(stage.lineHeight(.footnote)), theme.secondaryText)
                picture.add(frame, group.title, role: .heading)
            }
            for row in group.rows {
                column.add(RowView.height(stage)) { picture, frame in
                    var view = RowView(row: row, picture: nil)
                    view.found = found
                    if view.hasCover {
                        view.picture = context.pictures.picture(row, side: stage.pixels(Metrics.rowThumbnail))
                    }
                    view.draw(picture, frame)
                }
                column.space(Spacing.related)
            }
        }
    }

    private func drawField(_ picture: Picture, _ frame: PixelRect) {
        let stage = picture.stage
        let theme = picture.theme
        let target = stage.pixels(Metrics.target)
        picture.canvas.fill(frame, radius: stage.pixels(Radius.chip), with: theme.row)
        var room = frame
        picture.draw(.search, in: room.cutLeft(target), points: Metrics.buttonSymbol, theme.secondaryText)
        let clear = room.cutRight(words.isEmpty ? stage.pixels(Spacing.small) : target)
        if words.isEmpty {
            picture.write(translated("Titles and spoken words"), .body, in: room, theme.secondaryText)
        } else {
            let text = tail(stage, room.width - stage.pixels(Spacing.mini))
            picture.write(text, .body, in: room, theme.text)
            if isTyping {
                let end = stage.set(text, .body, width: room.width).width + stage.pixels(Spacing.mini) / 2
                let caret = PixelRect(
                    x: room.x + end, y: frame.y + frame.height / 4, width: stage.scale.line(2),
                    height: frame.height / 2)
                picture.canvas.fill(caret, with: theme.accent)
            }
        }
        picture.add(
            frame.left(room.maxX - frame.x), translated("Search"), value: words,
            hint: isTyping ? translated("puts the keyboard away") : translated("brings the keyboard"),
            action: .type(.edit))
        if !words.isEmpty {
            picture.draw(.cross, in: clear, points: Metrics.buttonSymbol, theme.secondaryText)
            picture.add(clear, translated("Clear"), hint: translated("begins anew"), action: .type(.clear))
        }
    }

    /// Returns the end of the typed text that fits, since the listener looks there.
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
