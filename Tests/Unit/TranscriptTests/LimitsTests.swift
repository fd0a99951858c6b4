// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import Transcript

/// The limits of a file's cost: work grows with its length and no faster, counted in steps and in time, and memory is bounded for any
/// content.
@Suite struct LimitsTests {
    /// The cost of reading a file.
    private struct Reading {
        var transcript: Transcript?
        var message: String?
        /// Pieces and steps, each of which does a bounded piece of work.
        var steps = 0
        /// The most that the cues and their text took, as far as they were counted.
        var madeBytes = 0
    }

    private func read(_ bytes: [UInt8], _ format: TranscriptFormat? = nil) -> Reading {
        // At most 8 MiB beyond the file's share, and an array that grows has its old place beside the new one.
        expectCost(CostBound(fixedBytes: 8 << 20, bytesPerByte: 1), inputBytes: bytes.count) {
            readInSteps(bytes, format)
        }
    }

    private func readInSteps(_ bytes: [UInt8], _ format: TranscriptFormat?) -> Reading {
        var cost = Reading()
        let parser = TranscriptParser(format: format, bytesInFile: bytes.count, durationMilliseconds: nil)
        defer { cost.madeBytes = max(cost.madeBytes, parser.madeBytes) }
        do throws(TranscriptError) {
            repeat {
                var offset = 0
                while offset < bytes.count {
                    try parser.take(Array(bytes[offset..<min(offset + Transcript.pieceBytes, bytes.count)]))
                    offset += Transcript.pieceBytes
                    cost.steps += 1
                    cost.madeBytes = max(cost.madeBytes, parser.madeBytes)
                }
            } while try parser.finish()
            while cost.transcript == nil {
                cost.transcript = try parser.step()
                cost.steps += 1
            }
        } catch {
            cost.message = error.message
        }
        cost.madeBytes = max(cost.madeBytes, cost.transcript?.storedBytes ?? 0)
        return cost
    }

    /// The bound for any file: so much beside what it is long itself, with a piece that is being read.
    private func isBounded(_ cost: Reading, _ bytes: [UInt8]) -> Bool {
        cost.madeBytes <= 8 << 20 + bytes.count + 2 * LineFeeder.mostLineBytes
    }

    private func clock(_ milliseconds: Int) -> String {
        "\(milliseconds / 3_600_000):\(milliseconds / 60_000 % 60):\(milliseconds / 1000 % 60).\(milliseconds % 1000 / 100)"
    }

    /// Two languages, each cue twice at the same time.
    private func bilingual(_ cues: Int) -> [UInt8] {
        var text = ""
        for cue in 0..<cues {
            for language in ["Dies ist der Satz", "This is the sentence"] {
                text +=
                    "\(cue)\n\(clock(cue * 3600)) --> \(clock(cue * 3600 + 3600))\n\(language) number \(cue) of the book.\n\n"
            }
        }
        return Array(text.utf8)
    }

    @Test func simultaneousCuesCostTheirLength() throws {
        let small = read(bilingual(2500))
        let bytes = bilingual(10_000)
        let large = read(bytes)
        #expect(large.transcript?.count == 10_000)
        #expect(
            large.transcript?[7].text
                == "Dies ist der Satz number 7 of the book. This is the sentence number 7 of the book.")
        #expect(large.steps <= 4 * small.steps + 8)
        // No text is copied: the transcript stores fewer bytes than the file has.
        #expect(try #require(large.transcript).storedBytes < 2 * bytes.count)
        #expect(isBounded(large, bytes))
    }

    /// Two lines with thousands of times each: the text would be made for each of them.
    @Test(arguments: [10, 1000, 5000]) func linesWithThousandsOfTimes(stamps: Int) {
        let times = (0..<stamps).map { "[\($0 / 60):\($0 % 60)]" }.joined()
        for textBytes in [20, 5000, 25_000, 60_000] {
            let text = times + String(repeating: "laugh ", count: textBytes / 6) + "\n"
            let bytes = Array((text + times + "ha" + text.dropFirst(times.utf8.count)).utf8)
            let cost = read(bytes, .lrc)
            #expect(isBounded(cost, bytes), "\(stamps), \(textBytes): \(cost.madeBytes)")
            #expect(cost.steps < 40)
            if let transcript = cost.transcript {
                #expect(transcript.count == stamps)
                #expect(transcript.allSatisfy { $0.text.utf8.count <= 2 * PlainText.mostBytes + 1 })
            } else {
                #expect(cost.message?.contains("longer than") == true)
            }
        }
    }

    @Test func sixtyThousandSegments() throws {
        var srt = ""
        var json = "{\"segments\": ["
        for cue in 0..<60_000 {
            srt += "\(cue)\n\(clock(cue * 600)) --> \(clock(cue * 600 + 600))\nSentence \(cue) of a long book.\n\n"
            json +=
                "\(cue == 0 ? "" : ",")\n{\"start\": \(Double(cue) * 0.6), \"end\": \(Double(cue) * 0.6 + 0.6), \"text\": \" Sentence \(cue) of a long book.\"}"
        }
        for bytes in [Array(srt.utf8), Array((json + "]}").utf8)] {
            let cost = read(bytes)
            #expect(cost.transcript?.count == 60_000)
            #expect(cost.transcript?.last?.text == "Sentence 59999 of a long book.")
            #expect(isBounded(cost, bytes))
            // Each step is some 32 KB of the file or some thousand cues.
            #expect(cost.steps < bytes.count / Transcript.pieceBytes + 40)
        }
    }

    /// In the worst order for a sort.
    @Test func backwards() {
        var text = ""
        for cue in (0..<50_000).reversed() { text += "[\(cue / 60):\(cue % 60)]\(cue)\n" }
        let bytes = Array(text.utf8)
        let cost = read(bytes)
        #expect(cost.transcript?.map(\.text) == (0..<50_000).map { String($0) })
        #expect(cost.steps < bytes.count / Transcript.pieceBytes + 40)
    }

    @Test func aLineThatIsTheFile() {
        let bytes = Array("1\n00:01,000 --> 00:02,000\n".utf8) + [UInt8](repeating: 0x78, count: 2 << 20)
        let cost = read(bytes)
        #expect(cost.message == "line 3: longer than 65536 bytes, which no transcript has")
        #expect(cost.madeBytes < 1 << 20)
        // A paragraph of many lines is shortened.
        let lines = Array(
            ("1\n00:01,000 --> 00:02,000\n" + String(repeating: "a line of text\n", count: 100_000)
                + "\n2\n00:03,000 --> 00:04,000\nb\n").utf8)
        let shortened = read(lines)
        #expect(shortened.transcript?.map { $0.text.utf8.count <= PlainText.mostBytes } == [true, true])
        #expect(shortened.madeBytes < 1 << 20)
    }

    @Test func tooManyTimes() {
        let bytes = Array(repeatElement(Array("[0:1]a\n".utf8), count: 300_000).joined())
        let cost = read(bytes)
        #expect(cost.message?.hasPrefix("too much for a transcript") == true)
        #expect(isBounded(cost, bytes))
        let many = [UInt8](String(repeating: "[0:1]", count: 300_000).utf8)
        #expect(read(many, .lrc).message?.contains("longer than") == true)
    }

    @Test(
        arguments: [
            "{\"segments\": [{\"start\": 1, \"text\": \"%\"}]}",
            "{\"a\": {%}, \"segments\": [{\"start\": 1, \"text\": \"x\"}]}",
            "{\"segments\": [{\"start\": 1, \"tokens\": [%], \"text\": \"x\"}]}",
            "{\"segments\": [{\"start\": 1, \"text\": \"x\"}, %]}", "[%]",
            "{\"x\": [%]}", "{\"%\": 1, \"segments\": [{\"start\": 1, \"text\": \"x\"}]}",
        ], ["1,", "{},", "[],", "\"k\": 1,", "\"k\","])
    func onlyWhatIsShownIsKeptOfJSON(frame: String, filling: String) {
        let parts = frame.split(separator: "%", omittingEmptySubsequences: false).map { Array($0.utf8) }
        let text = Array(filling.utf8)
        let isText = parts[0].last == UInt8(ascii: "\"")
        let middle = Array(
            repeatElement(isText ? text.filter { $0 != UInt8(ascii: "\"") } : text, count: (1 << 18) / text.count)
                .joined())
        let bytes =
            parts[0] + middle + (isText ? [] : Array("\"k\": 1".utf8).suffix(filling.contains(":") ? 6 : 1)) + parts[1]
        let cost = read(bytes, .json)
        #expect(cost.madeBytes < 1 << 16, "\(cost.madeBytes)")
        #expect(cost.transcript == nil || cost.transcript?.count == 1)
    }

    @Test func framesOfNothing() {
        let zeros = [UInt8](repeating: 0, count: 2 << 20)
        let body: [UInt8] = [3] + Array("eng".utf8) + [2, 1] + zeros
        let lyrics = try? SynchronisedLyrics(body, durationMilliseconds: nil)
        var steps = 0
        var message: String?
        while message == nil {
            do throws(TranscriptError) { _ = try lyrics?.step() } catch { message = error.message }
            steps += 1
        }
        #expect(message == "SYLT: no text with a time")
        #expect(steps < body.count / 5 / 4096 + 10)
        // Each entry with a time of its own.
        var entries: [UInt8] = [3] + Array("eng".utf8) + [2, 1, 0]
        for time in 0..<400_000 { entries += [0] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: time >> $0) } }
        #expect(message == nil || (try? Transcript.parse(synchronisedLyricsFrame: entries)) == nil)
    }
}
