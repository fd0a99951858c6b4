# SPDX-License-Identifier: Apache-2.0
"""Formats beside MP3: the sound equals that of each format's own decoder, at every place, gapless, under any file
name."""

import array
import base64
import os
import random
import struct
import subprocess
import tempfile
import time
import unittest

import audio
from build import NIGHTSTAND, compiled
from harness import SpeakerCase, contents, samples, until

PICTURE = b"\xff\xd8\xff\xe0" + bytes(range(256)) * 40
LIBRARIES = ("libFLAC", "libvorbis", "libopus", "libogg")


def run(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, **options).stdout


def aiff(path, data, rate, channels=1):
    """16 bit, big-endian."""
    big = array.array("h", data)
    big.byteswap()
    body = big.tobytes()
    shift = rate.bit_length() - 1
    common = struct.pack(">hIh", channels, len(data) // channels, 16) + struct.pack(">HQ", 16383 + shift, rate << (63 - shift))
    sound = bytes(8) + body
    form = b"AIFF" + b"COMM" + struct.pack(">I", len(common)) + common + b"SSND" + struct.pack(">I", len(sound)) + sound
    with open(path, "wb") as file:
        file.write(b"FORM" + struct.pack(">I", len(form)) + form)
    return path


def flac(path, data, rate, channels=1, *options):
    with tempfile.TemporaryDirectory() as scratch:
        audio.write_wav(scratch + "/a.wav", data, rate, channels)
        run("flac", "-s", "-f", *options, scratch + "/a.wav", "-o", path)
    return path


def vorbis(path, data, rate, channels=1, *options):
    with tempfile.TemporaryDirectory() as scratch:
        audio.write_wav(scratch + "/a.wav", data, rate, channels)
        run("oggenc", "-Q", *options, scratch + "/a.wav", "-o", path)
    return path


def opus(path, data, rate, channels=1, *options):
    with tempfile.TemporaryDirectory() as scratch:
        audio.write_wav(scratch + "/a.wav", data, rate, channels)
        run("opusenc", "--quiet", *options, scratch + "/a.wav", path)
    return path


def wav(path, data, rate, channels=1):
    audio.write_wav(path, data, rate, channels)
    return path


def ogg_flac(path, data, rate, channels=1, *options):
    return flac(path, data, rate, channels, "--ogg", *options)


WRITERS = {"wav": wav, "aiff": aiff, "flac": flac, "oga": ogg_flac, "ogg": vorbis, "opus": opus}


def reference(kind, path, out):
    """(rate, channels, bytes) by the format's own decoder; None where that is the source itself."""
    if kind == "ogg":
        run("oggdec", "-Q", path, "-o", out)
    elif kind == "opus":
        run("opusdec", "--quiet", "--no-dither", "--rate", "48000", path, out)
    elif kind in ("flac", "oga"):
        run("flac", "-s", "-f", "-d", *(["--ogg"] if kind == "oga" else []), path, "-o", out)
    else:
        return None
    return audio.read_wav(out)


class FormatCase(SpeakerCase):
    def add(self, kind, name, seconds, rate=44100, channels=2, *options):
        """Puts noise into the library, and returns the bytes that it is decoded to."""
        path = os.path.join(self.library, name)
        data = audio.noise(seconds, rate, name, channels)
        WRITERS[kind](path, data, rate, channels, *options)
        decoded = reference(kind, path, self.path("reference.wav"))
        return decoded[2] if decoded else data.tobytes()

    def play_to_the_end(self):
        self.start()
        self.mpd("play")
        until(lambda: self.mpd.status()["state"] != "play", 60, "the end of the library")
        time.sleep(0.3)
        self.end()


class Decode(FormatCase):
    def decode(self, path):
        done = subprocess.run([NIGHTSTAND, "decode", path, "-o", self.path("out.wav")], stderr=subprocess.PIPE, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return audio.read_wav(self.path("out.wav"))

    def test_each_is_what_its_own_decoder_gives(self):
        for kind, writer in WRITERS.items():
            for rate, channels in ((44100, 2), (22050, 1), (48000, 2), (16000, 1)):
                with self.subTest(kind=kind, rate=rate, channels=channels):
                    data = audio.noise(2.3, rate, rate, channels)
                    path = writer(self.path("a." + kind), data, rate, channels)
                    expected = reference(kind, path, self.path("reference.wav")) or (rate, channels, data.tobytes())
                    self.assertTrue(self.decode(path) == expected, "differs")

    def test_wrong_names(self):
        data = audio.noise(1, 44100, 5, 2)
        for kind, writer in WRITERS.items():
            for wrong in WRITERS:
                path = writer(self.path("a." + kind), data, 44100, 2)
                right = self.decode(path)
                os.rename(path, self.path("b." + wrong))
                self.assertEqual(self.decode(self.path("b." + wrong)), right)
        audio.lame(self.path("a.mp3"), data, 44100, channels=2)
        right = self.decode(self.path("a.mp3"))
        os.rename(self.path("a.mp3"), self.path("a.flac"))
        self.assertEqual(self.decode(self.path("a.flac")), right)

    def test_hostile_files(self):
        draw = random.Random(4)
        data = audio.noise(1, 22050, 5)
        for kind, writer in WRITERS.items():
            good = contents(writer(self.path("a." + kind), data, 22050, 1))
            for _ in range(25):
                bad = bytearray(good)
                for _ in range(draw.randint(1, 40)):
                    bad[draw.randrange(len(bad) if draw.random() < 0.5 else 200)] = draw.randrange(256)
                with open(self.path("bad"), "wb") as file:
                    file.write(bad[: draw.randrange(len(bad)) if draw.random() < 0.3 else None])
                done = subprocess.run([NIGHTSTAND, "decode", self.path("bad"), "-o", self.path("out.wav")],
                                      stderr=subprocess.PIPE, timeout=20)
                self.assertIn(done.returncode, (0, 1), done.stderr.decode())


class Places(FormatCase):
    """Every place that is gone to sounds as it does when all is decoded from the start."""

    TAKES_LONG = True
    # NIGHTSTAND_PLACES=200 for more.
    PLACES = int(os.environ.get("NIGHTSTAND_PLACES", 60))

    def check(self, kind, rate, channels, *options):
        expected = self.add(kind, "a." + kind, 6, rate, channels, *options)
        path, out = os.path.join(self.library, "a." + kind), self.path("out.wav")
        draw, width = random.Random(kind), 2 * channels
        for _ in range(self.PLACES):
            milliseconds = draw.randrange(5900)
            run(NIGHTSTAND, "decode", path, "--from", str(milliseconds), "-o", out)
            got, want = audio.read_wav(out)[2], expected[milliseconds * rate // 1000 * width :]
            self.assertEqual(len(got), len(want), f"from {milliseconds} ms")
            if kind != "opus":
                self.assertTrue(got == want, f"differs from {milliseconds} ms on")
                continue
            # The decoder began anew a second before: the rest of that error lies 50 dB below the heard signal.
            error = sum((a - b) ** 2 for a, b in zip(samples(got), samples(want)))
            level = sum(a * a for a in samples(want))
            self.assertLess(error, level * 1e-5, f"from {milliseconds} ms on")

    def test_wav(self):
        self.check("wav", 44100, 2)

    def test_aiff(self):
        self.check("aiff", 22050, 1)

    def test_flac(self):
        self.check("flac", 44100, 2)

    def test_flac_without_a_seek_table(self):
        self.check("flac", 44100, 1, "--no-seektable")

    def test_flac_in_ogg(self):
        self.check("oga", 44100, 1)

    def test_vorbis(self):
        self.check("ogg", 44100, 2)

    def test_opus(self):
        self.check("opus", 48000, 2)


class Heard(FormatCase):
    def test_items_follow_each_other_without_a_gap(self):
        for rate, kinds in ((44100, ("wav", "flac", "ogg", "aiff", "oga")), (48000, ("opus", "wav", "opus", "flac"))):
            with self.subTest(rate=rate):
                self.setUp()
                expected = b"".join(self.add(kind, f"{n}.{kind}", 1.5 + n / 7, rate) for n, kind in enumerate(kinds))
                self.play_to_the_end()
                self.assert_heard(self.card.heard(), expected, rate // 100)
                dry = [e.a for e in self.card.entries() if e.kind == "U" and e.a < len(expected) // 4]
                self.assertEqual(dry, [], "underruns at these frames")

    def test_they_follow_mp3_and_go_before_it(self):
        expected = self.add_noise("1.mp3", 2, 22050) + self.add("flac", "2.flac", 2, 22050, 1)
        expected += self.add_noise("3.mp3", 2, 22050) + self.add("ogg", "4.ogg", 2, 22050, 1)
        self.play_to_the_end()
        self.assert_heard(self.card.heard(), expected, 220)

    def test_jumps_land_on_the_frame(self):
        for kind in WRITERS:
            with self.subTest(kind=kind):
                self.setUp()
                self.settings["audio"].update(buffer_ms=400)
                rate = 48000 if kind == "opus" else 44100
                expected = self.add(kind, "a." + kind, 20, rate, 1)
                self.start()
                self.mpd("play")
                self.wait_playing()
                self.mpd("seekcur 12.5")
                until(lambda: self.mpd.elapsed() > 13)
                self.end()
                heard = self.card.heard()
                place = int(12.5 * rate) * 2
                # Behind the fade it is what stands there; Opus within 50 dB, since its decoder began anew.
                fade, stretch = rate // 100 * 2, rate // 2
                found = heard.find(expected[place + fade + 4000 : place + fade + 4256])
                if kind != "opus":
                    self.assertGreaterEqual(found, 0)
                    self.assertEqual(heard[found : found + stretch], expected[place + fade + 4000 :][:stretch])

    def test_a_retagged_file_keeps_its_place(self):
        taggers = {"flac": lambda path: run("metaflac", "--set-tag=TITLE=" + "x" * 5000, path),
                   "ogg": lambda path: run("vorbiscomment", "-w", "-t", "TITLE=" + "x" * 70000, path)}
        for kind, tag in taggers.items():
            with self.subTest(kind=kind):
                self.setUp()
                self.add(kind, "a." + kind, 20, 44100, 1)
                self.start()
                self.mpd("play")
                self.mpd("seekcur 11")
                until(lambda: self.mpd.elapsed() > 11.2)
                self.mpd("pause 1")
                self.end()
                tag(os.path.join(self.library, "a." + kind))
                os.rename(os.path.join(self.library, "a." + kind), os.path.join(self.library, "b." + kind))
                self.start()
                self.assertGreater(self.mpd.elapsed(), 11)
                self.assertEqual(self.mpd.fields("currentsong")["file"], "b." + kind)


class Library(FormatCase):
    def test_tags_pictures_and_chapters(self):
        with open(self.path("cover.jpg"), "wb") as file:
            file.write(PICTURE)
        data = audio.noise(3, 44100, 1)
        block = struct.pack(">II", 3, 10) + b"image/jpeg" + struct.pack(">I", 0) + bytes(16) + struct.pack(">I", len(PICTURE)) + PICTURE
        names = ["TITLE=Title", "ARTIST=One", "ARTIST=Two", "ALBUM=Album", "CHAPTER001=00:00:01.000", "CHAPTER001NAME=Middle", "Mood=calm"]
        flac(self.library + "/a.flac", data, 44100, 1, "--picture=3|image/jpeg||1x1x24|" + self.path("cover.jpg"),
             *(f"--tag={name}" for name in names))
        comments = [part for name in names + ["METADATA_BLOCK_PICTURE=" + base64.b64encode(block).decode()] for part in ("-c", name)]
        vorbis(self.library + "/b.ogg", data, 44100, 1, *comments)
        opus(self.library + "/c.opus", data, 48000, 1, *(part for part in comments if part != "-c" for part in ("--comment", part)))
        self.start()
        for name, rate in (("a.flac", 44100), ("b.ogg", 44100), ("c.opus", 48000)):
            with self.subTest(name=name):
                told = self.mpd(f'find file "{name}"')
                for line in ("Title: Title", "Artist: One", "Artist: Two", "Album: Album", f"Format: {rate}:16:1"):
                    self.assertIn(line, told)
                self.assertAlmostEqual(float(dict(x.split(": ", 1) for x in told)["duration"]), 3 * 44100 / rate, delta=0.001)
                # Each word that stands in the file, as it stands there; but no picture.
                said = self.mpd(f'readcomments "{name}"')
                for comment in names:
                    self.assertIn(comment.replace("=", ": ").upper(), [line.upper() for line in said])
                self.assertFalse([line for line in said if "PICTURE" in line.upper()])
                self.mpd.send(f'readpicture "{name}" 0')
                size = int(self.mpd.file.readline().split()[1])
                self.assertEqual(size, len(PICTURE))
                while (line := self.mpd.file.readline()) != b"OK\n":
                    self.assertTrue(line)
        told = self.mpd("decoders")
        for plugin in ("mpg123", "wav", "flac", "vorbis", "opus", "aiff"):
            self.assertIn(f"plugin: {plugin}", told)

    def test_what_cannot_be_played_is_named_and_passed_over(self):
        with open(self.library + "/1.flac", "wb") as file:
            file.write(bytes.fromhex("3026b2758e66cf11a6d900aa0062ce6c") + bytes(5000))
        self.add("flac", "2.flac", 2, 44100, 1)
        self.start()
        self.mpd("play")
        self.wait_playing()
        self.assertIn("1.flac: is Windows Media audio, which cannot be played", self.log())


class Libraries(FormatCase):
    def mapped(self):
        return [name for name in LIBRARIES if name in contents(f"/proc/{self.process.pid}/maps").decode()]

    def test_none_is_mapped_before_it_is_needed(self):
        # The next item is prepared during playback.
        self.add_noise("1.mp3", 30)
        self.add_noise("2.mp3", 30)
        for kind in ("flac", "ogg", "opus", "wav"):
            self.add(kind, f"3.{kind}", 3, 44100, 1)
        self.start()
        self.mpd("play 0")
        self.wait_playing()
        self.assertEqual(self.mapped(), [])
        place = [line for line in self.mpd("playlist") if line.endswith("3.flac")][0].split(":")[0]
        self.mpd(f"play {place}")
        self.wait_playing()
        self.assertIn("libFLAC", self.mapped())
        needed = run("readelf", "-d", NIGHTSTAND).decode()
        self.assertFalse(any(name in needed for name in LIBRARIES))

    def test_a_missing_one_is_named_once(self):
        for number in range(3):
            self.add("flac", f"{number}.flac", 2, 44100, 1)
        self.add("wav", "9.wav", 5, 44100, 1)
        self.start(env={"LD_PRELOAD": compiled("no-library.c", "no-library.so", "-shared", "-fPIC", "-ldl"),
                        "NO_LIBRARY": "libFLAC"})
        self.mpd("play")
        until(lambda: self.mpd.fields("currentsong").get("file") == "9.wav", 20, "the one that can be played")
        self.wait_playing()
        told = [line for line in self.log().splitlines() if "libFLAC" in line]
        self.assertEqual(len(told), 1, told)
        self.assertIn("package libflac14", told[0])


if __name__ == "__main__":
    unittest.main()
