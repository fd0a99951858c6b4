// SPDX-License-Identifier: Apache-2.0
import Posix

/// Turns the pages of a text that is not spoken: the first stays for a while, the others for some seconds, in a cycle.
struct PageClock {
    var since: MonotonicTime
    var firstMilliseconds: Int
    var otherMilliseconds: Int
    /// The number of cycles after which the first page stays; nil for endless.
    var rounds: Int?

    /// Returns the page at `now`, and when the next one comes; nil for never.
    func page(of count: Int, at now: MonotonicTime) -> (index: Int, until: MonotonicTime?) {
        guard count > 1 else { return (0, nil) }
        let round = firstMilliseconds + otherMilliseconds * (count - 1)
        let elapsed = max(0, now.milliseconds(since: since))
        if let rounds, elapsed / Int64(round) >= Int64(rounds) { return (0, nil) }
        let phase = Int(elapsed % Int64(round))
        let index = phase < firstMilliseconds ? 0 : 1 + (phase - firstMilliseconds) / otherMilliseconds
        let end = firstMilliseconds + otherMilliseconds * index
        return (index, since.adding(milliseconds: elapsed + Int64(end - phase)))
    }
}
