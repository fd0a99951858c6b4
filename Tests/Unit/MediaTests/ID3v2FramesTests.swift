// SPDX-License-Identifier: Apache-2.0
import FuzzWork
import TestSupport
import Testing

@testable import Media

@Suite struct ID3v2FramesTests {
    /// A tag as a tagger writes it.
    static func tag(
        version: UInt8, frames: [(id: String, flags: UInt8, body: [UInt8])], flags: UInt8 = 0, extended: [UInt8] = [],
        padding: Int = 20, plainSizes: Bool = false
    ) -> [UInt8] {
        var body = extended
        for frame in frames {
            body += Array(frame.id.utf8)
            let size = UInt32(frame.body.count)
            switch version {
            case 2: body += size.bytes.dropFirst()
            case 3: body += size.bytes + [0, frame.flags]
            default: body += (plainSizes ? size.bytes : size.synchsafe) + [0, frame.flags]
            }
            body += frame.body
        }
        body += [UInt8](repeating: 0, count: padding)
        if flags & 0x80 != 0 && version < 4 { body = unsynchronised(body) }
        return Array("ID3".utf8) + [version, 0, flags] + UInt32(body.count).synchsafe + body
    }

    static func unsynchronised(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        for (i, byte) in bytes.enumerated() {
            out.append(byte)
            if byte == 0xFF && (i + 1 == bytes.count || bytes[i + 1] >= 0xE0 || bytes[i + 1] == 0) { out.append(0) }
        }
        return out
    }

    static func read(_ bytes: [UInt8], limit: Int = 1 << 20) -> [(id: String, body: [UInt8])] {
        guard var frames = ID3v2Frames(MemorySource(bytes), at: 0) else { return [] }
        var found: [(String, [UInt8])] = []
        while let frame = frames.next() { found.append((frame.id, frames.body(limit: limit))) }
        return found
    }

    static func expectSame(_ found: [(id: String, body: [UInt8])], _ wanted: [(String, [UInt8])], _ what: String) {
        #expect(found.map(\.id) == wanted.map(\.0), "\(what)")
        #expect(found.map(\.body) == wanted.map(\.1), "\(what)")
    }

    static let picture: [UInt8] = (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 7) | ($0 % 5 == 0 ? 0xFF : 0) }

    @Test func everyVersion() {
        let title: [UInt8] = [0] + Array("A title".utf8)
        let lyrics: [UInt8] = [1, 0x65, 0x6E, 0x67, 2, 1, 0xFF, 0xFE, 0, 0, 0xFF, 0xFE, 65, 0, 0, 0, 0, 0, 1, 0]
        for flags: UInt8 in [0, 0x80] {
            ID3v2FramesTests.expectSame(
                ID3v2FramesTests.read(
                    ID3v2FramesTests.tag(
                        version: 2,
                        frames: [
                            ("TT2", 0, title), ("PIC", 0, ID3v2FramesTests.picture), ("SLT", 0, lyrics),
                            ("TP1", 0, title),
                            ("ULT", 0, title), ("COM", 0, title), ("TAL", 0, title), ("TYE", 0, [0]),
                        ], flags: flags)),
                [
                    ("TIT2", title), ("PIC", ID3v2FramesTests.picture), ("SYLT", lyrics), ("TPE1", title),
                    ("USLT", title), ("COMM", title), ("TALB", title), ("TYER", [0]),
                ], "2.2, flags \(flags)")
            let frames: [(String, UInt8, [UInt8])] = [
                ("TIT2", 0, title), ("APIC", 0, ID3v2FramesTests.picture), ("SYLT", 0, lyrics),
            ]
            let wanted: [(String, [UInt8])] = [
                ("TIT2", title), ("APIC", ID3v2FramesTests.picture), ("SYLT", lyrics),
            ]
            for extended in [[], (6 as UInt32).bytes + [0, 0, 0, 0, 0, 20]] {
                ID3v2FramesTests.expectSame(
                    ID3v2FramesTests.read(
                        ID3v2FramesTests.tag(
                            version: 3, frames: frames, flags: flags | (extended.isEmpty ? 0 : 0x40),
                            extended: extended)), wanted, "2.3, flags \(flags)")
            }
            let coded = frames.map {
                ($0.0, flags == 0 ? 0 : 2 as UInt8, flags == 0 ? $0.2 : ID3v2FramesTests.unsynchronised($0.2))
            }
            for extended in [[], (6 as UInt32).synchsafe + [1, 0]] {
                for isPlain in [false, true] {
                    ID3v2FramesTests.expectSame(
                        ID3v2FramesTests.read(
                            ID3v2FramesTests.tag(
                                version: 4, frames: coded, flags: flags | (extended.isEmpty ? 0 : 0x40),
                                extended: extended, plainSizes: isPlain)), wanted, "2.4, flags \(flags), \(isPlain)")
                }
            }
        }
    }

    @Test func flaggedFrames() {
        let body: [UInt8] = [3, 65, 66]
        let group: [UInt8] = [7]
        let length = (3 as UInt32).synchsafe
        ID3v2FramesTests.expectSame(
            ID3v2FramesTests.read(
                ID3v2FramesTests.tag(
                    version: 4,
                    frames: [
                        ("TIT1", 0x08, body), ("TIT2", 0x40, group + body), ("TIT3", 0x04, body),
                        ("TALB", 0x41, group + length + body), ("TPE1", 0x03, length + body), ("TPE2", 0x01, [1]),
                        ("TPE3", 0, []),
                    ])), [("TIT2", body), ("TALB", body), ("TPE1", body), ("TPE3", [])], "2.4")
        ID3v2FramesTests.expectSame(
            ID3v2FramesTests.read(
                ID3v2FramesTests.tag(
                    version: 3,
                    frames: [
                        ("TIT1", 0x80, body), ("TIT2", 0x20, group + body), ("TIT3", 0x40, body), ("TALB", 0, body),
                    ])),
            [("TIT2", body), ("TALB", body)], "2.3")
    }

    @Test func bodiesArePlacedAndLimited() throws {
        let file =
            [UInt8](repeating: 9, count: 777)
            + ID3v2FramesTests.tag(
                version: 3,
                frames: [("TIT2", 0, [0, 65]), ("APIC", 0, ID3v2FramesTests.picture), ("TALB", 0, [0, 66])])
        let source = MemorySource(file)
        var frames = try #require(ID3v2Frames(source, at: 777))
        #expect(frames.version == 3 && frames.tagBytes == Int64(file.count - 777))
        _ = frames.next()
        let second = frames.next()
        let picture = try #require(second)
        #expect(picture.bodyBytes == ID3v2FramesTests.picture.count)
        let offset = Int(try #require(picture.bodyOffset))
        #expect(Array(file[offset..<offset + picture.bodyBytes]) == ID3v2FramesTests.picture)
        let head = frames.body(limit: 10)
        #expect(head == Array(ID3v2FramesTests.picture.prefix(10)))
        let third = frames.next()
        #expect(third?.id == "TALB")
        let album = frames.body(limit: 10)
        #expect(album == [0, 66])
        let fourth = frames.next()
        #expect(fourth == nil)
        // The picture was stepped over.
        #expect(source.readBytes < 6000)
    }

    /// Zeros put into a tag are found without looking at its bytes one by one through small windows.
    @Test(arguments: [2, 3] as [UInt8]) func unsynchronisedPicturesArePassedOverQuickly(version: UInt8) throws {
        var random = SeededGenerator(seed: 3)
        let names = version == 2 ? ("PIC", "TT2") : ("APIC", "TIT2")
        let tag = ID3v2FramesTests.tag(
            version: version,
            frames: [(names.0, 0, random.bytes(2_000_000)), (names.1, 0, [0] + Array("A title".utf8))], flags: 0x80)
        var reads = 0
        let ids = try expectCost(CostBound(nanosecondsPerByte: 500, bytesPerByte: 0), inputBytes: tag.count) {
            var frames = try #require(
                ID3v2Frames(
                    ClosureSource(Int64(tag.count)) { offset, buffer in
                        reads += 1
                        let count = min(buffer.count, tag.count - Int(offset))
                        let part = Int(offset)..<Int(offset) + count
                        tag.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[part])) }
                        return count
                    }, at: 0))
            var ids: [String] = []
            while let frame = frames.next() { ids.append(frame.id) }
            return ids
        }
        #expect(ids == [version == 2 ? "PIC" : "APIC", "TIT2"])
        #expect(reads <= tag.count / 16_384 + 10)
    }

    /// However it is read, and wherever in it the windows end.
    @Test func unsynchronisedTagsReadTheSame() throws {
        var random = SeededGenerator(seed: 8)
        for round in 0..<40 {
            let bodies = (0..<4).map { _ in
                (0..<Int.random(in: 1...30_000, using: &random)).map { _ in
                    [0xFF, 0, 0xE0, 7].randomElement(using: &random)! as UInt8
                }
            }
            let tag = ID3v2FramesTests.tag(
                version: 3, frames: bodies.map { ("APIC", 0, $0) } + [("TIT2", 0, [0, 65])], flags: 0x80, padding: 0)
            let all = ID3v2FramesTests.read(tag, limit: 1 << 20)
            ID3v2FramesTests.expectSame(all, bodies.map { ("APIC", $0) } + [("TIT2", [0, 65])], "round \(round)")
            // Passed over, wholly or in part.
            let limit = Int.random(in: 0...5000, using: &random)
            let some = ID3v2FramesTests.read(tag, limit: limit)
            ID3v2FramesTests.expectSame(
                some, bodies.map { ("APIC", Array($0.prefix(limit))) } + [("TIT2", Array([0, 65].prefix(limit)))],
                "round \(round), limit \(limit)")
        }
    }

    /// The texts of a frame with any content.
    @Test func rubbishTexts() {
        var random = SeededGenerator(seed: 13)
        for round in 0..<3000 {
            var body = random.tempting(Int.random(in: 1...2000, using: &random))
            body[0] = UInt8.random(in: 0...4, using: &random)
            let texts = expectCost(CostBound(bytesPerByte: 16), inputBytes: body.count, "round \(round)") {
                var texts: [[UInt8]] = []
                guard var reader = ID3TextReader(body) else { return texts }
                reader.position = 1
                while reader.position < body.count {
                    switch round % 3 {
                    case 0: texts.append(reader.text())
                    case 1: if reader.bigEndian32() == nil { texts.append(reader.rest()) }
                    default:
                        texts.append(reader.text())
                        _ = reader.bigEndian32()
                    }
                }
                return texts
            }
            #expect(texts.reduce(0) { $0 + $1.count } <= 3 * body.count, "round \(round)")
        }
    }

    @Test func whatIsNoTag() {
        let whole = ID3v2FramesTests.tag(version: 4, frames: [("TIT2", 0, [3, 65])])
        for version: UInt8 in [0, 1, 5, 0xFF] {
            var other = whole
            other[3] = version
            #expect(ID3v2Frames(MemorySource(other), at: 0) == nil)
        }
        for length in 0..<10 { #expect(ID3v2Frames(MemorySource(Array(whole.prefix(length))), at: 0) == nil) }
        // Compressed as a whole.
        #expect(
            ID3v2Frames(
                MemorySource(ID3v2FramesTests.tag(version: 2, frames: [("TT2", 0, [0, 65])], flags: 0x40)), at: 0)
                == nil)
        // Cut within the frame: it is not given.
        #expect(ID3v2FramesTests.read(Array(whole.prefix(21))).isEmpty)
    }

    @Test func rubbish() {
        var random = SeededGenerator(seed: 12)
        for round in 0..<6000 {
            let version = UInt8.random(in: 2...4, using: &random)
            var frames: [(id: String, flags: UInt8, body: [UInt8])] = []
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let id = ["TIT2", "SYLT", "APIC", "COMM"].randomElement(using: &random)!
                frames.append(
                    (
                        version == 2 ? String(id.prefix(3)) : id, random.bytes(1)[0] & random.bytes(1)[0],
                        random.tempting(Int.random(in: 0...300, using: &random))
                    ))
            }
            var bytes = ID3v2FramesTests.tag(
                version: version, frames: frames, flags: random.bytes(1)[0] & 0xF0,
                extended: round % 3 == 0 ? random.bytes(10) : [])
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = random.bytes(1)[0]
            }
            if round % 4 == 0 { bytes.removeLast(Int.random(in: 0...bytes.count, using: &random)) }
            let limit = Int.random(in: 0...400, using: &random)
            let found = expectCost(inputBytes: bytes.count, "round \(round)") {
                ID3v2FramesTests.read(bytes, limit: limit)
            }
            #expect(found.allSatisfy { $0.body.count <= limit && $0.body.count <= bytes.count })
            #expect(found.count <= bytes.count / 6)
            // Reads that fail or give less end it. A frame is read for its name, its length twice and its body, and the window with it.
            var read = 0
            let source = ClosureSource(1 << 40) { _, buffer in
                read += buffer.count
                switch random.next() % 6 {
                case 0: return -1
                case 1: return min(3, buffer.count)
                default:
                    for i in 0..<buffer.count { buffer[i] = i < bytes.count ? bytes[i] : 0x41 }
                    return buffer.count
                }
            }
            if var failing = ID3v2Frames(source, at: 0) {
                var count = 0
                while failing.next() != nil && count < 100_000 {
                    _ = failing.body(limit: 50)
                    count += 1
                }
                // Of an unsynchronised tag every byte is looked at once.
                let most = 10 + (count + 1) * 4 * 2048 + Int(failing.tagBytes)
                #expect(count <= 10_000 && read <= most, "round \(round)")
            }
        }
    }
}
