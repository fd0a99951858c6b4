import Design
import Pixels
import Typography

/// Something that can be set, as it stands.
public struct SettingRow: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case toggle(Bool)
        /// With a button for less and one for more.
        case steps
        /// Only told.
        case words
    }

    public var name: SettingName
    public var value: String
    public var kind: Kind

    public init(_ name: SettingName, _ value: String, _ kind: Kind) {
        self.name = name
        self.value = value
        self.kind = kind
    }

    /// Lines of `NAME on|off`, `NAME steps VALUE` and `NAME words VALUE`.
    public static func rows(lines text: String) -> [SettingRow] {
        var rows: [SettingRow] = []
        for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: true) {
            let parts = line.split(separator: 0x20, maxSplits: 2).map { String(Substring($0)) }
            guard parts.count > 1, let name = SettingName.allCases.first(where: { $0.word == parts[0] }) else {
                continue
            }
            let value = parts.count > 2 ? parts[2] : ""
            switch parts[1] {
            case "on", "off": rows.append(SettingRow(name, "", .toggle(parts[1] == "on")))
            case "steps": rows.append(SettingRow(name, value, .steps))
            default: rows.append(SettingRow(name, value, .words))
            }
        }
        return rows
    }
}

extension SettingName {
    /// In configurations and state files.
    public var word: String {
        switch self {
        case .speed: "speed"
        case .volume: "volume"
        case .sleep: "sleep"
        case .brightness: "brightness"
        case .theme: "theme"
        case .textSize: "text-size"
        case .reducedMotion: "reduced-motion"
        case .reducedTransparency: "reduced-transparency"
        case .increasedContrast: "increased-contrast"
        case .lowPower: "low-power"
        case .network: "network"
        case .about: "about"
        }
    }

    var title: String {
        switch self {
        case .speed: "Speed"
        case .volume: "Volume"
        case .sleep: "Sleep timer"
        case .brightness: "Brightness"
        case .theme: "Appearance"
        case .textSize: "Text size"
        case .reducedMotion: "Reduce motion"
        case .reducedTransparency: "Reduce transparency"
        case .increasedContrast: "Increase contrast"
        case .lowPower: "Low-power mode"
        case .network: "Network"
        case .about: "About"
        }
    }

    /// Which card it stands on.
    var group: Int {
        switch self {
        case .speed, .volume, .sleep: 0
        case .brightness, .theme, .textSize: 1
        case .reducedMotion, .reducedTransparency, .increasedContrast, .lowPower: 2
        case .network, .about: 3
        }
    }
}

/// What can be set, on cards of glass. One thread.
public final class SettingsPage: Page {
    private var rows: [SettingRow] = []
    private var counters: SpeakerCounters?

    let tab = Element.Tab.settings
    let title = ""
    let isRefreshable = false
    let isLoading = false
    private static let groups = ["Listening", "Display", "Comfort", "This speaker"]

    public init() {}

    public func show(_ rows: [SettingRow]) { self.rows = rows }

    /// Nil for none.
    public func show(_ counters: SpeakerCounters?) { self.counters = counters }

    func isMoving(at moment: Int) -> Bool { false }
    func swipe(_ elements: [Element], x: Int, y: Int, by: Int, at moment: Int) -> Bool { false }
    func endSwipe(at moment: Int) -> Element.Action { .none }

    private func titleStyle(_ stage: Stage) -> TypeStyle {
        stage.isCompact ? .title2 : .largeTitle
    }

    /// With so large words, or so little room, that a value stands under its name.
    private func isStacked(_ row: SettingRow, _ stage: Stage, width: Int) -> Bool {
        if case .toggle = row.kind { return false }
        let padding = stage.pixels(Spacing.medium)
        let controls = row.kind == .steps ? 2 * stage.pixels(Metrics.target) : 0
        let name = stage.set(row.name.title, .setting, width: 4 * width).width
        let value = stage.set(row.value, .settingValue, width: 4 * width).width
        return name + value + controls + 4 * padding > width
    }

    private func rowHeight(_ row: SettingRow, _ stage: Stage, width: Int) -> Int {
        let padding = stage.pixels(Spacing.medium)
        if isStacked(row, stage, width: width) {
            let second = row.kind == .steps ? stage.pixels(Metrics.target) : stage.lineHeight(.settingValue)
            return stage.lineHeight(.setting) + max(second, stage.lineHeight(.settingValue)) + padding
        }
        let lines = isToggle(row) ? nameLines(row, stage, width: width) : 1
        return max(stage.pixels(Metrics.settingHeight), lines * stage.lineHeight(.setting) + padding)
    }

    private func isToggle(_ row: SettingRow) -> Bool {
        if case .toggle = row.kind { return true }
        return false
    }

    private func nameWidth(_ stage: Stage, width: Int) -> Int {
        width - stage.pixels(3 * Spacing.medium + Metrics.switchWidth)
    }

    private func nameLines(_ row: SettingRow, _ stage: Stage, width: Int) -> Int {
        max(1, stage.set(row.name.title, .setting, width: nameWidth(stage, width: width), lines: 3).lines.count)
    }

    func height(_ stage: Stage, width: Int) -> Int {
        var height = stage.lineHeight(titleStyle(stage)) + stage.pixels(Spacing.small)
        for group in groups() {
            height += stage.pixels(Spacing.medium) + stage.lineHeight(.footnote) + stage.pixels(Spacing.mini)
            for row in group { height += rowHeight(row, stage, width: cardWidth(stage, width)) }
        }
        if let counters {
            height += stage.pixels(Spacing.medium)
            height += AboutCard(counters: counters).height(stage, width: cardWidth(stage, width))
        }
        return height + stage.pixels(Spacing.medium)
    }

    private func groups() -> [[SettingRow]] {
        SettingsPage.groups.indices.map { group in rows.filter { $0.name.group == group } }.filter { !$0.isEmpty }
    }

    private func cardWidth(_ stage: Stage, _ width: Int) -> Int { min(width, stage.pixels(Breakpoint.readableWidth)) }

    func draw(_ picture: Picture, x: Int, top: Int, width: Int, visible: PixelRect, at moment: Int) {
        let stage = picture.stage
        let card = cardWidth(stage, width)
        let x = x + (width - card) / 2
        var y = top
        y += picture.write("Settings", titleStyle(stage), x: x, y: y, width: card, stage.theme.text)
        picture.add(
            Element(frame: PixelRect(x: x, y: top, width: card, height: y - top), label: "Settings", role: .heading))
        y += stage.pixels(Spacing.small)
        for group in groups() {
            y += stage.pixels(Spacing.medium)
            let padding = stage.pixels(Spacing.medium)
            y += picture.write(
                SettingsPage.groups[group[0].name.group], .footnote, x: x + padding, y: y, width: card - 2 * padding,
                stage.theme.secondaryText)
            y += stage.pixels(Spacing.mini)
            var height = 0
            for row in group { height += rowHeight(row, stage, width: card) }
            let frame = PixelRect(x: x, y: y, width: card, height: height)
            if frame.intersection(visible).isEmpty {
                y += height
                continue
            }
            picture.glassCard(frame)
            for (index, row) in group.enumerated() {
                let place = PixelRect(x: x, y: y, width: card, height: rowHeight(row, stage, width: card))
                if index > 0 {
                    picture.canvas.fill(
                        PixelRect(x: x + padding, y: y, width: card - padding, height: stage.scale.line(0.5)),
                        with: stage.theme.separator)
                }
                draw(row, picture, place)
                y += place.height
            }
        }
        guard let counters else { return }
        let about = AboutCard(counters: counters)
        y += stage.pixels(Spacing.medium)
        let frame = PixelRect(x: x, y: y, width: card, height: about.height(stage, width: card))
        if !frame.intersection(visible).isEmpty { about.draw(picture, frame) }
    }

    private func draw(_ row: SettingRow, _ picture: Picture, _ frame: PixelRect) {
        let stage = picture.stage
        let theme = picture.theme
        let padding = stage.pixels(Spacing.medium)
        let title = row.name.title
        let inner = frame.inset(x: padding, y: 0)
        switch row.kind {
        case .toggle(let isOn):
            let name = PixelRect(
                x: inner.x, y: frame.y, width: nameWidth(stage, width: frame.width), height: frame.height)
            picture.write(title, .setting, in: name, theme.text, lines: 3)
            drawSwitch(picture, isOn, in: frame)
            picture.add(
                Element(
                    frame: frame, label: title, value: isOn ? "on" : "off", hint: "turns it over",
                    action: .change(row.name, .more), role: .setting, isSelected: isOn))
        case .steps, .words:
            let isStacked = isStacked(row, stage, width: frame.width)
            let lineHeight = stage.lineHeight(.setting)
            let nameFrame =
                isStacked
                ? PixelRect(x: inner.x, y: frame.y + padding / 2, width: inner.width, height: lineHeight)
                : PixelRect(x: inner.x, y: frame.y, width: inner.width, height: frame.height)
            let name = stage.set(title, .setting, width: inner.width)
            picture.write(
                name, title, x: inner.x, y: nameFrame.y + (nameFrame.height - name.height) / 2, width: name.width,
                theme.text)
            var value =
                isStacked
                ? PixelRect(
                    x: inner.x, y: nameFrame.maxY, width: inner.width, height: frame.maxY - nameFrame.maxY - padding / 2
                )
                : PixelRect(
                    x: inner.x + name.width + padding, y: frame.y, width: inner.width - name.width - padding,
                    height: frame.height)
            if row.kind == .steps { value = drawSteps(row, picture, value) }
            picture.write(
                row.value, .settingValue, in: value, theme.secondaryText,
                align: isStacked && row.kind == .words ? .leading : .trailing)
            picture.add(Element(frame: nameFrame, label: title, value: row.value, role: .setting))
        }
    }

    /// Returns what of the place is left for the value.
    private func drawSteps(_ row: SettingRow, _ picture: Picture, _ place: PixelRect) -> PixelRect {
        let stage = picture.stage
        let theme = picture.theme
        let target = stage.pixels(Metrics.target)
        let height = stage.pixels(Metrics.chipHeight)
        let pill = PixelRect(
            x: place.maxX - 2 * target, y: place.y + (place.height - height) / 2, width: 2 * target, height: height)
        picture.canvas.fill(pill, radius: height / 2, with: theme.chip)
        picture.canvas.fill(
            PixelRect(x: pill.midX, y: pill.y + height / 4, width: stage.scale.line(1), height: height / 2),
            with: theme.separator)
        for (index, step) in [Element.Step.less, .more].enumerated() {
            let hit = PixelRect(
                x: pill.x + index * target, y: place.y + (place.height - target) / 2, width: target, height: target)
            picture.draw(step == .less ? .minus : .plus, in: hit, points: Metrics.buttonSymbol, theme.text)
            picture.add(
                Element(
                    frame: hit, label: row.name.title + (step == .less ? ", less" : ", more"), value: row.value,
                    action: .change(row.name, step)))
        }
        return PixelRect(
            x: place.x, y: place.y, width: pill.x - place.x - stage.pixels(Spacing.related), height: place.height)
    }

    private func drawSwitch(_ picture: Picture, _ isOn: Bool, in frame: PixelRect) {
        let stage = picture.stage
        let theme = picture.theme
        let (width, height) = (stage.pixels(Metrics.switchWidth), stage.pixels(Metrics.switchHeight))
        let place = PixelRect(
            x: frame.maxX - stage.pixels(Spacing.medium) - width, y: frame.midY - height / 2, width: width,
            height: height)
        picture.canvas.fill(place, radius: height / 2, with: isOn ? theme.switchOn : theme.track)
        let inset = stage.scale.line(Metrics.switchInset)
        let side = height - 2 * inset
        let thumb = PixelRect(
            x: isOn ? place.maxX - inset - side : place.x + inset, y: place.y + inset, width: side, height: side)
        picture.shadow(of: thumb, radius: side / 2, .low)
        picture.canvas.fill(thumb, radius: side / 2, with: theme.switchThumb)
    }
}
