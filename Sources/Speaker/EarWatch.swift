// SPDX-License-Identifier: Apache-2.0
import Media
import Playback
import Posix

/// Tells when the ear comes to a place of the current track. It wakes the thread there alone, by what the ear hears.
final class EarWatch {
    /// The ear is at the place, or behind it.
    var arrived: () -> Void = {}
    private let player: any PlayerPort
    private let timers: any Timers
    private var timer: EventLoop.TimerToken?

    /// So near it counts as there: sooner than the ear can tell, and later than a timer that fires early.
    static let nearMilliseconds = 3
    private static let lookMilliseconds = 20

    init(_ player: any PlayerPort, _ timers: any Timers) {
        self.player = player
        self.timers = timers
    }

    /// Looks where the ear is, now and each time that playing, or the place, is another than time alone would have made it.
    /// - Parameter place: in milliseconds of the track; nil to watch no longer.
    func watch(for place: Int?) {
        if let timer { timers.cancel(timer) }
        timer = nil
        guard let place else { return }
        if !player.isAdvancing {
            // A jump is under way, with an unannounced end.
            if player.wantsToPlay && player.hasDevice { look(for: place, inMilliseconds: EarWatch.lookMilliseconds) }
            return
        }
        let left = place - player.positionMilliseconds
        if left <= EarWatch.nearMilliseconds { return arrived() }
        // Hours of it are more than 32 bits hold.
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
    /// A live stream comes as it is spoken, at no other speed.
    var isLive: Bool { source.stream?.isLive == true }

    /// Thousandths.
    fileprivate var heardSpeed: Int { isLive ? 1000 : max(1, speed) }
}
