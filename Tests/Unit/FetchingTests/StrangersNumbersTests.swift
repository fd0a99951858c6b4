// SPDX-License-Identifier: Apache-2.0
import Foundation
import FuzzWork
import TestSupport
import Testing

@testable import Fetching

/// The limits of programs' numbers, as a stranger may write them anywhere.
private let edges: [String] = {
    var all = ["0", "1", "-1", "", "x"]
    for power in [7, 8, 15, 16, 20, 30, 31, 32, 33, 40, 53, 62] {
        for apart in [-1, 0, 1] { all.append("\(Int64(1) << Int64(power) + Int64(apart))") }
    }
    return all + [
        "9223372036854775806", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "18446744073709551615", "18446744073709551616", "999999999999999999", "86400", "86400.999",
    ]
}()

/// A text in which `@` stands for a number: each of them at each edge, and two at a time.
private func variants(_ text: String, plain: String, _ chance: inout SeededGenerator, pairs: Int) -> [String] {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    func filled(_ special: [Int: String]) -> String {
        var result = parts[0]
        for index in 1..<parts.count { result += (special[index] ?? plain) + parts[index] }
        return result
    }
    var all: [String] = []
    for index in 1..<parts.count { for edge in edges { all.append(filled([index: edge])) } }
    for _ in 0..<pairs {
        let one = Int.random(in: 1..<parts.count, using: &chance)
        var special = [one: edges.randomElement(using: &chance)!]
        special[Int.random(in: 1..<parts.count, using: &chance)] = edges.randomElement(using: &chance)!
        all.append(filled(special))
    }
    return all
}

/// Nothing that a server writes as a number ends the process that fetches.
@Suite struct StrangersNumbersTests {
    @Test func whatAPlaylistSaysOfItsLength() throws {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n"
        for _ in 0..<20_000 { text += "#EXTINF:86400,\na\n" }
        let list = try MediaPlaylist(Array((text + "#EXT-X-ENDLIST\n").utf8), base: "http://h/l.m3u8")
        #expect(list.milliseconds == 20_000 * 86_400_000)
        #expect(list.bytes(bitsPerSecond: 64_000) == 20_000 * 86_400 * 8000)
        // More than any disk has, and no trap.
        #expect(list.bytes(bitsPerSecond: 1 << 30) > 1 << 50)
    }

    /// A station that begins to count anew is followed, however little it had counted.
    @Test func aStationBeginsAnew() throws {
        func list(_ first: Int) throws -> MediaPlaylist {
            let text =
                "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(first)\n#EXTINF:4,\na\n#EXTINF:4,\nb\n#EXTINF:4,\nc\n"
            return try MediaPlaylist(Array(text.utf8), base: "http://h/l.m3u8")
        }
        for first in [20, 500] {
            var line = SegmentLine()
            line.take(try list(first), 0)
            for _ in 0..<3 { line.passOver() }
            guard case .reload = line.next() else {
                Issue.record("all of it was asked for")
                continue
            }
            // The same again is no new beginning.
            line.take(try list(first), 0)
            guard case .reload = line.next() else {
                Issue.record("nothing new")
                continue
            }
            line.take(try list(0), 0)
            guard case .segment(0) = line.next() else {
                Issue.record("it begins anew at \(first)")
                continue
            }
        }
    }

    /// One number at each edge, and two at a time, wherever a server may write one.
    @Test func numbersAtTheirEdges() {
        var chance = SeededGenerator(seed: 9)
        let pairs = (ProcessInfo.processInfo.environment["NIGHTSTAND_FUZZ_CASES"].flatMap(Int.init) ?? 4000) / 4
        let playlist = """
            #EXTM3U
            #EXT-X-TARGETDURATION:@
            #EXT-X-MEDIA-SEQUENCE:@
            #EXTINF:@.@,
            #EXT-X-BYTERANGE:@@@
            a
            #EXTINF:@,
            #EXT-X-BYTERANGE:@
            b
            #EXT-X-DISCONTINUITY
            #EXTINF:@,
            c

            """
        func run(_ kind: FuzzKind, _ text: String) {
            FuzzWork.run(kind, Array(text.utf8)) { Issue.record("\($0): \(text)") }
        }
        for text in variants(playlist, plain: "7", &chance, pairs: pairs) {
            for end in ["", "#EXT-X-ENDLIST\n"] { run(.mediaPlaylist, text + end) }
        }
        let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=@\na\n#EXT-X-STREAM-INF:BANDWIDTH=@\nb\n"
        for text in variants(master, plain: "64000", &chance, pairs: pairs) { run(.masterPlaylist, text) }
        let heads = [
            "HTTP/1.1 @ X\nContent-Length: @\nContent-Range: bytes @-@/@\nRetry-After: @\nETag: \"a\"\nAccept-Ranges: bytes",
            "ICY @ OK\nicy-metaint:@\nicy-br:@,@\nContent-Length:@",
            "HTTP/1.1 206 P\nContent-Range: bytes @-@/@\nContent-Length: @", "HTTP/1.1 200 OK\nContent-Length: @",
            "HTTP/1.1 416 R\nContent-Range: bytes */@", "HTTP/1.1 200 OK\nicy-metaint: @",
        ]
        for text in heads.flatMap({ variants($0, plain: "206", &chance, pairs: pairs / 4) }) { run(.head, text) }
        let map =
            "nightstand stream 1\naddress http://h\nlength @\nspan @ @\noffer @\nparts @ @ @ @ @\nfront @\nwhole @\n"
        for text in variants(map, plain: "7", &chance, pairs: pairs) { run(.map, text) }
        let feed = """
            <rss><channel><title>T</title><item><guid>@</guid><enclosure url="http://h/@" length="@"/><itunes:duration>@:@:@</itunes:duration>
            <pubDate>Fri, @ Nov @ @:@:@ +@</pubDate><podcast:alternateEnclosure type="audio/a" bitrate="@" length="@">
            <podcast:source uri="http://h/b"/></podcast:alternateEnclosure></item><item><pubDate>@-@-@T@:@:@Z</pubDate>
            <enclosure url="http://h/c"/><itunes:duration>@</itunes:duration></item></channel></rss>
            """
        for text in variants(feed, plain: "11", &chance, pairs: pairs / 2) {
            #expect(FuzzWork.feed(Array(text.utf8)) == 2, "\(text)")
        }
    }

    /// A measured pace counts on any board: 32 bits have no 1 << 40.
    @Test func aPaceIsMeasured() {
        var pace = NetworkPace()
        pace.add(bytes: 1_000_000, milliseconds: 1000)
        #expect(pace.bitsPerSecond == 8_000_000)
        pace.add(bytes: .max, milliseconds: 1)
        #expect(pace.bitsPerSecond == 8_000_000)
    }
}
