// SPDX-License-Identifier: Apache-2.0
import CPosix
import Core
import Foundation
import Model
import TestSupport
import Testing

@testable import Console
@testable import Library
@testable import SpeakerBench
@testable import Wire

@Suite struct SessionTests {
    @Test func statusWhilePlaying() {
        #expect(
            answer(.playing(), "status") == """
                volume: 50
                repeat: 0
                random: 0
                single: 0
                consume: 0
                speed: 1
                partition: default
                playlist: 4
                playlistlength: 3
                mixrampdb: 0
                state: play
                song: 0
                songid: 1
                title: Under the Lamp
                time: 5:101
                elapsed: 5.123
                bitrate: 48
                duration: 100.500
                audio: 22050:16:1
                nextsong: 1
                nextsongid: 2
                OK

                """)
    }

    @Test func statusWithNothingAndEverythingWrong() {
        let desk = Desk()
        desk.scans.runningScan = 3
        let text = answer(desk, "status")
        #expect(text.contains("\nstate: stop\nupdating_db: 3\nOK\n") && !text.contains("elapsed"))
        let playing = Desk.playing()
        playing.bench.speaker.playerDidLoseDevice("card 'DAC' is gone\nOK\u{1B}[2J")
        #expect(answer(playing, "status").contains("\nerror: card 'DAC' is gone OK [2J\n"))
    }

    @Test func songs() {
        let lamp = """
            file: stories/lamp.mp3
            Title: Under the Lamp
            Artist: Ada Reader
            Album: Nights
            Time: 101
            duration: 100.500
            Pos: 0
            Id: 1

            """
        #expect(withoutDates(answer(.playing(), "currentsong")) == lamp + "OK\n")
        #expect(withoutDates(answer(.playing(), "playlistinfo 0")) == lamp + "OK\n")
        #expect(withoutDates(answer(.playing(), "playlistid 1")) == lamp + "OK\n")
        let desk = Desk.playing()
        let all = answer(desk, "playlistinfo")
        #expect(all.contains("\nLast-Modified: 2024-05-21T20:20:00Z\nAdded: 20"))
        #expect(withoutDates(all).hasPrefix(lamp) && all.components("\nId: ") == 3)
        #expect(answer(desk, "playlistid") == all)
        #expect(answer(desk, "playlistinfo -1") == all)
        #expect(answer(desk, "playlistinfo 1:99").components("\nId: ") == 2)
        #expect(answer(.playing(), "playlistinfo 3:") == "OK\n")
        #expect(answer(desk, "plchanges 0") == all)
        #expect(answer(desk, "plchanges \(desk.host.status.queueVersion)") == "OK\n")
        #expect(answer(.playing(), "plchangesposid 0 1:2") == "cpos: 1\nId: 2\nOK\n")
        #expect(answer(Desk(), "currentsong") == "OK\n")
    }

    /// Lines, then the effect of the last. Resuming begins with the interrupted sentence.
    @Test(arguments: [
        ("pause 1\nplay", "playing 0 at 3000"), ("stop\nplay", "playing 0 at 3000"), ("play 2", "playing 2 at 0"),
        ("play \"1\"", "playing 1 at 0"), ("pause\nplay -1", "playing 0 at 3000"), ("playid 3", "playing 2 at 0"),
        ("pause\nplayid", "playing 0 at 3000"), ("pause", "paused 0 at 5123"), ("pause 1", "paused 0 at 5123"),
        ("pause\npause", "playing 0 at 3000"), ("pause 1\npause 0", "playing 0 at 3000"), ("pause 0", ""),
        ("stop\npause", ""), ("stop", "stopped 0 at 0"), ("next", "playing 1 at 0"),
        ("next\nprevious", "playing 0 at 0"),
        ("seek 1 12.5", "playing 1 at 12500"), ("seekid 3 7", "playing 2 at 7000"),
        ("seekcur 50", "playing 0 at 50000"),
        ("seekcur +10", "playing 0 at 15123"), ("seekcur -10", "playing 0 at 0"),
        ("seekcur -0.25", "playing 0 at 4873"), ("setvol 0", "volume 0"), ("setvol 100", "volume 100"),
        ("volume 5", "volume 55"), ("volume +5", "volume 55"), ("volume -100", "volume 0"), ("volume 60", "volume 100"),
        ("add stories", "queue LMFLM"), ("add stories/ 1", "queue LLMMF"), ("addid stories/lamp.mp3 +0", "queue LLMF"),
        ("addid stories/lamp.mp3 +2", "queue LMFL"), ("add stories/lamp.mp3 3", "queue LMFL"),
        ("add \"stories/moth \\\"grey\\\".mp3\"", "queue LMFM"), ("add /", "queue LMFLMF"),
        ("delete 1", "queue LF"), ("delete 1:", "queue L"), ("deleteid 2", "queue LF"),
        ("update", "scans all"), ("update \"\"", "scans all"), ("update stories/", "scans /books/stories"),
        ("rescan", "scans all"), ("favourite add", "favourites Under the Lamp"),
        ("favorite add", "favourites Under the Lamp"), ("favourite add französisch.mp3", "favourites Leçon 1"),
        ("findadd artist Émile", "queue LMFF"), ("searchadd title LAMP", "queue LMFL"),
    ])
    func action(lines: String, expected: String) {
        let desk = Desk.playing()
        let lines = lines.split(separator: "\n").map(String.init)
        for line in lines.dropLast() { #expect(answer(desk, line) == "OK\n") }
        #expect(desk.effect(lines.last!) == expected)
    }

    @Test func clearEmptiesTheQueueAndStops() {
        #expect(Desk.playing().effect("clear") == "stopped nothing at 0; queue ")
    }

    @Test func anErrorIsCleared() {
        let desk = Desk.playing()
        desk.bench.player.fail(EIO)
        #expect(desk.host.status.error != nil)
        #expect(desk.effect("clearerror") == "error none")
    }

    @Test func favouritesAreListedByPartAndOrder() {
        let desk = Desk.playing()
        for song in [Desk.lamp, "\"" + Desk.moth.replacing("\"", with: "\\\"") + "\"", Desk.lesson] {
            #expect(answer(desk, "favourite add \(song)") == "OK\n")
        }
        func titles(_ line: String) -> [String] {
            answer(desk, line).split(separator: "\n").filter { $0.hasPrefix("Title: ") }.map { String($0.dropFirst(7)) }
        }
        let (lamp, moth, lesson) = ("Under the Lamp", "The Moth", "Leçon 1")
        #expect(titles("favourite list title") == [lesson, moth, lamp])
        #expect(titles("favourite list title 1:10") == [moth, lamp])
        #expect(titles("favourite list duration") == [lamp, moth, lesson])
        #expect(titles("favourite list duration 2") == [lesson])
        #expect(titles("favourite list 0:3") == titles("favourite list newest"))
        #expect(Set(titles("favourite list plays")) == [lamp, moth, lesson])
    }

    /// Line, then how it is refused; none of these reaches the speaker.
    @Test(arguments: [
        ("nonsense", "ACK [5@0] {} unknown command \"nonsense\""), ("", "ACK [5@0] {} No command given"),
        ("Status", "ACK [5@0] {} unknown command \"Status\""), ("loop 1", "ACK [5@0] {} unknown command \"loop\""),
        ("play 1 2", "ACK [2@0] {play} too many arguments for \"play\""),
        ("seek 1", "ACK [2@0] {seek} wrong number of arguments for \"seek\""),
        ("play x", "ACK [2@0] {play} Integer expected: x"),
        ("play 3", "ACK [2@0] {play} Bad song index: 3 (the queue holds 3, from 0)"),
        ("play -2", "ACK [2@0] {play} Bad song index: -2 (the queue holds 3, from 0)"),
        ("play 99999999999999999999", "ACK [2@0] {play} Number too large: 99999999999999999999"),
        ("playid 7", "ACK [50@0] {playid} No such song"), ("playlistid 7", "ACK [50@0] {playlistid} No such song"),
        ("seekid 7 1", "ACK [50@0] {seekid} No such song"), ("deleteid 7", "ACK [50@0] {deleteid} No such song"),
        ("pause 2", "ACK [2@0] {pause} Boolean (0/1) expected: 2"),
        ("seekcur ten", "ACK [2@0] {seekcur} Float expected: ten"),
        ("seek 0 -1", "ACK [2@0] {seek} Negative value not allowed: -1"),
        ("setvol 101", "ACK [2@0] {setvol} Number too large: 101"),
        ("setvol -1", "ACK [2@0] {setvol} Number too large: -1"),
        ("delete 4:", "ACK [2@0] {delete} Bad song index"),
        ("playlistinfo 4:", "ACK [2@0] {playlistinfo} Bad song index: 4: (the queue holds 3, from 0)"),
        ("playlistinfo a:b", "ACK [2@0] {playlistinfo} Integer or range expected: a:b"),
        ("lsinfo nowhere", "ACK [50@0] {lsinfo} No such directory: nowhere"),
        ("lsinfo ../..", "ACK [50@0] {lsinfo} No such directory: ../.."),
        ("add a/./b", "ACK [2@0] {add} Malformed path: a/./b"),
        ("add stories +3", "ACK [2@0] {add} Number too large: +3"),
        ("addid stories", "ACK [50@0] {addid} No such song: stories"),
        ("addid stories/lamp.mp3 -1", "ACK [2@0] {addid} Number too large: -1"),
        ("findadd artist Émile position 4", "ACK [2@0] {findadd} Number too large: 4"),
        ("forget x", "ACK [2@0] {forget} Integer expected: x"),
        ("add x 9", "ACK [2@0] {add} Number too large: 9"),
        ("favourite", "ACK [2@0] {favourite} too few arguments for \"favourite\""),
        ("favourite keep", "ACK [2@0] {favourite} add, remove or list expected: keep"),
        ("favourite add a b", "ACK [2@0] {favourite} too many arguments for \"favourite add\""),
        ("favourite list best", "ACK [2@0] {favourite} [newest|title|duration|plays] [START:END] expected: best"),
        ("favourite list 1:2 3:4", "ACK [2@0] {favourite} [newest|title|duration|plays] [START:END] expected: 3:4"),
        ("idle nonsense", "ACK [2@0] {idle} Unrecognized idle event: nonsense"),
        ("help nonsense", "ACK [50@0] {help} no command \"nonsense\"; help lists them"),
        ("tagtypes enable Nonsense", "ACK [2@0] {tagtypes} Unknown tag type: Nonsense"),
        ("find tilte x", "ACK [2@0] {find} Unknown filter type: tilte"),
        ("transcript -1", "ACK [2@0] {transcript} Number too small: -1 (at least 0)"),
        ("command_list_end", "ACK [1@0] {command_list_end} Not in a command list"),
        ("play \"1", "ACK [2@0] {play} Missing closing '\"'"),
    ])
    func refusal(line: String, expected: String) {
        #expect(Desk.playing().effect(line) == expected + "\n")
    }

    @Test func refusalsThatDependOnTheState() {
        let desk = Desk()
        #expect(answer(desk, "seekcur 5") == "ACK [55@0] {seekcur} Not playing\n")
        #expect(answer(desk, "transcript") == "ACK [55@0] {transcript} Nothing is playing\n")
        #expect(answer(desk, "favourite add") == "ACK [55@0] {favourite} Nothing is playing; name a file\n")
        #expect(answer(desk, "pause") == "OK\n")
        #expect(answer(desk, "clear") == "OK\n")
        #expect(answer(desk, "disableoutput 0", "play").hasSuffix("{play} All audio outputs are disabled\n"))
    }

    @Test func whatIsLongGoneIsForgotten() {
        let desk = Desk.playing()
        #expect(answer(desk, "forget") == "forgotten: 0\nOK\n")
        desk.bench.library.setPresent(3, false, nowSeconds: 1_700_000_001)
        desk.shelve("last.mp3", title: "Last")
        #expect(answer(desk, "forget 36500") == "forgotten: 0\nOK\n")
        #expect(answer(desk, "forget 30") == "forgotten: 1\nOK\n")
        #expect(answer(desk, "find artist Émile") == "OK\n")
    }

    @Test func favourites() {
        let desk = Desk.playing()
        #expect(answer(desk, "favourite add") == "OK\n")
        #expect(answer(desk, "favourite add") == "ACK [56@0] {favourite} already in favourites\n")
        #expect(answer(desk, "favourite remove") == "OK\n")
        #expect(answer(desk, "favourite remove") == "ACK [50@0] {favourite} not in favourites\n")
        #expect(answer(desk, "favourite add") == "OK\n")
        let list = answer(desk, "favourite list")
        #expect(
            list.hasPrefix("file: stories/lamp.mp3\nTitle: Under the Lamp\nduration: 100.500\nfavourite: 1\nadded: 20"))
        #expect(list.contains("\nposition: 0.000\nOK\n"))
    }

    @Test func transcript() {
        let desk = Desk.playing()
        desk.bench.player.positionMilliseconds = 2500
        #expect(
            answer(desk, "transcript 1") == """
                segments: 3
                current: 1
                segment: 0 0.000-1.000 One.
                segment: 1 2.000-3.000 Two.
                segment: 2 3.000-4.000 Three.
                OK

                """)
        #expect(answer(desk, "transcript 0").components("segment: ") == 1)
        desk.bench.player.positionMilliseconds = 1500
        #expect(answer(desk, "transcript 0") == "segments: 3\nOK\n")
    }

    @Test func aTranscriptThatIsBeingReadIsNotSaidToBeMissing() {
        let desk = Desk.playing()
        _ = answer(desk, "next")
        #expect(answer(desk, "transcript") == "ACK [50@0] {transcript} The transcript is being read\n")
        desk.turn()
        #expect(answer(desk, "transcript").hasPrefix("segments: 3\n"))
    }

    @Test func figures() {
        let desk = Desk.playing()
        #expect(answer(desk, "counters").hasPrefix("xruns: 0\nperiod_us: 25000\ndecode_us_p50: "))
        #expect(!answer(desk, "counters").contains("silence: "))
        #expect(
            answer(desk, "counters raw").contains("\nsilence: ") && answer(desk, "counters raw").hasSuffix("\nOK\n"))
        #expect(answer(desk, "counters cooked").hasPrefix("ACK [2@0] {counters} "))
        let stats = answer(desk, "stats")
        #expect(stats.hasPrefix("artists: 2\nalbums: 1\nsongs: 3\nuptime: 0\ndb_playtime: 700\ndb_update: "))
        #expect(stats.contains("\nplaytime: 0\n") && stats.hasSuffix("OK\n"))
        #expect(
            answer(.playing(), "outputs")
                == "outputid: 0\noutputname: hw:CARD=DAC\nplugin: alsa\noutputenabled: 1\nOK\n")
        #expect(answer(.playing(), "decoders").hasPrefix("plugin: mpg123\nsuffix: mp3\n"))
        #expect(answer(.playing(), "update") == "updating_db: 1\nOK\n")
        #expect(answer(.playing(), "getvol") == "volume: 50\nOK\n")
    }

    @Test func library() {
        #expect(
            withoutDates(answer(.playing(), "lsinfo")) == """
                directory: stories
                file: französisch.mp3
                Title: Leçon 1
                Artist: Émile
                Time: 400
                duration: 400.000
                playlist: Newest
                playlist: Unfinished
                playlist: Favourites
                playlist: Most played
                playlist: Finished
                OK

                """)
        #expect(answer(.playing(), "lsinfo /") == answer(.playing(), "lsinfo"))
        #expect(
            answer(.playing(), "listall") == """
                directory: stories
                file: stories/lamp.mp3
                file: stories/moth "grey".mp3
                file: französisch.mp3
                OK

                """)
        #expect(answer(.playing(), "listallinfo stories").components("duration: ") == 2)
        #expect(answer(.playing(), "listall stories").hasPrefix("directory: stories\nfile: stories/lamp.mp3\n"))
        #expect(answer(.playing(), "listall französisch.mp3") == "file: französisch.mp3\nOK\n")
        #expect(answer(.playing(), "list artist") == "Artist: Ada Reader\nArtist: Émile\nOK\n")
        // Without a named album artist, the artist counts.
        #expect(answer(.playing(), "list albumartist") == "AlbumArtist: Ada Reader\nAlbumArtist: Émile\nOK\n")
        #expect(answer(.playing(), "find albumartist Émile").hasPrefix("file: französisch.mp3\n"))
        #expect(answer(.playing(), "list album \"Ada Reader\"") == "Album: Nights\nOK\n")
        #expect(answer(.playing(), "list album artist Émile") == "Album: \nOK\n")
        #expect(answer(.playing(), "list genre") == "Genre: \nOK\n")
        #expect(
            answer(.playing(), "list title group album group artist") == """
                Artist: Ada Reader
                Album: Nights
                Title: The Moth
                Title: Under the Lamp
                Artist: Émile
                Album: \("")
                Title: Leçon 1
                OK

                """)
        #expect(
            answer(.playing(), "count \"(artist != '')\" group album")
                == "Album: \nsongs: 1\nplaytime: 400\nAlbum: Nights\nsongs: 2\nplaytime: 300\nOK\n")
        #expect(answer(.playing(), "list file artist Émile") == "file: französisch.mp3\nOK\n")
        #expect(answer(.playing(), "count artist \"Ada Reader\"") == "songs: 2\nplaytime: 300\nOK\n")
        #expect(answer(.playing(), "playlistsearch any MOTH").components("file: ") == 1)
        #expect(answer(.playing(), "playlistfind any MOTH") == "OK\n")
    }

    @Test func filesAndComments() throws {
        let folder = TemporaryFolder()
        let desk = Desk(root: folder.path)
        let path = folder.path + "/a/lamp.mp3"
        try FileManager.default.createDirectory(atPath: folder.path + "/a/b", withIntermediateDirectories: true)
        try Data(count: 4096).write(to: URL(fileURLWithPath: path))
        try Data(count: 12).write(to: URL(fileURLWithPath: folder.path + "/a/lamp.srt"))
        desk.shelve(
            path, title: "Lamp", milliseconds: nil, bytes: 4096, modifiedSeconds: 1_716_322_800,
            tags: [(.narrator, "Nina"), (.seriesPart, "2"), (.format, "22050:16:1")])
        #expect(answer(desk, "listfiles") == "directory: a\nOK\n")
        // The other files of the folder, and no song twice.
        let files = answer(desk, "listfiles a/")
        #expect(files.hasPrefix("file: lamp.mp3\nsize: 4096\nLast-Modified: 2024-05-21T20:20:00Z\n"))
        #expect(files.components("lamp.mp3") == 1)
        #expect(files.contains("directory: b\n") && files.contains("file: lamp.srt\nsize: 12\nLast-Modified: "))
        #expect(answer(desk, "listfiles x").hasPrefix("ACK [52@0] {listfiles} Failed to open x: No such file"))
        #expect(answer(desk, "listfiles a/lamp.mp3").contains("Not a directory"))
        // The file has none of its own.
        #expect(answer(desk, "readcomments a/lamp.mp3") == "Narrator: Nina\nSeriesPart: 2\nOK\n")
        #expect(answer(desk, "readcomments a") == "ACK [50@0] {readcomments} No such song: a\n")
        #expect(answer(desk, "lsinfo a/lamp.mp3").contains("\nFormat: 22050:16:1\nTitle: Lamp\n"))
    }

    @Test func tagsCanBeChosen() {
        var session = Session(host: Desk.playing().host, manner: .plain)
        let all = answer(&session, ["tagtypes"])
        #expect(all.hasPrefix("tagtype: Artist\ntagtype: ArtistSort\n") && all.components("tagtype: ") == 31)
        #expect(!all.contains("Narrator"))
        let lines = [
            "command_list_begin", "tagtypes \"clear\"", "tagtypes enable Title Composer AlbumArtist", "currentsong",
        ]
        let text = answer(&session, lines + ["command_list_end"])
        #expect(text.contains("Title: Under") && !text.contains("Artist:") && !text.contains("Album:"))
        #expect(
            answer(&session, ["tagtypes all", "tagtypes disable Album", "tagtypes"]).hasSuffix(
                "_RELEASETRACKID\ntagtype: MUSICBRAINZ_WORKID\nOK\n"))
        #expect(!answer(&session, ["tagtypes"]).contains("tagtype: Album\n"))
        #expect(
            answer(&session, ["tagtypes clear", "tagtypes enable narrator title", "tagtypes"])
                == "OK\nOK\ntagtype: Title\ntagtype: Narrator\nOK\n")
        #expect(answer(&session, ["tagtypes enable Format"]).hasPrefix("ACK [2@0]"))
        #expect(answer(&session, ["tagtypes enable"]).hasPrefix("ACK [2@0]"))
        #expect(answer(&session, ["tagtypes clear Title"]).hasPrefix("ACK [2@0]"))
    }

    /// A client that applies `plchangesposid` to its copy has the queue, after any edits.
    @Test func whoFollowsTheVersionHasTheQueue() throws {
        var random = SeededGenerator(seed: 12)
        let desk = Desk.playing()
        var version = desk.host.status.queueVersion
        var known = desk.ids
        for step in 0..<200 {
            let length = known.count
            var edits = ["add stories", "addid stories/lamp.mp3 \(Int.random(in: 0...length, using: &random))"]
            if length > 0 {
                let start = Int.random(in: 0..<length, using: &random)
                let end = Int.random(in: start + 1...length, using: &random)
                edits += ["delete \(start):\(end)", "delete \(start)", "deleteid \(known[start])", "clear"]
            }
            let edit = edits.randomElement(using: &random)!
            #expect(answer(desk, edit).hasSuffix("OK\n"))
            let changes = answer(desk, "plchangesposid \(version)").split(separator: "\n").dropLast()
            #expect(desk.host.status.queueVersion != version, "step \(step): \(edit)")
            version = desk.host.status.queueVersion
            known = Array(known.prefix(desk.host.status.queueLength))
            known += Array(repeating: "", count: desk.host.status.queueLength - known.count)
            var position = 0
            for line in changes {
                let value = String(line.split(separator: " ")[1])
                if line.hasPrefix("cpos") { position = Int(value)! } else { known[position] = value }
            }
            #expect(known == desk.ids, "step \(step): \(edit)")
            #expect(answer(desk, "plchanges \(version)") == "OK\n")
        }
    }

    // MARK: Command lists

    @Test func commandLists() {
        let desk = Desk.playing()
        #expect(answer(desk, "command_list_begin", "next", "getvol", "command_list_end") == "volume: 50\nOK\n")
        #expect(
            answer(desk, "command_list_ok_begin", "next", "getvol", "command_list_end")
                == "list_OK\nvolume: 50\nlist_OK\nOK\n")
        #expect(answer(desk, "command_list_begin", "command_list_end") == "OK\n")
    }

    @Test func aFailureEndsTheList() {
        let desk = Desk.playing()
        #expect(
            answer(desk, "command_list_ok_begin", "setvol 86", "play 10240", "stop", "command_list_end", "ping")
                == "list_OK\nACK [2@1] {play} Bad song index: 10240 (the queue holds 3, from 0)\nOK\n")
        #expect(desk.host.status.volumePercent == 86 && desk.host.status.state == .playing)
        #expect(
            answer(desk, "command_list_begin", "ping", "ping", "\"rubbish", "command_list_end")
                == "ACK [5@2] {} Letter expected\n")
    }

    @Test func nothingOfAListIsDoneBeforeItsEnd() {
        let desk = Desk.playing()
        #expect(answer(desk, "command_list_begin", "next", "stop") == "")
        #expect(desk.isUntouched)
    }

    @Test func idleHasNoPlaceInAList() {
        #expect(
            answer(.playing(), "command_list_begin", "idle", "command_list_end")
                == "ACK [1@0] {idle} Not possible in a command list\n")
    }

    @Test func nestedListsAreUnknownCommands() {
        #expect(
            answer(.playing(), "command_list_begin", "command_list_begin", "command_list_end")
                == "ACK [5@0] {} unknown command \"command_list_begin\"\n")
    }

    @Test func closeInsideAListEndsTheSession() {
        var session = Session(host: Desk.playing().host, manner: .plain)
        #expect(answer(&session, ["command_list_begin", "ping", "close", "next", "command_list_end", "ping"]) == "")
        #expect(session.isClosed)
    }

    /// A list with a line that did not come in whole, or that is too long, is not begun.
    @Test func brokenListsAreNotBegun() {
        let desk = Desk.playing()
        var session = Session(host: desk.host, manner: .plain)
        var response = ResponseBuffer()
        func send(_ line: LineBuffer.Line) { session.take(line, &response) }
        func send(_ text: String) { send(.complete(Array(text.utf8)[...])) }
        send("command_list_begin")
        send("next")
        send(.tooLong)
        send("stop")
        send("command_list_end")
        #expect(String(decoding: response.bytes, as: UTF8.self) == "ACK [2@1] {} The command line is too long\n")
        response.removeAll()
        send("command_list_begin")
        let line = "add " + String(repeating: "x", count: 1000)
        for _ in 0..<2100 { send(line) }
        #expect(session.heldBytes < 2048 * 1024)
        send("command_list_end")
        #expect(String(decoding: response.bytes, as: UTF8.self).hasSuffix("{} The command list is too long\n"))
        #expect(desk.isUntouched)
    }

    // MARK: Idle

    @Test func idleWaitsForWhatWasAskedFor() {
        var session = Session(host: Desk.playing().host, manner: .plain)
        var response = ResponseBuffer()
        #expect(answer(&session, ["idle player mixer"]) == "")
        session.notify(.playlist, &response)
        #expect(response.isEmpty && session.isIdle)
        session.notify([.mixer, .player], &response)
        #expect(String(decoding: response.bytes, as: UTF8.self) == "changed: player\nchanged: mixer\nOK\n")
        #expect(!session.isIdle)
        // A change outside the wanted subsystems is not lost.
        #expect(answer(&session, ["idle"]) == "changed: playlist\nOK\n")
        #expect(answer(&session, ["idle"]) == "")
    }

    @Test func changesAddUpWhileTheClientIsBusy() {
        var session = Session(host: Desk.playing().host, manner: .plain)
        var response = ResponseBuffer()
        session.notify(.player, &response)
        session.notify([.player, .sticker], &response)
        #expect(response.isEmpty)
        #expect(answer(&session, ["idle"]) == "changed: player\nchanged: sticker\nOK\n")
    }

    @Test func noidle() {
        var session = Session(host: Desk.playing().host, manner: .plain)
        #expect(answer(&session, ["idle", "noidle"]) == "OK\n")
        #expect(answer(&session, ["noidle"]) == "")
        #expect(answer(&session, ["ping"]) == "OK\n")
    }

    @Test func anythingElseDuringIdleEndsTheSession() {
        let desk = Desk.playing()
        var session = Session(host: desk.host, manner: .plain)
        #expect(answer(&session, ["idle", "stop"]) == "")
        #expect(session.isClosed && desk.isUntouched)
    }

    @Test func everySubsystemHasAName() {
        #expect(Subsystems.all.names.count == 14)
        for name in Subsystems.all.names { #expect(Subsystems(name: name)?.names == [name]) }
        #expect(Subsystems([.storedPlaylist, .sticker]).names == ["stored_playlist", "sticker"])
    }

    // MARK: What is announced

    @Test func everyAnnouncedCommandIsKnownAndExplained() {
        let names = answer(.playing(), "commands").split(separator: "\n").dropLast().map {
            $0.dropFirst("command: ".count)
        }
        // Without password, which only a network needs, and kill, which is never allowed.
        #expect(names.count == ProtocolCommand.names { _ in true }.count - 2)
        #expect(names == names.sorted())
        for name in names {
            #expect(!answer(.playing(), String(name)).contains("unknown command"))
            let help = answer(.playing(), "help \(name)")
            #expect(help.hasPrefix(name) && help.split(separator: "\n").count >= 3, "\(help)")
            for line in help.split(separator: "\n") { #expect(line.count < 80) }
        }
        #expect(answer(.playing(), "notcommands") == "command: kill\nOK\n")
    }

    @Test func helpFitsATerminal() {
        let lines = answer(.playing(), "help").split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 24)
        for line in lines { #expect(line.count < 80 && line.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }) }
        let words = Set(lines.flatMap { $0.split(separator: " ") })
        let programs = Set((ProtocolCommand.ofPrograms + ProtocolCommand.ofDevices).map(\.name))
        for name in ProtocolCommand.names(where: { _ in true }) {
            #expect(words.contains(name[...]) != programs.contains(name), "\(name)")
        }
    }

    @Test func theWifiIsToldToAPerson() {
        let desk = Desk.playing()
        for words in ["open bedside", "joined", "closed"] { #expect(answer(desk, "wifi " + words) == "OK\n") }
        #expect(desk.bench.said() == [.wifiOpen("bedside"), .wifiJoined, .wifiClosed])
        for words in ["open", "joined x", "x"] { #expect(answer(desk, "wifi " + words).hasPrefix("ACK [2@0]")) }
    }

    @Test func aPersonIsToldInWords() {
        let desk = Desk.playing()
        #expect(answer(desk, "play 9", manner: .spoken).hasPrefix("error: play: Bad song index: 9"))
        #expect(answer(desk, "hello", manner: .spoken) == "error: unknown command \"hello\"\n")
        #expect(answer(desk, "next", manner: .spoken) == "OK\n")
        #expect(answer(desk, "idle", "", manner: .spoken) == "OK\n")
    }

    // MARK: Rubbish

    /// Mutated dialogues: no crash, every answer line is whole text, and the session still answers afterwards.
    @Test func anyDialogueIsSurvived() {
        var random = SeededGenerator(seed: 5)
        let names =
            ProtocolCommand.names { _ in true } + [
                "command_list_begin", "command_list_ok_begin", "command_list_end",
            ]
        let arguments = [
            "0", "1", "-1", "100", "1:2", "2:", ":", "99999999999999999999", "1.5", "+10", "-10", "\"\"", "\"a b\"",
            "stories",
            "..", "/", "title", "artist", "any", "x", "(title == 'x')", "\"(any contains \\\"a\\\")\"", "window",
            "sort",
            "-title", "add", "list", "player", "\"unclosed", "\u{1F600}", "clear", "enable", "all", "Title",
        ]
        for round in 0..<400 {
            let desk = Desk.playing()
            var session = Session(
                host: desk.host, manner: round % 2 == 0 ? .plain : .spoken)
            for _ in 0..<60 {
                var line = names.randomElement(using: &random)!
                for _ in 0..<Int.random(in: 0...3, using: &random) {
                    line += " " + arguments.randomElement(using: &random)!
                }
                var bytes = Array(line.utf8)
                if Bool.random(using: &random) {
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[index] = UInt8.random(in: 0...255, using: &random)
                    bytes.removeAll { $0 == .newline }
                }
                var response = ResponseBuffer()
                session.take(.complete(bytes[...]), &response, desk)
                session.notify(Subsystems(rawValue: UInt32.random(in: 0..<1 << 14, using: &random)), &response)
                let text = String(validating: response.bytes, as: UTF8.self)
                #expect(text != nil && (text!.isEmpty || text!.utf8.last == .newline))
                #expect(!response.bytes.contains { $0 < 0x20 && $0 != .newline })
                #expect(Set(desk.ids).count == desk.host.speaker.queue.count)
                if session.isClosed { break }
            }
            if session.isClosed { continue }
            if session.isIdle { _ = answer(&session, ["noidle"], desk) }
            if session.isInList { _ = answer(&session, ["command_list_end"], desk) }
            #expect(session.isClosed || answer(&session, ["ping"]) == "OK\n")
        }
    }
}

/// An answer without its moments.
private func withoutDates(_ answer: String) -> String {
    answer.split(separator: "\n").filter { !$0.hasPrefix("Added: ") && !$0.hasPrefix("Last-Modified: ") }
        .joined(separator: "\n") + "\n"
}

extension String {
    /// Returns the number of occurrences of `part`.
    func components(_ part: String) -> Int {
        var count = 0
        var rest = self[...]
        while let range = rest.range(of: part) {
            count += 1
            rest = rest[range.upperBound...]
        }
        return count
    }
}
