// SPDX-License-Identifier: Apache-2.0
import Foundation
import Posix
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

/// Pictures in pieces, with the answers of MPD 0.23.12.
@Suite struct PicturesTests {
    private let folder = TemporaryFolder()
    private let desk: Desk
    private let host: ConsoleHost
    /// A newline among them.
    private let bytes = (0..<100).map { UInt8($0 % 256) }

    /// Songs on the disk: one with a picture, whose folder has another, and one without.
    init() throws {
        desk = Desk(root: folder.path)
        // As Desk makes it, and with pictures.
        host = ConsoleHost(
            speaker: desk.bench.speaker, figures: desk.figures, scans: desk.scans, timers: desk.bench.timers,
            turnBegan: { MonotonicTime(nanoseconds: 5) }, root: folder.path, outputName: "",
            pictures: desk.bench.worker)
        desk.bench.add("lamp", folder: folder.path + "/stories")
        desk.bench.add("lesson", folder: folder.path)
        try FileManager.default.createDirectory(atPath: folder.path + "/stories", withIntermediateDirectories: true)
        try write("stories/cover.png", bytes)
        try write("stories/lamp.mp3", tag + [UInt8](repeating: 0, count: 512))
        try write("lesson.mp3", [UInt8](repeating: 0, count: 512))
    }

    private func write(_ name: String, _ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(filePath: folder.path + "/" + name))
    }

    /// ID3 2.3, with the picture's bytes from the end to the beginning.
    private var tag: [UInt8] {
        let frame = [0] + Array("image/png".utf8) + [0, 3, 0] + bytes.reversed()
        let size = UInt8(frame.count)
        return Array("ID3".utf8) + [3, 0, 0, 0, 0, 0, size + 10] + Array("APIC".utf8) + [0, 0, 0, size, 0, 0] + frame
    }

    private func piece(_ command: String, limit: Int = 64) -> [UInt8] {
        var session = Session(host: host, manner: .plain)
        _ = answer(&session, ["binarylimit \(limit)"])
        return answer(&session, [Array(command.utf8)], desk)
    }

    @Test func aPictureComesInPieces() {
        #expect(
            piece("albumart stories/lamp.mp3 0")
                == Array("size: 100\nbinary: 64\n".utf8) + bytes[..<64] + Array("\nOK\n".utf8))
        #expect(
            piece("readpicture stories/lamp.mp3 64")
                == Array("size: 100\ntype: image/png\nbinary: 36\n".utf8) + bytes[..<36].reversed()
                + Array("\nOK\n".utf8))
        #expect(piece("albumart stories/lamp.mp3 100") == Array("size: 100\nbinary: 0\n\nOK\n".utf8))
    }

    @Test(arguments: [
        ("albumart stories/lamp.mp3 101", "ACK [2@0] {albumart} Offset too large\n"),
        ("readpicture stories/lamp.mp3 101", "ACK [2@0] {readpicture} Bad file offset\n"),
        ("albumart nix.mp3 0", "ACK [50@0] {albumart} No file exists\n"),
        ("albumart lesson.mp3 0", "ACK [50@0] {albumart} No file exists\n"),
        ("readpicture nix.mp3 0", "ACK [50@0] {readpicture} No such song\n"),
        ("readpicture lesson.mp3 0", "OK\n"),
        ("albumart stories/lamp.mp3 x", "ACK [2@0] {albumart} Integer expected: x\n"),
    ])
    func refusals(command: String, expected: String) {
        #expect(String(decoding: piece(command), as: UTF8.self) == expected)
    }

    @Test func noneIsShownAtATerminal() {
        #expect(
            answer(desk, "albumart stories/lamp.mp3 0", manner: .spoken).hasPrefix(
                "error: albumart: A picture cannot be"))
    }
}
