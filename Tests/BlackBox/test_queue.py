# SPDX-License-Identifier: Apache-2.0
"""The queue as MPD has it, and how it is gone through: modes, sentences, books, and back after a pause."""

import os
import time
import unittest

import audio
import real_mpd
from harness import MPD, SpeakerCase, until

# <N>: the Id of the song N.mp3. Without order by chance, of which nothing can be compared.
COMMANDS = """
move 0 3; move 1:3 5; moveid <2> 0; move 0 +0; move 0: 1; move 9 0; move 0 8; move 2:2 0; swap 0 7; swap 0 9; swapid <1> <6>
swapid <1> 999; move x 1; move 0 x; play 2; pause 1; move 0 +0; move 5 -0; move 6 +1; move 2 +0; move 3:5 -1; move 3:5 -9
prio 5 0:2; prio 300 0; prio 1 99; prioid 3 <4>; prioid 1 999; prio 0 -1; delete 7; delete 7; delete 6:; delete 99; delete 5:9
add 7.mp3 0; add 6.mp3 +0; addid 5.mp3 99; random x; single 2; single oneshot; status; single 0; consume 2; consume oneshot
repeat 1; status; repeat 0; crossfade -1; crossfade x; mixrampdb -17.5; mixrampdelay 3; status; mixrampdelay nan; mixrampdb x
status; addtagid <4> artist x; addtagid 999 artist x; addtagid <4> foo x; cleartagid <4>; cleartagid 999; rangeid <4> x
rangeid 999 1:2; shuffle 99; shuffle 5; shuffle 2:2; delete 0; delete 1:3; next; previous; previous; status; plchangesposid x
deleteid 999; deleteid x; swap -1 0; shuffle -1:3; move -1 2; moveid x 1; playid 999; seekid 999 1; seek 99 1; play 99; stop
consume 1; play 0; next; next; status; clear; status
"""


@unittest.skipIf(real_mpd.why_not(), real_mpd.why_not())
class AsMPD(SpeakerCase):
    def test_edits_and_modes(self):
        for number in range(8):
            self.add_noise(f"{number}.mp3", 30)
        os.mkdir(self.path("mpd"))
        server = real_mpd.Server(self.path("mpd"), self.library)
        self.addCleanup(server.end)
        theirs = server.connect(MPD)
        self.addCleanup(theirs.close)
        theirs("update")
        until(lambda: theirs.fields("stats").get("songs") == "8", 60, "MPD's scan")
        self.settings["playing"] = {"like_mpd": "yes"}
        self.start()
        both = self.mpd, theirs
        for mpd in both:
            mpd("clear")
            for number in range(8):
                mpd(f"add {number}.mp3")
        ids = [{entry["file"][0]: entry["Id"] for entry in self.entries(mpd)} for mpd in both]
        for command in filter(None, (text.strip() for text in COMMANDS.replace("\n", ";").split(";"))):
            with self.subTest(command):
                versions = [mpd.status()["playlist"] for mpd in both]
                ours, other = (self.answer(mpd, command, known) for mpd, known in zip(both, ids))
                if ours[:1] and ours[0].startswith("ACK") and other[:1]:
                    # More may stand behind MPD's own words.
                    self.assertEqual(ours[0][: len(other[0])], other[0])
                else:
                    self.assertEqual(ours, other)
                queues = [[(entry["file"], entry.get("Prio")) for entry in self.entries(mpd)] for mpd in both]
                self.assertEqual(*queues)
                changes = [[line for line in mpd(f"plchangesposid {version}") if line.startswith("cpos")]
                           for mpd, version in zip(both, versions)]
                self.assertEqual(*changes)
                self.assertEqual(*([mpd.status().get(key) for key in ("state", "song", "nextsong")] for mpd in both))

    def answer(self, mpd, command, ids):
        for name, number in ids.items():
            command = command.replace(f"<{name}>", number)
        try:
            lines = mpd(command)
        except MPD.Refused as refusal:
            return [str(refusal)]
        if command != "status":
            return lines
        kept = "repeat", "random", "single", "consume", "playlistlength", "mixramp", "state", "song:", "nextsong:"
        return [line for line in lines if line.startswith(kept)]

    def entries(self, mpd):
        entries = []
        for line in mpd("playlistinfo"):
            key, value = line.split(": ", 1)
            if key == "file":
                entries.append({})
            entries[-1][key] = value
        return entries


class Modes(SpeakerCase):
    def test_they_outlive_a_power_cut(self):
        for number in range(5):
            self.add_noise(f"{number}.mp3", 20)
        self.start()
        for command in ("random 1", "repeat 1", "single oneshot", "consume 1", "mixrampdb -3.25", "swap 0 4", "prio 7 2"):
            self.mpd(command)
        shown, queue = self.mpd.status(), self.mpd("playlist")
        time.sleep(1)
        self.kill()
        self.start()
        keys = "random", "repeat", "single", "consume", "mixrampdb"
        self.assertEqual([self.mpd.status()[key] for key in keys], [shown[key] for key in keys])
        self.assertEqual([shown[key] for key in keys], ["1", "1", "oneshot", "1", "-3.25"])
        self.assertEqual(self.mpd("playlist"), queue)
        self.assertIn("Prio: 7", self.mpd("playlistinfo 2"))

    def test_the_same_again_and_one_alone(self):
        for number in range(3):
            self.add_noise(f"{number}.mp3", 2)
        self.start()
        idle = self.connect()
        idle.send("idle options")
        self.mpd("repeat 1")
        self.assertEqual(idle.answer(), ["changed: options"])
        self.mpd("single 1")
        self.mpd("play 1")
        time.sleep(5)
        self.assertEqual((self.mpd.status()["song"], self.mpd.status()["state"]), ("1", "play"))
        self.mpd("repeat 0")
        self.mpd("single oneshot")
        until(lambda: self.mpd.status()["state"] == "pause", 10, "the end of one item")
        self.assertEqual([self.mpd.status()[key] for key in ("song", "single", "elapsed")], ["2", "0", "0.000"])


class Sentences(SpeakerCase):
    def setUp(self):
        super().setUp()
        self.add_noise("0.mp3", 30)
        with open(f"{self.library}/0.lrc", "w") as file:
            file.write("[00:00]One.\n[00:02]\n[00:03]Two.\n[00:05]Three.\n[00:07]\n")
        self.start()
        self.mpd("play")
        self.wait_playing()
        until(self.transcript, 10, "the transcript")

    def test_along_them(self):
        self.mpd("pause 1")
        for step, place in ("next", 3), ("next", 5), ("previous", 3), ("previous", 0):
            self.mpd("sentence " + step)
            self.assertEqual(self.mpd.elapsed(), place)
        self.assertIn("text: One.", self.mpd("sentence"))
        self.mpd("seekcur 4.5")
        self.mpd("sentence repeat")
        self.assertEqual(self.mpd.status()["state"], "play")
        self.assertAlmostEqual(self.mpd.elapsed(), 3, delta=0.3)

    def test_one_again_and_again_is_as_long_each_time(self):
        self.mpd("seekcur 4.5")
        self.mpd("sentence loop")
        self.assertIn("loop_end: 5.000", self.mpd("sentence"))
        laps, last = [], 0
        while len(laps) < 4:
            now = self.mpd.elapsed()
            self.assertTrue(2.9 < now < 5.2, now)
            if now < last:
                laps.append(time.monotonic() - (now - 3))
            last = now
            time.sleep(0.01)
        for lap in (after - before for before, after in zip(laps, laps[1:])):
            self.assertAlmostEqual(lap, 2, delta=0.1)
        self.mpd("sentence off")
        until(lambda: self.mpd.elapsed() > 5.5, 10, "going on")

    def test_a_pause_is_made_up_for(self):
        self.mpd("seekcur 4.2")
        self.mpd("pause 1")
        time.sleep(0.5)
        self.mpd("pause 0")
        self.assertAlmostEqual(self.mpd.elapsed(), 3, delta=0.3)
        # Behind the last word of the transcript it plays on where it was.
        self.mpd("seekcur 25")
        self.mpd("pause 1")
        place = self.mpd.elapsed()
        self.mpd("play")
        self.assertAlmostEqual(self.mpd.elapsed(), place, delta=0.3)


class Books(SpeakerCase):
    def start_with(self, **settings):
        self.settings["playing"] = settings
        os.mkdir(f"{self.library}/book")
        for number in range(3):
            self.add_noise(f"book/{number}.mp3", 20)
        self.start()

    def test_the_end_of_a_file_is_none_and_that_of_the_book_is(self):
        self.start_with()
        self.mpd("play 0")
        self.mpd("seekcur 15")
        self.mpd("seekcur +10")
        self.assertEqual(self.mpd.status()["song"], "1")
        self.assertAlmostEqual(self.mpd.elapsed(), 5, delta=0.5)
        self.mpd("seekcur -10")
        self.assertEqual(self.mpd.status()["song"], "0")
        self.assertAlmostEqual(self.mpd.elapsed(), 15, delta=0.6)
        self.mpd("play 2")
        self.mpd("seekcur 15")
        self.mpd("seekcur +10")
        self.assertEqual([self.mpd.status()[key] for key in ("song", "state")], ["2", "pause"])
        self.assertAlmostEqual(self.mpd.elapsed(), 20, delta=0.1)

    def chapters(self):
        """One file of half a minute with chapters at 0, 10 and 20 s, and one behind it."""
        self.add_noise("2.mp3", 10)
        path = os.path.join(self.library, "1.mp3")
        self.add_noise("1.mp3", 30)
        with open(path, "rb") as file:
            sound = file.read()
        frames = []
        for number in range(3):
            times = (10_000 * number).to_bytes(4, "big") + (10_000 * number + 10_000).to_bytes(4, "big") + b"\xff" * 8
            frames.append(("CHAP", b"c%d\0" % number + times))
        with open(path, "wb") as file:
            file.write(audio.id3v2(frames, 4) + sound)
        with open(os.path.join(self.library, "1.lrc"), "w") as file:
            file.write("".join(f"[00:{second:02}.00]Said at {second}.\n" for second in range(1, 30, 2)))
        self.start()
        self.mpd("play 0")

    def test_next_and_previous_go_by_chapter(self):
        self.chapters()
        for step, song, place in ("next", "0", 10), ("next", "0", 20), ("previous", "0", 10), ("previous", "0", 0):
            self.mpd(step)
            self.assertEqual(self.mpd.status()["song"], song)
            self.assertAlmostEqual(self.mpd.elapsed(), place, delta=0.5)
        self.mpd("seekcur 25")
        self.mpd("next")
        self.assertEqual(self.mpd.status()["song"], "1")
        self.mpd("previous")
        self.assertAlmostEqual(self.mpd.elapsed(), 20, delta=0.5)

    def test_chapters_are_songs_of_their_own(self):
        self.chapters()
        rows = self.mpd("lsinfo 1.mp3")
        self.assertEqual([row for row in rows if row.startswith("file")],
                         [f"file: 1.mp3/track000{number}" for number in (1, 2, 3)])
        self.assertEqual([row for row in rows if row.startswith("Range")][:2], ["Range: 0.000-10.000", "Range: 10.000-20.000"])
        # The whole file is one song where it is added, and where all is listed.
        self.assertEqual(self.mpd("listall 1.mp3"), ["file: 1.mp3"])
        self.assertEqual(self.mpd.fields("currentsong")["Chapter"], "Chapter 1")
        self.mpd("clear")
        self.mpd('add "1.mp3/track0003"')
        self.mpd("add 2.mp3")
        self.mpd('addid "1.mp3/track0002" 1')
        self.assertEqual([row for row in self.mpd("playlistinfo") if row.startswith(("file", "Range"))][:4:2],
                         ["file: 1.mp3/track0003", "file: 1.mp3/track0002"])
        with self.assertRaisesRegex(MPD.Refused, "No such"):
            self.mpd('add "1.mp3/track0004"')
        self.mpd("save some")
        self.mpd("play 1")
        self.mpd("seekcur 8")
        status = self.mpd.status()
        self.assertEqual((status["song"], status["duration"]), ("1", "10.000"))
        self.assertAlmostEqual(float(status["elapsed"]), 8, delta=0.3)
        # All that counts time counts from where it begins.
        until(self.transcript, what="the transcript")
        self.assertEqual([line for line in self.mpd("transcript 9") if line.startswith("segment: ")],
                         ["segment: 4 0.000-1.000 Said at 9."] + [f"segment: {5 + n} {2 * n + 1}.000-{2 * n + 3}.000 Said at {11 + 2 * n}." for n in range(5)])
        self.assertIn("file: 1.mp3/track0002", self.mpd("screenstate"))
        # Its end is where the next chapter begins, and there the next song does.
        until(lambda: self.mpd.status()["song"] == "2", 10, "the next song")
        self.assertLess(self.mpd.elapsed(), 1.5)
        self.mpd("play 1")
        self.mpd("pause 1")
        self.kill()
        self.start()
        self.assertEqual(self.mpd.fields("currentsong")["file"], "1.mp3/track0002")
        self.mpd("clear")
        self.mpd("load some")
        self.assertEqual([row for row in self.mpd("playlist")],
                         ["0:file: 1.mp3/track0003", "1:file: 1.mp3/track0002", "2:file: 2.mp3"])

    def test_or_by_file(self):
        self.settings["playing"] = {"next": "file"}
        self.chapters()
        self.mpd("next")
        self.assertEqual(self.mpd.status()["song"], "1")
