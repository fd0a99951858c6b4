// SPDX-License-Identifier: Apache-2.0
import Core
import TestSupport
import Testing

@testable import Console
@testable import SpeakerBench
@testable import Wire

@Suite struct SongFilterTests {
    private let desk = Desk()

    init() {
        desk.shelve(
            "a/one.mp3", title: "Der Ärger", artist: "Ada", album: "Nights", modifiedSeconds: 100,
            tags: [(.track, "10"), (.format, "44100:16:2")])
        desk.shelve(
            "a/two.mp3", title: "Two (don't)", artist: "Bob", album: "Nights", modifiedSeconds: 200,
            tags: [(.track, "2")])
        desk.shelve("ab/three.mp3", title: "three \"quoted\"", artist: "ada", modifiedSeconds: 0)
    }

    /// The places of the songs found.
    private func found(_ arguments: [String], search: Bool = false) throws -> [Int] {
        let filter = try SongFilter(arguments[...], isSearch: search)
        var budget = WorkBudget()
        var response = ResponseBuffer()
        let portions = Portions.queue(desk.host.queue, matching: filter, tags: TagSet())
        while try !portions.give(&budget, &response) {}
        let lines = String(decoding: response.bytes, as: UTF8.self).split(separator: "\n")
        return lines.compactMap { $0.hasPrefix("Pos: ") ? Int($0.dropFirst(5)) : nil }
    }

    @Test(arguments: [
        (["artist", "Ada"], [0]), (["Artist", "Ada", "album", "Nights"], [0]), (["any", "Nights"], [0, 1]),
        (["file", "ab/three.mp3"], [2]), (["base", "a"], [0, 1]), (["(base '')"], [0, 1, 2]), (["album", ""], [2]),
        (["genre", ""], [0, 1, 2]), (["genre", "x"], []), (["modified-since", "150"], [1]),
        (["(artist == 'Ada')"], [0]), (["(artist == \"Ada\")"], [0]), (["(artist != 'Ada')"], [1, 2]),
        (["(!(artist == 'Ada'))"], [1, 2]), (["((album == 'Nights') AND (artist == 'Bob'))"], [1]),
        (["( (album == 'Nights')  AND  (artist != 'Bob') AND (base 'a') )"], [0]),
        (["(title contains 'don\\'t')"], [1]),
        (["(title contains \"\\\"quoted\\\"\")"], [2]), (["(title starts_with 'Der')"], [0]),
        (["(any !contains 'Nights')"], [2]), (["(artist == 'Ada')", "album", "Nights"], [0]),
        (["(base '')", "sort", "Title"], [0, 1, 2]), (["(base '')", "sort", "-Title"], [2, 1, 0]),
        (["(base '')", "sort", "Title", "window", "1:2"], [1]), (["(base '')", "window", "2:9"], [2]),
        (["(base '')", "window", "7:9"], []), (["(artist =~ '^A.a$')"], [0]), (["(title !~ '[Te]w')"], [0, 2]),
        (["(title =~ 'T\\\\w+ .don')"], [1]), (["(file =~ '/t\\\\D+3$')"], [1, 2]), (["(albumartist == 'Bob')"], [1]),
        (["(AudioFormat == '44100:16:2')"], [0]), (["(audioformat =~ '*:16:*')"], [0]),
        (["(AudioFormat =~ '44100:*:1')"], []),
        (["(modified-since '1970-01-01T00:02:30Z')"], [1]), (["modified-since", "1970-01-01T00:01Z"], [0, 1]),
        (["(added-since '2000-02-29')"], [0, 1, 2]), (["(added-since '2100-01-01')"], []),
        (["(artist  !=\"Ada\" )"], [1, 2]),
        (["(base '')", "sort", "-Last-Modified"], [1, 0, 2]),
        (["(base '')", "sort", "Track"], [2, 1, 0]), (["(base '')", "sort", "added", "window", "2:3"], [2]),
    ])
    func find(arguments: [String], expected: [Int]) throws {
        #expect(try found(arguments) == expected)
    }

    @Test(arguments: [
        (["artist", "ADA"], [0, 2]), (["title", "är"], [0]), (["title", "ÄRG"], [0]), (["any", "NIGHT"], [0, 1]),
        (["(title contains 'QUOTED')"], [2]), (["(artist == 'ADA')"], [0, 2]), (["any", ""], [0, 1, 2]),
    ])
    func search(arguments: [String], expected: [Int]) throws {
        #expect(try found(arguments, search: true) == expected)
    }

    @Test(arguments: [
        ["artist"], ["("], ["()"], ["(artist"], ["(artist =="], ["(artist == x)"], ["(artist == 'x'"],
        ["(artist == 'x')y"],
        ["base", ""], ["base", "/a"], ["base", "../a"], ["base", "a/"],
        ["(artist =~ '[')"], ["(artist =~ '(a)\\\\1')"], ["(artist =~ '((a{99}){99}){99}')"], ["(AudioFormat == '1')"],
        ["(AudioFormat == '1:*:2')"], ["(AudioFormat =~ '1:2:3:4')"], ["(AudioFormat =~ 'a:b:c')"],
        ["modified-since", "x"],
        ["(modified-since '2020-13-01')"], ["(modified-since '2020-01-')"], ["((artist == 'x') OR (artist == 'y'))"],
        ["(!)"], ["(foo == 'x')"], ["sort", "x"],
        ["window", "x"], ["group", "artist"], ["(artist == 'x\\"], ["(modified-since 'x')"],
        [String(repeating: "(!", count: 100)],
    ])
    func refused(arguments: [String]) {
        #expect(throws: ConsoleError.self) { try found(arguments) }
    }

    @Test func anyExpressionIsSurvived() {
        var random = SeededGenerator(seed: 6)
        let parts = [
            "(", ")", "!", "artist", " == ", "contains ", "'x'", "\"", "'", "\\", " AND ", "base ", "é", " ",
            "modified-since ",
        ]
        var accepted = 0
        for _ in 0..<20_000 {
            var text = "("
            for _ in 0..<Int.random(in: 0...10, using: &random) { text += parts.randomElement(using: &random)! }
            let filter = expectCost(CostBound(bytesPerByte: 64), inputBytes: text.utf8.count) {
                try? SongFilter([text], isSearch: true)
            }
            #expect((filter != nil) == ((try? found([text], search: true)) != nil))
            if filter != nil { accepted += 1 }
        }
        #expect(accepted > 0)
    }

    @Test(arguments: [
        ("(", "(artist == 'x') AND ", "(artist == 'x'))"), ("(title == '", "x", "')"), ("(title == '", "\\'", "')"),
        ("(artist == 'x')", " ", ""), ("", "(", ""), ("", "(!", ""), ("(", "artist", " == 'x')"),
        ("((artist == 'x') ", "AND", ""), ("((artist == 'x')", " AND (base 'a')", ")"), ("(artist ", "=", " 'x')"),
        ("(any contains '", "\u{E9}", "')"),
    ])
    func expressionsOfAnyLength(start: String, piece: String, end: String) {
        let song = desk.host.queue.songs(0..<1)[0]
        expectLinear(smallBytes: 10_000, "\(start)\(piece)…") { bytes in
            start + String(repeating: piece, count: bytes / piece.utf8.count) + end
        } work: { text in
            do throws(ConsoleError) {
                let filter = try SongFilter([text], isSearch: true)
                _ = filter.query.match!.holds(song)
            } catch { #expect(error.message.utf8.count < 400) }
        }
    }
}
