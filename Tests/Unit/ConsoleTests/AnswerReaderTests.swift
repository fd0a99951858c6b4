// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Console
@testable import Wire

@Suite struct WhatASpeakerAnswers {
    private static let said =
        "OK MPD 0.23.0\nvolume: 50\ntitle: A: B\nOK\nOK\nACK [50@0] {play} No such song\nsize: 5\nbinary: 5\n"

    private func read(_ bytes: [UInt8], pieces: Int) -> [String] {
        var reader = AnswerReader()
        var told: [String] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + pieces)
            bytes[start..<end].withUnsafeBytes { reader.append($0) }
            start = end
            while let result = reader.next() {
                switch result {
                case .greeting: told.append("greeting")
                case .nonsense:
                    told.append("nonsense")
                    return told
                case .answer(let answer):
                    told.append(
                        answer.refusal.map { "refused: " + $0 }
                            ?? answer.fields.map { $0.name + "=" + $0.value }.joined(separator: ",")
                            + (answer.binary.isEmpty ? "" : " \(answer.binary)"))
                }
            }
        }
        return told
    }

    /// However it comes in pieces. The picture's bytes look like the end of an answer.
    @Test(arguments: [1, 2, 3, 7, 1000]) func inAnyPieces(pieces: Int) {
        let bytes = Array(Self.said.utf8) + Array("\nOK\nX".utf8) + Array("\nOK\nOK\n".utf8)
        #expect(
            read(bytes, pieces: pieces) == [
                "greeting", "volume=50,title=A: B", "", "refused: No such song",
                "size=5,binary=5 [10, 79, 75, 10, 88]", "",
            ])
    }

    @Test func whatIsNoSpeaker() {
        #expect(read(Array("SSH-2.0\n".utf8), pieces: 3) == ["nonsense"])
        #expect(read(Array("OK MPD 1\nrubbish\n".utf8), pieces: 3) == ["greeting", "nonsense"])
        #expect(read(Array("OK MPD 1\nbinary: -4\n".utf8), pieces: 50) == ["greeting", "nonsense"])
        #expect(read([UInt8](repeating: 65, count: 2 << 20), pieces: 1 << 16).last == "nonsense")
    }

    @Test func names() {
        var answer = SpeakerLink.Answer()
        answer.fields = [("Pos", "3"), ("Pos", "4")]
        #expect(answer.value("Pos") == "3")
        #expect(answer.value("Id") == nil)
    }
}
