// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Speaker
import Wire

/// Shorter silences, and leveling: `silence`, and MPD's `replay_gain_mode`.
extension Session {
    func silence(_ word: String?, _ response: inout ResponseBuffer) throws(ConsoleError) {
        let status = host.status
        var sound = status.sound
        switch word {
        case nil:
            response.field("silence", sound.shortensSilences ? "shorter" : "own")
            response.field("saved", milliseconds: status.savedOfItemMilliseconds)
            response.field("saved_in_all", milliseconds: status.savedMilliseconds)
            return
        case "shorter", "on": sound.shortensSilences = true
        case "own", "off": sound.shortensSilences = false
        case .some(let other): throw Argument.wrong(other, "Expected shorter or own")
        }
        host.speaker.set(sound, asked: host.turnBegan())
    }

    /// Reports MPD's own field, and behind it the real values: the current item's gain in dB, and its measured loudness in LUFS.
    func tellReplayGain(_ response: inout ResponseBuffer) {
        let level = host.status.sound.level
        response.field("replay_gain_mode", level.rawValue)
        if level == .off { return }
        let loudness = host.loudness
        if let gain = loudness.gain { response.field("gain", shortest: gain * 10) }
        if let loudness = loudness.measured { response.field("loudness", shortest: loudness * 10) }
    }

    func chooseReplayGain(_ mode: String) throws(ConsoleError) {
        var sound = host.status.sound
        guard let level = SoundChanges.Level(rawValue: mode) else {
            throw ConsoleError(.argument, "Unrecognized replay gain mode")
        }
        sound.level = level
        host.speaker.set(sound, asked: host.turnBegan())
    }
}
