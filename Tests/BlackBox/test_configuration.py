# SPDX-License-Identifier: Apache-2.0
"""The configuration file: every mistake is named, with file, line, and what was expected; all else of it holds."""

import os
import re
import socket
import subprocess
import unittest

from build import NIGHTSTAND, TOP
from harness import SpeakerCase


class Mistakes(SpeakerCase):
    def refused(self, text, *command):
        path = self.path("bad.conf")
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        done = subprocess.run([NIGHTSTAND, *(command or ["check"]), "--config", path], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=10,
                              env=dict(os.environ, ALSA_CONFIG_PATH=self.card.conf))
        self.assertEqual((done.returncode, done.stdout), (78, ""), done.stderr)
        self.assertLessEqual(len(done.stderr.splitlines()), 100, "so many are enough")
        return done.stderr.replace(path, "FILE")

    def test_all_are_named_in_their_order(self):
        text = "[audio]\nbuffer_ms = 99999\n[lcd]\nrom = A01\nheight = 3\n[sreen]\nenabled = yes\ntheme = dark\n[audio\n"
        lines = [line.split(": ")[1] for line in self.refused(text).splitlines()]
        self.assertEqual(lines, ["FILE:2", "FILE:4", "FILE:5", "FILE:6", "FILE:9"])
        self.assertEqual(self.refused(text, "--strict"), self.refused(text))
        with open(self.path("good.conf"), "w") as file:
            file.write("[lcd]\nrom = A02\n")
        told = subprocess.run([NIGHTSTAND, "check", "--config", self.path("good.conf")], stdout=subprocess.PIPE, text=True, timeout=10)
        self.assertEqual((told.returncode, told.stdout), (0, self.path("good.conf") + ": no mistakes\n"))

    def test_keys_of_older_versions_are_taken_with_one_warning_each(self):
        self.settings["audio"]["period_ms"] = 50
        self.settings["speaker"] = {"after_power_cut": "play"}
        self.settings["screen"] = {"night": "21:00-05:00"}
        told = subprocess.run([NIGHTSTAND, "check", "--config", self.write_settings()], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=10)
        self.assertEqual((told.returncode, told.stdout), (0, self.path("nightstand.conf") + ": no mistakes\n"), told.stderr)
        warnings = [line.split(": ")[3] for line in told.stderr.splitlines()]
        self.assertEqual(warnings, ["'period_ms' is no longer needed", "'after_power_cut' is now under [playing]",
                                    "'night' is no longer needed"], told.stderr)
        self.start()
        self.assertEqual(len([line for line in self.log().splitlines() if "nightstand.conf:" in line]), 3, self.log())
        self.assertNotIn("trouble", self.mpd("screenstate"))

    def test_the_speaker_starts_with_the_rest_and_says_so(self):
        """A bedside speaker is never dark and silent for a word; but a port with a mistaken password stays shut."""
        self.add_noise("a.mp3", 20)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.settings["console"]["listen"] = f"127.0.0.1:{port}"
        self.settings["console"]["pasword"] = self.path("password")
        self.settings["lcd"] = {"width": "20", "height": "3"}
        self.start()
        self.assertEqual([line.split(": ")[1].rsplit(":", 1)[0] for line in self.log().splitlines() if "expected" in line],
                         [self.path("nightstand.conf")] * 2, self.log())
        with self.assertRaises(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=1)
        self.assertRegex(self.mpd.status()["error"], r"nightstand.conf:\d+: unknown key 'pasword' in \[console\], expected 'password' perhaps")
        self.assertIn("trouble: Settings mistake", self.mpd("screenstate"))
        self.mpd("play")
        self.wait_playing()
        self.assertNotIn("trouble: Settings mistake", self.mpd("screenstate"), "what is heard comes first")
        self.assertIn("pasword", self.mpd.status()["error"])

    def test_each_names_line_and_expectation(self):
        for line, text in (
            (1, "[audoi]\n"),
            (2, "[audio]\ndevcie = default\n"),
            (3, "# comment\n[audio]\nbuffer_ms = many\n"),
            (2, "[audio]\nbuffer_ms = 0\n"),
            (2, "[audio]\nbuffer_ms = 99999999999999999999\n"),
            (2, "[audio]\nidle_close = -5\n"),
            (2, "[audio]\npriority = 100\n"),
            (1, "device = default\n"),
            (4, "[lcd]\nwidth = 16\n\nheight = 3\n"),
            (2, "[lcd]\nrom = A01\n"),
            (2, "[buttons]\nplya = GPIO17\n"),
            (2, "[buttons]\nplay = GPIO17,active-hihg\n"),
            (2, "[buttons]\nplay = GPIO17,debounce=soon\n"),
            (2, "[console]\nbaud = 12345\n"),
            (2, "[gestures]\nplay.press = explode\n"),
            (2, "[audio]\nno equals sign\n"),
            (1, "[audio\n"),
        ):
            with self.subTest(text):
                message = self.refused(text)
                self.assertRegex(message, rf"^nightstand: FILE:{line}: .+\n")
                self.assertRegex(message, r"expected|unknown|must|not", message)

    def test_file_that_is_not_there(self):
        done = subprocess.run([NIGHTSTAND, "--config", self.path("none")], stderr=subprocess.PIPE, text=True, timeout=10)
        self.assertEqual(done.returncode, 78)
        self.assertRegex(done.stderr, r"^nightstand: .*none: No such file or directory\n$")

    def test_rubbish_never_crashes(self):
        import random
        draw = random.Random(1)
        for size in (10, 1000, 300_000):
            self.refused(b"[" + draw.randbytes(size))

    def test_button_line_that_does_not_exist_is_named(self):
        self.settings["buttons"] = {"play": "NOSUCHLINE,active-low"}
        self.start()
        # One line; on a machine without GPIO it says that there is none.
        told = [line for line in self.log().splitlines() if "NOSUCHLINE" in line or "gpiochip" in line]
        self.assertEqual(len(told), 1, self.log())


class Sample(SpeakerCase):
    def test_every_key_of_the_sample_is_accepted(self):
        with open(os.path.join(TOP, "board", "nightstand.conf")) as file:
            text = re.sub(r"^#([a-z][a-z_.-]*) =", r"\1 =", file.read(), flags=re.M)
        values = {"device": "paced", "path": None, "socket": self.path("socket")}
        lines, section = [], ""
        for line in text.splitlines():
            section = line if line.startswith("[") else section
            key = line.split(" =")[0]
            if line.startswith("path ="):
                line = f"path = {self.library if section == '[library]' else self.path('state')}"
            elif section == "[audio]" and key == "device" or section == "[console]" and key == "socket":
                line = f"{key} = {values[key]}"
            lines.append(line)
        conf = self.path("sample.conf")
        with open(conf, "w") as file:
            file.write("\n".join(lines) + "\n")
        self.write_settings = lambda: conf
        self.start()
        self.assertEqual(self.mpd.status()["volume"], "100")

    def test_defaults_without_any_line(self):
        with open(os.path.join(TOP, "board", "nightstand.conf")) as file:
            self.assertNotRegex(file.read(), r"(?m)^[a-z_.-]+ =", "the sample's keys are all commented out")


if __name__ == "__main__":
    unittest.main()
