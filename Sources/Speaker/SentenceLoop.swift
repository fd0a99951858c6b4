// SPDX-License-Identifier: Apache-2.0
import Posix

/// A repeated stretch of the current item: a sentence, or the part between two places that a listener set.
///
/// It wakes the thread only at its end, by the audible position. Each repetition jumps to the same place, so that nothing drifts.
final class SentenceLoop {
    /// The stretch in milliseconds of the item; nil for none.
    private(set) var bounds: Range<Int>?
    /// The first place of a stretch, until its end is set as well.
    private(set) var mark: Int?
    /// True for one sentence: a step to another sentence moves the stretch.
    private(set) var isSentence = false
    /// True if a stretch, or its beginning, ended because another file became current: a stretch lies within one file.
    private(set) var wasLeft = false
    private let ear: EarWatch

    /// The shortest stretch; shorter ones hold no words.
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

    /// Sets the beginning of a stretch.
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

    /// Ends the stretch, since another file is current.
    func leave() {
        let wasLeft = wasLeft || isOn || mark != nil
        end()
        self.wasLeft = wasLeft
    }

    /// Notes a jump. A jump out of the stretch ends it.
    func didSeek(to milliseconds: Int) {
        if let bounds, !bounds.contains(milliseconds) { end() }
    }

    /// Watches for the end of the stretch. Call it after any change of playback or place except progress.
    func watch() { ear.watch(for: bounds?.upperBound) }

    /// Returns the beginning of a stretch that ends with the item: the player itself goes back there, without a gap.
    func start(atEndOf durationMilliseconds: Int?) -> Int? {
        guard let bounds, let durationMilliseconds,
            bounds.upperBound >= durationMilliseconds - SentenceLoop.leastMilliseconds
        else { return nil }
        return bounds.lowerBound
    }
}
