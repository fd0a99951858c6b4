# SPDX-License-Identifier: Apache-2.0
"""`nightstand screen`: the picture of a panel, drawn into a PNG, from a file and from a running speaker."""

import os
import subprocess
import tempfile
import unittest

from build import NIGHTSTAND
from harness import SpeakerCase, contents
from png import picture


def brightness(rows):
    return sum(map(sum, rows)) / sum(map(len, rows))


class Files(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def draw(self, *options, state=None):
        out = os.path.join(self.folder, "out.png")
        words = [NIGHTSTAND, "screen", "--png", out, *options]
        if state is not None:
            with open(os.path.join(self.folder, "state"), "w") as file:
                file.write(state)
            words += ["--state", file.name]
        done = subprocess.run(words, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return picture(out)

    def test_sizes_and_themes(self):
        for size in ("240x240", "480x320", "480x800"):
            light = self.draw("--size", size)
            dark = self.draw("--size", size, "--theme", "dark")
            self.assertEqual(f"{light[0]}x{light[1]}", size)
            self.assertGreater(brightness(light[2]), 170)
            self.assertLess(brightness(dark[2]), 90)

    def test_a_moment_between_is_between(self):
        state = "state: play\ntitle: The River Bank\nelapsed: 6.5\nduration: 60\nsegment: 0 5.000-9.000 Spring was moving.\n"
        paused, half, playing = (self.draw("--at", part, "--size", "320x240", state=state)[2] for part in ("0", "0.5", "1"))
        self.assertNotEqual(paused, playing)
        for y, (a, b, c) in enumerate(zip(paused, half, playing)):
            for x in range(0, len(a), 31):
                # Within the button one sign gives its place to the other.
                if abs(x // 3 - 160) < 30 and 145 < y < 210:
                    continue
                self.assertAlmostEqual(b[x], (a[x] + c[x]) / 2, delta=2)

    def test_scripts_of_all_kinds_need_nothing_that_is_not_there(self):
        for title in ("الأمير الصغير (1943)", "红楼梦：第一回", "שלום עולם", "हिन्दी की कहानी", "🌙 Good Night 👨‍👩‍👧"):
            self.assertNotEqual(self.draw(state=f"title: {title}\n"), self.draw(state="title: x\n"), title)

    def test_every_screen_by_its_name(self):
        state = ("title: The River Bank\nclock: 23:07\nlist: books\nbook: a\nTitle: Emma\nheard: 5\nduration: 9\n"
                 "list: settings\nspeed steps 1.25×\n")
        seen = []
        for name in ("library", "settings", "standby", "boot", "error", "menu", "favourites"):
            seen.append(self.draw("--screen", name, "--size", "320x240", state=state))
            self.assertEqual(seen[-1][:2], (320, 240))
        self.assertEqual(len({b"".join(rows) for _, _, rows in seen}), len(seen))

    def test_what_stands_there_is_told_as_a_voice_would(self):
        out = os.path.join(self.folder, "out.png")
        done = subprocess.run([NIGHTSTAND, "screen", "--png", out, "--screen", "error", "--tree"],
                              stdout=subprocess.PIPE, timeout=60)
        self.assertIn(b'button "Try again" at ', done.stdout)

    def test_what_is_no_picture_is_said_and_left_out(self):
        state = os.path.join(self.folder, "state")
        with open(state, "w") as file:
            file.write(f"title: x\nartwork: {state}\n")
        out = os.path.join(self.folder, "out.png")
        done = subprocess.run([NIGHTSTAND, "screen", "--png", out, "--state", state], stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(done.returncode, 0)
        self.assertIn(b"is no JPEG or PNG that can be read", done.stderr)
        self.assertEqual(picture(out)[:2], (800, 480))

    def test_what_is_asked_wrongly(self):
        for words in (("--png", "x", "--size", "9"), ("--png", "x", "--theme", "pink"), ("--png", "x", "--at", "2"),
                      ("--png", "x", "--screen", "cinema"), ("--png", "x", "--comfort", "sofa")):
            done = subprocess.run([NIGHTSTAND, "screen", *words], stderr=subprocess.PIPE, timeout=10)
            self.assertEqual(done.returncode, 2, words)


class Speakers(SpeakerCase):
    def test_a_running_speaker_is_drawn_and_loads_nothing_for_it(self):
        self.add_noise("a.mp3", 30, 16000, "-b", "32", "--tt", "The River Bank")
        self.start()
        out = os.path.join(self.folder, "out.png")
        told = self.mpd("screenstate")
        self.assertIn("file: a.mp3", told)
        self.assertIn("title: The River Bank", told)
        self.assertIn("picture: 0", told)
        done = subprocess.run([NIGHTSTAND, "screen", "--png", out, "--socket", self.settings["console"]["socket"]],
                              stderr=subprocess.PIPE, timeout=60)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(picture(out)[:2], (800, 480))
        maps = contents(f"/proc/{self.process.pid}/maps").decode()
        for library in ("freetype", "harfbuzz", "fribidi", "turbojpeg", "libpng", "/fonts/"):
            self.assertNotIn(library, maps)
