// SPDX-License-Identifier: Apache-2.0
import Library
import Model
import Transcript

/// Reads the transcript of an item and adds its sentences to the index, a portion in a step. Worker.
final class SpokenTaking {
    private enum Phase { case comparing, reading, removing, adding }

    private let item: Library.SpokenState
    private let stamp: Int64
    private let reader: any TranscriptReader
    private var phase = Phase.comparing
    private var transcript: Transcript?
    private var next = 0
    private var replacements = 0

    init(_ item: Library.SpokenState, stamp: Int64, _ reader: any TranscriptReader) {
        self.item = item
        self.stamp = stamp
        self.reader = reader
    }

    /// Takes the transcript beside the item or in it.
    convenience init(_ item: Library.SpokenState, stamp: Int64, made: MadeWords?) {
        self.init(
            item, stamp: stamp,
            TranscriptReading(audioPath: item.path, durationMilliseconds: item.durationMilliseconds, made: made))
    }

    /// Runs one step. Returns true when all is done.
    func step(_ store: SpokenStore) -> Bool {
        switch phase {
        case .comparing:
            if store.isFull || store.stamp(of: item.owner) == stamp { return true }
            phase = .reading
        case .reading:
            guard reader.step() else { return false }
            // A talking book without text has nothing to find.
            transcript = reader.transcript.flatMap { $0.hasWords ? $0 : nil }
            replacements = store.replacements
            phase = .removing
        case .removing:
            if store.remove(item.id) { return false }
            // A search may come between two steps: it finds the old sentences or the new ones.
            phase = .adding
            return step(store)
        case .adding:
            // Sentences for a deleted index are lost; the next walk adds them again.
            if replacements != store.replacements || !store.add(item.owner, nextSentences()) { return true }
            if next < transcript?.count ?? 0 { return false }
            store.end(item.owner, stamp: stamp)
            return true
        }
        return false
    }

    private func nextSentences() -> [(startMilliseconds: Int, text: [UInt8])] {
        guard let transcript else { return [] }
        let end = min(transcript.count, next + SpokenStore.mostInPortion)
        defer { next = end }
        return transcript[next..<end].map { ($0.startMilliseconds, Array($0.text.utf8)) }
    }
}
