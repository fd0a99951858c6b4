// SPDX-License-Identifier: Apache-2.0
import Text

/// Reads JSON transcripts; single words are joined into sentences:
/// - whisper.cpp: `transcription[]` with `offsets.from` and `.to` in milliseconds and `text`;
/// - OpenAI Whisper: `segments[]` with `start` and `end` in seconds and `text`; or `words[]` with `word`;
/// - Podcasting 2.0: `segments[]` with `startTime` and `endTime` in seconds, `body`, `speaker`;
/// - an array of any of these alone.
///
/// Entries without a start or a text are ignored.
final class TranscriptJSON: FormatReader, JSONReader {
    /// The role of a list or object.
    private enum Role { case other, root, entries, entry, offsets }

    private let list: CueList
    private var stream = JSONStream()
    private var roles: [Role] = []
    private var name: [UInt8] = []
    private var entry = Entry()
    private var decoder = PieceDecoder(isUTF8: true)
    /// The rank of the best list of entries so far (`transcription`, `segments`, `words`, a bare array), and the rank of the present list.
    private var bestRank = Int.max
    private var rank = Int.max

    /// The facts of the current entry. Times are milliseconds.
    private struct Entry {
        var text: [UInt8] = []
        var textRank = Int.max
        var from: Double?
        var to: Double?
        var startTime: Double?
        var start: Double?
        var endTime: Double?
        var end: Double?
        var speaker: UInt16 = 0
    }

    init(_ list: CueList) {
        self.list = list
    }

    var durationMilliseconds: Int? { nil }

    func take(_ bytes: [UInt8]) throws(TranscriptError) {
        do throws(JSONError) { try stream.take(bytes, self) } catch { throw TranscriptError(message: error.message) }
    }

    func finish() throws(TranscriptError) -> Bool {
        do throws(JSONError) { try stream.finish(self) } catch { throw TranscriptError(message: error.message) }
        return false
    }

    // MARK: JSONReader

    func begin(isList: Bool) throws(JSONError) {
        let role: Role =
            switch (roles.last, isList) {
            case (nil, false): .root
            case (nil, true): listRole(3)
            case (.root, true):
                if isNamed("transcription") {
                    listRole(0)
                } else if isNamed("segments") {
                    listRole(1)
                } else {
                    isNamed("words") ? listRole(2) : .other
                }
            case (.entries, false): .entry
            case (.entry, false): isNamed("offsets") ? .offsets : .other
            default: .other
            }
        noteEntry()
        if role == .entry {
            let text = entry.text
            entry = Entry()
            entry.text = text
            entry.text.removeAll(keepingCapacity: true)
        }
        roles.append(role)
    }

    func end() throws(JSONError) {
        if roles.removeLast() != .entry { return }
        do throws(TranscriptError) { try finishEntry() } catch { throw JSONError(message: error.message) }
    }

    func name(_ bytes: [UInt8]) throws(JSONError) {
        name.removeAll(keepingCapacity: true)
        name += bytes.prefix(20)
    }

    func text(_ bytes: [UInt8]) throws(JSONError) {
        noteEntry()
        switch roles.last {
        case .entry:
            if isNamed("body") {
                take(text: bytes, rank: 0)
            } else if isNamed("text") {
                take(text: bytes, rank: 1)
            } else if isNamed("word") {
                take(text: bytes, rank: 2)
            } else if isNamed("speaker") {
                // Any number that identifies the name will do; 0 means none.
                entry.speaker = UInt16(bytes.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFF }) + 1
            } else if bytes.first != UInt8(ascii: "+"), let value = JSONStream.number(bytes) {
                take(time: value)
            }
        case .offsets: if let value = JSONStream.number(bytes) { take(offset: value) }
        default: break
        }
    }

    func number(_ value: Double) throws(JSONError) {
        noteEntry()
        switch roles.last {
        case .entry:
            take(time: value)
        case .offsets: take(offset: value)
        default: break
        }
    }

    func truth(_ value: Bool) throws(JSONError) {}

    // MARK: Pieces

    private func isNamed(_ other: StaticString) -> Bool {
        other.withUTF8Buffer { name.elementsEqual($0) }
    }

    private func listRole(_ rank: Int) -> Role {
        self.rank = rank
        return rank < bestRank ? .entries : .other
    }

    /// Begins a list of entries at its first value: an empty list must not replace another.
    private func noteEntry() {
        guard roles.last == .entries, rank < bestRank else { return }
        bestRank = rank
        list.removeAll()
    }

    private func take(text: [UInt8], rank: Int) {
        guard rank < entry.textRank else { return }
        entry.textRank = rank
        entry.text.removeAll(keepingCapacity: true)
        entry.text += text
    }

    private func take(time seconds: Double) {
        if isNamed("startTime") {
            entry.startTime = seconds * 1000
        } else if isNamed("start") {
            entry.start = seconds * 1000
        } else if isNamed("endTime") {
            entry.endTime = seconds * 1000
        } else if isNamed("end") {
            entry.end = seconds * 1000
        }
    }

    private func take(offset milliseconds: Double) {
        if isNamed("from") { entry.from = milliseconds } else if isNamed("to") { entry.to = milliseconds }
    }

    private func finishEntry() throws(TranscriptError) {
        guard entry.textRank < .max, let start = entry.from ?? entry.startTime ?? entry.start else { return }
        var text = entry.text
        if !decoder.isWhole(text, text.indices) {
            let decoded = decoder.decode(text, text.indices)
            if !decoded.letter.isEmpty { list.complete(with: decoded.letter) }
            text = decoded.text
        }
        list.text.begin()
        list.text.append(text, text.indices, markup: .none)
        try list.append(
            start: TranscriptJSON.clamped(start),
            end: (entry.to ?? entry.endTime ?? entry.end).map(TranscriptJSON.clamped),
            speaker: entry.speaker, isParted: text.first?.isSpace ?? false)
    }

    /// Returns the nearest millisecond, at most 23 days: longer than any audio, and it fits 32 bits.
    private static func clamped(_ milliseconds: Double) -> Int32 {
        Int32(max(0, min(2_000_000_000, milliseconds)) + 0.5)
    }
}
