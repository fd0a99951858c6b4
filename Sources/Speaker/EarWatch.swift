// SPDX-License-Identifier: Apache-2.0
import Media
import Playback
import Posix

/// Reports when the listener hears a place of the current track. It wakes the thread only there, by the audible position.
final class EarWatch {
    /// Called when the audible position is at the place, or behind it.
    var arrived: () -> Void = {}
    private let player: any PlayerPort
    private let timers: any Timers
    private var timer: EventLoop.TimerToken?

    /// The distance that counts as arrived: too short to hear, and longer than a timer may be early.
    static let nearMilliseconds = 3
    private static let lookMilliseconds = 20

    init(_ player: any PlayerPort, _ timers: any Timers) {
        self.player = player
        self.timers = timers
    }

    /// Watches for a place, from now on. Call it again after any change of playback or place except progress.
    /// - Parameter place: in milliseconds of the track; nil to stop watching.
    func watch(for place: Int?) {
        if let timer { timers.cancel(timer) }
        timer = nil
        guard let place else { return }
        if !player.isAdvancing {
            // A jump is under way, and nothing reports its end.
            if player.wantsToPlay && player.hasDevice { look(for: place, inMilliseconds: EarWatch.lookMilliseconds) }
            return
        }
        let left = place - player.positionMilliseconds
        if left <= EarWatch.nearMilliseconds { return arrived() }
        // The milliseconds of hours exceed 32 bits.
        let due = Int(clamping: Int64(left) * 1000 / Int64(player.track?.heardSpeed ?? 1000))
        look(for: place, inMilliseconds: min(due, player.steadyMilliseconds ?? due))
    }

    private func look(for place: Int, inMilliseconds milliseconds: Int) {
        timer = timers.schedule(inMilliseconds: milliseconds) { [self] in
            timer = nil
            watch(for: place)
        }
    }
}

extension Track {
    /// True for a live stream, which cannot play at another speed.
    var isLive: Bool { source.stream?.isLive == true }

    /// The audible speed in thousandths.
    fileprivate var heardSpeed: Int { isLive ? 1000 : max(1, speed) }
}
