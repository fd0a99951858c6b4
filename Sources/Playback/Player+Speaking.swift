// SPDX-License-Identifier: Apache-2.0
import Audio

/// The voice over the playing sound, or over silence.
extension Player {
    /// The least time that a card stays open for an expected voice, since the speech program may be slow.
    private static let speakingSeconds = 10

    /// Returns the card's rate in Hz and channels; nil without an open card. If possible, it opens one, and `didOpenCard` follows.
    public func cardToSpeakOn() -> (rate: Int, channels: Int)? {
        guard output.isOpen else {
            // A paused track has its own format, and keeps it.
            if wish == nil { _ = output.open(for: output.format ?? OutputKeeper.Format(rate: 44_100, channels: 2)) }
            return nil
        }
        watchIdle(leastSeconds: Player.speakingSeconds)
        return output.card.map { ($0.rate, $0.channels) }
    }

    /// Speaks at once, in place of an earlier voice. The frames match the open card; this function frees them.
    /// - Returns: false if another card is open, or none; then nothing is audible.
    public func speak(_ spoken: SpokenFrames) -> Bool {
        guard output.isOpen, let card = output.card, card.rate == spoken.rate, card.channels == spoken.channels else {
            spoken.free()
            return false
        }
        let under = output.settings.levelUnderVoice
        audio.send(.speak(spoken.samples, frames: spoken.frames, under: under))
        sentencesUnderWay += 1
        return true
    }

    /// True while the player prepares another track or position than the audible one.
    public var isGettingReady: Bool { wish != nil }

    var isSpeaking: Bool { sentencesUnderWay > 0 }

    /// Ends the voice.
    public func hush() { audio.send(.speak(nil, frames: 0, under: output.settings.levelUnderVoice)) }

    func didSpeak(_ samples: UnsafeMutablePointer<Int16>, isWhole: Bool) {
        samples.deallocate()
        sentencesUnderWay = max(0, sentencesUnderWay - 1)
        didSay(isWhole)
        watchIdle()
    }
}
