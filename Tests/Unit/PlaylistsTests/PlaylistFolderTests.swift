// SPDX-License-Identifier: Apache-2.0
import CPosix
import Foundation
import TestSupport
import Testing
import Workers

@testable import Playlists

/// Stored playlists on a real disk.
@Suite struct PlaylistFolderTests {
    private final class Scratch {
        let path = NSTemporaryDirectory() + "playlists-" + UUID().uuidString
        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ name: String, _ text: String) throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/" + name))
        }

        var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
    }

    private let scratch = Scratch()
    private var folder: PlaylistFolder { PlaylistFolder(scratch.path) }

    private func text(_ entries: String...) -> PlaylistText {
        var text = PlaylistText()
        for entry in entries { text.append(Array(entry.utf8)[...]) }
        return text
    }

    private func entries(_ name: String) throws -> [String] {
        let reading = try folder.open(name)
        var text = PlaylistText()
        while !reading.isOver { try reading.read(into: &text) }
        return (0..<text.count).map { String(decoding: text[$0], as: UTF8.self) }
    }

    private func refusal(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "none"
        } catch { return "\(error)" }
    }

    @Test func madeReadChangedRenamedRemoved() throws {
        #expect(try folder.list().isEmpty)
        try folder.make("One", text("a.mp3", "b.mp3"))
        #expect(scratch.names == ["One.m3u8"])
        #expect(refusal { try folder.make("One", text()) } == "exists")
        try folder.change("One", .insert(text("c.mp3"), at: 0))
        try folder.change("One", .move(0, to: 2))
        #expect(try entries("One") == ["a.mp3", "b.mp3", "c.mp3"])
        try folder.change("One", .remove(1..<2))
        try folder.change("Two", .insert(text("x"), at: nil))
        #expect(try folder.list().map(\.name) == ["One", "Two"])
        #expect(refusal { try folder.rename("One", to: "Two") } == "exists")
        try folder.rename("One", to: "Three")
        #expect(try entries("Three") == ["a.mp3", "c.mp3"])
        try folder.change("Three", .clear)
        #expect(try entries("Three").isEmpty)
        try folder.remove("Three")
        #expect(refusal { try folder.remove("Three") } == "noSuchPlaylist")
        #expect(refusal { try folder.change("Three", .clear) } == "noSuchPlaylist")
        #expect(scratch.names == ["Two.m3u8"])
    }

    @Test func otherFormatsAreReadAndBecomeM3U8WhenChanged() throws {
        try scratch.write("old.m3u", "a.mp3\r\n")
        try scratch.write("LOUD.PLS", "[playlist]\nFile1=b.mp3\n")
        try scratch.write("note.txt", "no playlist")
        #expect(try folder.list().map(\.name) == ["LOUD", "old"])
        #expect(try entries("old") == ["a.mp3"] && entries("LOUD") == ["b.mp3"])
        try folder.change("old", .insert(text("c.mp3"), at: nil))
        try folder.change("LOUD", .insert(text("c.mp3"), at: nil))
        #expect(scratch.names == ["LOUD.m3u8", "note.txt", "old.m3u8"])
        #expect(try entries("old") == ["a.mp3", "c.mp3"] && entries("LOUD") == ["b.mp3", "c.mp3"])
    }

    @Test func twoFilesOfANameAreOnePlaylist() throws {
        try scratch.write("x.m3u", "old.mp3\n")
        try scratch.write("x.m3u8", "new.mp3\n")
        #expect(try folder.list().map(\.name) == ["x"] && entries("x") == ["new.mp3"])
        try folder.remove("x")
        #expect(try folder.list().isEmpty)
    }

    @Test(arguments: ["", "a/b", "..\\/x/", "a\nb", "a\rb", String(repeating: "x", count: 251)])
    func badNames(name: String) {
        #expect(refusal { try folder.make(name, text()) } == "badName")
        #expect(refusal { _ = try folder.open(name) } == "badName")
    }

    @Test func whatIsNoFileHarmsNothing() throws {
        try scratch.write("large.m3u", "")
        #expect(truncate(scratch.path + "/large.m3u", 100 << 20) == 0)
        #expect(mkfifo(scratch.path + "/fifo.m3u", 0o644) == 0)
        #expect(symlink("/dev/zero", scratch.path + "/zero.m3u") == 0)
        #expect(symlink("circle.m3u", scratch.path + "/circle.m3u") == 0)
        try FileManager.default.createDirectory(atPath: scratch.path + "/folder.m3u", withIntermediateDirectories: true)
        #expect(try folder.list().map(\.name) == ["large"])
        #expect(refusal { _ = try folder.open("large") } == "tooLarge")
        for name in ["fifo", "zero", "folder"] { #expect(refusal { _ = try folder.open(name) }.hasPrefix("disk")) }
        #expect(refusal { _ = try folder.open("circle") } != "none")
    }

    @Test func aLinkInTheWayIsNotWrittenThrough() throws {
        try scratch.write("victim", "precious")
        #expect(symlink("victim", scratch.path + "/.new") == 0)
        try folder.make("One", text("a.mp3"))
        #expect(try String(contentsOfFile: scratch.path + "/victim", encoding: .utf8) == "precious")
    }

    @Test func aFullPlaylistIsRefused() throws {
        var full = PlaylistText()
        for number in 0..<PlaylistText.mostEntries { full.append(Array("\(number).mp3".utf8)[...]) }
        try folder.make("full", full)
        #expect(refusal { try folder.change("full", .insert(text("more"), at: nil)) } == "tooLarge")
        #expect(try entries("full").count == PlaylistText.mostEntries)
    }

    // MARK: From the control thread

    @Test func changesGoOneAfterTheOther() throws {
        let worker = FakeWorker()
        let store = PlaylistStore(folder: scratch.path, worker: worker)
        var done: [String] = []
        store.make("a", text("1")) { _ in done.append("make") }
        store.change("a", .insert(text("2"), at: nil)) { _ in done.append("change") }
        store.rename("a", to: "b") { _ in done.append("rename") }
        #expect(worker.jobs.count == 1)
        worker.runAll()
        #expect(done == ["make", "change", "rename"])
        #expect(try entries("b") == ["1", "2"])
    }

    @Test func whoeverIsAnsweredMayHaveAnother() throws {
        let worker = FakeWorker()
        let store = PlaylistStore(folder: scratch.path, worker: worker)
        var done: [String] = []
        store.make("a", text("1", "2")) { _ in
            store.read("a") { result in
                if case .success(let text) = result { done.append("read \(text.count)") }
                store.remove("a") { _ in done.append("remove") }
            }
        }
        store.make("b", text("1")) { _ in done.append("make") }
        worker.runAll()
        #expect(done == ["make", "read 2", "remove"])
    }

    @Test func anotherTakesThePlaceOfTheOneThatWasKnown() throws {
        let folder = PlaylistFolder(scratch.path)
        let first = try folder.replace("a", text("1"), modifiedSeconds: 0)
        #expect(try entries("a") == ["1"] && first > 1_700_000_000)
        for known in [0, first - 1, first + 1] {
            #expect(throws: PlaylistError.self) { try folder.replace("a", text("2"), modifiedSeconds: known) }
            #expect(throws: PlaylistError.self) { try folder.replace("a", nil, modifiedSeconds: known) }
        }
        #expect(try entries("a") == ["1"])
        _ = try folder.replace("a", text("2", "3"), modifiedSeconds: first)
        #expect(try entries("a") == ["2", "3"])
        // In another format it becomes one of ours.
        try scratch.write("b.pls", "[playlist]\nFile1=x.mp3\n")
        let known = try #require(try folder.list().first { $0.name == "b" }).modifiedSeconds
        _ = try folder.replace("b", text("4"), modifiedSeconds: known)
        #expect(try entries("b") == ["4"] && folder.list().map { $0.name } == ["a", "b"])
        let last = try #require(try folder.list().first { $0.name == "b" }).modifiedSeconds
        #expect(try folder.replace("b", nil, modifiedSeconds: last) == 0)
        #expect(try folder.replace("b", nil, modifiedSeconds: last) == 0)
        #expect(try folder.list().map { $0.name } == ["a"])
        #expect(throws: PlaylistError.self) { try folder.replace("../x", text("1"), modifiedSeconds: 0) }
    }

    @Test func aDiskThatHangsIsSaidToOnceTooMuchWaits() {
        let store = PlaylistStore(folder: scratch.path, worker: FakeWorker())
        var failures = 0
        for _ in 0..<100 {
            store.remove("a") { result in
                if case .failure(.hangs) = result { failures += 1 }
            }
        }
        #expect(failures == 36)
    }

    @Test func pagesComeOneByOne() throws {
        try scratch.write("a.m3u", (0..<10_000).map { "folder/\($0).mp3\n" }.joined())
        let worker = FakeWorker()
        let pages = PlaylistStore(folder: scratch.path, worker: worker).pages(of: "a")
        var counts: [Int] = []
        var isOver = false
        while !isOver {
            pages.next { result in
                switch result {
                case .success(let page?): counts.append(page.count)
                case .success(nil): isOver = true
                case .failure: Issue.record("not read")
                }
            }
            worker.runAll()
        }
        #expect(counts.reduce(0, +) == 10_000 && counts.max()! < 2000)
    }
}
