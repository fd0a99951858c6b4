import Audio

/// What is said over whatever plays, or over nothing.
extension Player {
    /// Rate in Hz and channels of the card; nil while none is open. One is opened, where one may be, and `didOpenCard` tells of it.
    public func cardToSpeakOn() -> (rate: Int, channels: Int)? {
        guard output.isOpen else {
            // What is paused has its own format, and comes back to it.
            if wish == nil { _ = output.open(for: output.format ?? OutputKeeper.Format(rate: 44_100, channels: 2)) }
            return nil
        }
        return output.card.map { ($0.rate, $0.channels) }
    }

    /// Says it at once, instead of what is being said. It was made for the card that is open; it is freed here.
    /// - Returns: false where another card is open, or none: then nothing is said.
    public func speak(_ spoken: SpokenFrames) -> Bool {
        guard output.isOpen, let card = output.card, card.rate == spoken.rate, card.channels == spoken.channels else {
            spoken.free()
            return false
        }
        audio.send(.speak(spoken.samples, frames: spoken.frames))
        sentencesUnderWay += 1
        return true
    }

    /// Something else is to be heard than what is, and is not ready yet.
    public var isGettingReady: Bool { wish != nil }

    var isSpeaking: Bool { sentencesUnderWay > 0 }

    /// Says nothing more.
    public func hush() { audio.send(.speak(nil, frames: 0)) }

    func didSpeak(_ samples: UnsafeMutablePointer<Int16>, isWhole: Bool) {
        samples.deallocate()
        sentencesUnderWay = max(0, sentencesUnderWay - 1)
        didSay(isWhole)
        watchIdle()
    }
}
