import Foundation
import Library
import Media
import TestSupport
import Testing

@testable import Scanning

/// What lies beside audio belongs to it, and is looked into again when it changes.
@Suite struct SidecarTests {
    private func cue(_ seconds: Int) -> [UInt8] {
        Array("FILE \"a\" MP3\nTRACK 1 AUDIO\nTITLE \"x\"\nINDEX 01 00:0\(seconds):00\n".utf8)
    }

    private func sidecars(_ names: [String], of name: String) throws -> FileSidecars {
        let folder = NSTemporaryDirectory() + "sidecars-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let beside = SidecarFolder(folder)
        for other in names + [name] {
            try Data([1]).write(to: URL(fileURLWithPath: folder + "/" + other))
            beside.take(other, isAudio: ScanFolder.isAudio(other))
        }
        beside.finish()
        let found = beside.sidecars(of: name)
        return FileSidecars(
            picture: found.picture?.pathName, chapters: found.chapters?.pathName, stamp: found.stamp)
    }

    @Test func whichFileBelongs() throws {
        #expect(try sidecars([], of: "a.mp3").stamp == 0)
        #expect(try sidecars(["b.cue", "b.jpg", "c.mp3", "chapters.json", "x.json"], of: "a.mp3").stamp == 0)
        let own = try sidecars(["A.JPG", "cover.jpg", "A.cue", "a.CHAPTERS.json", "b.mp3"], of: "a.mp3")
        #expect(own.picture == "A.JPG" && own.chapters == "a.CHAPTERS.json" && own.stamp != 0)
        #expect(try sidecars(["Folder.jpg", "cover.png", "b.mp3"], of: "a.mp3").picture == "Folder.jpg")
        #expect(try sidecars(["a.mp3.cue", "b.mp3"], of: "a.mp3").chapters == "a.mp3.cue")
        #expect(try sidecars(["chapters.json", "disc.cue"], of: "a.mp3").chapters == "chapters.json")
        #expect(try sidecars(["disc.cue"], of: "a.mp3").chapters == "disc.cue")
        #expect(try sidecars(["disc.cue", "b.mp3"], of: "a.mp3").chapters == nil)
    }

    @Test func aChangedSidecarIsLookedIntoAgain() throws {
        let desk = try ScanDesk()
        try desk.write("a.mp3", ScanDesk.audio(1))
        try desk.write("sub/b.mp3", ScanDesk.audio(2))
        try desk.scan()
        desk.forgetEvents()
        try desk.scan()
        #expect(desk.changed == [])
        let id = try #require(desk.library.itemIDs(inFolder: nil).first)
        for (name, bytes) in [
            ("cover.jpg", [1, 2, 3]), ("cover.jpg", [1, 2, 3, 4]), ("a.cue", cue(0)), ("a.jpg", [9]),
        ] as [(String, [UInt8])] {
            try desk.write(name, bytes)
            desk.forgetEvents()
            try desk.scan()
            #expect(desk.changed == [id])
            desk.forgetEvents()
            try desk.scan()
            #expect(desk.changed == [])
        }
        #expect(desk.library.item(id)?.artwork?.pathName == "a.jpg")
        try desk.remove("a.jpg")
        desk.forgetEvents()
        try desk.scan()
        #expect(desk.changed == [id] && desk.library.item(id)?.artwork?.pathName == "cover.jpg")
    }

    @Test func whatIsWrongBesideIsSaidOnce() throws {
        let desk = try ScanDesk()
        try desk.write("a.mp3", ScanDesk.audio(1))
        try desk.write("a.cue", Array("nonsense".utf8))
        try desk.scan()
        try desk.scan()
        #expect(desk.warnings == [desk.path("a.cue") + ": no chapters found in it"])
        #expect(desk.names == ["a.mp3"])
    }

    @Test func aChapterBehindTheEndIsSaidAndLeftOut() throws {
        let desk = try ScanDesk()
        try desk.write("a.mp3", ScanDesk.audio(1))
        let cue = "FILE \"a.mp3\" MP3\nTRACK 1 AUDIO\nTITLE \"One\"\nINDEX 01 0:0:0\nTRACK 2 AUDIO\nINDEX 01 60:00:00\n"
        try desk.write("a.cue", Array(cue.utf8))
        try desk.scan()
        #expect(
            desk.warnings == [
                desk.path("a.cue") + ": 1 of 2 chapters begin behind the end of the audio and are left out"
            ])
        #expect(desk.library.chapters(of: desk.queue[0]).map { $0.title } == ["One"])
    }

    @Test func whatIsNoFileIsNone() throws {
        let desk = try ScanDesk()
        try desk.write("a.mp3", ScanDesk.audio(1))
        mkfifo(desk.path("a.cue"), 0o644)
        try desk.link("cover.jpg", to: "/dev/zero")
        try desk.link("a.jpg", to: "/nowhere")
        try desk.makeFolder("folder.jpg")
        try desk.scan()
        #expect(desk.names == ["a.mp3"] && desk.warnings == [])
        #expect(desk.library.item(desk.queue[0])?.artwork == nil)
    }
}
