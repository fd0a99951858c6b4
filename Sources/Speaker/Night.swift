// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix

/// At night: the volume of the day wakes no sleeper, and no book runs on till morning.
extension Speaker {
    /// A listener who resumes so soon after a pause is awake, and keeps the settings.
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

    /// Until it is night, or day again; nil without a night, or with an unknown clock.
    public var minutesToNightChange: Int? {
        guard let hours = rules.night?.hours.today, let minute = listening.rewind.wallMinute() else { return nil }
        return hours.minutesToChange(from: minute)
    }

    /// As loud as it may be made now.
    var mostPercent: Int { min(sound.volume.mostPercent, night?.mostPercent ?? 100) }

    /// The highest volume by day, in percent.
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

    /// The bounds of a sentence's loudness, beside any recording. LUFS in hundredths.
    private static let voiceLoudnesses = -3000 ... -1200
    /// The voice is as loud as this volume has it where the samples are made quieter than that (`Mixdown`).
    private static let leastVoicePercent = 25

    /// The loudness of the next sentence.
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

    /// True after a long silence.
    var isLongSilent: Bool { !wantsToPlay && listening.rewind.silentSeconds >= Speaker.longPauseSeconds }

    /// Playback began after a long silence.
    func didEndSilence() {
        guard let night else { return }
        if sound.volume.set(min(sound.volume.percent, night.startPercent, night.mostPercent)) {
            saveState()
            audience.didChange(.volume)
        }
        if sleep.setting == .off && night.sleep != .off { setSleep(night.sleep) }
    }
}
