// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import Wire

/// Sentences of the current item: next, previous, again, and repeated stretches.
extension Session {
    func sentence(_ word: String?, _ response: inout ResponseBuffer) throws(ConsoleError) {
        let status = host.status
        guard status.current != nil, status.state != .stopped else {
            throw ConsoleError(.playerSync, "Not playing")
        }
        switch word {
        case nil: tellSentence(status, &response)
        case "next": try step(.next, status)
        case "previous": try step(.previous, status)
        case "repeat": try step(.again, status)
        case "loop":
            try checkTranscript(status)
            if status.repeatedStretch != nil { try host.perform(.loop(.off)) }
            try host.perform(.loop(.sentence))
        case "a": try host.perform(.loop(.from))
        case "b": try host.perform(.loop(.to))
        case "off": try host.perform(.loop(.off))
        case .some(let word): throw Argument.wrong(word, "Expected next, previous, repeat, loop, a, b or off")
        }
    }

    private func step(_ step: Command.Sentence, _ status: SpeakerStatus) throws(ConsoleError) {
        try checkTranscript(status)
        try host.perform(.sentence(step))
    }

    private func checkTranscript(_ status: SpeakerStatus) throws(ConsoleError) {
        if host.transcript(neighbours: 0, at: nil) != nil { return }
        throw ConsoleError(
            .noExist,
            status.isTranscriptBeingRead ? "The transcript is being read" : "No transcript for this item")
    }

    private func tellSentence(_ status: SpeakerStatus, _ response: inout ResponseBuffer) {
        if let segment = host.transcript(neighbours: 0, at: nil)?.segments.first {
            response.field("start", milliseconds: segment.startMilliseconds)
            response.field("end", milliseconds: segment.endMilliseconds)
            response.field("text", segment.text)
        }
        if let stretch = status.repeatedStretch {
            response.field("loop_start", milliseconds: stretch.lowerBound)
            response.field("loop_end", milliseconds: stretch.upperBound)
        }
    }
}
