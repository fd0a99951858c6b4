# SPDX-License-Identifier: Apache-2.0
"""The program for 32-bit ARM boards, that of board/build armhf: hard-float calls, and numbers that no longer fit an Int there
(nanoseconds, samples of a long book, bytes of a large file). An emulated processor runs it with the release's own libraries.

Left out, and saying so, where board/build armhf has not been run."""

import itertools
import os
import shutil
import struct
import subprocess
import unittest

import audio
import test_aarch64 as arm64
from build import NIGHTSTAND, TOP, compiled, paced_card
from harness import SpeakerCase, contents, until

QEMU = shutil.which("qemu-arm") or shutil.which("qemu-arm-static")
HARD_FLOAT = 0x400
MEBIBYTE = 1 << 20


class Release(arm64.Release):
    def __init__(self, os_name, gpiod, glibc):
        super().__init__(os_name, gpiod, glibc)
        self.name = f"armhf-{os_name}"
        self.sysroot = os.path.join(TOP, ".build", "sysroot", self.name)
        self.libraries = os.path.join(self.sysroot, "usr/lib/arm-linux-gnueabihf")
        self.nightstand = os.path.join(TOP, ".build", "board", self.name, "nightstand")

    def command(self, program):
        return [QEMU, "-L", self.sysroot, "-E", "LD_BIND_NOW=1", program]

    def compiler(self):
        prefix, (clang, _, *rest) = super().compiler().values()
        widths = ["-D_FILE_OFFSET_BITS=64"] + (["-D_TIME_BITS=64"] if self.gpiod == "libgpiod.so.3" else [])
        return {"prefix": prefix, "compiler": (clang, "--target=armv7-linux-gnueabihf", *widths, *rest)}


BOOKWORM, TRIXIE = Release("bookworm", "libgpiod.so.2", (2, 36)), Release("trixie", "libgpiod.so.3", (2, 41))
RELEASES = [release for release in (BOOKWORM, TRIXIE) if os.path.exists(release.nightstand)]
built = unittest.skipUnless(RELEASES, "board/build armhf --os all has not been run")


@built
class Binary(unittest.TestCase):
    NEEDS_SHIPPED = TAKES_LONG = True

    def test_is_a_hard_float_program_of_32_bits(self):
        for release in RELEASES:
            with self.subTest(release=release.name):
                data = contents(release.nightstand)
                print(f"{release.name}: {len(data)} bytes")
                self.assertEqual(data[:6], b"\x7fELF\x01\x01")
                kind, machine = struct.unpack_from("<HH", data, 16)
                self.assertEqual((kind, machine), (3, 40))
                # Set by the linker where all parts, Swift's too, pass numbers with a point in registers of their own.
                self.assertEqual(struct.unpack_from("<I", data, 36)[0] & HARD_FLOAT, HARD_FLOAT)
                self.assertIn(b"/lib/ld-linux-armhf.so.3\0", data)
                self.assertIn(release.gpiod.encode() + b"\0", data)
                # Thumb-2, which is smaller than plain ARM code. Talking books and the
                # alignment of texts took 60 KB each, the panel by three buttons and podcasts in order 20, skipped parts of talking
                # books and small wishes 25, the bridge to MQTT 18.
                self.assertLessEqual(len(data), 3150 * 1024)

    def test_files_and_times_are_as_wide_as_the_releases(self):
        for release in RELEASES:
            with self.subTest(release=release.name):
                data = contents(release.nightstand)
                for name in (b"pread64", b"open64", b"mpg123_feedseek_64"):
                    self.assertIn(b"\0" + name + b"\0", data)
                # trixie's time_t has 64 bits, in all of its libraries.
                self.assertEqual(b"\0__clock_gettime64\0" in data, release is TRIXIE)


@built
class Decode(arm64.Decode):
    def test_is_what_the_releases_libmpg123_decodes(self):
        for path in self.files():
            here = self.wav([NIGHTSTAND], path)
            for release in RELEASES:
                with self.subTest(file=os.path.basename(path), release=release.name):
                    there = self.wav(release.command(release.nightstand), path)
                    raw = self.path("out.raw")
                    subprocess.run([*release.reference(), path, raw], stdout=subprocess.DEVNULL, check=True)
                    self.assertTrue(there[2] == contents(raw), "differs from the release's libmpg123")
                    self.check_same_but_for_rounding(here, there)

    def test_audio_behind_two_gibibytes(self):
        """A file of 2.3 GiB, nearly all of it holes: tags as large as tags may be, then audio."""
        plain = audio.lame(self.path("plain.mp3"), audio.noise(2, 22050, 3), 22050, "-b", "64")
        body = 255 * MEBIBYTE
        header = b"ID3\x04\0\0" + bytes(body >> shift & 0x7F for shift in (21, 14, 7, 0))
        far = self.path("far.mp3")
        with open(far, "wb") as file:
            for _ in range(9):
                file.write(header)
                file.seek(body, os.SEEK_CUR)
            self.assertGreater(file.tell(), 1 << 31)
            file.write(contents(plain))
        for release in RELEASES:
            with self.subTest(release=release.name):
                command = release.command(release.nightstand)
                self.assertEqual(self.wav(command, far), self.wav(command, plain))


class Playing(arm64.Playing):
    def test_in_a_book_of_26_hours(self):
        """Its samples are more than 2 to the power of 31, and its milliseconds times its rate far more."""
        path = os.path.join(self.library, "long.mp3")
        audio.lame(path, audio.noise(60, 24000, 3), 24000, "-b", "8", "--resample", "24", "-t")
        minute = contents(path)
        with open(path, "wb") as file:
            for _ in range(26 * 60):
                file.write(minute)
        hours = 24.855  # 2 to the 31 samples at 24 kHz
        self.start()
        self.mpd("play")
        self.wait_playing()
        until(lambda: float(self.mpd.status().get("duration", 0)) > 26 * 3600 - 60, 60, lambda: f"the duration by counted frames in {self.mpd.status()}")
        self.mpd(f"seekcur {25.5 * 3600}")
        until(lambda: self.mpd.elapsed() > 25.5 * 3600 + 3, 60, f"playing on behind {hours} hours")
        self.assertLess(self.mpd.elapsed(), 25.5 * 3600 + 60)
        self.assertTrue(any(self.card.heard()[-24000:]), "silence")
        self.assertEqual(self.end(), 0)
        self.start()
        self.assertAlmostEqual(self.mpd.elapsed(), 25.5 * 3600 + 3, delta=57)

    def add_lcd(self):
        """An LCD without a reader."""
        lcd = self.path("lcd")
        os.mkfifo(lcd)
        self.addCleanup(os.close, os.open(lcd, os.O_RDWR | os.O_NONBLOCK))
        self.settings["lcd"] = {"device": lcd}

    def test_after_a_month(self):
        """More milliseconds than an Int has since the start, and since a pause."""
        self.add_noise("The Very Long Title of a Story That No LCD of Sixteen Columns Shows at Once.mp3", 20)
        ahead = self.path("ahead")
        with open(ahead, "wb") as file:
            file.write(bytes(4096))
        self.add_lcd()
        shim = compiled("move-clock.c", self.release.name + "-move-clock.so", "-shared", "-fPIC", "-ldl",
                        compiler=self.release.compiler()["compiler"])
        self.command = [*self.command[:-1], "-E", f"LD_PRELOAD={shim}", "-E", f"MOVE_CLOCK={ahead}", self.command[-1]]
        self.start()
        self.mpd("play")
        self.wait_playing()
        self.mpd("pause 1")
        kept = self.mpd.elapsed()
        with open(ahead, "r+b") as file:
            file.write(struct.pack("<q", 26 * 86_400))
        for command in ("stats", "counters", "status", "setvol 40", "pause 0"):
            self.mpd(command)
        self.assertGreater(int(self.mpd.fields("stats")["uptime"]), 25 * 86_400)
        until(lambda: self.mpd.elapsed() > kept + 0.5, 30, "playing on")
        with open(ahead, "r+b") as file:
            file.write(struct.pack("<q", 60 * 86_400))
        for command in ("stats", "counters", "status", "pause 1", "setvol 50"):
            self.mpd(command)
        self.assertEqual(self.end(), 0)

    def test_a_screen_after_forty_minutes_and_a_month(self):
        """Microseconds, and then milliseconds, that no Int has. Before the latter the process ends, and the next one counts from its own start."""
        letters, ahead, panel, log = (self.path(name) for name in ("letters", "ahead", "panel", "screen.log"))
        subprocess.run([os.path.join(TOP, "board/debs"), "--with-depends", self.release.name[6:], "armhf", letters,
                        "libfreetype6", "libharfbuzz0b", "libfribidi0"], check=True)

        with open(ahead, "wb") as file:
            file.write(bytes(4096))

        def move(seconds):
            with open(ahead, "r+b") as file:
                file.write(struct.pack("<q", seconds))

        def shown():
            return contents(panel) if os.path.exists(panel) else b""

        def show():
            """Starts a screen, and waits for its first picture."""
            if os.path.exists(panel):
                os.remove(panel)
            with open(log, "ab") as out:
                screen = subprocess.Popen([*command, "screen", "--config", self.write_settings(), "--panel", panel, "--size", "320x240"], stderr=out)
            self.addCleanup(screen.wait)
            self.addCleanup(screen.terminate)
            until(lambda: len(shown()) == 320 * 240 * 4 and any(shown()), 60, lambda: "a picture: " + contents(log).decode())
            return screen

        def follows(screen):
            for order in ("play", "pause 1"):
                before = shown()
                self.mpd(order)
                until(lambda: shown() != before, 60, lambda: f"that {order} is seen: " + contents(log).decode())
            self.assertIsNone(screen.poll())

        self.settings["screen"] = {"enabled": "yes", "dim_seconds": "0", "off_seconds": "0"}
        self.add_noise("1.mp3", 60)
        shim = compiled("move-clock.c", self.release.name + "-move-clock.so", "-shared", "-fPIC", "-ldl",
                        compiler=self.release.compiler()["compiler"])
        self.start()
        program = self.release.command(self.release.nightstand)
        command = [*program[:-1], "-E", f"LD_LIBRARY_PATH={letters}/usr/lib/arm-linux-gnueabihf", "-E", f"LD_PRELOAD={shim}",
                   "-E", f"MOVE_CLOCK={ahead}", program[-1]]
        screen = show()
        follows(screen)
        move(40 * 60)
        follows(screen)
        move(25 * 86_400)
        self.mpd("play")
        until(lambda: screen.poll() is not None, 60, "its end")
        self.assertEqual(screen.returncode, 75, contents(log).decode())
        follows(show())
        self.assertEqual(self.end(), 0)

    def test_transcript_of_times_that_do_not_fit(self):
        """Also where an LCD is to show the next line: hundredths of its milliseconds."""
        self.add_lcd()
        self.add_noise("1.mp3", 3)
        times = ("-596523:14:08,000", "-00:00:01,000", "00:00:01,000", "00:00:02,000", "596523:14:07,999", "99999999:59:59,999")
        with open(os.path.join(self.library, "1.srt"), "w") as file:
            for number, (start, end) in enumerate(itertools.product(times, times)):
                file.write(f"{number}\n{start} --> {end}\nsentence {number}\n\n")
        self.start()
        self.mpd("play")
        self.wait_playing()
        self.mpd("pause 1")
        until(self.transcript, 60, "the transcript, which nothing waits for")
        self.mpd("pause 0")
        until(lambda: self.mpd.status()["state"] != "play", 60, "its end")
        self.assertEqual(self.end(), 0)

    def test_numbers_too_large_for_32_bits_are_refused(self):
        self.add_noise("1.mp3", 3)
        self.start()
        self.mpd("play")
        self.wait_playing()
        for number in ("2147483.647", "2147483647", "2147483648", "4294967296", "9223372036854775807", "99999999999999999999999"):
            for command in (f"seekcur {number}", f"seekcur -{number}", f"seekcur +{number}", f"seekcur {number}.999", f"seek 0 {number}", f"play {number}",
                            f"playid {number}", f"setvol {number}", f"delete {number}:{number}", f"playlistinfo {number}:",
                            "say lamp 0:", f"say lamp {number}:", f"say lamp 0:{number}",
                            f"move {number} 0", f"find \"(modified-since '{number}')\" window 0:{number}"):
                try:
                    self.mpd(command)
                except self.mpd.Refused:
                    pass
        self.assertIn("state", self.mpd.status())
        self.assertEqual(self.end(), 0)

    def test_counts_that_do_not_fit(self):
        """Tags that tell of 4 billion frames and bytes."""
        for seed in (3, 4):
            path = os.path.join(self.library, f"liar {seed}.mp3")
            data = bytearray(contents(audio.lame(path, audio.noise(3, 44100, seed, 2), 44100, "-V", "4", channels=2)))
            at = data.index(b"Xing")
            data[at + 8 : at + 16] = b"\xff" * 8
            with open(path, "wb") as file:
                file.write(data)
        self.start()
        self.mpd("play")
        self.wait_playing()
        for command in ("playlistinfo", "status", "stats", "count \"(base '')\"", "list title", "seekcur +1"):
            self.mpd(command)
        until(lambda: self.mpd.status()["state"] != "play", 60, "its end")
        self.assertEqual(self.end(), 0)


class OnRelease(SpeakerCase):
    NEEDS_SHIPPED = TAKES_LONG = True
    FASTER = 1

    release = None

    def setUp(self):
        if self.release not in RELEASES:
            self.skipTest(f"board/build armhf --os {self.release.name[6:]} has not been run")
        self.command = self.release.command(self.release.nightstand)
        super().setUp()

    @classmethod
    def plugin(cls):
        return paced_card(**cls.release.compiler())

    @classmethod
    def reference(cls):
        return cls.release.reference()


class Bookworm(Playing, OnRelease):
    release = BOOKWORM


class Trixie(Playing, OnRelease):
    release = TRIXIE


del OnRelease  # so that it is not taken for a test
