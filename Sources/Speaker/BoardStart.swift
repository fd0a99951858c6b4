// SPDX-License-Identifier: Apache-2.0
import Library
import Model

/// The board's last start.
public struct BoardStart: Equatable, Sendable {
    /// The identity of this start, different after every start.
    public var identity: String
    /// True if the clock ran on without power, or was set since.
    public var isClockKnown: Bool

    public init(identity: String, isClockKnown: Bool) {
        self.identity = identity
        self.isClockKnown = isClockKnown
    }
}

extension Speaker {
    /// Returns whether the item that played when the speaker last ran resumes by itself. It always does after a mere restart of the
    /// program.
    func playsOn(_ item: Item, _ start: BoardStart?, lastBoot: String?) -> Bool {
        guard let start, let lastBoot, lastBoot != start.identity else { return true }
        switch rules.afterPowerCut {
        case .play: return true
        case .pause: return false
        case .playIfShort:
            // Playback saves its place every few seconds: the last time is that of the power cut.
            guard start.isClockKnown, let cut = library.placeSavedSeconds(item.id),
                let passed = listening.rewind.passed(sinceSeconds: cut)
            else { return false }
            return (0...PlayingRules.AfterPowerCut.shortSeconds).contains(passed)
        }
    }
}
