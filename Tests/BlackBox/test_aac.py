# SPDX-License-Identifier: Apache-2.0
"""AAC in MP4 (M4A, M4B) and ADTS, as the program that ships plays it: beside `faad`, which is libfaad2's own command, and ffmpeg."""

import array
import math
import os
import random
import re
import shutil
import sqlite3
import subprocess
import time
import unittest

import audio
import harness
import mp4
from build import NIGHTSTAND
from harness import contents


def voice(seconds, rate, channels=1, seed=1):
    """Two tones over a little noise: a sound that AAC keeps."""
    chance, samples = random.Random(seed), array.array("h")
    for a, b in zip(audio.sine(seconds, rate, 311, 0.3, channels), audio.sine(seconds, rate, 1237, 0.1, channels)):
        samples.append(a + b + chance.randint(-900, 900))
    return samples


class AACCase(harness.SpeakerCase):
    def wav(self, seconds=8.3217, rate=44100, channels=1, seed=1):
        path = self.path(f"source-{rate}-{channels}-{seed}.wav")
        audio.write_wav(path, voice(seconds, rate, channels, seed), rate, channels)
        return path

    def encode(self, name, wav, *options):
        return mp4.encode(os.path.join(self.library, name), wav, *options)

    def stream(self, *arguments, **named):
        return mp4.Stream(mp4.encode(self.path("units.aac"), self.wav(*arguments, **named)))

    def decode(self, path):
        """(rate, channels, samples) of `nightstand decode`."""
        out = self.path("out.wav")
        done = subprocess.run([NIGHTSTAND, "decode", path, "-o", out], stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return audio.read_wav(out)

    def refused(self, path):
        done = subprocess.run([NIGHTSTAND, "decode", path, "-o", self.path("out.wav")], stderr=subprocess.PIPE, timeout=60)
        self.assertNotEqual(done.returncode, 0)
        return done.stderr.decode()

    def faad(self, path):
        out = self.path("faad.wav")
        subprocess.run(["faad", "-q", "-o", out, path], check=True, stderr=subprocess.DEVNULL)
        return audio.read_wav(out)

    def ffmpeg(self, path):
        return subprocess.run(["ffmpeg", "-v", "error", "-i", path, "-f", "s16le", "-"], check=True, stdout=subprocess.PIPE).stdout


class Decoding(AACCase):
    def test_samples_are_faads_and_as_many_as_the_source_has(self):
        for rate, channels in ((44100, 1), (44100, 2), (22050, 1), (48000, 2), (32000, 1)):
            wav = self.wav(rate=rate, channels=channels)
            frames = len(audio.read_wav(wav)[2]) // 2 // channels
            for name in ("a.m4a", "a.m4b"):
                with self.subTest(rate=rate, channels=channels, name=name):
                    path = self.encode(name, wav)
                    got = self.decode(path)
                    self.assertEqual(got[:2], (rate, channels))
                    self.assertEqual(len(got[2]), frames * 2 * channels)
                    ours = array.array("h", got[2])
                    theirs = array.array("h", self.faad(path)[2])
                    if channels == 1:
                        theirs = theirs[::2]
                    self.assertTrue(ours == theirs[:len(ours)], "not what faad gives")
                    other = array.array("h", self.ffmpeg(path))
                    self.assertLessEqual(max(abs(a - b) for a, b in zip(ours, other)), 1)

    def test_adts(self):
        wav = self.wav(channels=2)
        path = self.encode("a.aac", wav)
        got = self.decode(path)
        self.assertEqual(got[:2], (44100, 2))
        self.assertTrue(got[2] == self.faad(path)[2][:len(got[2])])
        # With tags in front, under another name, and with a damaged stretch: the rest keeps its place.
        data = bytearray(contents(path))
        tagged = self.path("tagged.mp3")
        with open(tagged, "wb") as file:
            file.write(audio.id3v2([("TIT2", audio.text(3, "x"))]) + data)
        self.assertEqual(self.decode(tagged), got)
        middle = len(data) // 2
        for i in range(middle, middle + 40):
            data[i] ^= 0x55
        with open(path, "wb") as file:
            file.write(data)
        damaged = self.decode(path)[2]
        self.assertLess(abs(len(damaged) - len(got[2])), 4 * 1024 * 4)

    def test_files_of_another_layout_are_the_same(self):
        stream = self.stream()
        path = self.path("a.m4b")
        # The last unit is not full.
        samples = (len(stream.units) - 1) * mp4.SAMPLES - 700
        heard = mp4.write(path, stream, samples=samples)
        wanted = self.decode(path)
        self.assertEqual(len(wanted[2]), heard * 2)
        for options in (dict(moov_first=True), dict(wide=True), dict(chunk=1), dict(chunk=5000), dict(movie_timescale=1000),
                        dict(smpb=True), dict(between=mp4.box("free", bytes(5000))), dict(chapters=[(0, "x"), (900, "y")])):
            with self.subTest(options=options):
                mp4.write(path, stream, samples=samples, **options)
                self.assertEqual(self.decode(path), wanted)
        # A cut file: its whole units.
        mp4.write(path, stream, samples=samples, moov_first=True)
        data = contents(path)
        with open(path, "wb") as file:
            file.write(data[:len(data) * 2 // 3])
        part = self.decode(path)[2]
        self.assertGreater(len(part), len(wanted[2]) // 2)
        self.assertTrue(part == wanted[2][:len(part)])

    def test_fragments(self):
        """A recording in pieces, or cut into pieces for a network, sounds like the same sound in one piece."""
        for rate, channels in ((44100, 1), (48000, 2)):
            wav = self.wav(rate=rate, channels=channels)
            whole = self.decode(mp4.encode(self.path("whole.m4a"), wav))
            path = self.path("a.m4a")
            for flags, pieces in (("frag_keyframe+empty_moov", ("-frag_duration", "700000")), ("frag_keyframe+empty_moov", ()),
                                  ("frag_every_frame+empty_moov+default_base_moof", ()),
                                  ("empty_moov+delay_moov", ("-frag_duration", "2000000")), ("dash+delay_moov", ("-frag_duration", "1000000")),
                                  ("cmaf+delay_moov", ("-frag_duration", "1000000"))):
                with self.subTest(rate=rate, flags=flags, pieces=pieces):
                    mp4.encode(path, wav, "-b:a", "64k", *pieces, "-movflags", flags)
                    self.assertIn(b"moof", contents(path))
                    got = self.decode(path)
                    self.assertEqual(got[:2], whole[:2])
                    # Nothing tells of what the encoder put behind, and not always of what it put before.
                    place = got[2].find(whole[2][4096:16384])
                    self.assertIn(place - 4096, (0, 1024 * 2 * channels) if "delay_moov" not in flags else (0,))
                    lead = place - 4096
                    self.assertTrue(got[2][lead:][:len(whole[2])] == whole[2])
                    self.assertLess(len(got[2]) - lead - len(whole[2]), 3 * 1024 * 2 * channels)

    def test_what_cannot_be_played_is_named(self):
        stream = self.stream(seconds=1)
        path = self.path("a.m4b")
        for kind, words in ((b"drms", r"encrypted \(FairPlay\)"), (b"aavd", r"encrypted \(Audible\)"), (b"enca", "encrypted"),
                            (b"alac", "ALAC"), (b"ac-3", "AC-3")):
            mp4.write(path, stream, entry=mp4.sample_entry(stream, kind))
            self.assertRegex(self.refused(path), f"a.m4b: is {words}, which cannot be played")
        mp4.write(path, stream, entry=mp4.sample_entry(stream, extra=mp4.box("sinf", bytes(20))))
        self.decode(path)
        with open(path, "wb") as file:
            file.write(mp4.box("ftyp", b"M4B ") + bytes(100))
        self.assertRegex(self.refused(path), "no audio found")


def syllables():
    """The source of HE-AAC in Tests/Recordings: twelve seconds at 44.1 kHz of bursts of a tone that differs, some of
    which only the
    upper band has, in silence. fdkaac, which Debian does not have in its main part, made HE-AAC of them:
    `fdkaac -p 5 -b 32000 -o he-aac.m4a`, and with parametric stereo `fdkaac -p 29 -b 24000 -o he-aac-v2.m4a`. Returns the frames
    and where the middles of the bursts are."""
    rate, length = 44100, 2205
    frames, middles = array.array("h", bytes(4 * 12 * rate)), []
    for number in range(40):
        begin = 5000 + 13000 * number + number * number % 7 * 331
        hertz = 8500 if number % 5 == 4 else 500 + 410 * (number % 8)
        for i in range(length):
            level = 9000 * (1 - math.cos(2 * math.pi * i / length)) / 2 * math.sin(2 * math.pi * hertz * i / rate)
            frames[2 * (begin + i)], frames[2 * (begin + i) + 1] = int(level), int(level * (1 if number % 3 else 0.4))
        middles.append(begin + length // 2)
    return frames, middles


class TwoBands(AACCase):
    """HE-AAC: the lower half is AAC, the upper is made of that, at double the rate; with parametric stereo two channels are made of one."""
    NAMES = ("he-aac", "he-aac-v2")

    def recording(self, name):
        return os.path.join(os.path.dirname(__file__), "..", "Recordings", name + ".m4a")

    def test_nothing_is_too_late_or_too_early_or_lost(self):
        frames, middles = syllables()
        for name in self.NAMES:
            with self.subTest(name=name):
                rate, channels, data = self.decode(self.recording(name))
                self.assertEqual((rate, channels, len(data)), (44100, 2, len(frames) * 2))
                samples = array.array("h", data)
                theirs = array.array("h", self.faad(self.recording(name))[2])
                # In front it has what the encoder put there.
                begin = theirs.tobytes().index(samples.tobytes()[40_000:60_000]) - 40_000
                self.assertTrue(theirs[begin // 2:begin // 2 + len(samples)] == samples, "not what faad gives")
                for number, middle in enumerate(middles):
                    power = [samples[2 * i] ** 2 for i in range(middle - 3000, middle + 3000)]
                    self.assertGreater(sum(power), 1e9)
                    found = sum(i * each for i, each in enumerate(power)) / sum(power) - 3000
                    # A coarser grid makes the frequencies of the upper band.
                    self.assertLess(abs(found), 400 if number % 5 == 4 else 60, f"the burst at {middle / rate:.2f} s, by frames")

    def test_where_the_stream_alone_tells(self):
        """In ADTS nothing announces the upper band; the decoder finds it."""
        for name in self.NAMES:
            with self.subTest(name=name):
                path = self.path(name + ".aac")
                subprocess.run(["ffmpeg", "-v", "error", "-i", self.recording(name), "-c:a", "copy", path], check=True)
                got = self.decode(path)
                self.assertEqual(got[:2], (44100, 2))
                self.assertTrue(got == self.faad(path)[:3], "not what faad gives")

    def test_what_is_told_of_it(self):
        for name in self.NAMES:
            shutil.copy(self.recording(name), self.library)
        self.start()
        for name in self.NAMES:
            song = self.mpd.fields(f'lsinfo "{name}.m4a"')
            self.assertEqual((song["Format"], song["duration"]), ("44100:16:2", "12.000"))


class Playing(AACCase):
    def test_what_is_heard_behind_a_seek_is_what_stands_there(self):
        chance = random.Random(5)
        names = ("a.m4b", "b.aac", "c.m4a")
        pieces = ("-b:a", "64k", "-frag_duration", "1000000", "-movflags", "empty_moov+delay_moov")
        for name in names:
            self.encode(name, self.wav(seconds=40, rate=22050), *(pieces if name == "c.m4a" else ()))
        self.settings["audio"].update(buffer_ms=200)
        self.start()
        for name in names:
            whole = self.decode(os.path.join(self.library, name))[2]
            self.mpd("clear")
            self.mpd(f'add "{name}"')
            self.mpd("play 0")
            self.wait_playing()
            for _ in range(10):
                milliseconds = chance.randrange(39_000)
                before = len(self.card.entries())
                self.mpd(f"seekcur {milliseconds / 1000:.3f}")
                wanted = milliseconds * 22050 // 1000 * 2 + 1000

                def heard():
                    return b"".join(entry.data for entry in self.card.entries()[before:] if entry.kind == "A")
                harness.until(lambda: whole[wanted:wanted + 400] in heard(), 5, f"{name} from {milliseconds} ms on")

    def test_chapters_tags_and_cover(self):
        stream = self.stream(seconds=12)
        chapters = [(0, "Erstes"), (3000, "Zwei ä"), (7000, "Drei")]
        cover = b"\xff\xd8\xff\xe0" + bytes(range(256)) * 40
        for kinds in (("chpl",), ("text",), ("chpl", "text")):
            name = "-".join(kinds) + ".m4b"
            mp4.write(os.path.join(self.library, name), stream, chapters=chapters, kinds=kinds, cover=cover, tags=[
                ("\xa9nam", "Title " + name), ("\xa9ART", "Author"), ("\xa9alb", "Book " + name), ("\xa9nrt", "Reader"),
                ("SERIES", "Cycle"), ("trkn", b"\0\0\0\3\0\x0c\0\0")])
        self.start()
        for kinds in ("chpl", "text", "chpl-text"):
            name = kinds + ".m4b"
            song = self.mpd.fields(f'find file "{name}"')
            self.assertEqual((song["Title"], song["Artist"], song["Track"], song["Format"]),
                             ("Title " + name, "Author", "3", "44100:16:1"))
            self.assertAlmostEqual(float(song["duration"]), 12, delta=0.05)
            self.assertIn(f"size: {len(cover)}", self.mpd(f'readpicture "{name}" 0'))
            self.assertEqual([line[9:] for line in self.mpd(f'book "{name}"') if line.startswith("chapter: ")],
                             [title for _, title in chapters])
            self.mpd("clear")
            self.mpd(f'add "{name}"')
            self.mpd("play 0")
            for step, place in ("next", 3), ("next", 7), ("previous", 3), ("previous", 0):
                self.mpd(step)
                self.assertAlmostEqual(self.mpd.elapsed(), place, delta=0.5)

    def test_a_book_that_is_retagged_keeps_its_place(self):
        stream = self.stream(seconds=30)
        path = os.path.join(self.library, "book.m4b")
        for moov_first in (True, False):
            mp4.write(path, stream, repeat=40, moov_first=moov_first, tags=[("\xa9nam", f"Before {moov_first}")])
            self.start()
            self.mpd("clear")
            self.mpd('add "book.m4b"')
            self.mpd("play 0")
            self.mpd("seekcur 900")
            harness.until(lambda: self.mpd.elapsed() > 900, what="the place")
            self.mpd("pause 1")
            self.mpd("stop")
            self.end()
            mp4.write(path, stream, repeat=40, moov_first=moov_first, cover=b"\xff\xd8\xff" + bytes(70000),
                      tags=[("\xa9nam", "After " * 50), ("SERIES", "Cycle")])
            self.start()
            self.mpd("clear")
            self.mpd('add "book.m4b"')
            self.mpd("play 0")
            harness.until(lambda: 895 < self.mpd.elapsed() < 915, what="the place after it was retagged")
            self.end()

    def test_what_cannot_be_played_is_named_once_and_the_queue_goes_on(self):
        stream = self.stream(seconds=3)
        mp4.write(os.path.join(self.library, "a.m4b"), stream, entry=mp4.sample_entry(stream, b"drms"))
        # The content counts, under any name.
        mp4.write(os.path.join(self.library, "b.mp3"), stream)
        shutil.copy(self.encode("c.aac", self.wav(seconds=3)), os.path.join(self.library, "c.m4b"))
        os.remove(os.path.join(self.library, "c.aac"))
        self.start()
        self.assertEqual(len(re.findall(r"a\.m4b: is encrypted \(FairPlay\), which cannot be played", self.log())), 1)
        self.assertEqual(self.mpd.fields("stats")["songs"], "2")
        self.mpd("clear")
        self.mpd('add "b.mp3"')
        self.mpd('add "c.m4b"')
        self.mpd("play 0")
        harness.until(lambda: self.mpd.status().get("song") == "1" and self.mpd.elapsed() > 1, 20, "the second")

    def test_without_the_library_its_package_is_named_once_and_the_queue_goes_on(self):
        stream = self.stream(seconds=3)
        for name in ("a.m4b", "b.m4b"):
            mp4.write(os.path.join(self.library, name), stream, tags=[("\xa9nam", name)])
        self.add_noise("c.mp3", 5)
        # The first file found is no library.
        broken = self.path("lib")
        os.mkdir(broken)
        open(os.path.join(broken, "libfaad.so.2"), "w").close()
        self.start(env={"LD_LIBRARY_PATH": broken})
        self.assertEqual(self.mpd.fields("stats")["songs"], "3")
        self.mpd("clear")
        for name in ("a.m4b", "b.m4b", "c.mp3"):
            self.mpd(f'add "{name}"')
        # From the front, without a choice by hand: such a choice would start nothing else.
        self.mpd("play")
        harness.until(lambda: self.mpd.status().get("song") == "2" and self.mpd.elapsed() > 0.5, 20, "the MP3")
        self.assertEqual(len(re.findall(r"libfaad is not installed \(package libfaad2\)", self.log())), 1)

    def test_ten_hours_are_resumed_near_their_end(self):
        stream = self.stream(seconds=30, rate=44100)
        path = os.path.join(self.library, "ten.m4b")
        mp4.write(path, stream, repeat=36000 // 30 + 1, chapters=[(minute * 60000, f"Chapter {minute}") for minute in range(600)])
        self.start()
        self.mpd("clear")
        self.mpd('add "ten.m4b"')
        self.mpd("play 0")
        self.mpd("seekcur 35940")
        harness.until(lambda: self.mpd.elapsed() > 35940.5, 30, "the place")
        self.mpd("pause 1")
        self.end()
        # As if it had been found out elsewhere: nothing is known of where its units lie.
        database = sqlite3.connect(os.path.join(self.settings["state"]["path"], "nightstand.db"))
        with database:
            self.assertEqual(database.execute("DELETE FROM seekTable").rowcount, 1)
        database.close()
        read = []
        for _ in range(2):
            self.start()
            self.mpd("play")
            harness.until(lambda: self.mpd.elapsed() > 35938, 30, "the place")
            time.sleep(1)
            read.append(self.bytes_read())
            self.mpd("pause 1")
            self.end()
        self.assertLess(read[0], 7_000_000)
        self.assertLess(read[1], 1_000_000)

    def bytes_read(self):
        with open(f"/proc/{self.process.pid}/io") as file:
            return int(re.search(r"rchar: (\d+)", file.read()).group(1))


if __name__ == "__main__":
    unittest.main()
