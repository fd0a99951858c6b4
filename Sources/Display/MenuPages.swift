// SPDX-License-Identifier: Apache-2.0
import Model
import Posix

/// The speaker's menu on the glass: above the list and which of its entries this is, "Books        3/24"; below it the entry, page by page;
/// and in a third row, where there is one, how long it is and how much of it was heard.
struct MenuPages {
    private let heading: [UInt8]
    private let entry: [TextPage]
    private let detail: [UInt8]
    private let clock: PageClock

    /// - Parameters:
    ///   - rows: of the glass.
    ///   - spell: text in the glass's codes.
    init(_ menu: MenuStatus, columns: Int, rows: Int, since now: MonotonicTime, spell: (String) -> [UInt8]) {
        let place = Array("\(menu.index + 1)/\(menu.count)".utf8)
        let name = spell(menu.list.words).prefix(max(0, columns - place.count - 1))
        heading =
            (name + [UInt8](repeating: 0x20, count: max(1, columns - name.count - place.count)) + place).prefix(columns)
            + []
        let text = menu.entry.title + (menu.entry.isCurrent ? " *" : "")
        let facts = MenuPages.facts(menu.entry)
        // If they have no row of their own, they stand behind the title.
        let whole = rows < 3 && !facts.isEmpty ? text + ", " + facts : text
        entry = TextPages.pages(spell(whole), columns: columns, rows: rows > 3 ? 2 : 1)
        detail = rows < 3 ? [] : Array(facts.utf8.prefix(columns))
        clock = PageClock(
            since: now, firstMilliseconds: Timing.pageMilliseconds, otherMilliseconds: Timing.pageMilliseconds)
    }

    /// "1:02:03, 40%".
    private static func facts(_ entry: MenuEntry) -> String {
        guard let duration = entry.durationMilliseconds, duration > 0 else { return "" }
        let length = String(decoding: ProgressRow.clock(Int(clamping: duration / 1000)), as: UTF8.self)
        return length + (entry.heardPercent.map { ", \($0)%" } ?? "")
    }

    /// The rows from the first on; the first of the entry takes the only one where there is one. And when they change by themselves.
    func lines(rows: Int, at now: MonotonicTime) -> (lines: [(row: Int, codes: [UInt8])], until: MonotonicTime?) {
        let (index, until) = clock.page(of: entry.count, at: now)
        var lines = rows > 1 ? [(row: 0, codes: heading)] : []
        for codes in entry.isEmpty ? [] : entry[index].lines { lines.append((lines.count, codes)) }
        if !detail.isEmpty { lines.append((rows - 1, detail)) }
        return (lines, until)
    }
}
