import Core
import Posix

/// At night: nobody is woken by the volume of the day, and no book runs on till morning.
extension Speaker {
    /// Whoever plays on so soon after a pause is awake, and has it as he set it.
    private static let longPauseSeconds: Int64 = 600

    /// Nil by day, and where the time of day is not known.
    private var night: PlayingRules.Night? {
        guard let night = rules.night, let minute = listening.rewind.wallMinute(), night.hours.contains(minute: minute)
        else {
            return nil
        }
        return night
    }

    var isNight: Bool { night != nil }

    /// As loud as it may be made now.
    var mostPercent: Int { night?.mostPercent ?? 100 }

    /// Nobody listens, or has for long.
    var isLongSilent: Bool {
        !wantsToPlay && (listening.rewind.pause == nil || listening.rewind.seconds >= Speaker.longPauseSeconds)
    }

    /// Somebody has made it play that was silent for long.
    func didEndSilence() {
        guard let night else { return }
        if sound.volume.set(min(sound.volume.percent, night.startPercent, night.mostPercent)) {
            saveState()
            audience.didChange(.volume)
        }
        if sleep.setting == .off && night.sleep != .off { setSleep(night.sleep) }
    }
}
