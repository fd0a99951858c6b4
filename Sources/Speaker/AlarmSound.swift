// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix

/// The volume ramp of a ringing alarm, and its fallback tone. Control thread.
final class AlarmSound {
    /// The patience with silence, before something else plays.
    static let patienceMilliseconds: Int64 = 10_000
    private static let lookMilliseconds = 2000

    /// The times of the alarms, and their states.
    let times: Alarms
    private let volume: Volume
    private let player: any PlayerPort
    private let timers: any Timers
    private var rise: EventLoop.TimerToken?
    private var look: EventLoop.TimerToken?
    private var lastHeard = MonotonicTime(nanoseconds: 0)
    /// Called when the listener has heard nothing for too long.
    var isSilent: () -> Void = {}
    /// Reads a playlist, and calls back with its playable items.
    var readPlaylist: (_ name: String, _ finish: @escaping ([ItemID]) -> Void) -> Void = { _, finish in finish([]) }

    /// Reads the names of the stored playlists, and calls back with them.
    var readPlaylistNames: (_ finish: @escaping ([String]) -> Void) -> Void = { _ in }

    /// - Parameter store: the storage of alarms; nil to store nothing.
    init(_ volume: Volume, _ player: any PlayerPort, _ timers: any Timers, store: Library?) {
        times = Alarms(timers, store: store)
        self.volume = volume
        self.player = player
        self.timers = timers
    }

    /// Starts the alarm's rising volume.
    func begin(_ alarm: Alarm) {
        end()
        lastHeard = timers.now
        player.setUrgent(true)
        step(alarm, since: timers.now)
        lookAgain()
    }

    /// Restores the volume that the listener had set.
    func end() {
        for timer in [rise, look] { if let timer { timers.cancel(timer) } }
        (rise, look) = (nil, nil)
        volume.alarmPercent = nil
        player.setUrgent(false)
    }

    /// Returns the volume at a time after the alarm's beginning, in percent.
    static func percent(_ alarm: Alarm, after milliseconds: Int64) -> Int {
        let (low, high) = (Int64(Alarm.loudnesses.lowerBound), Int64(alarm.loudnessPercent))
        let whole = Int64(alarm.riseMinutes) * 60_000
        return Int(milliseconds >= whole ? high : low + (high - low) * milliseconds / whole)
    }

    private func step(_ alarm: Alarm, since began: MonotonicTime) {
        let percent = AlarmSound.percent(alarm, after: timers.now.milliseconds(since: began))
        volume.alarmPercent = percent
        let (low, high) = (Alarm.loudnesses.lowerBound, alarm.loudnessPercent)
        rise = nil
        if percent >= high { return }
        let whole = Int64(alarm.riseMinutes) * 60_000
        let (steps, all) = (Int64(percent + 1 - low), Int64(high - low))
        rise = timers.schedule(at: began.adding(milliseconds: (whole * steps + all - 1) / all)) { [self] in
            step(alarm, since: began)
        }
    }

    private func lookAgain() {
        look = timers.schedule(inMilliseconds: AlarmSound.lookMilliseconds) { [self] in
            // Without a card nothing else would sound either.
            if player.isAdvancing || player.wantsToPlay && !player.hasDevice { lastHeard = timers.now }
            if timers.now.milliseconds(since: lastHeard) >= AlarmSound.patienceMilliseconds {
                lastHeard = timers.now
                isSilent()
            }
            lookAgain()
        }
    }
}
