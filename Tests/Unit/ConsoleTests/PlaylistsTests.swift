// SPDX-License-Identifier: Apache-2.0
import Foundation
import Posix
import Testing

@testable import Console
@testable import Wire

/// Stored playlists, with the answers of MPD 0.23.12.
@Suite struct PlaylistsTests {
    private let folder = TemporaryFolder()
    private let desk: Desk
    private let lamp = Desk.lamp

    init() { desk = .playing(playlists: folder.path) }

    /// The entries of a stored playlist; nil where there is none.
    private func stored(_ name: String) -> [String]? {
        let text = try? String(contentsOfFile: folder.path + "/\(name).m3u8", encoding: .utf8)
        return text?.split(separator: "\n").map(String.init)
    }

    private func store(_ name: String, _ entries: String...) throws {
        let path = folder.path + "/\(name).m3u8"
        try entries.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    @Test func whatFindsNothingMakesNoPlaylist() {
        #expect(answer(desk, "searchaddpl none title nowhere") == "OK\n")
        #expect(stored("none") == nil)
    }

    @Test func madeAddedToChangedAndLoaded() throws {
        desk.forgetTold()
        #expect(answer(desk, "save evening") == "OK\n")
        desk.turn()
        #expect(desk.told == [.storedPlaylist])
        #expect(stored("evening") == [lamp, Desk.moth, Desk.lesson])
        #expect(answer(desk, "save evening") == "ACK [56@0] {save} Playlist already exists\n")
        #expect(answer(desk, "playlistadd new stories", "playlistadd new http://x/y.mp3 0") == "OK\nOK\n")
        #expect(
            answer(desk, "listplaylist new") == "file: http://x/y.mp3\nfile: \(lamp)\nfile: \(Desk.moth)\nOK\n")
        #expect(answer(desk, "playlistmove new 0 2", "playlistdelete new 1:") == "OK\nOK\n")
        #expect(stored("new") == [lamp])
        #expect(answer(desk, "searchaddpl new title moth") == "OK\n")
        #expect(stored("new") == [lamp, Desk.moth])
        #expect(answer(desk, "listplaylistinfo new").contains("Title: The Moth\n"))
        #expect(answer(desk, "clear", "load new 1:2", "load new 0:1 0") == "OK\nOK\nOK\n")
        #expect(desk.queue == [lamp, Desk.moth])
        #expect(answer(desk, "rename new old", "playlistclear old") == "OK\nOK\n" && stored("old") == [])
        #expect(answer(desk, "rm old") == "OK\n" && stored("old") == nil && stored("new") == nil)
        try store("evening")
        let list = answer(desk, "listplaylists")
        #expect(list.hasPrefix("playlist: Newest\nLast-Modified: "))
        #expect(list.hasSuffix("Z\nplaylist: evening\nLast-Modified: 2023-11-14T22:13:20Z\nOK\n"))
    }

    @Test(arguments: [
        ("listplaylist nix", "ACK [50@0] {listplaylist} No such playlist\n"),
        ("load nix", "ACK [50@0] {load} No such playlist\n"),
        ("load mixed x", "ACK [2@0] {load} Integer or range expected: x\n"),
        ("playlistadd a/b stories", "ACK [2@0] {playlistadd} Bad playlist name\n"),
        ("playlistadd mixed nix.mp3", "ACK [50@0] {playlistadd} No such directory: nix.mp3\n"),
        ("playlistadd mixed stories 99", "ACK [2@0] {playlistadd} Bad position\n"),
        ("playlistmove mixed -1 0", "ACK [2@0] {playlistmove} Number too large: -1\n"),
        ("playlistdelete nix 0", "ACK [50@0] {playlistdelete} No such playlist\n"),
        ("playlistclear nix", "ACK [50@0] {playlistclear} No such playlist\n"),
        ("rename mixed mixed", "ACK [56@0] {rename} Playlist exists already\n"),
        ("rm nix", "ACK [50@0] {rm} No such playlist\n"),
        ("load streams", "ACK [53@0] {load} Streams cannot be played: http://x/y.mp3\n"),
        ("load mixed 7:9", "OK\n"), ("load empty", "OK\n"),
        ("load gone", "ACK [53@0] {load} Nothing of it is in the library: E:/nix.mp3\n"),
        ("load gone 1:2", "ACK [53@0] {load} Streams cannot be played: http://x/y.mp3\n"),
    ])
    func refusals(command: String, expected: String) throws {
        try storeAll()
        #expect(answer(desk, command) == expected)
        #expect(desk.queue.count == 3 && stored("mixed")?.count == 3)
    }

    private func storeAll() throws {
        try store("mixed", "nix.mp3", "http://x/y.mp3", lamp)
        try store("streams", "http://x/y.mp3")
        try store("empty")
        try store("gone", "E:/nix.mp3", "http://x/y.mp3")
    }

    @Test func whatIsThereOfAPlaylistIsLoaded() throws {
        try storeAll()
        #expect(answer(desk, "load mixed") == "OK\n")
        #expect(desk.queue == [lamp, Desk.moth, Desk.lesson, lamp])
    }

    @Test func theTopFolderListsThemToo() throws {
        try store("evening")
        #expect(answer(desk, "lsinfo").hasSuffix("playlist: evening\nLast-Modified: 2023-11-14T22:13:20Z\nOK\n"))
        #expect(!answer(desk, "lsinfo stories").contains("playlist:"))
    }

    /// A hanging disk holds up only the client that asked.
    @Test func whoWaitsForTheDiskWaitsAlone() throws {
        try store("evening", lamp)
        var session = Session(host: desk.host, manner: .plain)
        var response = ResponseBuffer()
        var budget = WorkBudget()
        session.receive(.complete(Array("listplaylist evening".utf8)[...]), &budget, &response)
        session.goOn(&budget, &response)
        #expect(session.isBusy && session.isWaiting && response.isEmpty)
        var other = Session(host: desk.host, manner: .plain)
        #expect(answer(&other, ["next"]) == "OK\n" && desk.host.status.current?.position == 1)
        #expect(session.isWaiting)
        desk.turn()
        #expect(session.isBusy && !session.isWaiting)
        while session.isBusy {
            session.goOn(&budget, &response)
            if session.isWaiting { desk.turn() }
        }
        #expect(String(decoding: response.bytes, as: UTF8.self) == "file: \(lamp)\nOK\n")
    }
}
