// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix

/// The content of the menu's lists.
protocol MenuSource: AnyObject {
    /// Returns the present number of entries of a list; more if an exact count would require building them.
    func count(of list: MenuList) -> Int
    /// Returns false while the count is only partial: the next call gives more.
    func isCounted(_ list: MenuList) -> Bool
    /// Returns some entries; fewer if the list has become shorter.
    /// - Parameter known: a known entry, from which the search is shorter than from the beginning.
    func entries(of list: MenuList, _ places: Range<Int>, from known: (place: Int, entry: MenuEntry)?) -> [MenuEntry]
    /// Returns the entry that is shown first.
    func start(of list: MenuList) -> Int
    /// Returns the number of entries to the next or previous letter, in an alphabetical list; nil in others.
    /// - Parameter limit: the answer if the letter is further away.
    func entriesToLetter(of list: MenuList, from entry: MenuEntry, forward: Bool, limit: Int) -> Int?
}

/// The speaker's menu: lists of lists, of which the listener sees or hears one entry at a time. It uses memory only while it is open: a
/// page of each list on the way. Without presses it closes, and nothing has changed. Control thread.
final class Menu {
    /// The time without a press after which the menu closes.
    static let patienceMilliseconds = 15_000
    /// The number of entries in one reading.
    static let pageEntries = 16
    /// The gaps between the steps of a held button. The steps of a knob or a client come sooner, and each counts as one press.
    static let runMilliseconds: ClosedRange<Int64> = 100...300

    enum Outcome: Equatable {
        case nothing
        /// The step led to another entry, another list, or the end of the menu.
        case moved
        /// There is nothing before the entry; behind it for `isLast`.
        case isFirst
        case isLast
        /// The menu closes and performs this choice.
        case chosen(MenuEntry.Choice)
    }

    private struct Level {
        let list: MenuList
        var count: Int
        var index = 0
        var pageStart = 0
        var page: [MenuEntry] = []

        var entry: MenuEntry? { page.indices.contains(index - pageStart) ? page[index - pageStart] : nil }
    }

    private struct Run {
        var steps = 0
        var isForward = true
        var last = MonotonicTime(nanoseconds: 0)
    }

    /// The headings of an item's book, since the menu opened; nil before the first request.
    var headings: (item: Item.ID, list: [Library.Heading])?
    /// The pages of the printed book, likewise cached.
    var pages: (item: Item.ID, list: [Library.Heading])?
    /// The contents of the folder that was read last, while the menu is open.
    var folder: (path: String, folders: [String], items: [Item.ID])?
    /// The open lists; the last one is on the screen.
    private var levels: [Level] = []
    private var run = Run()
    private let timers: any Timers
    private var timer: EventLoop.TimerToken?
    var source: (any MenuSource)?
    /// The stored playlists at the menu's last opening.
    var playlists: [String] = []
    var didChange: () -> Void = {}
    /// Returns true while the voice reads an entry, which is too early for a choice.
    var isBeingRead: () -> Bool = { false }
    /// Called when the menu has closed by itself.
    var didExpire: () -> Void = {}

    init(timers: any Timers) { self.timers = timers }

    var isOpen: Bool { !levels.isEmpty }

    /// The visible entry; nil while the menu is closed.
    var status: MenuStatus? {
        guard let level = levels.last, let entry = level.entry else { return nil }
        return MenuStatus(list: level.list, entry: entry, index: level.index, count: level.count)
    }

    /// - Parameter time: the time of the press, which gives the pace of presses.
    func take(_ step: Command.Menu, at time: MonotonicTime) -> Outcome {
        if !isOpen && step != .open { return .nothing }
        let outcome: Outcome
        switch step {
        case .open where isOpen, .leave:
            close()
            return .moved
        case .open: outcome = enter(.menu)
        case .next: outcome = go(forward: true, time)
        case .previous: outcome = go(forward: false, time)
        case .back:
            levels.removeLast()
            outcome = .moved
        case .choose:
            guard let choice = levels[levels.count - 1].entry?.choice else { return .nothing }
            if choice == .nothing { return .nothing }
            guard case .list(let list) = choice else {
                close()
                return .chosen(choice)
            }
            outcome = enter(list)
        }
        wait()
        didChange()
        return outcome
    }

    /// Opens a single list.
    func open(_ list: MenuList) -> Outcome {
        levels = []
        defer {
            wait()
            didChange()
        }
        return enter(list)
    }

    /// Notes that the menu and a list have new entries.
    func didFind(_ list: MenuList) {
        guard let source, isOpen else { return }
        for index in levels.indices where levels[index].list == .menu || levels[index].list == list {
            let held = levels[index].entry?.choice
            levels[index].count = source.count(of: levels[index].list)
            levels[index].page = []
            read(&levels[index])
            // The entry at the listener's hand stays there.
            if let held, held != .nothing, let place = levels[index].page.firstIndex(where: { $0.choice == held }) {
                levels[index].index = levels[index].pageStart + place
            }
        }
        if levels.last?.entry == nil { close() } else { didChange() }
    }

    /// Closes for any command except the menu's and the volume's.
    func willPerform(_ command: Command) {
        switch command {
        case .none, .menu, .interrupt, .volume, .setVolume, .sleepStep, .say, .switchVoice, .describe, .lock: break
        default: if isOpen { close() }
        }
    }

    private func close() {
        levels = []
        wait()
        didChange()
    }

    /// Restarts the wait for a press, while the menu is open.
    private func wait() {
        if let timer { timers.cancel(timer) }
        timer = nil
        guard isOpen else {
            folder = nil
            return
        }
        timer = timers.schedule(at: timers.now.adding(milliseconds: Menu.patienceMilliseconds)) { [self] in
            timer = nil
            if isBeingRead() { return wait() }
            close()
            didExpire()
        }
    }

    private func enter(_ list: MenuList) -> Outcome {
        guard let source else { return .nothing }
        var level = Level(list: list, count: source.count(of: list))
        level.index = max(0, min(level.count - 1, source.start(of: list)))
        read(&level)
        // The list has become empty since the menu offered it.
        if level.entry == nil { return .nothing }
        levels.append(level)
        return .moved
    }

    /// Reads the page of the entry, unless it is there.
    private func read(_ level: inout Level, entries: Int = Menu.pageEntries) {
        if level.entry != nil { return }
        let known = level.page.first.map { (level.pageStart, $0) }
        level.pageStart = level.index / entries * entries
        let end = min(level.count, level.pageStart + entries)
        level.page = source?.entries(of: level.list, level.pageStart..<max(level.pageStart, end), from: known) ?? []
        // The list has become shorter, or its count was partial before.
        if level.pageStart + level.page.count < end { level.count = level.pageStart + level.page.count }
    }

    private func go(forward: Bool, _ time: MonotonicTime) -> Outcome {
        var level = levels[levels.count - 1]
        if let source, !source.isCounted(level.list) { level.count = source.count(of: level.list) }
        let isRun = run.isForward == forward && Menu.runMilliseconds.contains(time.milliseconds(since: run.last))
        run = Run(steps: isRun ? run.steps + 1 : 0, isForward: forward, last: time)
        let before = level.index
        let stride = letterStride(level, forward) ?? Menu.stride(run.steps, of: level.count)
        level.index = max(0, min(level.count - 1, forward ? before + stride : before - stride))
        // Longer steps skip the rest of a page, so one entry is enough.
        read(&level, entries: stride < Menu.pageEntries ? Menu.pageEntries : 1)
        if level.entry == nil {
            level.index = max(0, level.count - 1)
            read(&level)
        }
        if level.entry == nil {
            // Nothing remains of the list.
            levels.removeLast()
            return .moved
        }
        levels[levels.count - 1] = level
        return level.index == before ? (forward ? .isLast : .isFirst) : .moved
    }

    /// Returns the stride to the next letter after a long hold, in an alphabetical list.
    private func letterStride(_ level: Level, _ forward: Bool) -> Int? {
        guard run.steps >= Menu.fastSteps, let entry = level.entry else { return nil }
        return source?.entriesToLetter(
            of: level.list, from: entry, forward: forward, limit: max(100, level.count / 100))
    }

    private static let fastSteps = 20

    /// Returns the size of a step: one, and more after two seconds of holding, so that any list takes half a minute.
    static func stride(_ steps: Int, of count: Int) -> Int {
        if steps < 10 { return 1 }
        return steps < fastSteps ? max(1, min(5, count / 20)) : max(1, count / 100)
    }
}
