# SPDX-License-Identifier: Apache-2.0
"""Stored playlists, stickers, pictures, messages and outputs of the program that ships, beside MPD's own answers."""

import os
import socket
import struct
import threading
import time
import unittest

import audio
import harness
import real_mpd as mpd

LAMP = '"Ada Reader/Nights/01 Lamp.mp3"'


@unittest.skipIf(mpd.why_not(), mpd.why_not())
class BesideMPD(mpd.ComparedCase):
    """The same commands put to both."""

    def test_stored_playlists(self):
        self.compare(
            "listplaylists", "playlistadd evening Bob/Deep", f"playlistadd evening {LAMP}", "playlistadd evening Bob/Tale.mp3", "playlistadd evening untitled.mp3", "listplaylist evening", "listplaylistinfo evening",
            "playlistadd evening http://foo/bar.mp3 0", "playlistadd evening loose.mp3 1", "playlistadd evening loose.mp3 99",
            "playlistadd evening nix.mp3", "playlistadd a/b loose.mp3", 'playlistadd "" loose.mp3', "listplaylist evening",
            "playlistmove evening 0 2", "playlistmove evening 0 0", "playlistmove evening 99 0", "playlistmove evening 0 99",
            "playlistmove nix 0 1", "playlistmove evening -1 0", "playlistdelete evening 0", "playlistdelete evening 0:2",
            "playlistdelete evening 99", "playlistdelete evening 1:99", "playlistdelete evening x", "playlistdelete nix 0",
            "listplaylist evening", "searchaddpl evening title moth", "searchaddpl none title nixnix", "listplaylist evening",
            "listplaylist nix", 'listplaylist ""', "listplaylist a/b", "listplaylist ../x", "rename nix other", "rename evening a/b",
            "rename evening evening", "rename evening late", "listplaylist late", "playlistclear late", "listplaylist late",
            "playlistclear nix", "playlistclear a/b", "rm late", "rm late", "rm a/b", 'rm ""', keep_order=True)

    def test_loading_and_saving(self):
        for name, text in {"list.m3u": f"#EXTM3U\nloose.mp3\nnix.mp3\n{self.library}/untitled.mp3\nBob/Tale.mp3\n../../etc/passwd\n",
                           "sheet.pls": "[playlist]\nFile1=loose.mp3\nFile2=Bob/Tale.mp3\nNumberOfEntries=2\nVersion=2\n"}.items():
            with open(os.path.join(self.library, name), "w") as file:
                file.write(text)
        os.mkdir(os.path.join(self.library, "lists"))
        with open(os.path.join(self.library, "lists", "up.m3u8"), "w") as file:
            file.write("../loose.mp3\r\n../Bob/Tale.mp3\r\n")
        self.theirs("update")
        harness.until(lambda: "updating_db" not in self.theirs.status(), 20, "MPD's scan")
        queue = "playlist"
        self.compare(
            "listplaylist list.m3u", "listplaylist sheet.pls", "listplaylist lists/up.m3u8", "listplaylist nix.m3u",
            "clear", "load list.m3u", queue, "load lists/up.m3u8 0:1", queue, "load sheet.pls 1: 0", queue, "load sheet.pls 99:", queue,
            "load nix", "load sheet.pls x", "save now", "save now", 'save ""', "save a/b", "listplaylist now", "clear", "load now 1:3",
            queue, "rm now", "save empty", "listplaylist empty", "load empty", queue, keep_order=True)

    def test_stickers(self):
        self.compare(
            f"sticker get song {LAMP} rating", f"sticker set song {LAMP} rating 5", f"sticker set song {LAMP} resume \"12 5\"",
            f"sticker set song {LAMP} \"a=b\" \"c=d\"", f"sticker get song {LAMP} rating", f"sticker list song {LAMP}",
            "sticker set song loose.mp3 rating 10", "sticker list song loose.mp3", "sticker find song \"\" rating",
            "sticker find song Bob rating", "sticker find song \"Ada Reader\" rating", "sticker find song \"\" rating = 5",
            "sticker find song \"\" rating < 6", "sticker find song \"\" rating > 4", "sticker find song \"\" rating >= 4",
            "sticker find song \"\" nix", "sticker find song \"\"", "sticker find song", f"sticker delete song {LAMP} rating",
            f"sticker delete song {LAMP} rating", f"sticker delete song {LAMP}", f"sticker list song {LAMP}",
            f"sticker delete song {LAMP}", "sticker set song nix.mp3 a b", "sticker get song Bob a", "sticker list song \"\"",
            "sticker get playlist x y", "sticker foo song a b", "sticker foo song", "sticker get song loose.mp3",
            "sticker set song loose.mp3 x", "sticker set song loose.mp3 x y z")

    def test_devices(self):
        self.compare(
            "replay_gain_status", "replay_gain_mode off", "replay_gain_mode foo", "replay_gain_mode", "binarylimit 5", "binarylimit 64",
            "binarylimit x", "binarylimit -1", "partition default", "partition nix", "partition", "listpartitions", 'newpartition ""',
            "newpartition a/b", "newpartition default", "delpartition nix", "delpartition default", "moveoutput nix", "enableoutput 5",
            "enableoutput x", "outputset 0 a b", "outputset 9 a b", "outputset 0 a", "mount a b", 'mount "" nfs://x/y', "mount a",
            "unmount a", 'unmount ""', "listmounts", "listneighbors", "config", "enableoutput 0")

    def test_messages(self):
        self.compare(
            "channels", "subscribe a", "subscribe a", 'subscribe "a b"', 'subscribe ""', "channels", "unsubscribe b", "readmessages",
            "sendmessage b hi", 'sendmessage a "hi there"', "readmessages", "readmessages", "unsubscribe a", "unsubscribe a",
            "sendmessage a hi", "channels")


class Stored(harness.SpeakerCase):
    """A household's disk with playlists, stickers and pictures."""

    def setUp(self):
        super().setUp()
        for name in ("one.mp3", "two.mp3"):
            self.add_noise(name, 3)

    def refused(self, command):
        with self.assertRaises(harness.MPD.Refused) as caught:
            self.mpd(command)
        return str(caught.exception)

    def stored(self, name, text):
        folder = self.path("state", "playlists")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name), "wb") as file:
            file.write(text)

    def test_written_for_good_and_told(self):
        self.start()
        other = self.connect()
        other.send("idle stored_playlist sticker")
        self.mpd("playlistadd evening one.mp3")
        self.assertEqual(other.answer(), ["changed: stored_playlist"])
        self.mpd("sticker set song one.mp3 resume 12")
        self.kill()
        self.assertEqual(harness.contents(self.path("state", "playlists", "evening.m3u8")), b"one.mp3\n")
        os.rename(os.path.join(self.library, "one.mp3"), os.path.join(self.library, "renamed.mp3"))
        self.start()
        self.assertEqual(self.mpd("sticker get song renamed.mp3 resume"), ["sticker: resume=12"])

    def test_hostile_playlists(self):
        self.stored("circle.m3u", b"circle.m3u\nother.m3u\n")
        self.stored("other.m3u", b"circle.m3u\n")
        self.stored("climb.m3u", b"../../../etc/passwd\n/etc/passwd\n/dev/zero\none.mp3\n")
        self.stored("odd.m3u8", b"\xef\xbb\xbf#EXTM3U\r\none.mp3\r\ntw\0o.mp3\r\n" + b"x" * 100_000 + b"\ntwo.mp3")
        self.stored("streams.pls", b"[playlist]\nFile1=http://x/y.mp3\n")
        self.stored("large.m3u", b"")
        os.truncate(self.path("state", "playlists", "large.m3u"), 100 << 20)
        os.mkfifo(self.path("state", "playlists", "fifo.m3u"))
        os.symlink("/dev/zero", self.path("state", "playlists", "zero.m3u"))
        self.start()
        names = [line[10:] for line in self.mpd("listplaylists") if line.startswith("playlist: ")]
        self.assertEqual([n for n in names if n not in mpd.OWN_PLAYLISTS], ["circle", "climb", "large", "odd", "other", "streams"])
        self.assertIn("Nothing of it is in the library", self.refused("load circle"))
        for name, queue in ("climb", ["one.mp3"]), ("odd", ["one.mp3", "two.mp3"]):
            self.mpd("clear")
            self.mpd("load " + name)
            self.assertEqual([line[6:] for line in self.mpd("playlistinfo") if line.startswith("file: ")], queue)
        self.assertIn("Streams cannot be played: http://x/y.mp3", self.refused("load streams"))
        self.assertIn("too large", self.refused("load large"))
        for name in ("fifo", "zero"):
            self.assertIn("is a", self.refused("listplaylist " + name))
        self.assertIn("cannot be changed", self.refused("playlistadd Favourites one.mp3"))
        self.assertIn("exist", self.refused("rename circle Favourites"))

    def test_smart_playlists(self):
        self.start()
        self.mpd("favourite add two.mp3")
        self.assertEqual(self.mpd("listplaylist Favourites"), ["file: two.mp3"])
        self.mpd("clear")
        self.mpd("load Favourites")
        self.assertIn("file: two.mp3", self.mpd("playlistinfo"))

    def test_a_card_that_nobody_needs_is_closed(self):
        """So that others can have it: closed after a while, and opened by play, which goes on where it was."""
        self.settings["audio"]["idle_close"] = "1"
        self.start()
        self.mpd("play 0")
        self.wait_playing()
        self.mpd("pause 1")
        place = self.mpd.elapsed()
        harness.until(lambda: self.card.recorded()[-1].kind in "CXZ", 10, lambda: "the card let go of: " + self.card.recorded()[-1].kind)
        self.assertAlmostEqual(self.mpd.elapsed(), place, delta=0.05)
        self.assertNotIn("error", self.mpd.status())
        self.assertNotIn("sound device", self.log())
        self.mpd("pause 0")
        self.wait_playing()
        self.assertGreater(self.mpd.elapsed(), place - 0.05)

    def test_an_interruption_has_the_card(self):
        """Another program that plays opens the card some milliseconds after its hook has told the speaker."""
        self.start()
        self.mpd("play 0")
        self.wait_playing()
        self.mpd("interrupt begin")
        place = self.mpd.elapsed()
        harness.until(lambda: self.card.recorded()[-1].kind in "CXZ", 1, lambda: "the card let go of: " + self.card.recorded()[-1].kind)
        self.assertAlmostEqual(self.mpd.elapsed(), place, delta=0.05)
        self.mpd("interrupt end")
        self.wait_playing()
        self.assertGreater(self.mpd.elapsed(), place - 0.05)

    def test_output_off_and_on(self):
        self.start()
        self.mpd("play 0")
        self.wait_playing()
        self.mpd("disableoutput 0")
        self.assertEqual(self.mpd.status()["state"], "pause")
        self.assertIn("outputenabled: 0", self.mpd("outputs"))
        self.assertIn("All audio outputs are disabled", self.refused("play"))
        harness.until(lambda: self.card.recorded()[-1].kind in "CXZ", 5, lambda: "the card let go of: " + self.card.recorded()[-1].kind)
        self.end()
        self.start()
        self.assertIn("outputenabled: 0", self.mpd("outputs"))
        self.mpd("enableoutput 0")
        self.mpd("play")
        self.wait_playing()

    def test_pictures(self):
        picture = bytes(range(256)) * 100
        with open(os.path.join(self.library, "Folder.JPG"), "wb") as file:
            file.write(picture)
        tagged = harness.contents(os.path.join(self.library, "two.mp3"))
        body = b"\0image/png\0\3\0" + b"\x89PNG" + picture
        with open(os.path.join(self.library, "two.mp3"), "wb") as file:
            file.write(audio.id3v2([("APIC", body)], 4) + tagged)
        self.start()
        self.assertEqual(self.picture("albumart one.mp3"), (picture, None))
        self.assertEqual(self.picture("readpicture two.mp3"), (b"\x89PNG" + picture, "image/png"))
        self.assertEqual(self.mpd("readpicture one.mp3 0"), [])
        self.assertIn("Offset too large", self.refused("albumart one.mp3 99999"))
        self.assertIn("No file exists", self.refused("albumart nix.mp3 0"))

    def picture(self, command):
        client, data, mime = self.connect(), b"", None
        client("binarylimit 5000")
        while True:
            client.send(f"{command} {len(data)}")
            size = int(client.file.readline().split()[1])
            line = client.file.readline()
            if line.startswith(b"type: "):
                mime, line = line[6:-1].decode(), client.file.readline()
            piece = client.file.read(int(line.split()[1]))
            self.assertEqual(client.file.read(1), b"\n")
            self.assertEqual(client.answer(), [])
            data += piece
            if len(data) >= size:
                return data, mime

    def test_a_disk_that_hangs_holds_up_one_client(self):
        """The library's disk hangs: a client that asks for a picture waits, others do not."""
        with open(os.path.join(self.library, "cover.jpg"), "wb") as file:
            file.write(b"\xff\xd8\xff" + bytes(100))
        flag = self.path("hang")
        self.start(env=self.slow_disk(flag))
        with open(flag, "w"):
            pass
        waiting = self.connect()
        waiting.send("albumart one.mp3 0")
        began = time.monotonic()
        self.mpd("status")
        self.mpd("listplaylists")
        self.assertLess(time.monotonic() - began, 3)
        os.remove(flag)
        self.assertTrue(waiting.file.readline().startswith(b"size: 103"))
