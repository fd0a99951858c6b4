import Library
import Model
import Transcript

/// Reads the transcript of an item and puts its sentences into blocks, a portion of them at a time. Worker, while a job is under
/// way; control takes the blocks between jobs.
final class SpokenReading {
    /// Sentences that are counted or packed in a step.
    private static let sentencesInStep = 500
    /// Blocks in a portion: some 60 KB.
    private static let blocksInPortion = 64

    private enum Phase { case reading, counting, packing, over }

    private let reading: any TranscriptReader
    private var phase = Phase.reading
    private var transcript: Transcript?
    private var next = 0
    private var counts = [Int](repeating: 0, count: 256)
    private var packer: SpokenBlock.Packer?
    private var blocks: [SpokenBlock] = []

    init(_ reading: any TranscriptReader) { self.reading = reading }

    /// Done when a portion is ready, or all has been read.
    func step() -> Bool {
        switch phase {
        case .reading:
            guard reading.step() else { return false }
            // Of a talking book without text there is nothing to be found.
            transcript = reading.transcript.flatMap { $0.hasWords ? $0 : nil }
            phase = transcript == nil ? .over : .counting
        case .counting:
            forEachSentence { _, text in for byte in text { counts[Int(byte)] += 1 } }
            if isAtEnd {
                next = 0
                packer = SpokenBlock.Packer(counts: counts)
                phase = .packing
            }
        case .packing:
            forEachSentence { start, text in
                if let block = packer?.add(startMilliseconds: start, text: text) { blocks.append(block) }
            }
            if isAtEnd {
                if let block = packer?.finish() { blocks.append(block) }
                transcript = nil
                phase = .over
            }
            if blocks.count >= SpokenReading.blocksInPortion { return true }
        case .over: break
        }
        return isOver
    }

    /// All has been read.
    var isOver: Bool { if case .over = phase { true } else { false } }

    /// What the blocks are written with; nil where nothing is said.
    var code: [UInt8]? { packer?.code }

    /// Those that are ready.
    func takeBlocks() -> [SpokenBlock] {
        defer { blocks = [] }
        return blocks
    }

    private var isAtEnd: Bool { next >= transcript?.count ?? 0 }

    private func forEachSentence(_ body: (Int, [UInt8]) -> Void) {
        guard let transcript else { return }
        let end = min(transcript.count, next + SpokenReading.sentencesInStep)
        while next < end {
            let segment = transcript[next]
            body(segment.startMilliseconds, Array(segment.text.utf8))
            next += 1
        }
    }
}
