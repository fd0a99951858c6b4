// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Posix

@Suite struct PathBytesTests {
    /// Random bytes, with a taste for what is nearly UTF-8 and for the scalars that hold bytes.
    private static func bytes(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            switch Int.random(in: 0...5, using: &random) {
            case 0: bytes.append(UInt8.random(in: 1...255, using: &random))
            case 1: bytes.append(UInt8.random(in: 0x20...0x7E, using: &random))
            case 2:
                bytes += [
                    0xEF, UInt8.random(in: 0x9D...0xA0, using: &random), .random(in: 0x7F...0xC0, using: &random),
                ]
            case 3: bytes += Array("\(Unicode.Scalar(UInt32.random(in: 0x80...0xD7FF, using: &random))!)".utf8)
            case 4: bytes += Array("\(Unicode.Scalar(UInt32.random(in: 0xE000...0x10FFFF, using: &random))!)".utf8)
            default: bytes += Array("é/ü.mp3".utf8).prefix(Int.random(in: 0...9, using: &random))
            }
        }
        return bytes
    }

    @Test func everyStringOfBytesComesBack() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var held: [String: [UInt8]] = [:]
        for _ in 0..<20_000 {
            let bytes = PathBytesTests.bytes(&random)
            let path = String(pathBytes: bytes)
            #expect(path.pathBytes == bytes, "seed \(seed)")
            path.withPath {
                #expect(Array(UnsafeRawBufferPointer(start: $0, count: bytes.count)) == bytes, "seed \(seed)")
            }
            // A valid string without an encoded byte stays as it is.
            if let text = String(validating: bytes, as: UTF8.self),
                !text.unicodeScalars.contains(where: { (0xF700...0xF7FF).contains($0.value) })
            {
                #expect(Array(path.utf8) == bytes, "seed \(seed)")
            }
            #expect(!path.readable.unicodeScalars.contains { PathBytes.byte(heldAs: $0) != nil }, "seed \(seed)")
            // By bytes: a String's == takes different spellings of an accent for the same.
            let key = path.utf8.map { String($0, radix: 16) }.joined(separator: " ")
            #expect(held.updateValue(bytes, forKey: key) ?? bytes == bytes, "seed \(seed)")
        }
    }

    @Test func pathsAreCutAndJoinedAtASCII() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5_000 {
            let (a, b) = (PathBytesTests.bytes(&random), PathBytesTests.bytes(&random))
            let joined = String(pathBytes: a) + "/" + String(pathBytes: b)
            #expect(joined.pathBytes == a + [UInt8(ascii: "/")] + b, "seed \(seed)")
            #expect(String(pathBytes: a + [UInt8(ascii: "/")] + b).utf8.elementsEqual(joined.utf8), "seed \(seed)")
        }
    }

    @Test(
        arguments: [
            ([0x6C, 0xE9, 0x2E], "l\u{F7E9}.", "lé."),
            ([0x93, 0x61, 0x94, 0x81], "\u{F793}a\u{F794}\u{F781}", "“a”\u{FFFD}"),
            ([0xC3], "\u{F7C3}", "Ã"), ([0xED, 0xA0, 0x80], "\u{F7ED}\u{F7A0}\u{F780}", "í\u{A0}€"),
            ([0xEF, 0x9F, 0xA9], "\u{F7EF}\u{F79F}\u{F7A9}", "ïŸ©"), ([0xEF, 0xA4, 0x80], "\u{F900}", "\u{F900}"),
            ([0xC3, 0xA9, 0xE9], "é\u{F7E9}", "éé"),
        ] as [([UInt8], String, String)])
    func bytesAreHeldAndRead(bytes: [UInt8], held: String, readable: String) {
        #expect(String(pathBytes: bytes) == held)
        #expect(held.readable == readable)
    }

    @Test func filesOfAnyNameAreFoundAndOpened() throws {
        let folder = NSTemporaryDirectory() + "path-bytes-\(getpid())"
        try Files.createFolder(folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let names: [[UInt8]] = [
            Array("latin\u{E9}".unicodeScalars.map { UInt8($0.value) }), [0xFF], Array("\u{F7E9}".utf8),
        ]
        for name in names { _ = try FileDescriptor.open(folder + "/" + String(pathBytes: name), O_CREAT | O_WRONLY) }
        let found = try Files.names(inFolder: folder)
        #expect(Set(found.map { $0.pathBytes }) == Set(names))
        for name in found {
            #expect(try FileStatus(path: folder + "/" + name).isRegularFile)
            #expect(Files.exists(folder + "/" + name))
            try Files.rename(folder + "/" + name, to: folder + "/" + name + ".mp3")
            #expect(try Files.read(folder + "/" + name + ".mp3", limit: 1) == [])
        }
        #expect(throws: PosixError.self) { try FileStatus(path: folder + "/\0") }
        #expect(try Files.resolved(folder + "/./" + found[0] + ".mp3").pathName == found[0] + ".mp3")
        #expect(try FileStatus(path: folder).identity == FileStatus(path: folder + "/.").identity)
    }
}
