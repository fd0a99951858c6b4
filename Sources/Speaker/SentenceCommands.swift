// SPDX-License-Identifier: Apache-2.0
import Core
import Library
import Model
import Playback
import Posix
import Transcript

/// Steps along the sentences of the transcript, and repeated stretches.
extension Speaker {
    func perform(_ step: Command.Sentence, _ asked: MonotonicTime?) {
        guard let transcript = transcripts.transcript, !transcript.isEmpty, player.track != nil else {
            // Without a transcript it is one more press of play, for which a double press stands.
            if step == .again { return perform(.playPause, asked: asked) }
            return audience.announce(.noTranscript)
        }
        let position = player.positionMilliseconds
        let heard = transcript.lastIndex(startingBy: position)
        switch step {
        case .again: goToSentence(heard ?? 0, transcript, play: true, asked)
        case .next:
            let next = heard.map { $0 + 1 } ?? 0
            if next >= transcript.count {
                goBeyondSentences(forward: true, asked)
                return
            }
            goToSentence(next, transcript, play: false, asked)
        case .previous:
            // In a gap the last one heard.
            let previous = heard.map { position < transcript[$0].endMilliseconds ? $0 - 1 : $0 } ?? -1
            if previous < 0, goBeyondSentences(forward: false, asked) { return }
            if heard == nil { return }
            goToSentence(max(0, previous), transcript, play: false, asked)
        }
    }

    /// Goes from the last sentence of a file to the beginning of the next file of its book, or from the first to the last of the previous
    /// file. Announces it if there is no such file.
    /// - Returns: true if there is one.
    @discardableResult
    private func goBeyondSentences(forward: Bool, _ asked: MonotonicTime?) -> Bool {
        guard let item = currentItem, let index = queue.currentIndex,
            let other = forward ? queue.automaticIndex(after: index) : queue.index(before: index),
            forward || queue.index(after: other, isAsked: true) == index, let part = partOfBook(other, beside: item)
        else {
            audience.announce(forward ? .lastSentence : .firstSentence)
            return false
        }
        let start = forward ? 0 : max(0, (part.durationMilliseconds ?? 0) - Item.endMilliseconds)
        go(to: other, milliseconds: start, play: wantsToPlay, asked: asked)
        // The file's last sentence is known once its transcript has been read.
        if !forward { transcripts.wantLastSentence() }
        return true
    }

    func goToLastSentence() {
        guard let transcript = transcripts.transcript, !transcript.isEmpty else { return }
        goToSentence(transcript.count - 1, transcript, play: false, nil)
    }

    private func goToSentence(_ index: Int, _ transcript: Transcript, play: Bool, _ asked: MonotonicTime?) {
        let segment = transcript[index]
        let start = max(0, segment.startMilliseconds)
        if loop.isSentence { loop.set(start..<max(start, segment.endMilliseconds), isSentence: true) }
        perform(.seek(milliseconds: start), asked: asked)
        if play && !wantsToPlay { perform(.play, asked: asked) }
    }

    func perform(_ change: Command.Loop, _ asked: MonotonicTime?) {
        guard player.track != nil else { return audience.announce(.nothingChosen) }
        let position = player.positionMilliseconds
        let transcript = transcripts.transcript
        let heard = transcript?.lastIndex(startingBy: position)
        switch change {
        case .off: endLoop()
        case .sentence:
            if loop.isOn { return endLoop() }
            guard let transcript, let heard else { return audience.announce(.noTranscript) }
            let segment = transcript[heard]
            repeatStretch(segment.startMilliseconds..<segment.endMilliseconds, isSentence: true)
            if !wantsToPlay { perform(.play, asked: asked) }
        case .from:
            // Both ends lie at sentences, if there are any.
            loop.begin(at: heard.flatMap { transcript?[$0] }.map { max(0, $0.startMilliseconds) } ?? position)
            audience.announce(.loopBegins)
            player.followingDidChange()
        case .to:
            if loop.wasLeft { return audience.announce(.loopInOneFile) }
            var end = position
            if let segment = heard.flatMap({ transcript?[$0] }), position < segment.endMilliseconds {
                end = segment.endMilliseconds
            }
            let start = loop.mark ?? loop.bounds?.lowerBound ?? 0
            repeatStretch(min(start, end)..<max(start, end), isSentence: false)
            if position >= loop.bounds?.upperBound ?? .max { loop.watch() }
        }
        audience.didChange(.player)
    }

    private func repeatStretch(_ bounds: Range<Int>, isSentence: Bool) {
        loop.set(max(0, bounds.lowerBound)..<max(0, bounds.upperBound), isSentence: isSentence)
        audience.announce(.loopOn)
        player.followingDidChange()
    }

    private func endLoop() {
        let wasOn = loop.isOn || loop.mark != nil
        loop.end()
        if !wasOn { return }
        skipped.watch()
        audience.announce(.loopOff)
        player.followingDidChange()
    }
}
