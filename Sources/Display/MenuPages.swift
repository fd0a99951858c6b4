// SPDX-License-Identifier: Apache-2.0
import Model
import Posix

/// The speaker's menu on an LCD. The first row has the list and the entry's number: "Books        3/24". Below it is the entry, page by page,
/// and in a third row its length and heard part.
struct MenuPages {
    private let heading: [UInt8]
    private let entry: [TextPage]
    private let detail: [UInt8]
    private let clock: PageClock

    /// - Parameters:
    ///   - rows: the number of rows.
    ///   - spell: converts text to the LCD's codes.
    init(_ menu: MenuStatus, columns: Int, rows: Int, since now: MonotonicTime, spell: (String) -> [UInt8]) {
        let place = Array("\(menu.index + 1)/\(menu.count)".utf8)
        let name = spell(menu.list.words).prefix(max(0, columns - place.count - 1))
        heading =
            (name + [UInt8](repeating: 0x20, count: max(1, columns - name.count - place.count)) + place).prefix(columns)
            + []
        let text = menu.entry.title + (menu.entry.isCurrent ? " *" : "")
        let facts = MenuPages.facts(menu.entry)
        // Without a row of their own, the facts follow the title.
        let whole = rows < 3 && !facts.isEmpty ? text + ", " + facts : text
        entry = TextPages.pages(spell(whole), columns: columns, rows: rows > 3 ? 2 : 1)
        detail = rows < 3 ? [] : Array(facts.utf8.prefix(columns))
        clock = PageClock(
            since: now, firstMilliseconds: Timing.pageMilliseconds, otherMilliseconds: Timing.pageMilliseconds)
    }

    /// Returns "1:02:03, 40%".
    private static func facts(_ entry: MenuEntry) -> String {
        guard let duration = entry.durationMilliseconds, duration > 0 else { return "" }
        let length = String(decoding: ProgressRow.clock(Int(clamping: duration / 1000)), as: UTF8.self)
        return length + (entry.heardPercent.map { ", \($0)%" } ?? "")
    }

    /// Returns the rows from the first on, and when they change by themselves. A single row shows the entry.
    func lines(rows: Int, at now: MonotonicTime) -> (lines: [(row: Int, codes: [UInt8])], until: MonotonicTime?) {
        let (index, until) = clock.page(of: entry.count, at: now)
        var lines = rows > 1 ? [(row: 0, codes: heading)] : []
        for codes in entry.isEmpty ? [] : entry[index].lines { lines.append((lines.count, codes)) }
        if !detail.isEmpty { lines.append((rows - 1, detail)) }
        return (lines, until)
    }
}
