import Core
import Library
import Model
import Posix

/// At night: nobody is woken by the volume of the day, and no book runs on till morning.
extension Speaker {
    /// Whoever plays on so soon after a pause is awake, and has it as he set it.
    private static let longPauseSeconds: Int64 = 600

    /// Nil by day, and where the time of day is not known.
    private var night: PlayingRules.Night? {
        guard let night = rules.night, let minute = listening.rewind.wallMinute(),
            night.hours.today.contains(minute: minute)
        else {
            return nil
        }
        return night
    }

    public var isNight: Bool { night != nil }

    /// Until it is night, or day again; nil where there is no night, or nobody knows the time of day.
    public var minutesToNightChange: Int? {
        guard let hours = rules.night?.hours.today, let minute = listening.rewind.wallMinute() else { return nil }
        return hours.minutesToChange(from: minute)
    }

    /// As loud as it may be made now.
    var mostPercent: Int { min(sound.volume.mostPercent, night?.mostPercent ?? 100) }

    /// How loud it may be made by day, in percent.
    var loudestPercent: Int { sound.volume.mostPercent }

    /// It is made no louder from now on, and remembered.
    func setLoudest(_ percent: Int) {
        sound.volume.mostPercent = percent
        library.save(loudestPercent: percent)
        places.didWrite()
        limitVolume()
    }

    /// It has become night, or may have, while it plays.
    func nightMayHaveBegun() { if rules.night != nil && wantsToPlay { limitVolume() } }

    func limitVolume() {
        guard sound.volume.set(min(sound.volume.percent, mostPercent)) else { return }
        saveState()
        audience.didChange(.volume)
    }

    /// No sentence is quieter or louder than this, whatever plays beside it. LUFS in hundredths.
    private static let voiceLoudnesses = -3000 ... -1200
    /// The voice is as loud as this volume has it where the samples are made quieter than that (`Mixdown`).
    private static let leastVoicePercent = 25

    /// How loud the next sentence is said.
    public var voiceLevel: VoiceLevel {
        var level = VoiceLevel()
        let bounds = Speaker.voiceLoudnesses
        level.loudness = min(bounds.upperBound, max(bounds.lowerBound, sound.heardLoudness(of: currentItem?.id)))
        let percent = max(Speaker.leastVoicePercent, sound.volume.percent)
        if let most = night?.voicePercent, most < percent {
            // The volume goes by the third power.
            for _ in 0..<3 { level.factor = level.factor * most / percent }
        }
        return level
    }

    /// Nobody listens, or has for long.
    var isLongSilent: Bool { !wantsToPlay && listening.rewind.silentSeconds >= Speaker.longPauseSeconds }

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
