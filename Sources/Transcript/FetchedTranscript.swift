// SPDX-License-Identifier: Apache-2.0
import Media
import Posix

/// Reads a transcript named by a podcast's feed, in steps. Any one thread.
public final class FetchedTranscript {
    private static let mostBytes: Int64 = 4 << 20

    /// The transcript; nil if unusable.
    public private(set) var transcript: Transcript?
    /// The warnings, one line each.
    public private(set) var warnings: [String] = []

    private enum Phase { case opening, reading, settling, over }

    private let source: MediaSource
    private var phase = Phase.opening
    private var file: (any ByteSource)?
    private var offset: Int64 = 0
    private let parser: TranscriptParser

    /// - Parameter type: the feed's type: "application/json", "text/vtt", "application/srt".
    public init(_ source: MediaSource, type: String, durationMilliseconds: Int?) {
        self.source = source
        var named = TranscriptFormat.srt
        let bytes = Array(type.utf8)
        if bytes.starts(with: "application/json".utf8) { named = .json }
        if bytes.starts(with: "text/vtt".utf8) { named = .webVTT }
        parser = TranscriptParser(named: named, durationMilliseconds: durationMilliseconds)
    }

    /// Does some milliseconds of work, or one disk access. Returns true when done. To cancel, do not call it again.
    public func step() -> Bool {
        do throws(TranscriptError) {
            switch phase {
            case .opening:
                do throws(SourceError) { file = try source.open() } catch {
                    throw TranscriptError(message: error.cause.message)
                }
                phase = .reading
            case .reading: try read()
            case .settling:
                transcript = try parser.step()
                if transcript != nil { phase = .over }
            case .over: break
            }
        } catch {
            warnings.append("transcript \(source.name): \(error.message)")
            phase = .over
        }
        return phase == .over
    }

    private func read() throws(TranscriptError) {
        var piece = [UInt8](repeating: 0, count: Transcript.pieceBytes)
        let count = piece.withUnsafeMutableBytes { (try? file?.read(into: $0, at: offset)) ?? -1 }
        if count < 0 { throw TranscriptError(message: "it cannot be read") }
        piece.removeLast(piece.count - count)
        offset += Int64(count)
        if offset > FetchedTranscript.mostBytes { throw TranscriptError(message: "too large for a transcript") }
        if count > 0 {
            try parser.take(piece)
        } else if try parser.finish() {
            offset = 0
        } else {
            file = nil
            phase = .settling
        }
    }
}
