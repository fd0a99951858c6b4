import Core

/// With what the speaker falls silent by itself.
public enum SleepState: Equatable, Sendable {
    case off
    /// After so long.
    case after(milliseconds: Int)
    case chapter
    case item
    case book

    /// By what the speaker tells: the seconds that are left, `chapter`, `item` or `book`; `off` for anything else.
    init(told text: String) {
        switch Sleep(word: text) {
        case .chapter: self = .chapter
        case .item: self = .item
        case .book: self = .book
        default: self = ScreenState.thousandths(text).map { .after(milliseconds: $0) } ?? .off
        }
    }

    /// In full minutes, the one under way too; 0 where they are not counted.
    public var minutes: Int {
        if case .after(let milliseconds) = self { return (max(0, milliseconds) + 59_999) / 60_000 }
        return 0
    }

    /// The same so many milliseconds on.
    public func later(by milliseconds: Int) -> SleepState {
        if case .after(let left) = self { return .after(milliseconds: max(0, left - milliseconds)) }
        return self
    }

    /// Whether somebody has set it since it was so: time alone lets minutes become fewer, and none of them left.
    public func isSet(after old: SleepState) -> Bool {
        self != .off && (minutes > old.minutes || minutes == 0 && self != old)
    }

    /// After how many milliseconds it reads otherwise; nil for never.
    var nextChange: Int? {
        guard case .after(let left) = self, left > 0 else { return nil }
        return left - (minutes - 1) * 60_000
    }

    /// As it would be set now.
    public var setting: Sleep {
        switch self {
        case .off: .off
        case .after: .minutes(minutes)
        case .chapter: .chapter
        case .item: .item
        case .book: .book
        }
    }

    /// "25 min"; "" where nothing is set.
    public var words: String { self == .off ? "" : setting.words }
}

extension ScreenState {
    /// What is otherwise than always, and the player says in a capsule: the speed, and how long it still plays. From the longest to what has
    /// to be enough where there is little room; empty where there is nothing to say.
    var pillWords: [String] {
        let speed = speedPercent == 100 ? "" : Words.speed(speedPercent)
        if sleep == .off { return speed.isEmpty ? [] : [speed] }
        let lead = speed.isEmpty ? "" : speed + " · "
        let short = sleep.minutes > 0 ? sleep.words : "sleep"
        return [lead + "sleep: " + sleep.words, lead + short, speed.isEmpty ? short : speed]
    }
}
