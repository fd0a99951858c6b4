// SPDX-License-Identifier: Apache-2.0
import Audio

/// The voice over the playing sound, or over silence.
extension Player {
    /// A card on which a voice is about to speak stays open for that long at least: the program that speaks may take its time.
    private static let speakingSeconds = 10

    /// Rate in Hz and channels of the card; nil while none is open. If it may, it opens one, and `didOpenCard` follows.
    public func cardToSpeakOn() -> (rate: Int, channels: Int)? {
        guard output.isOpen else {
            // A paused track has its own format, and returns to it.
            if wish == nil { _ = output.open(for: output.format ?? OutputKeeper.Format(rate: 44_100, channels: 2)) }
            return nil
        }
        watchIdle(leastSeconds: Player.speakingSeconds)
        return output.card.map { ($0.rate, $0.channels) }
    }

    /// Speaks at once, and replaces an earlier voice. The frames fit the open card; this function frees them.
    /// - Returns: false where another card is open, or none: then nothing is audible.
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

    /// True if another track or place than the audible one is being prepared.
    public var isGettingReady: Bool { wish != nil }

    var isSpeaking: Bool { sentencesUnderWay > 0 }

    /// Says nothing more.
    public func hush() { audio.send(.speak(nil, frames: 0, under: output.settings.levelUnderVoice)) }

    func didSpeak(_ samples: UnsafeMutablePointer<Int16>, isWhole: Bool) {
        samples.deallocate()
        sentencesUnderWay = max(0, sentencesUnderWay - 1)
        didSay(isWhole)
        watchIdle()
    }
}
