// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Posix

/// The night: the day's volume must not wake sleepers, and no book may run on till morning.
extension Speaker {
    /// The shortest pause after which the night's settings apply again: a listener who resumes sooner is awake.
    private static let longPauseSeconds: Int64 = 600

    /// The night's rules; nil by day, and with an unknown time of day.
    private var night: PlayingRules.Night? {
        guard let night = rules.night, let minute = listening.rewind.wallMinute(),
            night.hours.today.contains(minute: minute)
        else {
            return nil
        }
        return night
    }

    public var isNight: Bool { night != nil }

    /// The minutes until night begins or ends; nil without a night, or with an unknown clock.
    public var minutesToNightChange: Int? {
        guard let hours = rules.night?.hours.today, let minute = listening.rewind.wallMinute() else { return nil }
        return hours.minutesToChange(from: minute)
    }

    /// The highest volume allowed now.
    var mostPercent: Int { min(sound.volume.mostPercent, night?.mostPercent ?? 100) }

    /// The highest volume by day, in percent.
    var loudestPercent: Int { sound.volume.mostPercent }

    /// Limits the volume from now on, and saves the limit.
    func setLoudest(_ percent: Int) {
        sound.volume.mostPercent = percent
        library.save(loudestPercent: percent)
        places.didWrite()
        limitVolume()
    }

    /// Limits the volume if night may have begun during playback.
    func nightMayHaveBegun() { if rules.night != nil && wantsToPlay { limitVolume() } }

    func limitVolume() {
        guard sound.volume.set(min(sound.volume.percent, mostPercent)) else { return }
        saveState()
        audience.didChange(.volume)
    }

    /// The bounds of a sentence's loudness, beside any recording. LUFS in hundredths.
    private static let voiceLoudnesses = -3000 ... -1200
    /// The volume below which the voice does not get quieter, if the samples are scaled (`Mixdown`).
    private static let leastVoicePercent = 25

    /// The loudness of the next sentence.
    public var voiceLevel: VoiceLevel {
        var level = VoiceLevel()
        let bounds = Speaker.voiceLoudnesses
        level.loudness = min(bounds.upperBound, max(bounds.lowerBound, sound.heardLoudness(of: currentItem?.id)))
        let percent = max(Speaker.leastVoicePercent, sound.volume.percent)
        if let most = night?.voicePercent, most < percent {
            // The volume follows the third power.
            for _ in 0..<3 { level.factor = level.factor * most / percent }
        }
        return level
    }

    /// True after a long silence.
    var isLongSilent: Bool { !wantsToPlay && listening.rewind.silentSeconds >= Speaker.longPauseSeconds }

    /// Starts the night's settings after a long silence.
    func didEndSilence() {
        guard let night else { return }
        if sound.volume.set(min(sound.volume.percent, night.startPercent, night.mostPercent)) {
            saveState()
            audience.didChange(.volume)
        }
        if sleep.setting == .off && night.sleep != .off { setSleep(night.sleep) }
    }
}
