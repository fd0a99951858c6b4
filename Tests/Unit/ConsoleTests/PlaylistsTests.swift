// SPDX-License-Identifier: Apache-2.0
import Posix
import Testing

@testable import Console

/// Stored playlists, with the answers of MPD 0.23.12.
@Suite struct PlaylistsTests {
    private let speaker = FakeSpeaker.playing()
    private let lamp = "stories/lamp.mp3"

    @Test func whatFindsNothingMakesNoPlaylist() {
        #expect(answer(speaker, "searchaddpl none title nowhere") == "OK\n")
        #expect(speaker.stored["none"] == nil)
    }

    @Test func madeAddedToChangedAndLoaded() {
        #expect(answer(speaker, "save evening") == "OK\n")
        #expect(speaker.stored["evening"]?.count == 3)
        #expect(answer(speaker, "save evening") == "ACK [56@0] {save} Playlist already exists\n")
        #expect(answer(speaker, "playlistadd new stories", "playlistadd new http://x/y.mp3 0") == "OK\nOK\n")
        #expect(
            answer(speaker, "listplaylist new")
                == "file: http://x/y.mp3\nfile: \(lamp)\nfile: stories/moth \"grey\".mp3\nOK\n")
        #expect(answer(speaker, "playlistmove new 0 2", "playlistdelete new 1:") == "OK\nOK\n")
        #expect(speaker.stored["new"] == [lamp])
        #expect(answer(speaker, "searchaddpl new title moth") == "OK\n")
        #expect(speaker.stored["new"]?.count == 2)
        #expect(answer(speaker, "listplaylistinfo new").contains("Title: The Moth\n"))
        #expect(answer(speaker, "clear", "load new 1:2", "load new 0:1 0") == "OK\nOK\nOK\n")
        #expect(speaker.entries.map(\.uri) == [lamp, "stories/moth \"grey\".mp3"])
        #expect(answer(speaker, "rename new old", "playlistclear old", "rm old") == "OK\nOK\nOK\n")
        #expect(
            answer(speaker, "listplaylists")
                == "playlist: Newest\nplaylist: evening\nLast-Modified: 2023-11-14T22:13:20Z\nOK\n")
    }

    @Test(arguments: [
        ("listplaylist nix", "ACK [50@0] {listplaylist} No such playlist\n"),
        ("load nix", "ACK [50@0] {load} No such playlist\n"),
        ("load mixed x", "ACK [2@0] {load} Integer or range expected: x\n"),
        ("playlistadd a/b stories", "ACK [2@0] {playlistadd} Bad playlist name\n"),
        ("playlistadd mixed nix.mp3", "ACK [50@0] {playlistadd} No such directory\n"),
        ("playlistadd mixed stories 99", "ACK [2@0] {playlistadd} Bad position\n"),
        ("playlistmove mixed -1 0", "ACK [2@0] {playlistmove} Number too large: -1\n"),
        ("playlistdelete nix 0", "ACK [50@0] {playlistdelete} No such playlist\n"),
        ("playlistclear nix", "ACK [50@0] {playlistclear} No such playlist\n"),
        ("rename mixed mixed", "ACK [56@0] {rename} Playlist exists already\n"),
        ("rm nix", "ACK [50@0] {rm} No such playlist\n"),
        ("load streams", "ACK [53@0] {load} Streams cannot be played: http://x/y.mp3\n"),
        ("load mixed", "OK\n"), ("load mixed 7:9", "OK\n"), ("load empty", "OK\n"),
        ("load gone", "ACK [53@0] {load} Nothing of it is in the library: E:/nix.mp3\n"),
        ("load gone 1:2", "ACK [53@0] {load} Streams cannot be played: http://x/y.mp3\n"),
    ])
    func refusals(command: String, expected: String) {
        speaker.stored = ["mixed": ["nix.mp3", "http://x/y.mp3", lamp], "streams": ["http://x/y.mp3"], "empty": []]
        speaker.stored["gone"] = ["E:/nix.mp3", "http://x/y.mp3"]
        #expect(answer(speaker, command) == expected)
    }

    @Test func theTopFolderListsThemToo() {
        speaker.stored = ["evening": []]
        #expect(answer(speaker, "lsinfo").hasSuffix("playlist: evening\nLast-Modified: 2023-11-14T22:13:20Z\nOK\n"))
        #expect(!answer(speaker, "lsinfo stories").contains("playlist:"))
    }

    /// A disk that hangs holds up the client that asked, and nobody else.
    @Test func whoWaitsForTheDiskWaitsAlone() {
        speaker.stored = ["evening": [lamp]]
        speaker.hangs = true
        var session = Session(speaker: speaker, manner: .plain)
        var response = ResponseBuffer()
        var budget = WorkBudget()
        session.receive(.complete(Array("listplaylist evening".utf8)[...]), &budget, &response)
        #expect(session.isBusy && session.isWaiting && response.isEmpty)
        speaker.answerAwaited()
        #expect(session.isBusy && !session.isWaiting)
        while session.isBusy { session.goOn(&budget, &response) }
        #expect(String(decoding: response.bytes, as: UTF8.self) == "file: \(lamp)\nOK\n")
    }
}
