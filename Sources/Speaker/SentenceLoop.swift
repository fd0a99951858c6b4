// SPDX-License-Identifier: Apache-2.0
import Posix

/// A stretch of the current item that is heard again and again: a sentence, or the part between two places set by hand.
///
/// It wakes the thread at its end alone, by what the ear hears: the place jumped to is the same each time, so that nothing drifts.
final class SentenceLoop {
    /// Milliseconds of the item.
    private(set) var bounds: Range<Int>?
    /// The first place of a stretch, until its end is set as well.
    private(set) var mark: Int?
    /// It is one sentence, and moves with a step to another sentence.
    private(set) var isSentence = false
    /// There was a stretch, or its beginning, and another file is current since: a stretch lies within one file.
    private(set) var wasLeft = false
    private let ear: EarWatch

    /// Shorter stretches hold no words any more.
    static let leastMilliseconds = 200

    init(_ player: any PlayerPort, _ timers: any Timers) {
        ear = EarWatch(player, timers)
        ear.arrived = { [self] in if let bounds { player.seek(toMilliseconds: bounds.lowerBound, asked: nil) } }
    }

    var isOn: Bool { bounds != nil }

    func set(_ bounds: Range<Int>, isSentence: Bool) {
        self.bounds =
            bounds.count < SentenceLoop.leastMilliseconds
            ? bounds.lowerBound..<bounds.lowerBound + SentenceLoop.leastMilliseconds : bounds
        self.isSentence = isSentence
        mark = nil
        wasLeft = false
        watch()
    }

    /// The stretch is to begin here.
    func begin(at milliseconds: Int) {
        end()
        mark = milliseconds
    }

    func end() {
        bounds = nil
        mark = nil
        isSentence = false
        wasLeft = false
        watch()
    }

    /// Another file is current.
    func leave() {
        let wasLeft = wasLeft || isOn || mark != nil
        end()
        self.wasLeft = wasLeft
    }

    /// Notes a jump: outside the stretch ends it.
    func didSeek(to milliseconds: Int) {
        if let bounds, !bounds.contains(milliseconds) { end() }
    }

    /// Playing, or the place, is another than time alone would have made it.
    func watch() { ear.watch(for: bounds?.upperBound) }

    /// Returns the beginning of a stretch that ends with the item: the player itself goes back there, without a gap.
    func start(atEndOf durationMilliseconds: Int?) -> Int? {
        guard let bounds, let durationMilliseconds,
            bounds.upperBound >= durationMilliseconds - SentenceLoop.leastMilliseconds
        else { return nil }
        return bounds.lowerBound
    }
}
