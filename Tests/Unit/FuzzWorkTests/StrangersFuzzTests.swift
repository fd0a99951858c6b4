// SPDX-License-Identifier: Apache-2.0
import Foundation
import FuzzWork
import Streams
import TestSupport
import Testing

/// Messages of servers and other processes, with numbers of any size: the reader reaches the end, costs what the bytes allow, and does not
/// trap.
@Suite struct StrangersFuzzTests {
    private func fuzz(_ name: String, _ kind: FuzzKind, _ file: FieldFile, bound: CostBound = CostBound()) {
        file.fuzz(name, kind: kind.name, cases: 150) { bytes, comment in
            expectCost(bound, inputBytes: bytes.count, comment) {
                FuzzWork.run(kind, bytes) { Issue.record("\($0): \(comment)") }
            }
        }
    }

    private func fuzz(_ kind: FuzzKind, _ text: String, bound: CostBound = CostBound()) {
        fuzz(kind.name, kind, FieldFile(text: text), bound: bound)
    }

    /// Inputs that once ended a process, on boards of either width: KIND.NAME each.
    @Test func whatWasFound() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Recordings/found")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count >= 3)
        for name in names {
            let kind = try #require(FuzzKind(rawValue: String(name.prefix { $0 != "." })), "\(name)")
            let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
            FuzzWork.run(kind, bytes) { Issue.record("\($0): \(name)") }
        }
    }

    // MARK: Servers

    @Test func segments() {
        let playlist =
            "#EXTM3U\n#EXT-X-TARGETDURATION:7\n#EXT-X-MEDIA-SEQUENCE:7\n#EXTINF:7.5,\n#EXT-X-BYTERANGE:70@9\na\n#EXTINF:7,\n#EXT-X-BYTERANGE:7\nb\n#EXT-X-DISCONTINUITY\n#EXTINF:7,\nc\n#EXT-X-ENDLIST\n"
        fuzz(.mediaPlaylist, playlist)
        fuzz(.masterPlaylist, "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\na\n#EXT-X-STREAM-INF:BANDWIDTH=128000\nb\n")
        fuzz("segment-ts", .segment, StrangersFuzzTests.transportStream)
        fuzz("segment-adts", .segment, StrangersFuzzTests.stampedFrames)
    }

    /// Tables and a packet of sound, as a server of segments sends them.
    private static var transportStream: FieldFile {
        func packet(_ identifier: Int, _ payload: [UInt8]) -> [UInt8] {
            let head = [0x47, 0x40 | UInt8(identifier >> 8), UInt8(identifier & 255), 0x30]
            let room = 188 - 4 - payload.count
            return head + [UInt8(room - 1)] + [UInt8](repeating: 0, count: room - 1) + payload
        }
        let programs: [UInt8] = [0, 0, 0xB0, 13, 0, 1, 0xC1, 0, 0, 0, 1, 0xE1, 0, 0, 0, 0, 0]
        let map: [UInt8] = [0, 2, 0xB0, 18, 0, 1, 0xC1, 0, 0, 0xE1, 1, 0xF0, 0, 0x0F, 0xE1, 1, 0xF0, 0, 0, 0, 0, 0]
        let adts: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 4, 0x1F, 0xFC] + [UInt8](repeating: 1, count: 25)
        let sound: [UInt8] = [0, 0, 1, 0xC0, 0, 0, 0x80, 0x80, 5, 0x21, 0, 1, 0, 1] + adts + adts + adts
        let bytes = packet(0, programs) + packet(0x100, map) + packet(0x101, sound)
        var fields: [FieldFile.Field] = []
        for packet in 0..<3 {
            let start = 188 * packet
            // Its own head, and what it carries, which stands at its end.
            fields += (start + 1..<start + 5).map { .big(at: $0, bytes: 1) }
            let count = [programs.count, map.count, sound.count][packet]
            for place in start + 188 - count..<start + 188 { fields.append(.big(at: place, bytes: place % 2 + 1)) }
        }
        return FieldFile(bytes, fields.filter { $0.end <= bytes.count })
    }

    private static var stampedFrames: FieldFile {
        let owner = Array("com.apple.streaming.transportStreamTimestamp\0".utf8) + [0, 0, 0, 0, 0, 1, 2, 3]
        let frame = Array("PRIV".utf8) + [0, 0, 0, UInt8(owner.count), 0, 0] + owner
        let tag = Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
        let adts: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 4, 0x1F, 0xFC] + [UInt8](repeating: 1, count: 25)
        let bytes = tag + adts + adts + adts + adts
        var fields: [FieldFile.Field] = [
            .synchsafe(at: 6), .big(at: 3, bytes: 1), .synchsafe(at: 14), .big(at: tag.count - 8, bytes: 8),
        ]
        for at in stride(from: tag.count, to: bytes.count, by: adts.count) {
            fields += [.big(at: at + 2, bytes: 4), .big(at: at + 3, bytes: 2)]
        }
        return FieldFile(bytes, fields)
    }

    @Test func heads() {
        fuzz(
            .head,
            "HTTP/1.1 206 X\nContent-Length: 206\nContent-Range: bytes 20-205/206\nRetry-After: 20\nETag: \"a\"\nAccept-Ranges: bytes\nicy-metaint:20\nicy-br:64,96"
        )
        fuzz(
            .map,
            "nightstand stream 1\naddress http://h\nlength 900\nspan 7 9\noffer 7\nparts 7 7 7 7 7\nfront 7\nwhole 1\n")
    }

    @Test func feeds() {
        fuzz(
            .feed,
            """
            <rss><channel><title>T</title><item><guid>7</guid><enclosure url="http://h/7" length="7"/><itunes:duration>1:02:03</itunes:duration>
            <pubDate>Fri, 07 Nov 2025 07:08:09 +0100</pubDate><podcast:alternateEnclosure type="audio/a" bitrate="64000" length="7">
            <podcast:source uri="http://h/b"/></podcast:alternateEnclosure></item><item><pubDate>2025-11-07T07:08:09Z</pubDate>
            <enclosure url="http://h/c"/><itunes:duration>77</itunes:duration></item></channel></rss>
            """, bound: CostBound(fixedBytes: 1 << 20))
        fuzz(
            .outlines, "<opml version=\"2.0\"><body><outline text=\"7\" xmlUrl=\"http://h/7?a=&#38;7\"/></body></opml>",
            bound: CostBound(fixedBytes: 1 << 20))
        for (name, text) in [
            ("date-mail", "Fri, 07 Nov 2025 07:08:09 +0100"), ("date-iso", "2025-11-07T07:08:09Z"),
            ("date-duration", "1:02:03"),
        ] {
            fuzz(name, .date, FieldFile(text: text))
        }
        fuzz(
            .addresses, "[playlist]\nNumberOfEntries=2\nFile1=http://h:80/1\nLength1=-1\nFile2=2\nVersion=2\n")
    }

    @Test func lists() {
        fuzz(.playlist, "#EXTM3U\n#EXTINF:123,A\na/1.mp3\n[playlist]\nFile1=b\nLength1=12\nNumberOfEntries=1\n")
        fuzz(.sheet, "FILE \"a 1.wav\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:12:74\nFILE 2.mp3 MP3\n")
    }

    // MARK: Talking books

    @Test func talkingBooks() {
        let bound = CostBound(fixedBytes: 1 << 20)
        var book = DaisyBook.riverBank
        book.title = "7 & 9"
        let (old, new) = (book.daisy2(), book.daisy3())
        for (kind, files, name) in [
            (FuzzKind.ncc, old, "ncc.html"), (.smil, old, "s0.smil"), (.package, new, "book.opf"),
            (.contents, new, "book.ncx"), (.smil, new, "s1.smil"), (.bookText, new, "book.xml"),
        ] {
            let text = files.first { $0.name == name }?.text ?? ""
            // The names of the inputs.
            let named = text.replacingOccurrences(of: "x0_0", with: "a").replacingOccurrences(of: "p0_1", with: "b")
            fuzz(kind, named, bound: bound)
        }
        fuzz("smil-times", .smil, FieldFile(text: StrangersFuzzTests.smilTimes), bound: bound)
    }

    /// Bytes that are changed anywhere: no crash, and each promise kept.
    @Test func mutantsOfTalkingBooks() {
        let files = DaisyBook.riverBank.daisy2() + DaisyBook.riverBank.daisy3()
        for (number, file) in files.enumerated() {
            let kind: FuzzKind =
                switch file.name.split(separator: ".").last {
                case "html": file.name == "ncc.html" ? .ncc : .bookText
                case "opf": .package
                case "ncx": .contents
                case "xml": .bookText
                default: .smil
                }
            var chance = SeededGenerator(seed: UInt64(number))
            for _ in 0..<300 {
                var bytes = Array(file.text.utf8)
                for _ in 0..<Int.random(in: 1...12, using: &chance) where !bytes.isEmpty {
                    let at = Int.random(in: 0..<bytes.count, using: &chance)
                    switch Int.random(in: 0..<4, using: &chance) {
                    case 0: bytes[at] = UInt8.random(in: 0...255, using: &chance)
                    case 1: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...20, using: &chance)))
                    case 2:
                        let piece = bytes[at..<min(bytes.count, at + Int.random(in: 1...60, using: &chance))]
                        bytes.insert(contentsOf: piece, at: Int.random(in: 0...bytes.count, using: &chance))
                    default:
                        let spice = [
                            "<", ">", "&", "\"", "'", "</", "/>", "<par>", "</h1>", "<span class=page", "=", "]]>",
                            "<![CDATA[",
                        ]
                        bytes.insert(contentsOf: Array(spice.randomElement(using: &chance)!.utf8), at: at)
                    }
                }
                FuzzWork.run(kind, bytes) {
                    Issue.record("\($0): \(file.name), \(String(decoding: bytes, as: UTF8.self))")
                }
            }
        }
    }

    private static let smilTimes =
        "<smil><body><seq><par id=\"a\"><text src=\"b#c\"/><audio src=\"1.mp3\" clip-begin=\"npt=1.5min\" clip-end=\"100ms\"/></par><par id=\"b\"><audio src=\"1.mp3\" clipBegin=\"1:02:03.5\" clipEnd=\"7h\"/></par></seq></body></smil>"

    // MARK: Other processes

    @Test func whatTheSpeakerAsks() {
        fuzz(.question, "http://h:80/1 64000 http://h:81/2 128000\nn7\nsound")
        fuzz("packets-get", .packets, FieldFile(text: "Ghttp://h:80/1 64000 http://h:81/2 128000\nn7\nsound"))
        fuzz("packets-feed", .packets, FieldFile(text: "Shttp://h:80/1\n\"7\"\nFri, 07 Nov 2025 07:08:09 GMT"))
        fuzz("packets-title", .packets, FieldFile(text: "T7 of 9\n"))
    }

    /// A feed's records have numbers of their own in front of each.
    @Test func whatTheFetchingProcessMakesOfAFeed() {
        var bytes: [UInt8] = []
        var fields: [FieldFile.Field] = []
        for number in 0..<20 {
            var record = FeedRecord()
            record[.title] = "Number \(number)"
            record[.identity] = "g\(number)"
            record[.address] = "https://h/x"
            record[.published] = "1700000000"
            record[.seconds] = "3600"
            record[.offers] = "https://h/x 64000 https://h/y 128000"
            let start = bytes.count
            bytes += record.bytes
            fields += [.little(at: start, bytes: 4), .big(at: start + 4, bytes: 1), .little(at: start + 5, bytes: 2)]
            for digits in ["1700000000", "3600", "64000"] {
                let place = bytes[start...].indices.first { bytes[$0...].starts(with: digits.utf8) }
                fields.append(.digits(place!..<place! + digits.utf8.count))
            }
        }
        fuzz("records", .records, FieldFile(bytes, fields))
    }

    /// Both processes have it mapped, and each writes what it likes.
    @Test func thePageThatTwoProcessesHave() {
        let bytes = [UInt8](repeating: 0, count: 640)
        let fields = (0..<158).flatMap {
            [FieldFile.Field.little(at: 4 * $0, bytes: 8), .little(at: 4 * $0, bytes: 4)]
        }
        fuzz("page", .page, FieldFile(bytes, fields))
    }

    /// The speaker's messages to the screen's process.
    @Test func whatTheScreenIsTold() {
        let state =
            "state: play\ntitle: 7\nchapter: 7\nchapter_number: 3\nchapter_count: 12\nelapsed: 12.345\nduration: 3600.000\nspeed: 1.25\nvolume: 55\nsleep: 1200\nclock: 23:59\ndate: 2025-11-25\nsegments: 3\nsegment: 0 1.000-2.500 One\nsegment: 1 2.500-4.000 Two\n"
        fuzz(.state, state)
        fuzz(.answers, "OK MPD 0.24.0\n" + state + "OK\nbinary: 4\n1234\nOK\nACK [50@0] {} no\nsegments: 2\nOK\n")
    }

    @Test func whatTheScreenAsks() {
        fuzz(
            .request,
            """
            seek 7 12.345
            seekcur -10.5
            setvol 50
            screen element button "Play" "" "" "" "10 20 44 44"
            play 3
            playlistinfo 0:10
            readpicture "a/7.mp3" 8192
            sleep 1200
            find "((modified-since '1700000000') AND (prio >= 7))" window 0:10
            find added-since 2025-11-25T07:08:09Z sort -Track

            """, bound: CostBound(fixedBytes: 1 << 20))
    }

    // MARK: Sound

    @Test func soundAndItsNumbers() {
        var chance = SeededGenerator(seed: 5)
        var bytes = [UInt8](repeating: 0, count: 32)
        bytes += (0..<8000).map { _ in UInt8.random(in: 0...255, using: &chance) }
        let fields =
            (0..<4).map { FieldFile.Field.big(at: 8 * $0, bytes: 8) } + (4..<40).map { .big(at: 8 * $0, bytes: 8) }
        fuzz(
            "realtime", .realtime, FieldFile(bytes, fields),
            bound: CostBound(fixedMilliseconds: 3000, fixedBytes: 2 << 20))
    }
}
