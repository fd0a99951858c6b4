// SPDX-License-Identifier: Apache-2.0
import Core
import Foundation
import Model
import TestSupport
import Testing

@testable import Console

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
                playlist: 1
                playlistlength: 3
                mixrampdb: 0
                state: play
                song: 0
                songid: 100
                time: 5:101
                elapsed: 5.123
                bitrate: 48
                duration: 100.500
                audio: 22050:16:1
                nextsong: 1
                nextsongid: 101
                OK

                """)
    }

    @Test func statusWithNothingAndEverythingWrong() {
        let speaker = FakeSpeaker()
        speaker.status.volumePercent = nil
        speaker.status.error = "card 'DAC' is gone\nOK\u{1B}[2J"
        speaker.status.updateJob = 3
        let text = answer(speaker, "status")
        #expect(text.contains("\nstate: stop\nupdating_db: 3\nerror: card 'DAC' is gone OK [2J\nOK\n"))
        #expect(!text.contains("volume") && !text.contains("elapsed"))
    }

    @Test func songs() {
        let lamp = """
            file: stories/lamp.mp3
            Last-Modified: 2024-05-21T20:20:00Z
            Title: Under the Lamp
            Artist: Ada Reader
            Album: Nights
            Time: 101
            duration: 100.500
            Pos: 0
            Id: 100

            """
        #expect(answer(.playing(), "currentsong") == lamp + "OK\n")
        #expect(answer(.playing(), "playlistinfo 0") == lamp + "OK\n")
        #expect(answer(.playing(), "playlistid 100") == lamp + "OK\n")
        let all = answer(.playing(), "playlistinfo")
        #expect(all.hasPrefix(lamp) && all.components("\nId: ") == 3)
        #expect(answer(.playing(), "playlistid") == all)
        #expect(answer(.playing(), "playlistinfo -1") == all)
        #expect(answer(.playing(), "playlistinfo 1:99").components("\nId: ") == 2)
        #expect(answer(.playing(), "playlistinfo 3:") == "OK\n")
        #expect(answer(.playing(), "plchanges 0") == all)
        #expect(answer(.playing(), "plchanges 1") == "OK\n")
        #expect(answer(.playing(), "plchangesposid 0 1:2") == "cpos: 1\nId: 101\nOK\n")
        #expect(answer(FakeSpeaker(), "currentsong") == "OK\n")
    }

    /// Line, then what the speaker was asked.
    @Test(arguments: [
        ("play", "play"), ("play 2", "play 2"), ("play \"1\"", "play 1"), ("play -1", "play"), ("playid 102", "play 2"),
        ("playid", "play"), ("pause", "pause"), ("pause 1", "pause"), ("pause 0", "resume"), ("stop", "stop"),
        ("next", "next"), ("previous", "previous"), ("seek 1 12.5", "seek 1 12500"), ("seekid 102 7", "seek 2 7000"),
        ("seekcur 50", "seek 0 50000"), ("seekcur +10", "seek by 10000"), ("seekcur -10", "seek by -10000"),
        ("seekcur -0.25", "seek by -250"), ("setvol 0", "volume 0"), ("setvol 100", "volume 100"),
        ("volume 5", "volume 55"), ("volume +5", "volume 55"), ("volume -100", "volume 0"), ("volume 60", "volume 100"),
        ("add stories", "add stories/lamp.mp3,stories/moth \"grey\".mp3 -1"),
        ("add stories/ 1", "add stories/lamp.mp3,stories/moth \"grey\".mp3 1"),
        ("addid stories/lamp.mp3 +0", "add stories/lamp.mp3 1"),
        ("addid stories/lamp.mp3 +2", "add stories/lamp.mp3 3"),
        ("addid stories/lamp.mp3 -0", "add stories/lamp.mp3 0"), ("add stories/lamp.mp3 3", "add stories/lamp.mp3 3"),
        ("forget", "forget 365"), ("forget 30", "forget 30"),
        ("add \"stories/moth \\\"grey\\\".mp3\"", "add stories/moth \"grey\".mp3 -1"),
        ("add /", "add stories/lamp.mp3,stories/moth \"grey\".mp3,französisch.mp3 -1"),
        ("delete 1", "remove 1..<2"), ("delete 1:", "remove 1..<3"), ("deleteid 101", "remove 1..<2"),
        ("clear", "remove 0..<3"), ("update", "update "), ("update \"\"", "update "),
        ("update stories/", "update stories"),
        ("rescan", "update "), ("clearerror", "clear error"), ("favourite add", "favourite current"),
        ("favorite add", "favourite current"), ("favourite add französisch.mp3", "favourite französisch.mp3"),
        ("favourite list", "favourites newest 0:64"), ("favourite list title 5:10", "favourites title 5:10"),
        ("favourite list 0:3", "favourites newest 0:3"), ("favourite list plays", "favourites mostPlayed 0:64"),
        ("favourite list duration 2", "favourites duration 2:3"), ("findadd artist Émile", "add französisch.mp3 -1"),
        ("searchadd title LAMP", "add stories/lamp.mp3 -1"),
    ])
    func action(line: String, expected: String) {
        let speaker = FakeSpeaker.playing()
        let text = answer(speaker, line)
        #expect(text.hasSuffix("OK\n") && !text.contains("ACK"), "\(text)")
        #expect(speaker.actions == [expected])
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
        ("lsinfo nowhere", "ACK [50@0] {lsinfo} No such directory"),
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
        ("transcript", "ACK [50@0] {transcript} No transcript for this item"),
        ("transcript -1", "ACK [2@0] {transcript} Number too small: -1 (at least 0)"),
        ("command_list_end", "ACK [1@0] {command_list_end} Not in a command list"),
        ("play \"1", "ACK [2@0] {play} Missing closing '\"'"),
    ])
    func refusal(line: String, expected: String) {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, line) == expected + "\n")
        #expect(speaker.actions.isEmpty)
    }

    @Test func refusalsThatDependOnTheState() {
        let speaker = FakeSpeaker()
        #expect(answer(speaker, "seekcur 5") == "ACK [55@0] {seekcur} Not playing\n")
        #expect(answer(speaker, "transcript") == "ACK [55@0] {transcript} Nothing is playing\n")
        #expect(answer(speaker, "favourite add") == "ACK [55@0] {favourite} Nothing is playing; name a file\n")
        #expect(answer(speaker, "pause") == "OK\n")
        #expect(answer(speaker, "clear") == "OK\n")
        speaker.status.volumePercent = nil
        #expect(answer(speaker, "setvol 5") == "ACK [52@0] {setvol} No mixer\n")
        #expect(answer(speaker, "volume 5") == "ACK [52@0] {volume} No mixer\n")
        #expect(answer(speaker, "getvol") == "OK\n")
        #expect(speaker.actions.isEmpty)
        speaker.failure = ConsoleError(.system, "disk\nfull")
        #expect(answer(speaker, "play") == "ACK [52@0] {play} disk full\n")
    }

    @Test func forgettingGoesByPortions() {
        let speaker = FakeSpeaker.playing()
        speaker.forgettable = [1000, 1000, 7]
        #expect(answer(speaker, "forget 30") == "forgotten: 2007\nOK\n")
        #expect(answer(speaker, "forget") == "forgotten: 0\nOK\n")
        #expect(speaker.actions == ["forget 30", "forget 30", "forget 30"])
    }

    @Test func pauseTogglesByState() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "pause", "pause", "pause") == "OK\nOK\nOK\n")
        #expect(speaker.actions == ["pause", "resume", "pause"])
    }

    @Test func favourites() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "favourite add") == "OK\n")
        #expect(answer(speaker, "favourite add") == "ACK [56@0] {favourite} already in favourites\n")
        #expect(answer(speaker, "favourite remove") == "OK\n")
        #expect(answer(speaker, "favourite remove") == "ACK [50@0] {favourite} not in favourites\n")
        speaker.favourites = [
            Favourite(
                item: Item(
                    id: 12, path: "/srv/nightstand/stories/lamp.mp3", title: "Under the\nLamp",
                    durationMilliseconds: 100_500, artwork: "lamp.jpg", positionMilliseconds: 4000),
                addedSeconds: 951_782_400),
            Favourite(item: Item(id: 9, path: "b.mp3", title: "B"), addedSeconds: 0),
        ]
        #expect(
            answer(speaker, "favourite list") == """
                file: stories/lamp.mp3
                Title: Under the Lamp
                duration: 100.500
                favourite: 12
                added: 2000-02-29T00:00:00Z
                position: 4.000
                artwork: lamp.jpg
                file: b.mp3
                Title: B
                favourite: 9
                added: 1970-01-01T00:00:00Z
                position: 0.000
                OK

                """)
    }

    @Test func transcript() {
        let speaker = FakeSpeaker.playing()
        speaker.spokenSegments = (0..<10).map {
            .init(text: "Sentence \($0).", startMilliseconds: $0 * 1000, endMilliseconds: $0 * 1000 + 900)
        }
        speaker.currentSegment = 4
        #expect(
            answer(speaker, "transcript 1") == """
                segments: 10
                current: 4
                segment: 3 3.000-3.900 Sentence 3.
                segment: 4 4.000-4.900 Sentence 4.
                segment: 5 5.000-5.900 Sentence 5.
                OK

                """)
        #expect(answer(speaker, "transcript").components("segment: ") == 5)
        speaker.currentSegment = nil
        #expect(answer(speaker, "transcript 0") == "segments: 10\nsegment: 0 0.000-0.900 Sentence 0.\nOK\n")
    }

    @Test func aTranscriptThatIsBeingReadIsNotSaidToBeMissing() {
        let speaker = FakeSpeaker.playing()
        speaker.status.isTranscriptBeingRead = true
        #expect(answer(speaker, "transcript") == "ACK [50@0] {transcript} The transcript is being read\n")
        speaker.status.isTranscriptBeingRead = false
        #expect(answer(speaker, "transcript") == "ACK [50@0] {transcript} No transcript for this item\n")
    }

    @Test func figures() {
        #expect(
            answer(.playing(), "counters") == """
                xruns: 1
                wakeups_per_second: 5.500
                boot: b007
                OK

                """)
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "counters raw").hasSuffix("\nboot: b007\nsilence: 9  12:1\nfirst_sound: 7\nOK\n"))
        #expect(answer(speaker, "counters cooked").hasPrefix("ACK [2@0] {counters} "))
        #expect(
            answer(.playing(), "stats") == """
                artists: 2
                albums: 1
                songs: 3
                uptime: 60
                db_playtime: 700
                db_update: 1700000000
                playtime: 30
                hours: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 30
                OK

                """)
        #expect(
            answer(.playing(), "outputs")
                == "outputid: 0\noutputname: hw:CARD=DAC\nplugin: alsa\noutputenabled: 1\nOK\n")
        #expect(answer(.playing(), "decoders").hasPrefix("plugin: mpg123\nsuffix: mp3\n"))
        #expect(answer(.playing(), "update") == "updating_db: 4\nOK\n")
        #expect(answer(.playing(), "getvol") == "volume: 50\nOK\n")
    }

    @Test func library() {
        #expect(
            answer(.playing(), "lsinfo") == """
                directory: stories
                Last-Modified: 2024-05-21T20:20:00Z
                file: französisch.mp3
                Title: Leçon 1
                Artist: Émile
                Time: 400
                duration: 400.000
                playlist: Newest
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
        // Who made an album is the artist where nobody is named.
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

    @Test func filesAndComments() {
        let speaker = FakeSpeaker()
        let tags = TagList([(.title, "Lamp"), (.narrator, "Nina"), (.seriesPart, "2"), (.format, "22050:16:1")])
        let lamp = SongDescription(uri: "a/lamp.mp3", tags: tags, fileBytes: 4096, modifiedSeconds: 1_716_322_800)
        speaker.library = [
            ("", [.folder(uri: "a", modifiedSeconds: nil)]),
            ("a", [.folder(uri: "a/b", modifiedSeconds: nil), .song(lamp)]),
        ]
        #expect(answer(speaker, "listfiles") == "directory: a\nOK\n")
        #expect(
            answer(speaker, "listfiles a/")
                == "directory: b\nfile: lamp.mp3\nsize: 4096\nLast-Modified: 2024-05-21T20:20:00Z\nOK\n")
        // What else lies there, and no song twice.
        speaker.otherFiles = [
            FileDescription(name: "lamp.mp3", bytes: 4096, modifiedSeconds: 5),
            FileDescription(name: "b", bytes: nil, modifiedSeconds: 5),
            FileDescription(name: "lamp.srt", bytes: 12, modifiedSeconds: 1_716_322_800),
        ]
        #expect(
            answer(speaker, "listfiles a").hasSuffix(
                "20:20:00Z\nfile: lamp.srt\nsize: 12\nLast-Modified: 2024-05-21T20:20:00Z\nOK\n"))
        #expect(answer(speaker, "listfiles x").hasPrefix("ACK [52@0] {listfiles} Failed to open x: No such file"))
        #expect(answer(speaker, "listfiles a/lamp.mp3").contains("Not a directory"))
        #expect(answer(speaker, "readcomments a/lamp.mp3") == "Narrator: Nina\nSeriesPart: 2\nOK\n")
        speaker.comments["a/lamp.mp3"] = [("title", "Lamp"), ("MY WORD", "x"), ("a:b", "x"), ("Mood", "two\nlines")]
        #expect(answer(speaker, "readcomments a/lamp.mp3") == "title: Lamp\nMY WORD: x\nMood: two lines\nOK\n")
        #expect(answer(speaker, "readcomments a") == "ACK [50@0] {readcomments} No such song: a\n")
        #expect(answer(speaker, "lsinfo a/lamp.mp3").contains("\nFormat: 22050:16:1\nTitle: Lamp\n"))
    }

    @Test func tagsCanBeChosen() {
        var session = Session(speaker: FakeSpeaker.playing(), manner: .plain)
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

    /// One who applies what `plchangesposid` tells to what it knew has the queue, whatever was done to it.
    @Test func whoFollowsTheVersionHasTheQueue() throws {
        var random = SeededGenerator(seed: 12)
        let speaker = FakeSpeaker.playing()
        var version = speaker.status.queueVersion
        var known = speaker.entries.map { "\($0.entry!.id)" }
        for step in 0..<200 {
            let length = known.count
            var edits = ["add stories", "addid stories/lamp.mp3 \(Int.random(in: 0...length, using: &random))"]
            if length > 0 {
                let start = Int.random(in: 0..<length, using: &random)
                let end = Int.random(in: start + 1...length, using: &random)
                edits += ["delete \(start):\(end)", "delete \(start)", "deleteid \(known[start])", "clear"]
            }
            let edit = edits.randomElement(using: &random)!
            #expect(answer(speaker, edit).hasSuffix("OK\n"))
            let changes = answer(speaker, "plchangesposid \(version)").split(separator: "\n").dropLast()
            #expect(speaker.status.queueVersion != version, "step \(step): \(edit)")
            version = speaker.status.queueVersion
            known = Array(known.prefix(speaker.status.queueLength))
            known += Array(repeating: "", count: speaker.status.queueLength - known.count)
            var position = 0
            for line in changes {
                let value = String(line.split(separator: " ")[1])
                if line.hasPrefix("cpos") { position = Int(value)! } else { known[position] = value }
            }
            #expect(known == speaker.entries.map { "\($0.entry!.id)" }, "step \(step): \(edit)")
            #expect(answer(speaker, "plchanges \(version)") == "OK\n")
        }
    }

    // MARK: Command lists

    @Test func commandLists() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "command_list_begin", "next", "getvol", "command_list_end") == "volume: 50\nOK\n")
        #expect(
            answer(speaker, "command_list_ok_begin", "next", "getvol", "command_list_end")
                == "list_OK\nvolume: 50\nlist_OK\nOK\n")
        #expect(answer(speaker, "command_list_begin", "command_list_end") == "OK\n")
    }

    @Test func aFailureEndsTheList() {
        let speaker = FakeSpeaker.playing()
        #expect(
            answer(speaker, "command_list_ok_begin", "setvol 86", "play 10240", "stop", "command_list_end", "ping")
                == "list_OK\nACK [2@1] {play} Bad song index: 10240 (the queue holds 3, from 0)\nOK\n")
        #expect(speaker.actions == ["volume 86"])
        #expect(
            answer(speaker, "command_list_begin", "ping", "ping", "\"rubbish", "command_list_end")
                == "ACK [5@2] {} Letter expected\n")
    }

    @Test func nothingOfAListIsDoneBeforeItsEnd() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "command_list_begin", "next", "stop") == "")
        #expect(speaker.actions.isEmpty)
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
        var session = Session(speaker: FakeSpeaker.playing(), manner: .plain)
        #expect(answer(&session, ["command_list_begin", "ping", "close", "next", "command_list_end", "ping"]) == "")
        #expect(session.isClosed)
    }

    /// A list with a line that did not come in whole, or that is too long, is not begun.
    @Test func brokenListsAreNotBegun() {
        let speaker = FakeSpeaker.playing()
        var session = Session(speaker: speaker, manner: .plain)
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
        #expect(speaker.actions.isEmpty)
    }

    // MARK: Idle

    @Test func idleWaitsForWhatWasAskedFor() {
        var session = Session(speaker: FakeSpeaker.playing(), manner: .plain)
        var response = ResponseBuffer()
        #expect(answer(&session, ["idle player mixer"]) == "")
        session.notify(.playlist, &response)
        #expect(response.isEmpty && session.isIdle)
        session.notify([.mixer, .player], &response)
        #expect(String(decoding: response.bytes, as: UTF8.self) == "changed: player\nchanged: mixer\nOK\n")
        #expect(!session.isIdle)
        // What was not asked for then is not lost.
        #expect(answer(&session, ["idle"]) == "changed: playlist\nOK\n")
        #expect(answer(&session, ["idle"]) == "")
    }

    @Test func changesAddUpWhileTheClientIsBusy() {
        var session = Session(speaker: FakeSpeaker.playing(), manner: .plain)
        var response = ResponseBuffer()
        session.notify(.player, &response)
        session.notify([.player, .sticker], &response)
        #expect(response.isEmpty)
        #expect(answer(&session, ["idle"]) == "changed: player\nchanged: sticker\nOK\n")
    }

    @Test func noidle() {
        var session = Session(speaker: FakeSpeaker.playing(), manner: .plain)
        #expect(answer(&session, ["idle", "noidle"]) == "OK\n")
        #expect(answer(&session, ["noidle"]) == "")
        #expect(answer(&session, ["ping"]) == "OK\n")
    }

    @Test func anythingElseDuringIdleEndsTheSession() {
        let speaker = FakeSpeaker.playing()
        var session = Session(speaker: speaker, manner: .plain)
        #expect(answer(&session, ["idle", "stop"]) == "")
        #expect(session.isClosed && speaker.actions.isEmpty)
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
        // Without password, which is asked of the network alone, and kill, which nobody may.
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
        let speaker = FakeSpeaker.playing()
        for words in ["open bedside", "joined", "closed"] { #expect(answer(speaker, "wifi " + words) == "OK\n") }
        #expect(speaker.actions == ["wifi wifiOpen(\"bedside\")", "wifi wifiJoined", "wifi wifiClosed"])
        for words in ["open", "joined x", "x"] { #expect(answer(speaker, "wifi " + words).hasPrefix("ACK [2@0]")) }
    }

    @Test func aPersonIsToldInWords() {
        let speaker = FakeSpeaker.playing()
        #expect(answer(speaker, "play 9", manner: .spoken).hasPrefix("error: play: Bad song index: 9"))
        #expect(answer(speaker, "hello", manner: .spoken) == "error: unknown command \"hello\"\n")
        #expect(answer(speaker, "next", manner: .spoken) == "OK\n")
        #expect(answer(speaker, "idle", "", manner: .spoken) == "OK\n")
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
            let speaker = FakeSpeaker.playing()
            var session = Session(
                speaker: speaker, manner: round % 2 == 0 ? .plain : .spoken)
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
                session.take(.complete(bytes[...]), &response)
                session.notify(Subsystems(rawValue: UInt32.random(in: 0..<1 << 14, using: &random)), &response)
                let text = String(validating: response.bytes, as: UTF8.self)
                #expect(text != nil && (text!.isEmpty || text!.utf8.last == .newline))
                #expect(!response.bytes.contains { $0 < 0x20 && $0 != .newline })
                for position in speaker.entries.indices {
                    #expect(speaker.entries[position].entry?.position == position)
                }
                if session.isClosed { break }
            }
            if session.isClosed { continue }
            if session.isIdle { _ = answer(&session, ["noidle"]) }
            if session.isInList { _ = answer(&session, ["command_list_end"]) }
            #expect(session.isClosed || answer(&session, ["ping"]) == "OK\n")
        }
    }
}

extension String {
    /// How often `part` occurs.
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
