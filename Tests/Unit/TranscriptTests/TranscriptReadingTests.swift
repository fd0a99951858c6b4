// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Transcript

@Suite struct TranscriptReadingTests {
    /// A folder of its own with the files of a test, and an audio file.
    private final class Folder {
        let path: String
        init() throws {
            path = NSTemporaryDirectory() + "nightstand-transcripts-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            write("book.mp3", "no audio")
        }
        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ name: String, _ text: String) { write(name, Array(text.utf8)) }
        func write(_ name: String, _ bytes: [UInt8]) {
            #expect(FileManager.default.createFile(atPath: path + "/" + name, contents: Data(bytes)))
        }

        func read(_ audio: String = "book.mp3") -> (texts: [String]?, warnings: [String], steps: Int) {
            let reading = TranscriptReading(audioPath: path + "/" + audio, durationMilliseconds: 60_000)
            var steps = 1
            while !reading.step() { steps += 1 }
            #expect(reading.step())
            return (
                reading.transcript?.map(\.text), reading.warnings.map { $0.replacingOccurrences(of: path, with: "") },
                steps
            )
        }
    }

    private static let srt = "1\n00:00:01,000 --> 00:00:02,000\nHello there\n"

    @Test func theBestThatCanBeUsed() throws {
        let folder = try Folder()
        #expect(folder.read().texts == nil)
        #expect(folder.read().warnings == [])
        folder.write("book.srt", TranscriptReadingTests.srt)
        folder.write("other.vtt", "WEBVTT\n\n00:01.0 --> 00:02.0\nNot this\n")
        #expect(folder.read().texts == ["Hello there"])
        folder.write("book.vtt", "nothing")
        folder.write("book.lrc", "[00:01]Not needed")
        #expect(folder.read().texts == ["Hello there"])
        #expect(
            folder.read().warnings == [
                "transcript /book.vtt: no cue in 1 lines, expected times such as 00:01:02,500 --> 00:01:04,000"
            ])
        folder.write("book.srt", "")
        #expect(folder.read().texts == ["Not needed"])
        folder.write("book.lrc", "[00:01:50]read twice\n[00:02:75]x")
        #expect(folder.read().texts == ["read twice", "x"])
    }

    /// A pipe with the name of a transcript: opening it would wait forever for a writer.
    @Test(.timeLimit(.minutes(1))) func onlyRegularFilesAreOpened() throws {
        let folder = try Folder()
        #expect(mkfifo(folder.path + "/book.vtt", 0o644) == 0)
        try FileManager.default.createDirectory(atPath: folder.path + "/book.srt", withIntermediateDirectories: true)
        folder.write("book.lrc", "[00:01]All the same")
        let (texts, warnings, _) = folder.read()
        #expect(texts == ["All the same"])
        #expect(warnings.count == 2)
        #expect(mkfifo(folder.path + "/pipe.mp3", 0o644) == 0)
        #expect(folder.read("pipe.mp3").texts == nil)
        #expect(folder.read("missing.mp3").texts == nil)
    }

    @Test func largeFilesAreReadInSteps() throws {
        let folder = try Folder()
        var text = ""
        for cue in 0..<20_000 { text += "[\(cue / 60):\(cue % 60)]Sentence \(cue) of a long book.\n" }
        folder.write("book.lrc", text)
        let (texts, warnings, steps) = folder.read()
        #expect(texts?.count == 20_000)
        #expect(warnings == [])
        #expect(steps > text.utf8.count / Transcript.pieceBytes)
        // A file of holes, larger than any transcript.
        folder.write("book.vtt", "WEBVTT\n")
        #expect(truncate(folder.path + "/book.vtt", 100 << 30) == 0)
        let again = folder.read()
        #expect(again.texts?.count == 20_000)
        #expect(again.warnings == ["transcript /book.vtt: too large for a transcript: 107374182400 bytes"])
    }

    private func synchsafe(_ count: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(count >> $0 & 0x7F) } }

    private func tag(_ frames: [(String, [UInt8])], flags: UInt8 = 0) -> [UInt8] {
        var body: [UInt8] = []
        for (id, content) in frames { body += Array(id.utf8) + synchsafe(content.count) + [0, 0] + content }
        return Array("ID3".utf8) + [4, 0, flags] + synchsafe(body.count) + body
    }

    private let sylt: [UInt8] = [3] + Array("eng".utf8) + [2, 1, 0] + Array("First line\0".utf8) + [0, 0, 4, 0]
    private let uslt: [UInt8] = [3] + Array("eng\0Without times".utf8)

    @Test func lyricsInTheTags() throws {
        let folder = try Folder()
        folder.write("book.mp3", tag([("TIT2", [3, 0x41]), ("USLT", uslt)]))
        #expect(folder.read().texts == ["Without times"])
        folder.write("book.mp3", tag([("USLT", uslt), ("SYLT", sylt)]))
        #expect(folder.read().texts == ["First line"])
        folder.write("book.mp3", tag([("SYLT", [3, 0, 0, 0, 2, 5, 0]), ("USLT", uslt)]))
        #expect(folder.read().texts == ["Without times"])
        // The flag of an extended header, and none there, as some taggers write it.
        folder.write("book.mp3", tag([("SYLT", sylt)], flags: 0x40))
        #expect(folder.read().texts == ["First line"])
        folder.write("book.mp3", tag([("SYLT", sylt)]) + tag([("SYLT", sylt)]))
        #expect(folder.read().texts == ["First line"])
    }

    /// Sixty frames of four megabytes that are holes of the file: only some of them are looked at, a part of each.
    @Test func manyFramesOfHoles() throws {
        let folder = try Folder()
        let frame = Array("SYLT".utf8) + synchsafe(4 << 20) + [0, 0]
        folder.write("book.mp3", Array("ID3".utf8) + [4, 0, 0] + synchsafe(60 * ((4 << 20) + 10)))
        let file = try #require(FileHandle(forWritingAtPath: folder.path + "/book.mp3"))
        for index in 0..<60 {
            try file.seek(toOffset: UInt64(10 + index * ((4 << 20) + 10)))
            file.write(Data(frame + [3] + Array("eng".utf8) + [2, 1, 0]))
        }
        try file.truncate(atOffset: UInt64(10 + 60 * ((4 << 20) + 10)))
        let (texts, _, steps) = folder.read()
        #expect(texts == nil)
        #expect(steps < 8 * (2 << 20) / 5 / 4096 + 100)
    }
}
