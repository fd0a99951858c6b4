# SPDX-License-Identifier: Apache-2.0
"""`nightstand decode` gives the 16-bit samples of libmpg123, bit for bit, for any file."""

import os
import random
import subprocess
import tempfile
import unittest

import audio
from build import NIGHTSTAND, TOP, reference_decoder
from harness import contents


def reference(path, out):
    """(rate, channels, bytes), or None for a file in which libmpg123 finds no audio."""
    done = subprocess.run([reference_decoder(), path, out], stdout=subprocess.PIPE)
    if not done.stdout:
        return None
    rate, channels = map(int, done.stdout.split())
    return rate, channels, contents(out)


class Decode(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def decode(self, path):
        done = subprocess.run([NIGHTSTAND, "decode", path, "-o", self.path("out.wav")], stderr=subprocess.PIPE, timeout=60)
        return done.returncode, done.stderr.decode()

    def check(self, path, least_bytes=1000):
        expected = reference(path, self.path("out.raw"))
        self.assertIsNotNone(expected, "libmpg123 itself finds nothing in this test's file")
        self.assertGreaterEqual(len(expected[2]), least_bytes)
        code, message = self.decode(path)
        self.assertEqual(code, 0, message)
        rate, channels, samples = audio.read_wav(self.path("out.wav"))
        self.assertEqual((rate, channels), expected[:2])
        self.assertEqual(len(samples), len(expected[2]))
        self.assertTrue(samples == expected[2], "samples differ")
        return samples


class Layers(Decode):
    def test_layer_three_at_every_rate(self):
        for rate in audio.RATES:
            for channels, mode in ((1, "m"), (2, "s"), (2, "j")):
                with self.subTest(rate=rate, mode=mode):
                    path = audio.lame(self.path("a.mp3"), audio.noise(0.7, rate, rate, channels), rate,
                                      "-m", mode, "-b", "32", "--resample", str(rate / 1000), channels=channels)
                    self.check(path)

    def test_layer_three_modes(self):
        samples = audio.noise(2, 44100, 3, 2)
        for options in (["--cbr", "-b", "128"], ["-V", "4"], ["-V", "9.5"], ["--abr", "96"], ["--freeformat", "-b", "180"],
                        ["-b", "320"], ["-V", "4", "-t"], ["-p", "-b", "64"], ["--nores", "-b", "96"], ["-b", "64", "-m", "d"]):
            with self.subTest(options=options):
                self.check(audio.lame(self.path("a.mp3"), samples, 44100, *options, channels=2))

    def test_layer_two(self):
        for rate in (32000, 44100, 48000, 16000, 22050, 24000):
            for channels, mode in ((1, "mono"), (2, "stereo"), (2, "joint"), (2, "dual")):
                with self.subTest(rate=rate, mode=mode):
                    path = audio.twolame(self.path("a.mp2"), audio.noise(0.7, rate, rate, channels), rate,
                                         "-b", "64" if channels == 1 else "128", "-m", mode, channels=channels)
                    self.check(path)

    def test_layer_two_variable(self):
        path = audio.twolame(self.path("a.mp2"), audio.noise(1, 44100, 3, 2), 44100, "-v", "-V", "0", channels=2)
        self.check(path)

    def test_layer_one(self):
        for rate in (32000, 44100, 48000, 16000, 22050, 24000):
            for mode in (0, 1, 2, 3):
                with self.subTest(rate=rate, mode=mode):
                    self.check(audio.layer_one(self.path("a.mp1"), 60, rate, mode, seed=rate + mode))

    def test_layer_one_free_format(self):
        for mode in (0, 3):
            with self.subTest(mode=mode):
                self.check(audio.layer_one(self.path("a.mp1"), 60, 44100, mode, free_bytes=340))


class Gapless(Decode):
    def test_delay_and_padding_are_taken_off(self):
        for rate, count in ((44100, 44100), (22050, 12345), (16000, 1), (48000, 100_000)):
            with self.subTest(rate=rate, count=count):
                samples = audio.noise(count / rate + 0.01, rate)[:count]
                decoded = self.check(audio.lame(self.path("a.mp3"), samples, rate, "-b", "64", "--resample", str(rate / 1000)), 1)
                self.assertEqual(len(decoded), 2 * count)


class Tags(Decode):
    def setUp(self):
        super().setUp()
        self.plain = contents(audio.lame(self.path("plain.mp3"), audio.noise(1, 22050), 22050, "-b", "40"))

    def check_bytes(self, data):
        with open(self.path("a.mp3"), "wb") as file:
            file.write(data)
        return self.check(self.path("a.mp3"))

    def test_tags_are_no_sound(self):
        plain = self.check_bytes(self.plain)
        picture = b"\0image/png\0\3\0" + random.Random(1).randbytes(70_000)  # holds sync words
        for encoding in range(4):
            tag = audio.id3v2([("TIT2", audio.text(encoding, "Night")), ("APIC", picture)])
            self.assertEqual(self.check_bytes(tag + self.plain), plain)
        self.assertEqual(self.check_bytes(self.plain + audio.id3v1(b"Night")), plain)

    def test_versions(self):
        for version in (3, 4):
            self.check_bytes(audio.id3v2([("TIT2", audio.text(1, "Nacht"))], version) + self.plain)

    def test_padded_tag(self):
        tag = bytearray(audio.id3v2([("TIT2", audio.text(3, "Nacht"))]) + bytes(5000))
        tag[6:10] = bytes(((len(tag) - 10) >> shift) & 0x7F for shift in (21, 14, 7, 0))
        self.check_bytes(bytes(tag) + self.plain)

    def test_cover_of_a_megabyte(self):
        self.check_bytes(audio.id3v2([("APIC", b"\0image/png\0\3\0" + random.Random(2).randbytes(1_000_000))]) + self.plain)


class Damage(Decode):
    def setUp(self):
        super().setUp()
        samples = audio.noise(2, 32000, 4, 2)
        self.files = [
            contents(audio.lame(self.path("v.mp3"), samples, 32000, "-V", "5", channels=2)),
            contents(audio.lame(self.path("c.mp3"), samples, 32000, "-b", "64", "-t", channels=2)),
            contents(audio.layer_one(self.path("1.mp1"), 200, 32000, 0)),
        ]

    def compare(self, data, may_be_refused=False):
        """Bit-identical where libmpg123 finds audio; else an error message and exit code 1, never a crash."""
        path = self.path("a.mp3")
        with open(path, "wb") as file:
            file.write(data)
        expected = reference(path, self.path("out.raw"))
        code, message = self.decode(path)
        if expected is None or not expected[2] or (may_be_refused and code):
            self.assertIn(code, (0, 1), message)
            if code:
                self.assertRegex(message, r"^nightstand: .*a\.mp3: .+\n$")
        else:
            self.assertEqual(code, 0, message)
            rate, channels, samples = audio.read_wav(self.path("out.wav"))
            self.assertEqual((rate, channels), expected[:2])
            self.assertEqual(len(samples), len(expected[2]))
            self.assertTrue(samples == expected[2], "samples differ")

    def test_truncated_anywhere(self):
        draw = random.Random(5)
        for kind, whole in enumerate(self.files):
            for length in [0, 1, 3, 4, 200, 417] + [draw.randrange(len(whole)) for _ in range(25)]:
                with self.subTest(kind=kind, length=length):
                    # One frame alone is not believed.
                    self.compare(whole[:length], may_be_refused=length < self.headers(whole)[1] + 4)

    def test_head_is_missing(self):
        draw = random.Random(6)
        for kind, whole in enumerate(self.files):
            for start in [draw.randrange(len(whole) // 2) for _ in range(15)]:
                with self.subTest(kind=kind, start=start):
                    self.compare(whole[start:])

    def test_garbage_between(self):
        draw = random.Random(7)
        for kind, whole in enumerate(self.files):
            for length in (1, 10, 500, 3000, 40_000):
                with self.subTest(kind=kind, length=length):
                    rubbish = bytes(b & 0x7F for b in draw.randbytes(length))  # no sync word
                    at = draw.choice([at for at in self.headers(whole) if 1000 < at < len(whole) - 1000])
                    self.compare(whole[:at] + rubbish + whole[at:])
                    at = draw.randrange(1000, len(whole) - 1000)
                    self.roughly(whole[:at] + rubbish + whole[at:], whole)
                    self.compare(rubbish + whole)
                    self.compare(whole + rubbish)

    def headers(self, whole):
        """Offsets of the frames' headers in a file without damage and tags."""
        rates = {value: rate for rate, value in audio.RATES.items()}
        found, at = [], 0
        while at + 4 <= len(whole):
            version, layer = whole[at + 1] >> 3 & 3, 4 - (whole[at + 1] >> 1 & 3)
            rate, padding = rates[version, whole[at + 2] >> 2 & 3], whole[at + 2] >> 1 & 1
            kbit = audio.BITRATES[version == 3, layer if version == 3 else min(layer, 2)][(whole[at + 2] >> 4) - 1]
            found.append(at)
            if layer == 1:
                at += (12 * kbit * 1000 // rate + padding) * 4
            else:
                at += (144 if layer == 2 or version == 3 else 72) * kbit * 1000 // rate + padding
        return found

    def roughly(self, data, whole):
        """All but some frames of the whole, in its format."""
        with open(self.path("a.mp3"), "wb") as file:
            file.write(whole)
        everything = self.check(self.path("a.mp3"))
        rate, channels, _ = audio.read_wav(self.path("out.wav"))
        with open(self.path("a.mp3"), "wb") as file:
            file.write(data)
        code, message = self.decode(self.path("a.mp3"))
        self.assertEqual(code, 0, message)
        damaged = audio.read_wav(self.path("out.wav"))
        self.assertEqual(damaged[:2], (rate, channels))
        self.assertLessEqual(len(damaged[2]), len(everything) + 3 * 4608)
        self.assertGreater(len(damaged[2]), len(everything) * 3 // 4)

    def flipped(self, whole, draw, allowed):
        data = bytearray(whole)
        for _ in range(draw.choice((1, 10, 100))):
            at = draw.randrange(len(data))
            if allowed(at):
                data[at] ^= 1 << draw.randrange(8)
        return bytes(data)

    def test_flipped_bits(self):
        """Within frames, it is what libmpg123 makes of it."""
        draw = random.Random(8)
        for kind, whole in enumerate(self.files):
            headers = {at + i for at in self.headers(whole) for i in range(4)}
            self.assertGreater(len(headers), 200)
            for round in range(40):
                with self.subTest(kind=kind, round=round):
                    self.compare(self.flipped(whole, draw, lambda at: at not in headers))

    def test_flipped_bits_of_headers(self):
        """The decoder does not believe in everything that libmpg123 itself takes for frames."""
        draw = random.Random(9)
        for kind, whole in enumerate(self.files):
            for round in range(30):
                with self.subTest(kind=kind, round=round):
                    self.roughly(self.flipped(whole, draw, lambda at: True), whole)

    def test_no_audio_at_all(self):
        draw = random.Random(9)
        for name, data in {"empty": b"", "text": b"Once upon a time. " * 1000, "zeros": bytes(100_000),
                           "random": draw.randbytes(100_000), "tag": audio.id3v2([("TIT2", audio.text(3, "x"))])}.items():
            with self.subTest(name):
                self.compare(data)


class OtherFormats(Decode):
    """A file with only the name of MPEG audio plays as its content, or is refused, and nothing of it is heard."""

    def refused(self, data):
        path = self.path("a.mp3")
        with open(path, "wb") as file:
            file.write(data)
        code, message = self.decode(path)
        self.assertEqual(code, 1)
        self.assertRegex(message, r"^nightstand: .*a\.mp3: no audio found in it\n$")

    def pcm(self):
        with open(self.path("speech.wav"), "rb") as file:
            return file.read()

    def setUp(self):
        super().setUp()
        story = os.path.join(TOP, "board", "media", sorted(os.listdir(os.path.join(TOP, "board", "media")))[0])
        code = subprocess.run([NIGHTSTAND, "decode", story, "-o", self.path("speech.wav")], timeout=60).returncode
        self.assertEqual(code, 0)

    def test_wave(self):
        path = self.path("a.mp3")
        with open(path, "wb") as file:
            file.write(self.pcm())
        self.assertEqual(self.decode(path), (0, ""))
        self.assertEqual(contents(self.path("out.wav")), self.pcm())

    def test_samples_without_a_header(self):
        self.refused(self.pcm()[44:])

    def test_aiff(self):
        samples = bytearray(self.pcm()[44:])
        samples[0::2], samples[1::2] = samples[1::2], samples[0::2]
        self.refused(b"FORM" + (len(samples) + 46).to_bytes(4, "big") + b"AIFFCOMM" + bytes(30) + samples)
        self.refused(bytes(samples))

    def test_programs(self):
        program = contents(NIGHTSTAND)
        self.refused(program)
        self.refused(b"nightstand".ljust(512, b"\0") + program)

    def test_aac(self):
        draw = random.Random(10)
        frames = []
        for _ in range(3000):
            size = draw.randrange(200, 400)
            head = bytes((0xFF, 0xF1, 0x50, 0x80 | size >> 11, size >> 3 & 255, (size & 7) << 5 | 0x1F, 0xFC))
            frames.append(head + draw.randbytes(size - 7))
        self.refused(b"".join(frames))


class CommandLine(Decode):
    def run_it(self, *arguments):
        done = subprocess.run([NIGHTSTAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=20, text=True)
        return done.returncode, done.stdout, done.stderr

    def test_to_nowhere(self):
        path = audio.lame(self.path("a.mp3"), audio.noise(0.5, 22050), 22050, "-b", "40")
        self.assertEqual(self.run_it("decode", path), (0, "", ""))

    def test_missing_file(self):
        code, out, error = self.run_it("decode", self.path("none.mp3"))
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(error, r"^nightstand: .*none\.mp3: No such file or directory\n$")

    def test_output_that_cannot_be_written(self):
        path = audio.lame(self.path("a.mp3"), audio.noise(0.5, 22050), 22050, "-b", "40")
        code, _, error = self.run_it("decode", path, "-o", "/nowhere/out.wav")
        self.assertEqual(code, 1)
        self.assertRegex(error, r"^nightstand: .*/nowhere/out\.wav.*No such file or directory\n$")
        code, _, error = self.run_it("decode", path, "-o", "/dev/full")
        self.assertEqual(code, 1)
        self.assertRegex(error, r"^nightstand: .*/dev/full.*No space left on device\n$")

    def test_output_that_is_the_input(self):
        path = audio.lame(self.path("a.mp3"), audio.noise(0.5, 22050), 22050, "-b", "40")
        os.link(path, self.path("b.mp3"))
        before = contents(path)
        for output in (path, self.path("b.mp3")):
            code, _, error = self.run_it("decode", path, "-o", output)
            self.assertEqual(code, 1)
            self.assertRegex(error, r"^nightstand: write .*: is the file to be decoded\n$")
            self.assertTrue(contents(path) == before)

    def test_usage_errors_are_exit_code_2(self):
        for arguments in (["decode"], ["decode", "a", "b"], ["decode", "-x", "a"], ["decode", "a", "-o"], ["frobnicate"],
                          ["--frobnicate"], ["play", "--frobnicate"], ["--config"]):
            with self.subTest(arguments=arguments):
                code, out, error = self.run_it(*arguments)
                self.assertEqual((code, out), (2, ""))
                self.assertRegex(error, r"^(\S*/)?nightstand: ")

    def test_help_and_version(self):
        code, out, error = self.run_it("--help")
        self.assertEqual((code, error), (0, ""))
        for word in ("--config", "play", "decode", "console", "--version"):
            self.assertIn(word, out)
        code, out, error = self.run_it("--version")
        self.assertEqual((code, error), (0, ""))
        self.assertRegex(out, r"^nightstand \d+\.\d+")


class SampleLibrary(Decode):
    def test_the_story(self):
        folder = os.path.join(TOP, "board", "media")
        items = sorted(name for name in os.listdir(folder) if name.endswith(".mp3"))
        self.assertEqual(len(items), 3)
        for name in items:
            with self.subTest(name):
                samples = self.check(os.path.join(folder, name))
                self.assertGreater(len(samples), 2 * 22050 * 40)


del Decode  # a base, without tests of its own

if __name__ == "__main__":
    unittest.main()
