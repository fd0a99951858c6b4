// SPDX-License-Identifier: Apache-2.0
import Core
import Playback
import Posix
import Transcript

/// Skips unwanted parts of a talking book, and the ends of a file. It wakes the thread at the start of the next of them.
///
/// A listener's own jump into one of them plays the rest of it.
final class SkippedParts {
    /// The kinds of parts that a listener skips.
    private(set) var wanted: SkippableParts = []
    /// The kinds of parts in the current item, skipped or not.
    private(set) var offered: SkippableParts = []
    /// The skipped stretches in order, in milliseconds of the item.
    private var stretches: [Range<Int>] = []
    /// The skipped ends of the files of the current item's work.
    private(set) var ends = SkippedEnds.none
    /// The place of a listener's jump, while it is in a skipped stretch.
    private var chosen: Int?
    private let player: any PlayerPort
    private let ear: EarWatch
    /// Returns true while a stretch repeats, and plays unskipped.
    var isRepeating: () -> Bool = { false }

    /// The shortest skipped stretch; shorter ones hold no words. A place this near to a stretch's end counts as behind it.
    private static let leastMilliseconds = 100

    init(_ player: any PlayerPort, _ timers: any Timers) {
        self.player = player
        ear = EarWatch(player, timers)
        ear.arrived = { [self] in
            if let next { self.player.seek(toMilliseconds: min(next.upperBound, end), asked: nil) }
        }
    }

    /// - Parameter transcript: of the current item; nil if there is none, or it is not read yet.
    func set(_ wanted: SkippableParts, _ transcript: Transcript?) {
        self.wanted = wanted
        (offered, stretches) = ([], [])
        guard let transcript else { return watch() }
        for (stretch, parts) in transcript.skippable {
            offered.formUnion(parts)
            if parts.isDisjoint(with: wanted) { continue }
            if let last = stretches.last, last.upperBound == stretch.lowerBound {
                stretches[stretches.count - 1] = last.lowerBound..<stretch.upperBound
            } else if stretch.count >= SkippedParts.leastMilliseconds {
                stretches.append(stretch)
            }
        }
        watch()
    }

    /// - Parameter ends: the skipped ends of the files of the current item's work.
    func set(_ ends: SkippedEnds) {
        self.ends = ends
        watch()
    }

    /// Notes a listener's jump; nil if the next file has begun by itself.
    func didJump(to milliseconds: Int?) { chosen = milliseconds }

    /// Watches for the next skipped stretch. Call it after any change of playback or place except progress.
    func watch() { ear.watch(for: next?.lowerBound) }

    /// The last place to skip to: the item's last moment plays, so that it ends like any other.
    private var end: Int { (player.track?.durationMilliseconds ?? .max) - SkippedParts.leastMilliseconds }

    /// The next stretch to skip. It may be the present one, if playback came there by itself.
    private var next: Range<Int>? {
        if stretches.isEmpty && ends.end == 0 || isRepeating() { return nil }
        let (position, end) = (player.positionMilliseconds, end)
        func isDue(_ stretch: Range<Int>) -> Bool {
            min(stretch.upperBound, end) - position > SkippedParts.leastMilliseconds
                && !(chosen.map(stretch.contains) ?? false
                    && position >= stretch.lowerBound - SkippedParts.leastMilliseconds)
        }
        let part = stretches.first(where: isDue)
        guard let outro, isDue(outro), outro.lowerBound <= part?.lowerBound ?? .max else { return part }
        return outro
    }

    /// The skipped end of the item; nil if there is none, or its length is unknown.
    private var outro: Range<Int>? {
        guard ends.end > 0, let duration = player.track?.durationMilliseconds else { return nil }
        let start = ends.played(ofMilliseconds: duration).upperBound
        return start < duration ? start..<duration : nil
    }
}
