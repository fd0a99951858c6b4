// SPDX-License-Identifier: Apache-2.0
import Core
import Model
import TestSupport
import Testing

@testable import Library

/// Playlists that a household shares, as libraries know of them.
@Suite struct SharedPlaylistTests {
    private static let now: Int64 = 1_795_000_000

    private func library(_ items: ClosedRange<Int>, at folder: String) -> Library {
        let library = Library(stateFolder: nil) { Issue.record("\($0)") }
        library.root = folder
        for number in items { _ = library.upsert(probe(number, path: "\(folder)/\(number).mp3", title: "\(number)")) }
        #expect(library.joinHousehold())
        return library
    }

    /// By their numbers, as a file's lines would be.
    private func names(_ library: Library, _ items: [Int]) -> [String] {
        items.map { library.sharedName(ofEntry: "\(library.root)/\($0).mp3")! }
    }

    private func journal(_ library: Library) -> [SharedRecord] {
        while library.takeChanges(limit: 3, nowMilliseconds: SharedPlaylistTests.now * 1000) {}
        return library.journal(since: 0, limit: 500).map { library.record($0.record)! }
    }

    @discardableResult
    private func carry(_ from: Library, _ to: Library) -> [Library.Merge] {
        journal(from).map { to.merge($0, nowMilliseconds: SharedPlaylistTests.now * 1000) }
    }

    /// Writes what is due, as if there were files.
    @discardableResult
    private func write(_ library: Library, at seconds: Int64 = now) -> [String: [String]?] {
        var files: [String: [String]?] = [:]
        var last = ""
        while let due = library.duePlaylist(after: last) {
            last = due.playlist.name
            if !due.playlist.isDue { continue }
            files[last] = .some(due.lines)
            library.wrote(due, modifiedSeconds: seconds)
        }
        return files
    }

    /// A device that leaves the household and joins again removes nothing from it.
    @Test func whoComesBackKeepsWhatHeLacks() throws {
        let (one, other) = (library(1...3, at: "/a"), library([1, 3].min()!...1, at: "/b"))
        _ = one.note(playlist: "Evening", names(one, [1, 2, 3]), modifiedSeconds: SharedPlaylistTests.now - 50)
        carry(one, other)
        #expect(write(other) == ["Evening": ["1.mp3"]])
        #expect(other.leaveHousehold() && other.joinHousehold())
        // Its file is read anew, and told.
        #expect(other.sharedPlaylist("Evening")?.modifiedSeconds != SharedPlaylistTests.now)
        #expect(other.note(playlist: "Evening", names(other, [1]), modifiedSeconds: SharedPlaylistTests.now))
        carry(other, one)
        #expect(write(one).allSatisfy { $0.value == ["1.mp3", "2.mp3", "3.mp3"] })
        #expect(one.sharedPlaylist("Evening") != nil && contents(one, by: one) == names(one, [1, 2, 3]))
        carry(one, other)
        #expect(contents(other, by: one) == names(one, [1, 2, 3]))
    }

    private func contents(_ library: Library, by one: Library) -> [String] {
        let value = journal(library).first { $0.kind == .playlist }?.value ?? ""
        return names(one, [1, 2, 3]).filter { value.contains($0) }
    }

    @Test func whatOneHasTheOtherDoes() throws {
        let (one, other) = (library(1...4, at: "/a"), library(2...5, at: "/b"))
        let address = "https://radio.example/owl"
        let entries =
            names(one, [1, 2]) + [one.sharedName(ofEntry: address)!, one.sharedName(ofEntry: "/a/new/8.mp3")!]
            + names(one, [3])
        #expect(entries[2] == address && entries[3] == "./new/8.mp3")
        #expect(one.note(playlist: "Evening", entries, modifiedSeconds: SharedPlaylistTests.now - 50))
        #expect(!one.note(playlist: "Evening", entries, modifiedSeconds: SharedPlaylistTests.now - 40))
        #expect(write(one).isEmpty)
        #expect(carry(one, other) == [.added])
        #expect(write(other) == ["Evening": ["2.mp3", address, "new/8.mp3", "3.mp3"]])
        #expect(write(other).isEmpty && !journal(other).isEmpty)
        #expect(other.sharedPlaylist("Evening")?.modifiedSeconds == SharedPlaylistTests.now)
        // Entries that the other's file cannot have stay in place, while others come and go.
        let edited = [address] + names(other, [5, 3])
        #expect(other.note(playlist: "Evening", edited, modifiedSeconds: SharedPlaylistTests.now + 9))
        #expect(carry(other, one) == [.added])
        #expect(write(one) == ["Evening": ["1.mp3", address, "3.mp3"]])
        #expect(carry(one, other) == [.same] && carry(other, one) == [.same])
        // It comes with its audio.
        #expect(write(one).isEmpty)
        _ = one.upsert(probe(5, path: "/a/found/5.mp3"))
        #expect(write(one) == ["Evening": ["1.mp3", address, "found/5.mp3", "3.mp3"]])
        #expect(carry(one, other) == [.same])
        // It is taken away.
        one.noteRemoved(playlist: "Evening", nowMilliseconds: (SharedPlaylistTests.now + 20) * 1000)
        #expect(carry(one, other) == [.added])
        #expect(write(other) == ["Evening": nil] && other.sharedPlaylist("Evening") == nil)
        #expect(write(other).isEmpty && carry(other, one) == [.same])
    }

    @Test func aChapterIsOfItsFile() {
        let (one, other) = (library(1...2, at: "/a"), library(1...2, at: "/b"))
        let name = one.sharedName(ofEntry: "/a/2.mp3/track0007")
        #expect(name == names(one, [2])[0] + "/7")
        #expect(one.note(playlist: "Evening", [name!], modifiedSeconds: SharedPlaylistTests.now))
        #expect(carry(one, other) == [.added] && write(other) == ["Evening": ["2.mp3/track0007"]])
        #expect(other.sharedName(ofEntry: "/b/2.mp3/track0007") == name)
        // Of a file that is not there it is a path like others.
        #expect(one.sharedName(ofEntry: "/a/9.mp3/track0007") == "./9.mp3/track0007")
    }

    @Test func theOneThatWasChangedLastCounts() {
        let (one, other) = (library(1...4, at: "/a"), library(1...4, at: "/b"))
        #expect(one.note(playlist: "Evening", names(one, [1, 2]), modifiedSeconds: SharedPlaylistTests.now - 50))
        #expect(other.note(playlist: "Evening", names(other, [3]), modifiedSeconds: SharedPlaylistTests.now - 90))
        #expect(carry(other, one) == [.older] && write(one).isEmpty)
        #expect(carry(one, other) == [.added])
        #expect(write(other) == ["Evening": ["1.mp3", "2.mp3"]])
        // Changed here while that of another was on its way to the file.
        #expect(one.note(playlist: "Evening", names(one, [4]), modifiedSeconds: SharedPlaylistTests.now + 5))
        #expect(carry(one, other) == [.added])
        #expect(other.note(playlist: "Evening", names(other, [2]), modifiedSeconds: SharedPlaylistTests.now + 6))
        #expect(write(other).isEmpty && carry(other, one) == [.added])
        #expect(write(one) == ["Evening": ["2.mp3"]])
    }

    @Test func whatIsSharedWithNobodyStaysAsItIs() {
        let (one, other) = (library(1...3, at: "/a"), library(1...3, at: "/b"))
        #expect(one.sharedName(ofEntry: "http://fox:den@radio.example/") == nil)
        #expect(one.sharedName(ofEntry: "/elsewhere/1.mp3") == nil)
        #expect(!one.note(playlist: "Mine", nil, modifiedSeconds: 5) && journal(one).isEmpty)
        let many = (0..<300).map { one.sharedName(ofEntry: "/a/many/\($0).mp3")! }
        #expect(!one.note(playlist: "Many", many, modifiedSeconds: 5) && journal(one).isEmpty)
        // Another's of that name does not take its place: its file is another than was known.
        #expect(other.note(playlist: "Many", names(other, [1]), modifiedSeconds: 9))
        #expect(carry(other, one) == [.added])
        #expect(one.duePlaylist(after: "")?.playlist.modifiedSeconds == 0)
        #expect(!one.note(playlist: "Many", many, modifiedSeconds: 5) && one.duePlaylist(after: "") == nil)
        // One that has become too large stays as others have it, and is forgotten here.
        #expect(one.note(playlist: "Grows", names(one, [1]), modifiedSeconds: 5))
        #expect(!one.note(playlist: "Grows", many, modifiedSeconds: 6) && one.sharedPlaylist("Grows") == nil)
        for number in 0..<300 { _ = one.note(playlist: "\(number)", [], modifiedSeconds: 1) }
        #expect(one.sharedPlaylist("299") == nil && one.sharedPlaylist("200") != nil)
        #expect(one.leaveHousehold() && one.sharedPlaylist("200") == nil)
        #expect(!one.note(playlist: "Evening", [], modifiedSeconds: 5) && one.duePlaylist(after: "") == nil)
    }

    /// For anything that a server sends: no broken line, and no file elsewhere.
    @Test func hostileRecords() throws {
        let (one, alone) = (library(1...3, at: "/a"), Library(stateFolder: nil) { Issue.record("\($0)") })
        func record(_ key: String, _ value: String?) -> SharedRecord {
            SharedRecord(
                kind: .playlist, key: key, value: value, time: HybridTime(milliseconds: SharedPlaylistTests.now * 1000),
                device: 7, name: "x")
        }
        for key in ["", "a/b", "../x", "a\n", "a\u{7F}", String(repeating: "x", count: 251)] {
            #expect(one.merge(record(key, #"{"entries":[]}"#)) == .refused, "\(key)")
        }
        for value in [
            "{}", #"{"entries":"x"}"#, #"{"entries":[1]}"#, #"{"entries":[null]}"#, #"{"entries":[["x"]]}"#,
            #"{"entries":{"a":"b"}}"#, #"{"entries":["a\nb"]}"#, #"{"entries":["a\u001fb"]}"#, "[]", "", "{",
            #"{"entries":["#,
        ] {
            #expect(one.merge(record("x", value)) == .refused, "\(value)")
        }
        #expect(alone.merge(record("x", #"{"entries":[]}"#)) == .refused)
        let odd = [
            "", "/", "0/0", "./../../etc/passwd", "9e3779b97f4a7c15-1001-5", "9e3779b97f4a7c15-1001/x", "\u{0}", "#",
            "javascript:x",
        ]
        let text = odd.map { "\"\($0 == "\u{0}" ? "\\u0000" : $0)\"" }.joined(separator: ",")
        #expect(one.merge(record("x", "{\"entries\":[\(text)]}")) == .added)
        let due = try #require(one.duePlaylist(after: ""))
        #expect(due.lines == ["../../etc/passwd"])
        one.wrote(due, modifiedSeconds: 5)
        // As the file would be read.
        #expect(!one.note(playlist: "x", ["./../../etc/passwd"], modifiedSeconds: 6))
    }

    /// After any edit of a file by a person, entries that it cannot express stay, and its own lines stay as they are.
    @Test func whatAFileCannotSayIsKept() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<3000 {
            let known = (0..<Int.random(in: 0...9, using: &generator)).map { "\($0)" }.shuffled(using: &generator)
            let lacking = known.filter { _ in Bool.random(using: &generator) }
            let shown = known.filter { !lacking.contains($0) }
            #expect(Library.entries(shown, keeping: lacking, of: known) == known)
            var file = shown.filter { _ in Int.random(in: 0..<4, using: &generator) > 0 }
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                file.insert("new", at: Int.random(in: 0...file.count, using: &generator))
            }
            if Bool.random(using: &generator) { file.shuffle(using: &generator) }
            let merged = Library.entries(file, keeping: lacking, of: known)
            #expect(merged.filter { !lacking.contains($0) } == file)
            #expect(merged.filter { lacking.contains($0) } == known.filter { lacking.contains($0) })
        }
    }
}
