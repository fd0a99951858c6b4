import Library
import Model

/// What the board says of its last start.
public struct BoardStart: Equatable, Sendable {
    /// Another with every start.
    public var identity: String
    /// The clock goes on without power, or has been set since.
    public var isClockKnown: Bool

    public init(identity: String, isClockKnown: Bool) {
        self.identity = identity
        self.isClockKnown = isClockKnown
    }
}

extension Speaker {
    /// Whether what played when the speaker last ran plays on by itself. Where only the program was started anew, it does.
    func playsOn(_ item: Item, _ start: BoardStart?) -> Bool {
        guard let start, let last = library.restoredBoot(), last != start.identity else { return true }
        switch rules.afterPowerCut {
        case .play: return true
        case .pause: return false
        case .playIfShort:
            // While it plays, its place is saved every few seconds: the last time is that of the cut.
            guard start.isClockKnown, let cut = library.placeSavedSeconds(item.id),
                let passed = listening.rewind.passed(sinceSeconds: cut)
            else { return false }
            return (0...PlayingRules.AfterPowerCut.shortSeconds).contains(passed)
        }
    }
}
