import Design
import Pixels
import Typography

/// What comes up over a screen and goes again.
public enum Overlay: Equatable, Sendable {
    /// Something said once, such as "Added to Favorites".
    case toast(String)
    /// What is playing, along the upper edge of other screens.
    case banner(String)
    /// What can be done with something, from a long press on.
    case menu(title: String, items: [MenuItem])
    /// A question with its answers, from below.
    case sheet(title: String, words: String, answers: [MenuItem])

    public struct MenuItem: Equatable, Sendable {
        public var title: String
        public var symbol: Symbol
        public var isDestructive: Bool

        public init(_ title: String, _ symbol: Symbol, isDestructive: Bool = false) {
            self.title = title
            self.symbol = symbol
            self.isDestructive = isDestructive
        }
    }

    /// The screen beneath waits until it is answered.
    var isModal: Bool {
        switch self {
        case .toast, .banner: false
        case .menu, .sheet: true
        }
    }

    /// It comes from beside; else it is only seen more and more.
    var moves: Bool {
        if case .menu = self { return false }
        return true
    }

    /// After so many milliseconds it goes by itself; nil for one that waits.
    var stay: Int? {
        switch self {
        case .toast: Int(Motion.toast * 1000)
        case .banner: Int(Motion.banner * 1000)
        case .menu, .sheet: nil
        }
    }

    // MARK: Where

    /// Where it stands when it has come up.
    func frame(_ stage: Stage) -> PixelRect {
        let margin = stage.pixels(Spacing.medium)
        switch self {
        case .toast(let words):
            let height = max(stage.pixels(Metrics.toastHeight), stage.lineHeight(.rowTitle) + margin)
            let wide = stage.set(words, .rowTitle, width: 4 * stage.width).width
            // But on wide panels all of the header lies under it: half of a title would be seen else.
            let most = stage.width - 2 * (stage.isCompact ? stage.pixels(Spacing.small) : margin)
            let width = stage.isCompact || !stage.isWide ? most : min(most, wide + 2 * stage.pixels(Spacing.large))
            // No button of a player or a bar lies so high. On wide panels it is the artwork that it lies on, and not the words beside it.
            var x = (stage.width - width) / 2
            if stage.isWide && !stage.isCompact {
                let middle = stage.pixels(Spacing.xlarge + Metrics.televisionArtwork / 2)
                x = min(max(margin, middle - width / 2), x)
            }
            return PixelRect(x: x, y: stage.pixels(Spacing.related), width: width, height: height)
        case .banner:
            let height = max(stage.pixels(Metrics.bannerHeight), stage.lineHeight(.rowTitle) + margin)
            let beside = stage.isCompact ? stage.pixels(Spacing.small) : margin
            // A sidebar stays free.
            let left = stage.isWide ? stage.pixels(Metrics.sidebarCompact) : 0
            let width = min(stage.width - left - 2 * beside, stage.pixels(Breakpoint.readableWidth))
            return PixelRect(
                x: left + (stage.width - left - width) / 2, y: stage.pixels(Spacing.small), width: width, height: height
            )
        case .menu(let title, let items):
            let width = min(
                stage.width - 2 * margin,
                Int(Float(stage.pixels(Metrics.menuWidth)) * max(1, min(1.5, stage.scale.textSize))))
            let head = title.isEmpty ? 0 : stage.lineHeight(.footnote) + margin
            let height = min(stage.height - margin, head + items.count * itemHeight(stage))
            return PixelRect(x: 0, y: 0, width: width, height: height).centred(in: stage.bounds)
        case .sheet(let title, let words, let answers):
            let width = min(stage.width, stage.pixels(Breakpoint.readableWidth))
            let inner = width - 2 * margin
            let text =
                stage.set(title, .title3, width: inner, lines: 2).height
                + stage.set(words, .callout, width: inner, lines: 3).height + stage.pixels(Spacing.small)
            let buttons =
                answers.count * (Button(title: "", kind: .primary).height(stage) + stage.pixels(Spacing.small))
            let height = min(
                stage.height, text + buttons + 2 * margin + stage.pixels(Metrics.grabberHeight + Spacing.small))
            return PixelRect(x: (stage.width - width) / 2, y: stage.height - height, width: width, height: height)
        }
    }

    private func itemHeight(_ stage: Stage) -> Int {
        max(stage.pixels(Metrics.target), stage.lineHeight(.body) + stage.pixels(Spacing.medium))
    }

    /// All that it changes, on its way, too.
    func place(_ stage: Stage) -> PixelRect {
        if isModal { return stage.bounds }
        let frame = frame(stage)
        // As far as the shadow goes, and the way that it comes, and comes too far.
        let reach =
            stage.pixels(2 * Elevation.high.blur + Elevation.high.down + Spacing.related)
            + Int(Spring.entrance.overshoot * Float(frame.maxY))
        return frame.inset(by: -reach).intersection(stage.bounds)
    }

    // MARK: Drawing

    /// - Parameters:
    ///   - part: how much of it is seen, 0…1.
    ///   - way: how far it has come, 0 to 1 and, for a moment, a little beyond.
    func draw(_ picture: Picture, part: Float, way: Float) {
        let stage = picture.stage
        var frame = frame(stage)
        let isMoving = !stage.comfort.reducesMotion
        if isModal { picture.canvas.fill(stage.bounds, with: picture.theme.scrim.opacity(part)) }
        let rest = 1 - way
        switch self {
        case .toast: if isMoving { frame.y -= Int(rest * Float(stage.pixels(Spacing.related))) }
        case .banner: if isMoving { frame.y -= Int(rest * Float(frame.maxY)) }
        case .menu: break
        case .sheet: if isMoving { frame.y += Int(rest * Float(frame.height)) }
        }
        let radius: Int
        switch self {
        case .toast: radius = frame.height / 2
        case .sheet: radius = stage.pixels(Radius.sheet)
        default: radius = stage.pixels(Radius.card)
        }
        picture.shadow(of: frame, radius: radius, .high)
        if case .sheet = self {
            // Its lower corners lie beyond the edge, also when it has come too far.
            picture.canvas.clipped(to: stage.bounds) {
                picture.canvas.fill(
                    PixelRect(x: frame.x, y: frame.y, width: frame.width, height: stage.height - frame.y + radius),
                    radius: radius,
                    with: picture.theme.solid(3))
            }
        } else {
            picture.glass(frame, radius: radius, .thick)
        }
        drawContent(picture, frame)
    }

    private func drawContent(_ picture: Picture, _ frame: PixelRect) {
        let stage = picture.stage
        let theme = picture.theme
        let margin = stage.pixels(Spacing.medium)
        switch self {
        case .toast(let words):
            picture.write(words, .rowTitle, in: frame.inset(x: margin, y: 0), theme.text, align: .center)
            // Nothing that a hand would need to touch.
            picture.add(Element(frame: frame, label: words))
        case .banner(let words):
            let size = stage.pixels(Metrics.buttonSymbol)
            let icon = PixelRect(x: frame.x + margin, y: frame.y, width: size, height: frame.height)
            picture.draw(.speaker, in: icon, points: Metrics.buttonSymbol, theme.accent)
            let x = icon.maxX + stage.pixels(Spacing.small)
            picture.write(
                words, .rowTitle, in: PixelRect(x: x, y: frame.y, width: frame.maxX - margin - x, height: frame.height),
                theme.text)
            picture.add(
                Element(
                    frame: frame, label: "Now playing", value: words, hint: "shows the player", action: .show(.player)))
        case .menu(let title, let items): drawMenu(picture, frame, title, items)
        case .sheet(let title, let words, let answers): drawSheet(picture, frame, title, words, answers)
        }
    }

    private func drawMenu(_ picture: Picture, _ frame: PixelRect, _ title: String, _ items: [MenuItem]) {
        let stage = picture.stage
        let theme = picture.theme
        let margin = stage.pixels(Spacing.medium)
        var y = frame.y
        if !title.isEmpty {
            let height = stage.lineHeight(.footnote) + margin
            picture.write(
                title, .footnote,
                in: PixelRect(x: frame.x + margin, y: y, width: frame.width - 2 * margin, height: height),
                theme.secondaryText)
            y += height
        }
        // What there is no room for is not shown: five are what a menu has.
        for (index, item) in items.enumerated() where y + itemHeight(stage) <= frame.maxY {
            let row = PixelRect(x: frame.x, y: y, width: frame.width, height: itemHeight(stage))
            if index > 0 || !title.isEmpty {
                picture.canvas.fill(
                    PixelRect(x: row.x, y: row.y, width: row.width, height: stage.scale.line(0.5)),
                    with: theme.separator)
            }
            let ink = item.isDestructive ? theme.danger : theme.text
            let size = stage.pixels(Metrics.tabSymbol)
            picture.draw(
                item.symbol, in: PixelRect(x: row.maxX - margin - size, y: row.y, width: size, height: row.height),
                points: Metrics.tabSymbol, ink)
            picture.write(
                item.title, .body,
                in: PixelRect(
                    x: row.x + margin, y: row.y, width: row.width - 3 * margin - size, height: row.height), ink)
            picture.add(Element(frame: row, label: item.title, action: .choose(index)))
            y += row.height
        }
    }

    private func drawSheet(
        _ picture: Picture, _ frame: PixelRect, _ title: String, _ words: String, _ answers: [MenuItem]
    ) {
        let stage = picture.stage
        let theme = picture.theme
        let margin = stage.pixels(Spacing.medium)
        let grabber = PixelRect(
            x: frame.midX - stage.pixels(Metrics.grabberWidth) / 2, y: frame.y + stage.pixels(Spacing.small),
            width: stage.pixels(Metrics.grabberWidth), height: stage.pixels(Metrics.grabberHeight))
        picture.canvas.fill(grabber, radius: grabber.height / 2, with: theme.track)
        let (x, width) = (frame.x + margin, frame.width - 2 * margin)
        var y = grabber.maxY + stage.pixels(Spacing.small)
        // The answers come first where there is little room.
        let small = stage.pixels(Spacing.small)
        let buttons = answers.count * (Button(title: "", kind: .primary).height(stage) + small) + small
        let titleLines = min(2, max(1, (stage.height - y - buttons) / stage.lineHeight(.title3)))
        y += picture.write(title, .title3, x: x, y: y, width: width, theme.text, lines: titleLines, align: .center)
        let wordLines = min(3, (stage.height - y - buttons) / stage.lineHeight(.callout))
        if wordLines > 0 {
            y += picture.write(
                words, .callout, x: x, y: y, width: width, theme.secondaryText, lines: wordLines, align: .center)
        }
        y += small
        for (index, answer) in answers.enumerated() {
            let button = Button(title: answer.title, kind: index == 0 ? .primary : .secondary)
            let place = PixelRect(x: x, y: y, width: width, height: button.height(stage))
            if place.maxY > frame.maxY { break }
            button.draw(picture, place, action: .choose(index))
            y = place.maxY + stage.pixels(Spacing.small)
        }
    }
}
