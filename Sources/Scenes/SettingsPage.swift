// SPDX-License-Identifier: Apache-2.0
import Core
import Design
import Model
import Pixels
import Text
import Typography

/// A setting with its present value.
public struct SettingRow: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case toggle(Bool)
        /// Buttons for less and for more.
        case steps
        /// A read-only text.
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

    /// Reads lines of `NAME on|off`, `NAME steps VALUE` and `NAME words VALUE`.
    public static func rows(lines text: String) -> [SettingRow] {
        var rows: [SettingRow] = []
        for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: true) {
            let parts = line.split(separator: 0x20, maxSplits: 2).map { String(Substring($0)) }
            guard parts.count > 1, let name = SettingName(word: parts[0]) else {
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
    /// The word in configurations and state files.
    public var word: String { told.word }
    var title: String { told.title }
    /// The card that shows it.
    var group: Int { told.group }

    private var told: (word: String, title: String, group: Int) {
        switch self {
        case .speed: ("speed", translated("Speed"), 0)
        case .volume: ("volume", translated("Volume"), 0)
        case .sleep: ("sleep", translated("Sleep timer"), 0)
        case .brightness: ("brightness", translated("Brightness"), 1)
        case .theme: ("theme", translated("Appearance"), 1)
        case .textSize: ("text-size", translated("Text size"), 1)
        case .reducedMotion: ("reduced-motion", translated("Reduce motion"), 2)
        case .reducedTransparency: ("reduced-transparency", translated("Reduce transparency"), 2)
        case .increasedContrast: ("increased-contrast", translated("Increase contrast"), 2)
        case .lowPower: ("low-power", translated("Low-power mode"), 2)
        case .network: ("network", translated("Network"), 3)
        case .household: ("household", translated("Household"), 3)
        case .about: ("about", translated("About"), 3)
        case .speaker(let setting): (setting.rawValue, setting.words, setting == .language ? 3 : 0)
        }
    }
}

extension Destination {
    static var settings: Destination {
        Destination(.settings, translated("Settings"), .gear, filled: .gearFilled, .mintAqua) { SettingsPage($0) }
    }
}

/// The settings, on cards of glass. One thread.
public final class SettingsPage: Page {
    private var rows: [SettingRow] = []
    private var counters: SpeakerCounters?
    /// The alarms; nil before the speaker has listed them.
    private var alarms: [ListRow]?

    let tab = Element.Tab.settings
    let title = ""
    private static var groups: [String] {
        [translated("Listening"), translated("Display"), translated("Comfort"), translated("This speaker")]
    }

    private let context: PageContext

    init(_ context: PageContext) { self.context = context }

    func show(_ rows: [SettingRow]) { self.rows = rows }

    /// Shows the counters; nil for none.
    func show(_ counters: SpeakerCounters?) { self.counters = counters }

    /// Shows the alarms; nil if the speaker has no list.
    func show(alarms rows: [ListRow]?) { alarms = rows }

    func show(_ example: ExampleLists) {
        show(SettingRow.rows(lines: example["settings"] ?? ""))
        show(SpeakerCounters(lines: example["stats"] ?? ""))
    }

    // MARK: The speaker

    func load() {
        showSettings()
        askChoices()
        context.askConnections { [self] in showSettings() }
        context.ask("stats") { [self] in
            var counters = SpeakerCounters(lines: $0 ?? "")
            counters?.setDay()
            show(counters)
            context.redraw()
        }
    }

    private func askChoices() {
        askAlarms()
        context.askChoices { [self] in showSettings() }
    }

    private func showSettings() {
        rows = context.settings
        context.redraw()
    }

    private func askAlarms() {
        context.ask("alarm list") { [self] in
            show(alarms: $0.map { [context] in context.withoutHidden(ListRow.rows(lines: $0)) })
            context.redraw()
        }
    }

    func changed(_ name: String, isShown: Bool) { if isShown && name == "options" { askChoices() } }

    func row(_ kind: ListRow.Kind, _ name: String) -> ListRow? {
        alarms?.first { $0.kind == kind && $0.name == name }
    }

    func changed(from old: SpeakerStatus, isShown: Bool) {
        let new = context.state
        let isSet =
            new.volumePercent != old.volumePercent || new.speed.percent != old.speed.percent
            || new.sleep != old.sleep
        if !isShown { return }
        // A new language changes every text of the answers.
        if new.file != old.file || new.language != old.language { load() } else if isSet { showSettings() }
    }

    func take(_ action: Element.Action) -> Bool {
        guard case .change(let name, let step) = action else { return false }
        context.change(name, step)
        showSettings()
        return true
    }

    // MARK: Layout

    private func groups() -> [[SettingRow]] {
        SettingsPage.groups.indices.map { group in rows.filter { $0.name.group == group } }.filter { !$0.isEmpty }
    }

    func layOut(_ column: inout Column, at moment: Int) {
        column.screenTitle(translated("Settings"))
        column.space(Spacing.small)
        column.narrowed(to: Breakpoint.readableWidth) { layOut(&$0) }
    }

    private func layOut(_ column: inout Column) {
        let stage = column.stage
        let padding = stage.pixels(Spacing.medium)
        if let alarms {
            layOutCard(translated("Alarms"), rows: alarms.count + 1, &column) { index, card in
                if index < alarms.count { layOut(alarm: alarms[index], &card) } else { layOutNewAlarm(&card) }
            }
        }
        for group in groups() {
            layOutCard(SettingsPage.groups[group[0].name.group], rows: group.count, &column) { index, card in
                layOut(group[index], &card)
            }
        }
        if let counters {
            column.space(Spacing.medium)
            column.card(padding: padding) { AboutCard(counters: counters).layOut(&$0) }
        }
        column.space(Spacing.medium)
    }

    /// Lays out rows on a card, with lines between them, below the card's title.
    private func layOutCard(
        _ title: String, rows: Int, _ column: inout Column, _ layOutRow: (Int, inout Column) -> Void
    ) {
        let stage = column.stage
        let padding = stage.pixels(Spacing.medium)
        column.space(Spacing.medium)
        column.line(title, .footnote, stage.theme.secondaryText, inset: padding)
        column.space(Spacing.mini)
        column.card { card in
            for index in 0..<rows {
                if index > 0 {
                    card.over(stage.scale.line(0.5)) { picture, line in
                        picture.canvas.fill(line.right(line.width - padding), with: stage.theme.separator)
                    }
                }
                layOutRow(index, &card)
            }
        }
    }

    private func layOut(alarm row: ListRow, _ card: inout Column) {
        layOutSwitch(row.title, detail: row.detail, row.isOn, .open(row.kind, row.name), &card)
    }

    private func layOutNewAlarm(_ card: inout Column) {
        let stage = card.stage
        let padding = stage.pixels(Spacing.medium)
        let words = translated("New alarm")
        card.add(max(stage.pixels(Metrics.settingHeight), stage.lineHeight(.setting) + padding)) { picture, frame in
            var room = frame.inset(x: padding, y: 0)
            let sign = room.cutRight(stage.pixels(Metrics.buttonSymbol), gap: padding)
            picture.draw(.plus, in: sign, points: Metrics.buttonSymbol, stage.theme.text)
            picture.write(words, .setting, in: room, stage.theme.text)
            picture.add(frame, words, action: .ask(.alarmHour), role: .setting)
        }
    }

    private func layOut(_ row: SettingRow, _ card: inout Column) {
        switch row.kind {
        case .toggle(let isOn): layOutSwitch(row.name.title, isOn, .change(row.name, .more), &card)
        case .steps, .words: layOutValue(row, &card)
        }
    }

    /// - Parameter detail: the text below the name; "" for none.
    private func layOutSwitch(
        _ name: String, detail: String = "", _ isOn: Bool, _ action: Element.Action, _ card: inout Column
    ) {
        let stage = card.stage
        let padding = stage.pixels(Spacing.medium)
        let room = card.width - stage.pixels(3 * Spacing.medium + Metrics.switchWidth)
        let title = stage.set(name, .setting, width: room, lines: 3)
        let below = detail.isEmpty ? nil : stage.set(detail, .rowDetail, width: room, lines: 2)
        let height = max(title.height, stage.lineHeight(.setting)) + (below?.height ?? 0)
        card.add(max(stage.pixels(Metrics.settingHeight), height + padding)) { picture, frame in
            let inner = frame.inset(x: padding, y: 0)
            var words = inner.left(room).middle(height: height)
            if let below { picture.write(below, detail, in: words.cutBottom(below.height), stage.theme.secondaryText) }
            picture.write(title, name, in: words, stage.theme.text)
            let size = PixelRect(
                x: 0, y: 0, width: stage.pixels(Metrics.switchWidth), height: stage.pixels(Metrics.switchHeight))
            drawSwitch(picture, isOn, inner.right(size.width).middle(height: size.height))
            picture.add(
                frame, detail.isEmpty ? name : name + ", " + detail, value: isOn ? translated("on") : translated("off"),
                hint: translated("turns it over"), action: action, role: .setting, isSelected: isOn)
        }
    }

    /// Lays out a value beside its name, or under it if words are large or room is scarce.
    private func layOutValue(_ row: SettingRow, _ card: inout Column) {
        let stage = card.stage
        let (padding, target) = (stage.pixels(Spacing.medium), stage.pixels(Metrics.target))
        let inner = card.width - 2 * padding
        let hasSteps = row.kind == .steps
        let name = stage.set(row.name.title, .setting, width: inner)
        let value = stage.set(row.value, .settingValue, width: 4 * card.width)
        let isStacked = name.width + value.width + (hasSteps ? 2 * target : 0) + 2 * padding > inner
        let lineHeight = stage.lineHeight(.setting)
        let valueHeight = max(hasSteps ? target : 0, stage.lineHeight(.settingValue))
        let height =
            isStacked
            ? lineHeight + valueHeight + padding : max(stage.pixels(Metrics.settingHeight), lineHeight + padding)
        card.add(height) { picture, frame in
            var room = frame.inset(x: padding, y: isStacked ? padding / 2 : 0)
            var title = room
            if isStacked { title = room.cutTop(lineHeight) } else { _ = room.cutLeft(name.width, gap: padding) }
            picture.write(name, row.name.title, in: title, stage.theme.text)
            if hasSteps { drawSteps(row, picture, room.cutRight(2 * target, gap: stage.pixels(Spacing.related))) }
            picture.write(
                row.value, .settingValue, in: room, stage.theme.secondaryText,
                align: isStacked && !hasSteps ? .leading : .trailing)
            picture.add(title, row.name.title, value: row.value, role: .setting)
        }
    }

    private func drawSteps(_ row: SettingRow, _ picture: Picture, _ place: PixelRect) {
        let stage = picture.stage
        let theme = picture.theme
        let height = stage.pixels(Metrics.chipHeight)
        let pill = place.middle(height: height)
        picture.canvas.fill(pill, radius: height / 2, with: theme.chip)
        let line = PixelRect(x: pill.midX, y: pill.y, width: stage.scale.line(1), height: height)
        picture.canvas.fill(line.middle(height: height / 2), with: theme.separator)
        var targets = place.middle(height: place.width / 2)
        for step in [Element.Step.less, .more] {
            let target = targets.cutLeft(targets.height)
            picture.draw(step == .less ? .minus : .plus, in: target, points: Metrics.buttonSymbol, theme.text)
            picture.add(
                target, row.name.title + ", " + (step == .less ? translated("less") : translated("more")),
                value: row.value,
                action: .change(row.name, step))
        }
    }

    private func drawSwitch(_ picture: Picture, _ isOn: Bool, _ place: PixelRect) {
        let theme = picture.theme
        picture.canvas.fill(place, radius: place.height / 2, with: isOn ? theme.switchOn : theme.track)
        let inner = place.inset(by: picture.stage.scale.line(Metrics.switchInset))
        let thumb = isOn ? inner.right(inner.height) : inner.left(inner.height)
        picture.shadow(of: thumb, radius: thumb.height / 2, .low)
        picture.canvas.fill(thumb, radius: thumb.height / 2, with: theme.switchThumb)
    }
}
