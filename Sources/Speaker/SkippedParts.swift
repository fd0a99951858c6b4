// SPDX-License-Identifier: Apache-2.0
import Core
import Playback
import Posix
import Transcript

/// Jumps over the parts of a talking book, and the ends of a file, that a listener does not want to hear. It wakes the thread where the
/// next of them begins.
///
/// A listener's own jump into one of them plays the rest of it.
final class SkippedParts {
    /// By a listener's choice.
    private(set) var wanted: SkippableParts = []
    /// Those of the current item, whether they are skipped or not.
    private(set) var offered: SkippableParts = []
    /// In order; milliseconds of the item.
    private var stretches: [Range<Int>] = []
    /// Of the files of the current item's work.
    private(set) var ends = SkippedEnds.none
    /// The place that a listener jumped to, while it is in a skipped stretch.
    private var chosen: Int?
    private let player: any PlayerPort
    private let ear: EarWatch
    /// True while a stretch is repeated, and heard as it is.
    var isRepeating: () -> Bool = { false }

    /// Shorter stretches hold no words. So near its end a stretch is over, too.
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

    /// - Parameter ends: of the files of the current item's work.
    func set(_ ends: SkippedEnds) {
        self.ends = ends
        watch()
    }

    /// Notes a listener's jump; nil where the next file has begun by itself.
    func didJump(to milliseconds: Int?) { chosen = milliseconds }

    /// Playing, or the place, is another than time alone would have made it.
    func watch() { ear.watch(for: next?.lowerBound) }

    /// The item's last moment is heard, so that it ends as any other.
    private var end: Int { (player.track?.durationMilliseconds ?? .max) - SkippedParts.leastMilliseconds }

    /// The stretch to skip next; the one that the ear is in, if it came there by itself.
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
