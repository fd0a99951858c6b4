# SPDX-License-Identifier: Apache-2.0
"""The programs for ARM boards, those of board/build aarch64: their demands on a release, and that they play there as
here. An
emulated processor runs them with the release's own libraries; the machine around it is this one (board/virtual has its own)."""

import glob
import os
import re
import shutil
import subprocess
import tempfile
import time
import unittest

import audio
from build import NIGHTSTAND, TOP, paced_card, reference_decoder
from elf import AARCH64, ELF, EXECUTABLE, LOAD, STACK
from harness import SpeakerCase, contents, samples, until

RATE = 22050
FADE = RATE // 100
QEMU = shutil.which("qemu-aarch64") or shutil.which("qemu-aarch64-static")


class Release:
    def __init__(self, os_name, gpiod, glibc):
        self.name, self.gpiod, self.glibc = f"aarch64-{os_name}", gpiod, glibc
        self.sysroot = os.path.join(TOP, ".build", "sysroot", self.name)
        self.libraries = os.path.join(self.sysroot, "usr/lib/aarch64-linux-gnu")
        self.nightstand = os.path.join(TOP, ".build", "board", self.name, "nightstand")

    def command(self, program):
        # Every name is looked up at the start: one that is missing in this release is then an error.
        return [QEMU, "-L", self.sysroot, "-E", "LD_BIND_NOW=1", program]

    def compiler(self):
        clang = os.path.join(os.path.dirname(os.path.realpath(shutil.which("swiftc"))), "clang")
        return {"prefix": self.name + "-",
                "compiler": (clang, "--target=aarch64-linux-gnu", f"--sysroot={self.sysroot}", "-fuse-ld=lld")}

    def reference(self):
        return self.command(reference_decoder(**self.compiler()))


BOOKWORM, TRIXIE = Release("bookworm", "libgpiod.so.2", (2, 36)), Release("trixie", "libgpiod.so.3", (2, 41))
RELEASES = (BOOKWORM, TRIXIE)


class Binary(unittest.TestCase):
    NEEDS_SHIPPED = TAKES_LONG = True

    def each(self):
        for release in RELEASES:
            with self.subTest(release=release.name):
                yield release, ELF(release.nightstand)

    def test_kind(self):
        for release, elf in self.each():
            self.assertEqual(elf.machine, AARCH64)
            self.assertTrue(elf.is_pie())
            self.assertEqual(elf.interpreter(), ["/lib/ld-linux-aarch64.so.1"])
            self.assertFalse(elf.has_symbol_table(), "not stripped")
            self.assertFalse(elf.has_text_relocations())
            self.assertEqual([s.flags & EXECUTABLE for s in elf.segments if s.type == STACK], [0])

    def test_size(self):
        for release, elf in self.each():
            print(f"{release.name}: {len(elf.data)} bytes")
            # Talking books and the alignment of texts took 60 KB each, the panel by three buttons 40, podcasts in order 12.
            self.assertLessEqual(len(elf.data), 3650 * 1024)

    def test_pages_of_any_kernel(self):
        # The Pi 5's kernel has pages of 16 KiB, arm64 allows 64.
        for release, elf in self.each():
            for segment in elf.segments:
                if segment.type == LOAD:
                    self.assertEqual(segment.alignment % 65536, 0)
                    self.assertEqual((segment.address - segment.offset) % segment.alignment, 0)

    def test_libraries(self):
        for release, elf in self.each():
            self.assertEqual(sorted(elf.needed()), sorted(["libasound.so.2", "libc.so.6", "libm.so.6", "libmpg123.so.0",
                                                           "libsqlite3.so.0", release.gpiod]))
            self.assertEqual(elf.tags(15) + elf.tags(29), [], "a path of its own to libraries")

    def test_every_symbol_and_version_is_in_the_release(self):
        for release, elf in self.each():
            libraries = {name: ELF(os.path.join(release.libraries, name)) for name in elf.needed()}
            for name, library in libraries.items():
                self.assertEqual((library.machine, library.soname()), (AARCH64, [name]))
            wanted = elf.versions_needed()
            self.assertIn("libc.so.6", wanted)
            for name, versions in wanted.items():
                self.assertLessEqual(versions, libraries[name].versions_defined(), name)
            for version in wanted["libc.so.6"]:
                if re.fullmatch(r"GLIBC_[0-9.]+", version):
                    self.assertLessEqual(tuple(map(int, version[6:].split("."))), release.glibc)
            undefined = elf.undefined()
            self.assertGreater(len(undefined), 100)
            self.assertEqual(undefined - set().union(*(library.defined() for library in libraries.values())), set())

    def test_headers_are_those_of_the_older_release(self):
        # A compiled module names its headers: the older release's, whose calls the newer release has, too.
        headers = set()
        for module in glob.glob(f"{TOP}/.build/embedded-aarch64/cache/**/*.pcm", recursive=True):
            headers |= {os.path.normpath(h.decode()) for h in re.findall(rb"/[\x20-\x7e]+?\.h(?![\x20-\x7e])", contents(module))}
        for header in ("alsa/asoundlib.h", "sqlite3.h", "stdio.h"):
            self.assertIn(f"{BOOKWORM.sysroot}/usr/include/{header}", headers)
        self.assertEqual({h for h in headers if h.startswith(("/usr/", "/include/"))}, set())


class Decode(unittest.TestCase):
    NEEDS_SHIPPED = TAKES_LONG = True

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def wav(self, command, path):
        out = self.path("out.wav")
        done = subprocess.run([*command, "decode", path, "-o", out], stderr=subprocess.PIPE, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return audio.read_wav(out)

    def files(self):
        yield from sorted(glob.glob(os.path.join(TOP, "board", "media", "*.mp3")))
        noise = audio.noise(2, 44100, 3, 2)
        yield audio.lame(self.path("joint.mp3"), noise, 44100, "-V", "4", channels=2)
        yield audio.lame(self.path("low.mp3"), audio.noise(2, 8000), 8000, "-b", "16", "--resample", "8")
        yield audio.twolame(self.path("two.mp2"), noise, 44100, "-b", "192", channels=2)
        yield audio.layer_one(self.path("one.mp1"), 100, 44100)
        damaged = bytearray(contents(self.path("joint.mp3")))
        for at in range(3000, len(damaged), 997):
            damaged[at] ^= 0x5A
        with open(self.path("damaged.mp3"), "wb") as file:
            file.write(damaged)
        yield self.path("damaged.mp3")

    def test_is_what_the_releases_libmpg123_decodes(self):
        for path in self.files():
            here = self.wav([NIGHTSTAND], path)
            for release in RELEASES:
                with self.subTest(file=os.path.basename(path), release=release.name):
                    there = self.wav(release.command(release.nightstand), path)
                    raw = self.path("out.raw")
                    done = subprocess.run([*release.reference(), path, raw], stdout=subprocess.PIPE, check=True)
                    self.assertEqual(there[:2], tuple(map(int, done.stdout.split())))
                    self.assertTrue(there[2] == contents(raw), "differs from the release's libmpg123")
                    self.check_same_but_for_rounding(here, there)

    def check_same_but_for_rounding(self, here, there):
        """libmpg123 has a synthesis in assembly for each processor, and each adds up in an order of its own."""
        self.assertEqual(here[:2], there[:2])
        self.assertEqual(len(here[2]), len(there[2]))
        steps = [abs(a - b) for a, b in zip(samples(here[2]), samples(there[2])) if a != b]
        self.assertLessEqual(max(steps, default=0), 1)
        self.assertLess(len(steps), len(here[2]) // 2 // 100)


class CommandLine(unittest.TestCase):
    NEEDS_SHIPPED = TAKES_LONG = True

    def test_help_is_the_same(self):
        here = subprocess.run([NIGHTSTAND, "--help"], stdout=subprocess.PIPE, check=True).stdout
        self.assertIn(b"usage:", here)
        for release in RELEASES:
            with self.subTest(release=release.name):
                there = subprocess.run([*release.command(release.nightstand), "--help"], stdout=subprocess.PIPE, check=True).stdout
                self.assertEqual(there, here)


class OnRelease(SpeakerCase):
    """The speaker with a paced card, both of the release."""

    NEEDS_SHIPPED = TAKES_LONG = True
    FASTER = 1
    release = None

    def setUp(self):
        self.command = self.release.command(self.release.nightstand)
        super().setUp()

    @classmethod
    def plugin(cls):
        return paced_card(**cls.release.compiler())

    @classmethod
    def reference(cls):
        return cls.release.reference()


class Playing:
    def test_items_follow_each_other_without_a_gap(self):
        expected = self.add_noise("1.mp3", 4, RATE, "-b", "40") + self.add_noise("2.mp3", 5.3, RATE, "-V", "6")
        self.start()
        self.mpd("play")
        until(lambda: self.mpd.status()["state"] != "play", 60, "the end of the library")
        until(lambda: len(self.card.heard()) >= len(expected), 10, "the last of the sound")
        self.assertEqual(self.end(), 0)
        self.assert_heard(self.card.heard(), expected, FADE)

    def test_jumps_and_keeps_its_place(self):
        expected = self.add_noise("1.mp3", 60)
        self.start()
        self.mpd("play")
        self.wait_playing()
        self.mpd("seekcur 40")
        until(lambda: self.mpd.elapsed() > 41, 10, "playing on from 40 s")
        place = self.find(self.card.heard()[-RATE:], expected)  # half a second
        self.assertEqual(self.end(), 0)
        self.assertGreater(place / 2 / RATE, 40)
        began = time.monotonic()
        self.start()
        # It has played on for as long as it took until it could be asked, at most.
        self.assertGreater(self.mpd.elapsed(), place / 2 / RATE - 0.1)
        self.assertLess(self.mpd.elapsed(), place / 2 / RATE + 0.6 + time.monotonic() - began)

    def test_play_tells_what_it_plays(self):
        # No card at all: it plays in silence, in time.
        folder = os.path.join(TOP, "board", "media")
        process = self.spawn("play", "--device", "nowhere", folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        os.set_blocking(process.stdout.fileno(), False)
        seen = bytearray()
        until(lambda: seen.extend(process.stdout.read() or b"") or b"spectacles" in seen, 30, lambda: f"the second sentence in {bytes(seen)}")
        self.assertIn(b"The Lamp Who Counted", seen)
        self.assertIsNone(process.poll())


class Bookworm(Playing, OnRelease):
    release = BOOKWORM


class Trixie(Playing, OnRelease):
    release = TRIXIE


del OnRelease  # so that it is not taken for a test
