import TestSupport
import Testing

@testable import Fetching

/// Where numbers of programs end: what a stranger may write for any of them.
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
        let other = Int.random(in: 1..<parts.count, using: &chance)
        all.append(filled([one: edges.randomElement(using: &chance)!, other: edges.randomElement(using: &chance)!]))
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

    @Test func whatAServerSaysOfASegment() {
        for total in [Int64.max, 999_999_999_999_999_999, 1 << 53, 1 << 32, 1 << 31, 0, nil] {
            for rate in [0, 1, 64_000, 1 << 30] {
                for got in [0, 1, 5000, 4 << 20] {
                    var choice = RenditionChoice([rate / 2, rate], quality: .auto)
                    choice.didFetch(bytes: 1 << 20, milliseconds: 0)
                    _ = choice.next(buffered: 60_000, lasting: 500)
                    for lasting in [500, 60_000] {
                        for after in [1000, Int64(Int32.max), 1 << 40] {
                            _ = choice.givesUp(got: got, after: after, total: total, buffered: 0, lasting: lasting)
                            _ = choice.next(buffered: Int(Int32.max), lasting: lasting)
                        }
                    }
                }
            }
        }
    }

    /// What was measured counts on any board: 32 bits have no 1 << 40.
    @Test func aPaceIsMeasured() {
        var pace = NetworkPace()
        pace.add(bytes: 1_000_000, milliseconds: 1000)
        #expect(pace.bitsPerSecond == 8_000_000)
        pace.add(bytes: .max, milliseconds: 1)
        #expect(pace.bitsPerSecond == 8_000_000)
    }
}
