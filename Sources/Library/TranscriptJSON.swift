import SQLite
import Transcript

extension Transcript {
    /// Reads a transcript in any of the formats, going by its content first and by its name second.
    ///
    /// Any thread, the library's or another; JSON takes a few times the file's size in memory while it is read.
    /// - Parameter durationMilliseconds: of the audio, if known: where the last segment ends if the file does not say.
    /// - Throws: where the file holds nothing that can be shown.
    public static func read(
        _ bytes: [UInt8], fileName: String, durationMilliseconds: Int? = nil
    ) throws(TranscriptError) -> Transcript {
        if TranscriptFormat.detect(bytes, fileName: fileName) == .json {
            return try parse(json: bytes, durationMilliseconds: durationMilliseconds)
        }
        return try parse(bytes, fileName: fileName, durationMilliseconds: durationMilliseconds)
    }

    /// Reads a JSON transcript, single words joined into sentences:
    /// - whisper.cpp: `transcription[]` with `offsets.from` and `.to` in milliseconds, `text`, and perhaps `tokens[].p`;
    /// - OpenAI Whisper: `segments[]` with `start` and `end` in seconds, `text`, `avg_logprob`; or `words[]` with `word`;
    /// - Podcasting 2.0: `segments[]` with `startTime` and `endTime` in seconds, `body`, `speaker`;
    /// - an array of any of these alone.
    ///
    /// Entries without a start or a text are left out. What programs write that JSON forbids is taken: `NaN` and `Infinity`, and
    /// control characters in texts.
    public static func parse(json bytes: [UInt8], durationMilliseconds: Int? = nil) throws(TranscriptError)
        -> Transcript
    {
        if bytes.count > TranscriptJSON.mostBytes {
            throw TranscriptError(message: "too large for a transcript: \(bytes.count) bytes")
        }
        var text = TextDecoding.utf8(from: bytes)
        if TranscriptJSON.sanitise(&text) > TranscriptJSON.mostLevels {
            throw TranscriptError(message: "malformed JSON: nested too deeply for a transcript")
        }
        let pieces: [TimedText]
        do throws(SQLiteError) { pieces = try TranscriptJSON.pieces(text) } catch {
            // The statements are fixed: it is the JSON that is wrong.
            throw TranscriptError(message: error.kind == .damaged ? "malformed JSON, or cut off" : error.message)
        }
        let transcript = Transcript(normalising: joiningWords(pieces), durationMilliseconds: durationMilliseconds)
        if transcript.isEmpty {
            throw TranscriptError(
                message:
                    "no text with times in it: expected whisper.cpp's transcription[], Whisper's or Podcasting 2.0's segments[]"
            )
        }
        return transcript
    }
}

/// SQLite's JSON functions, as far as transcripts need them.
enum TranscriptJSON {
    static let mostBytes = 64 << 20
    /// SQLite goes down a level of its stack for each level of the JSON, up to 2000. Transcripts have 5.
    static let mostLevels = 50

    /// The entries, in the order of the file. A database of its own in memory: nothing is shared with the library's thread.
    static func pieces(_ json: [UInt8]) throws(SQLiteError) -> [TimedText] {
        let database = try Database(path: ":memory:")
        let lists = try database.prepare(
            """
            SELECT path FROM (SELECT '$.transcription' AS path UNION ALL SELECT '$.segments' UNION ALL SELECT '$.words'
              UNION ALL SELECT '$') WHERE json_type(?, path) = 'array' AND json_array_length(?1, path) > 0 LIMIT 1
            """, .utf8(json))
        guard try lists.step() else { return [] }
        let rows = try database.prepare(
            """
            SELECT coalesce(json_extract(value, '$.body'), json_extract(value, '$.text'), json_extract(value, '$.word')),
              json_extract(value, '$.offsets.from'), json_extract(value, '$.offsets.to'),
              coalesce(json_extract(value, '$.startTime'), json_extract(value, '$.start')),
              coalesce(json_extract(value, '$.endTime'), json_extract(value, '$.end')),
              coalesce(exp(json_extract(value, '$.avg_logprob')), json_extract(value, '$.probability'),
                json_extract(value, '$.confidence'),
                (SELECT avg(json_extract(token.value, '$.p')) FROM json_each(entry.value, '$.tokens') AS token
                 WHERE token.type = 'object' AND json_extract(token.value, '$.text') NOT GLOB '[[]_*')),
              json_extract(value, '$.speaker')
            FROM json_each(?, ?) AS entry
            WHERE CASE entry.type WHEN 'object' THEN
              coalesce(json_type(value, '$.body'), json_type(value, '$.text'), json_type(value, '$.word')) END = 'text'
            """, .utf8(json), .text(lists.text(0)))
        var pieces: [TimedText] = []
        while try rows.step() {
            guard let start = milliseconds(rows, 1, scale: 1) ?? milliseconds(rows, 3, scale: 1000) else { continue }
            pieces.append(
                TimedText(
                    text: rows.text(0), startMilliseconds: start,
                    endMilliseconds: milliseconds(rows, 2, scale: 1) ?? milliseconds(rows, 4, scale: 1000),
                    confidence: rows.isNumber(5) ? max(0, min(1, rows.real(5))) : nil,
                    speaker: rows.isText(6) ? rows.text(6) : nil))
        }
        return pieces
    }

    /// A time, as a number or as a number in a text; nil for anything else.
    private static func milliseconds(_ row: Statement, _ column: Int32, scale: Double) -> Int? {
        guard row.isNumber(column) || (row.isText(column) && looksLikeNumber(row.text(column))) else { return nil }
        let value = row.real(column) * scale
        // Held to 23 days: longer than any audio, and fits 32 bits.
        return value.isNaN ? nil : Int(max(0, min(2_000_000_000, value)) + 0.5)
    }

    private static func looksLikeNumber(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-")
            }
    }

    /// Makes JSON of what programs write that is none, in place: control characters in texts and between them become spaces, and
    /// `NaN`, `Infinity` and `-Infinity` empty texts.
    /// - Returns: how many levels the lists and objects are nested.
    static func sanitise(_ json: inout [UInt8]) -> Int {
        let count = json.count
        var level = 0
        var deepest = 0
        json.withUnsafeMutableBufferPointer { json in
            var at = 0
            var isInText = false
            func blank(_ word: StaticString) -> Bool {
                guard at + word.utf8CodeUnitCount <= count else { return false }
                for i in 0..<word.utf8CodeUnitCount where json[at + i] != word.utf8Start[i] { return false }
                for i in 0..<word.utf8CodeUnitCount { json[at + i] = UInt8(ascii: i < 2 ? "\"" : " ") }
                at += word.utf8CodeUnitCount
                return true
            }
            while at < count {
                let byte = json[at]
                if byte < 0x20 {
                    // A line break is white space either way.
                    json[at] = UInt8(ascii: " ")
                } else if isInText {
                    if byte == UInt8(ascii: "\\") && at + 1 < count && json[at + 1] >= 0x20 { at += 1 }
                    if byte == UInt8(ascii: "\"") { isInText = false }
                } else if byte == UInt8(ascii: "\"") {
                    isInText = true
                } else if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
                    level += 1
                    deepest = max(deepest, level)
                } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
                    level -= 1
                } else if byte == UInt8(ascii: "N") || byte == UInt8(ascii: "I") || byte == UInt8(ascii: "-") {
                    if blank("NaN") || blank("Infinity") || blank("-Infinity") { continue }
                }
                at += 1
            }
        }
        return deepest
    }
}
