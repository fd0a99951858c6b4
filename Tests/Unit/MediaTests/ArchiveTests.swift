// SPDX-License-Identifier: Apache-2.0
import Foundation
import Posix
import TestSupport
import Testing

@testable import Media

/// A ZIP file, part by part, so that each number in it can be another than it should be.
struct ZIPWriter {
    struct File {
        var name: String
        var bytes: [UInt8]
        var isDeflated = false
        var claimedBytes: UInt32?
        var claimedStored: UInt32?
        var start: UInt32?
        var flags: UInt16 = 0
        var method: UInt16?
    }

    var files: [File]
    var claimedFiles: UInt16?
    var claimedStart: UInt32?
    var comment: [UInt8] = []

    /// Deflate of blocks that are stored.
    static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var at = 0
        repeat {
            let count = min(65_535, bytes.count - at)
            out.append(at + count == bytes.count ? 1 : 0)
            out += little(UInt16(count)) + little(~UInt16(count)) + bytes[at..<at + count]
            at += count
        } while at < bytes.count
        return out
    }

    static func little(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    var bytes: [UInt8] {
        var out: [UInt8] = []
        var directory: [UInt8] = []
        for file in files {
            let start = UInt32(out.count)
            let stored = file.isDeflated ? ZIPWriter.deflated(file.bytes) : file.bytes
            let middle =
                ZIPWriter.little(file.flags) + ZIPWriter.little(file.method ?? (file.isDeflated ? 8 : 0))
                + [0, 0, 0, 0] + ZIPWriter.little(UInt32(0))
                + ZIPWriter.little(file.claimedStored ?? UInt32(stored.count))
                + ZIPWriter.little(file.claimedBytes ?? UInt32(file.bytes.count))
                + ZIPWriter.little(UInt16(file.name.utf8.count))
            out +=
                [0x50, 0x4B, 3, 4, 20, 0] + middle + ZIPWriter.little(UInt16(3)) + file.name.utf8 + [7, 7, 7] + stored
            directory +=
                [0x50, 0x4B, 1, 2, 20, 0, 20, 0] + middle + ZIPWriter.little(UInt16(4)) + ZIPWriter.little(UInt16(2))
            directory += [UInt8](repeating: 0, count: 8) + ZIPWriter.little(file.start ?? start)
            directory += Array(file.name.utf8) + [9, 9, 9, 9, 8, 8]
        }
        let count = ZIPWriter.little(claimedFiles ?? UInt16(files.count))
        return out + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + count + count
            + ZIPWriter.little(UInt32(directory.count)) + ZIPWriter.little(claimedStart ?? UInt32(out.count))
            + ZIPWriter.little(UInt16(comment.count)) + comment
    }
}

@Suite("Archives") struct ArchiveTests {
    private let folder = NSTemporaryDirectory() + "archives-" + UUID().uuidString

    private func archive(_ writer: ZIPWriter) throws -> String { try archive(writer.bytes) }

    private func archive(_ bytes: [UInt8]) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/" + UUID().uuidString + ".zip"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func noise(_ count: Int, seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    @Test(arguments: [false, true]) func filesAreReadAtAnyPlace(isDeflated: Bool) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bytes = noise(12_000_000, seed: 1)
        let path = try archive(
            ZIPWriter(
                files: [
                    .init(name: "mimetype", bytes: Array("application/epub+zip".utf8)),
                    .init(name: "OEBPS/audio/a.mp3", bytes: bytes, isDeflated: isDeflated),
                ], comment: Array("PK\u{5}\u{6} a comment".utf8)))
        let source = try FileSource(path: path + "/OEBPS/audio/a.mp3")
        #expect(source.byteCount == 12_000_000)
        var random = SeededGenerator(seed: 2)
        let places =
            [0, 11_999_990, 1, 5_000_000, 4_000_000, 11_000_000]
            + (0..<20).map { _ in Int.random(in: 0..<12_000_000, using: &random) }
        for place in places {
            let read = try source.bytes(at: Int64(place), count: 5000)
            #expect(read.elementsEqual(bytes[place..<min(place + 5000, bytes.count)]), "\(place)")
        }
        #expect(try source.bytes(at: 12_000_000, count: 1).isEmpty)
        // The file's own status is its archive's.
        let (status, whole) = (try FileStatus(path: path + "/OEBPS/audio/a.mp3"), try FileStatus(path: path))
        #expect(status.isRegularFile && status.bytes == whole.bytes)
        #expect(throws: SourceError.self) { try FileSource(path: path + "/OEBPS/audio/b.mp3") }
        #expect(throws: SourceError.self) { try FileSource(path: path + "/OEBPS/audio") }
    }

    @Test func anEmptyFileIsOne() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for isDeflated in [false, true] {
            let path = try archive(ZIPWriter(files: [.init(name: "a", bytes: [], isDeflated: isDeflated)]))
            #expect(try FileSource(path: path + "/a").bytes(at: 0, count: 10).isEmpty)
        }
    }

    @Test func namesThatLeadElsewhereAreLeftOut() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let names = ["../a", "/etc/passwd", "a/../b", "a//b", "folder/", "./a", "", "a\0b", "ok/a.mp3"]
        let path = try archive(ZIPWriter(files: names.map { .init(name: $0, bytes: [1]) }))
        #expect(try ZIPDirectory(path: path).names() == ["ok/a.mp3"])
    }

    @Test func numbersOfStrangersAreRefused() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let sound = noise(1000, seed: 3)
        let wrong: [ZIPWriter.File] = [
            .init(name: "a", bytes: sound, claimedBytes: .max, claimedStored: .max),
            .init(name: "a", bytes: sound, claimedStored: 0x7FFF_FFFF),
            .init(name: "a", bytes: sound, isDeflated: true, claimedBytes: 0xFFFF_FFF0),
            .init(name: "a", bytes: sound, start: .max), .init(name: "a", bytes: sound, start: 0xFFFF_FFFE),
            .init(name: "a", bytes: sound, start: 5), .init(name: "a", bytes: sound, flags: 1),
            .init(name: "a", bytes: sound, method: 12),
        ]
        for file in wrong {
            let path = try archive(ZIPWriter(files: [file]))
            #expect(throws: SourceError.self, "\(file.name)") { try FileSource(path: path + "/a") }
        }
        // Less than it claims is what there is.
        let path = try archive(ZIPWriter(files: [.init(name: "a", bytes: sound, isDeflated: true, claimedBytes: 5000)]))
        let source = try FileSource(path: path + "/a")
        #expect(try source.bytes(at: 0, count: 5000).count <= 1000)
        #expect(try source.bytes(at: 4000, count: 10).isEmpty)
        for writer in [
            ZIPWriter(files: [], claimedFiles: .max, claimedStart: .max),
            ZIPWriter(files: [.init(name: "a", bytes: sound)], claimedStart: 0xFFFF_FFFE),
        ] {
            let path = try archive(writer)
            #expect(throws: SourceError.self) { try ZIPDirectory(path: path).names() }
        }
    }

    @Test func anEncryptedBookIsRefused() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, isRefused) in [("ncc.html", true), ("read.me", false)] {
            let path = try archive(
                ZIPWriter(files: [
                    .init(name: name, bytes: [1], flags: 1), .init(name: "1.mp3", bytes: [1], flags: 1),
                ]))
            var words = ""
            do throws(SourceError) { _ = try TalkingBook.contents(ofArchive: path) } catch {
                words = error.cause.message
            }
            #expect(words.contains("encrypted") == isRefused)
        }
    }

    @Test func manyNamesAreTooMany() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = try archive(ZIPWriter(files: (0..<65_000).map { .init(name: "\($0)", bytes: []) }))
        #expect(throws: SourceError.self) { try ZIPDirectory(path: path).names() }
        #expect(throws: SourceError.self) { try TalkingBook.contents(ofArchive: path) }
    }

    /// No crash for any bytes.
    @Test func anyBytes() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let whole = ZIPWriter(files: [
            .init(name: "META-INF/container.xml", bytes: Array("<a full-path=\"b/c.opf\"/>".utf8), isDeflated: true),
            .init(name: "b/c.opf", bytes: Array("<package/>".utf8), isDeflated: true),
            .init(name: "b/1.mp3", bytes: noise(300, seed: 4)),
        ]).bytes
        var random = SeededGenerator(seed: 5)
        for _ in 0..<1000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                bytes[at] = [0, 0xFF, 0x7F, 0x80, UInt8.random(in: 0...255, using: &random)].randomElement(
                    using: &random)!
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
            let path = try archive(bytes)
            _ = try? TalkingBook.contents(ofArchive: path)
            _ = try? FileSource(path: path + "/b/1.mp3").bytes(at: 0, count: 4000)
            _ = try? FileSource(path: path + "/b/c.opf").bytes(at: 0, count: 4000)
            try FileManager.default.removeItem(atPath: path)
        }
    }

    @Test func pathsLeadIntoArchives() {
        let path = ArchivePath("/books/A b.EPUB/OEBPS/x.zip/1.mp3")
        #expect(path?.archive == "/books/A b.EPUB" && path?.entry == "OEBPS/x.zip/1.mp3")
        for path in ["/books/a.epub", "/books/a.mp3", "", "/", "a.zipper/b", "/.zip/a"] {
            #expect(ArchivePath(path) == nil, "\(path)")
        }
    }
}
