import Library
import Model
import Transcript

/// Reads the transcript of an item and adds its sentences to the index, a portion in a step. Worker.
final class SpokenTaking: @unchecked Sendable {
    private enum Phase { case comparing, removing, reading, adding }

    private let due: DueTranscripts.Due
    private let reading: any TranscriptReader
    private var phase = Phase.comparing
    private var transcript: Transcript?
    private var next = 0
    private var replacements = 0
    /// The disk took no more: the index has only a part of it.
    private(set) var hasFailed = false

    init(_ due: DueTranscripts.Due, made: MadeWords?) {
        self.due = due
        let item = due.item
        reading =
            due.reader
            ?? TranscriptReading(audioPath: item.path, durationMilliseconds: item.durationMilliseconds, made: made)
    }

    /// Returns true when all is done.
    func step(_ store: SpokenStore) -> Bool {
        switch phase {
        case .comparing:
            if store.stamp(of: due.item.owner) == due.stamp { return true }
            replacements = store.replacements
            phase = .removing
        case .removing:
            if !store.remove(due.item.id) { phase = .reading }
        case .reading:
            guard reading.step() else { return false }
            // Of a talking book without text there is nothing to be found.
            transcript = reading.transcript.flatMap { $0.hasWords ? $0 : nil }
            phase = .adding
        case .adding:
            // What was added to a file that has been deleted since is lost.
            hasFailed = replacements != store.replacements || !store.add(due.item.owner, nextSentences())
            if hasFailed { return true }
            if next < transcript?.count ?? 0 { return false }
            store.end(due.item.owner, stamp: due.stamp)
            return true
        }
        return false
    }

    private func nextSentences() -> [(startMilliseconds: Int, text: [UInt8])] {
        guard let transcript else { return [] }
        var sentences: [(startMilliseconds: Int, text: [UInt8])] = []
        while next < transcript.count && sentences.count < SpokenStore.mostInPortion {
            let segment = transcript[next]
            sentences.append((segment.startMilliseconds, Array(segment.text.utf8)))
            next += 1
        }
        return sentences
    }
}
