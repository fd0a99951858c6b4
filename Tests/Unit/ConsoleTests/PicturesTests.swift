// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Console

/// Pictures in pieces, with the answers of MPD 0.23.12.
@Suite struct PicturesTests {
    private let speaker = FakeSpeaker.playing()
    private let lamp = "stories/lamp.mp3"
    /// All bytes there are, newlines too.
    private let bytes = (0..<100).map { UInt8($0 % 256) }

    private func piece(_ command: String, limit: Int = 64) -> [UInt8] {
        speaker.pictures[lamp] = PictureDescription(mime: "image/png", bytes: bytes)
        var session = Session(speaker: speaker, manner: .plain)
        _ = answer(&session, ["binarylimit \(limit)"])
        return answer(&session, [Array(command.utf8)])
    }

    @Test func aPictureComesInPieces() {
        #expect(
            piece("albumart \(lamp) 0") == Array("size: 100\nbinary: 64\n".utf8) + bytes[..<64] + Array("\nOK\n".utf8))
        #expect(
            piece("readpicture \(lamp) 64")
                == Array("size: 100\ntype: image/png\nbinary: 36\n".utf8) + bytes[64...] + Array("\nOK\n".utf8))
        #expect(piece("albumart \(lamp) 100") == Array("size: 100\nbinary: 0\n\nOK\n".utf8))
    }

    @Test func refusals() {
        #expect(piece("albumart \(lamp) 101") == Array("ACK [2@0] {albumart} Offset too large\n".utf8))
        #expect(piece("readpicture \(lamp) 101") == Array("ACK [2@0] {readpicture} Bad file offset\n".utf8))
        #expect(answer(speaker, "albumart nix.mp3 0") == "ACK [50@0] {albumart} No file exists\n")
        #expect(answer(speaker, "readpicture nix.mp3 0") == "ACK [50@0] {readpicture} No such song\n")
        #expect(answer(speaker, "readpicture französisch.mp3 0") == "OK\n")
        #expect(answer(speaker, "albumart \(lamp) x") == "ACK [2@0] {albumart} Integer expected: x\n")
        #expect(
            answer(speaker, "albumart \(lamp) 0", manner: .spoken).hasPrefix("error: albumart: A picture cannot be"))
    }
}
