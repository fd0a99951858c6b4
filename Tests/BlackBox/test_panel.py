# SPDX-License-Identifier: Apache-2.0
"""The process that draws, on a file that stands for a panel: that it follows the speaker, sleeps while nothing happens, outlives what it
is shown, and comes back when it dies."""

import json
import os
import re
import signal
import subprocess
import time

from build import NIGHTSTAND, compiled
from harness import MPD, SpeakerCase, contents
from png import picture, write


class PanelCase(SpeakerCase):
    SIZE = (480, 320)

    def setUp(self):
        super().setUp()
        self.panel, self.screen = self.path("panel"), None

    def show(self, *options, enabled=True):
        """Starts the process that draws, on a panel of its own."""
        if enabled:
            self.settings["screen"] = {"enabled": "yes", "theme": "light", **self.settings.get("screen", {})}
            self.settings.setdefault("night", {"hours": "never"})
        log = open(self.path("screen.log"), "ab")
        self.addCleanup(log.close)
        self.screen = subprocess.Popen(
            [NIGHTSTAND, "screen", "--config", self.write_settings(), "--panel", self.panel,
             "--size", "{}x{}".format(*self.SIZE), *options], stderr=log,
            env=dict(os.environ, XDG_CACHE_HOME=self.path("cache")))
        self.addCleanup(self.leave)

    def leave(self):
        if self.screen.poll() is None:
            self.screen.terminate()
        self.screen.wait(10)

    def shown(self):
        data = contents(self.panel) if os.path.exists(self.panel) else b""
        width, height = self.SIZE
        return data if len(data) == width * height * 4 else None

    def drawn(self):
        """The picture of --png for the present speaker, as the panel would have it."""
        out = self.path("out.png")
        subprocess.run([NIGHTSTAND, "screen", "--png", out, "--socket", self.settings["console"]["socket"], "--size",
                        "{}x{}".format(*self.SIZE)], check=True, timeout=60)
        width, _, rows = picture(out)
        bytes_ = bytearray(b"\xff" * (width * len(rows) * 4))
        for y, row in enumerate(rows):
            line = bytearray(b"\xff" * (width * 4))
            line[0::4], line[1::4], line[2::4] = row[2::3], row[1::3], row[0::3]
            bytes_[y * width * 4:(y + 1) * width * 4] = line
        return bytes(bytes_)

    def different(self, a, b, tolerance=2):
        """The part of pixels that differ by more than the tolerance."""
        count = sum(1 for i in range(0, len(a), 4)
                    if max(abs(a[i] - b[i]), abs(a[i + 1] - b[i + 1]), abs(a[i + 2] - b[i + 2])) > tolerance)
        return count / (len(a) / 4)

    def until(self, condition, seconds=20, what="it"):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, f"{what} did not come true: " + contents(self.path("screen.log")).decode())
            time.sleep(0.05)

    def switches(self):
        with open(f"/proc/{self.screen.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("voluntary"))


    def sleeps(self, seconds):
        """Nothing has woken it for so long."""
        before = self.switches()
        time.sleep(seconds)
        return self.switches() == before


class Panels(PanelCase):
    FASTER = 2

    def test_what_the_speaker_shows_is_on_the_panel_and_a_still_one_sleeps(self):
        self.add_noise("a.mp3", 60, 16000, "-b", "32", "--tt", "The River Bank")
        write(os.path.join(self.library, "cover.png"), 300, 300, (40, 60, 150))
        self.start()
        self.show()
        self.until(lambda: self.shown() and self.different(self.shown(), self.drawn()) < 0.002, what="the same picture")
        # Waits for late data after the picture, and for the memory that is returned two seconds after that.
        self.until(lambda: self.sleeps(3), 30, what="that it rests")
        before = self.switches()
        time.sleep(8)
        self.assertLessEqual(self.switches() - before, 1)
        self.mpd("play")
        self.until(lambda: self.different(self.shown(), self.drawn()) > 0.02 or "state: play" in self.mpd("screenstate"))
        time.sleep(2)
        paused, before = self.shown(), self.switches()
        time.sleep(6)
        # Once a second for the time that has passed, and now and then for the audio's own news.
        self.assertLessEqual(self.switches() - before, 12)
        self.assertNotEqual(self.shown(), paused)
        self.mpd("pause 1")
        self.until(lambda: self.different(self.shown(), self.drawn()) < 0.002, what="paused again")

    def test_a_cover_that_comes_later_is_shown(self):
        """It is copied behind its book, replaced and taken away, and all that is right on the panel without a start anew."""
        os.mkdir(os.path.join(self.library, "Emma"))
        for name in ("1", "2"):
            self.add_noise(f"Emma/{name}.mp3", 20, 16000, "-b", "32", "--tl", "Emma")
        cover = os.path.join(self.library, "Emma", "cover.png")
        self.start()
        self.show()
        self.until(self.shown, what="a first picture")
        self.mpd("screen show library")
        self.until(lambda: "label: Emma" in self.mpd("screen tree"), what="the book")

        def reds():
            """The share of the cover's red on the panel."""
            shown = self.shown()
            pixels = [shown[at:at + 4] for at in range(0, len(shown) - 3, 4)]
            return sum(1 for pixel in pixels if pixel[2] > 150 and pixel[1] < 60 and pixel[0] < 60)

        self.assertEqual(reds(), 0)
        write(cover, 300, 300, (200, 20, 20))
        self.mpd("update")
        self.until(lambda: reds() > 500, what="the cover")
        write(cover, 300, 300, (20, 20, 200))
        os.utime(cover, (time.time() + 5, time.time() + 5))
        self.mpd("update")
        self.until(lambda: reds() == 0, what="the other cover")

    def test_a_speaker_that_is_away_is_said_and_comes_back(self):
        self.add_noise("a.mp3", 20, 16000, "-b", "32", "--tt", "The River Bank")
        # On a wide panel the cover is what lies behind it all, and not one of twelve gradients.
        write(os.path.join(self.library, "cover.png"), 300, 300, (200, 60, 15))
        self.show()
        self.until(self.shown, what="a first picture")
        self.start()
        self.until(lambda: self.different(self.shown(), self.drawn()) < 0.002, what="the speaker's picture")
        there = self.shown()
        self.end()
        self.until(lambda: self.different(self.shown(), there) > 0.002, what="that it has gone")
        self.start()
        self.until(lambda: self.different(self.shown(), self.drawn()) < 0.002, what="the picture again")

    def test_dark_it_wakes_for_nobody(self):
        self.settings["screen"] = {"dim_seconds": "1", "off_seconds": "2"}
        self.add_noise("a.mp3", 60, 16000, "-b", "32")
        self.start()
        self.mpd("play")
        self.show()
        self.until(self.shown, what="a first picture")
        time.sleep(5)
        before, picture_then = self.switches(), self.shown()
        time.sleep(6)
        self.assertEqual(self.switches(), before)
        self.assertEqual(self.shown(), picture_then)

    def test_covers_never_flash(self):
        """From one file to the next: nothing flashes where the cover is the same, nor where it is another."""
        for number, name in enumerate(("a", "b", "c")):
            folder = os.path.join(self.library, name)
            os.mkdir(folder)
            self.add_noise(f"{name}/{name}.mp3", 60, 16000, "-b", "32", "--tt", f"Part {number}")
            write(os.path.join(folder, "cover.png"), 600, 600, (40, 60, 150) if name != "c" else (200, 120, 40))
        self.start()
        self.mpd("play")
        self.show()
        self.until(lambda: self.shown() and self.different(self.shown(), self.drawn()) < 0.02, what="the first cover")
        time.sleep(1.5)
        for name in ("b", "c"):
            looks, began = [], time.monotonic()
            self.mpd("next")
            while time.monotonic() < began + 2:
                look = self.shown()
                if look:
                    looks.append((time.monotonic(), look[::97]))
                time.sleep(0.004)
            changes = []
            for (before, a), (now, b) in zip(looks, looks[1:]):
                # Of 255, a channel on an average; a look that came late may have missed some frames.
                change = sum(abs(x - y) for x, y in zip(a, b)) / len(a)
                changes.append(change / max(1, (now - before) / 0.0167))
            # The median of the ten largest: a flash lasts several looks, and one late look counts two frames for one.
            self.assertLessEqual(sorted(changes)[-5], 5, name)
            different = sum(abs(x - y) for x, y in zip(looks[0][1], looks[-1][1])) / len(looks[0][1])
            print(f"{name}: at most {max(changes):.2f} of 255 a frame, {different:.1f} in all, {len(looks)} looks")
            self.assertGreater(different, 15 if name == "c" else 0)

    def test_a_picture_that_it_died_on_is_passed_over(self):
        self.add_noise("a.mp3", 20, 16000, "-b", "32", "--tt", "The River Bank")
        write(os.path.join(self.library, "cover.png"), 300, 300, (200, 60, 15))
        self.start()
        # As one leaves it behind that is killed while it reads.
        with open(self.path("screen-reading-1"), "w") as file:
            file.write("a.mp3\n")
        for _ in range(2):
            self.show()
            self.until(lambda: self.shown() and any(self.shown()), what="a picture")
            time.sleep(2)
            self.assertGreater(self.different(self.shown(), self.drawn()), 0.1)
            self.leave()
            os.unlink(self.panel)
        self.assertIn("which is passed over", contents(self.path("screen.log")).decode())
        self.assertFalse(os.path.exists(self.path("screen-reading-1")))
        os.unlink(self.path("screen-passed-over"))
        self.show()
        self.until(lambda: self.shown() and self.different(self.shown(), self.drawn()) < 0.002, what="the cover")

    def test_a_picture_that_was_shown_is_not_decoded_again(self):
        self.add_noise("a.mp3", 20, 16000, "-b", "32", "--tt", "The River Bank")
        cover = os.path.join(self.library, "cover.png")
        write(cover, 600, 600, (200, 60, 15))
        self.start()
        kept = self.path("cache", "nightstand", "pictures")

        def files():
            # Held open, so that none gets another's number.
            held = {name: open(os.path.join(kept, name), "rb") for name in os.listdir(kept)} if os.path.isdir(kept) else {}
            for file in held.values():
                self.addCleanup(file.close)
            return {name: os.fstat(file.fileno()).st_ino for name, file in held.items()}

        def made_to_show_it():
            """True if the picture was decoded, and so kept anew."""
            before = files()
            self.show()
            self.until(lambda: self.shown() and self.different(self.shown(), self.drawn()) < 0.002, what="the cover")
            time.sleep(0.5)
            self.leave()
            os.unlink(self.panel)
            return files() != before

        self.assertTrue(made_to_show_it())
        names = os.listdir(kept)
        self.assertEqual(len(names), 1)
        self.assertFalse(made_to_show_it())
        # A broken file is replaced.
        with open(os.path.join(kept, names[0]), "r+b") as file:
            file.seek(5000)
            file.write(b"?!")
        self.assertTrue(made_to_show_it())
        self.assertFalse(made_to_show_it())

    def test_rotated(self):
        self.settings["screen"] = {"rotation": "180"}
        self.add_noise("a.mp3", 20, 16000, "-b", "32", "--tt", "The River Bank")
        # On a wide panel the cover is what lies behind it all, and not one of twelve gradients.
        write(os.path.join(self.library, "cover.png"), 300, 300, (200, 60, 15))
        self.start()
        self.show()

        def turned():
            data = self.shown()
            return data and b"".join(data[i:i + 4] for i in range(len(data) - 4, -4, -4))

        self.until(lambda: turned() and self.different(turned(), self.drawn()) < 0.002, what="the picture upside down")

    def test_the_console_is_told_what_stands_on_it(self):
        self.add_noise("a.mp3", 60, 16000, "-b", "32", "--tt", "The River Bank")
        self.start()
        with self.assertRaisesRegex(MPD.Refused, "no screen is there"):
            self.mpd("screen tree")
        self.show()
        self.until(self.shown, what="a first picture")
        tree = "\n".join(self.mpd("screen tree")) + "\n"
        elements = re.split(r"(?m)^element: ", tree)[1:]
        self.assertGreater(len(elements), 5)
        for element in elements:
            self.assertRegex(element, r"^(text|heading|image|button|slider|tab|row|setting)\nlabel: [^\n]+\n(value: .+\n)?(hint: .+\n)?"
                                      r"(state: [a-z ]+\n)?frame: \d+ \d+ \d+ \d+\n")
        self.assertIn("\nvalue: The River Bank\n", tree)
        # Without a request it costs nothing: the screen sleeps.
        time.sleep(1)
        before = self.switches()
        time.sleep(3)
        self.assertLessEqual(self.switches() - before, 1)
        for _ in range(20):
            self.assertEqual(sum(line.startswith("element: ") for line in self.mpd("screen tree")), len(elements))
        os.kill(self.screen.pid, signal.SIGSTOP)
        with self.assertRaisesRegex(MPD.Refused, "the screen does not answer"):
            self.mpd("screen tree")
        os.kill(self.screen.pid, signal.SIGCONT)
        self.assertIn("value: The River Bank", self.mpd("screen tree"))
        self.leave()
        self.until(lambda: self.refused("screen tree"), what="that it has gone")

    def test_an_alarm_is_among_the_settings_and_rings_on_it(self):
        self.settings["screen"] = {"dim_seconds": "1", "off_seconds": "2"}
        self.add_noise("a.mp3", 30, 16000, "-b", "32", "--tt", "The River Bank")
        self.start(env={"LD_PRELOAD": compiled("known-clock.c", "known-clock.so", "-shared", "-fPIC")})
        self.show()
        self.until(self.shown, what="a first picture")
        # Never the minute that is just beginning, nor one that begins before all else was looked at.
        due = (int(time.time()) + 20) // 60 * 60 + 60
        clock = time.strftime("%H:%M", time.localtime(due))
        read = clock.removeprefix("0")
        self.mpd(f"alarm add {clock} once \"a.mp3\" rise 0")
        self.mpd("screen show settings")

        def row():
            """The words about it; "" where it is not there."""
            return re.search(f"label: {read}, Once · The River Bank\n((?!element).+\n)*|$", "\n".join(self.mpd("screen tree")) + "\n")[0]

        self.until(lambda: "value: on" in row(), what="its row")
        self.assertIn("label: New alarm", self.mpd("screen tree"))
        self.mpd("alarm off 1")
        self.until(lambda: "value: off" in row(), what="that it is off")
        self.mpd("alarm on 1")
        self.until(lambda: "value: on" in row(), what="that it is on")
        # Dark by then.
        self.until(lambda: "label: Snooze" in self.mpd("screen tree"), due - time.time() + 20, "the alarm")
        self.assertLess(time.time(), due + 5)
        self.assertIn(f"label: Alarm {read}", self.mpd("screen tree"))
        # It stays for as long as it rings, as bright as it came.
        pictures = [b""]

        def rests():
            pictures.append(self.shown())
            return pictures[-1] == pictures[-2]

        self.until(rests, what="that it has come")
        time.sleep(4)
        self.assertIn("label: End", self.mpd("screen tree"))
        self.assertEqual(self.shown(), pictures[-1])
        self.mpd("alarm snooze")
        self.until(lambda: "label: Snooze" not in self.mpd("screen tree"), what="that it is put off")
        self.mpd("alarm end")

    def refused(self, command):
        try:
            self.mpd(command)
        except MPD.Refused:
            return True
        return False

    def test_fonts_of_a_table(self):
        inter = "/usr/share/fonts/opentype/inter/Inter-Bold.otf"
        self.settings["screen"] = {"fonts": self.path("fonts")}
        with open(self.path("fonts"), "w") as file:
            file.write(f"U+0041-005A {inter}\nU+4E00-9FFF /nowhere/own.ttf\n* {inter.replace('Bold', 'BoldItalic')}\n")
        self.add_noise("a.mp3", 20, 16000, "-b", "32", "--tt", "The River Bank")
        self.start()
        self.show()
        self.until(lambda: self.shown() and self.different(self.shown(), self.drawn()) > 0.002, what="other letters")
        told = contents(self.path("screen.log")).decode()
        self.assertEqual(told.count("names /nowhere/own.ttf, which is not there"), 1, told)
        self.leave()
        with open(self.path("fonts"), "a") as file:
            file.write("U+0600 bald /a.ttf\n")
        done = subprocess.run([NIGHTSTAND, "screen", "--config", self.write_settings(), "--panel", self.panel],
                              stderr=subprocess.PIPE, timeout=10)
        self.assertEqual(done.returncode, 78)
        self.assertRegex(done.stderr.decode(), r"/fonts:4: 'bald', expected U\+0600-06FF, .*bold\n$")

    def test_what_is_not_enabled_does_not_run(self):
        self.show(enabled=False)
        # The command names a panel on purpose; the service names none.
        self.leave()
        done = subprocess.run([NIGHTSTAND, "screen", "--config", self.write_settings()], stderr=subprocess.PIPE, timeout=10)
        self.assertEqual(done.returncode, 78)
        self.assertIn(b"not enabled", done.stderr)


class Tall(PanelCase):
    """All that a page has is seen at once."""
    SIZE = (480, 1600)

    def test_it_tells_of_the_household(self):
        self.add_noise("a.mp3", 30, 16000, "-b", "32", "--tt", "The River Bank")
        self.start()
        self.show()
        self.until(self.shown, what="a first picture")

        def stands(*words):
            tree = "\n".join(self.mpd("screen tree"))
            return all(word in tree for word in words)

        self.mpd("screen show settings")
        self.until(lambda: stands("label: Appearance"), what="the settings")
        self.assertFalse(stands("label: Household"))
        self.mpd("household on")
        theirs = {"kind": "favourite", "key": "00000000deadbeef-5000", "value": {"added": 1_700_000_000}, "time": "0197763ab8000000",
                  "device": "0000000000000bee", "name": "Night 1"}
        self.assertEqual(self.mpd('merge "' + json.dumps(theirs).replace('"', '\\"') + '"'), ["merged: added"])
        for told, words in (('1 0 "The server is away"', "The server is away"), ("0 0", "Shared just now")):
            self.mpd("household went " + told)
            self.mpd("screen show favourites")
            self.until(lambda: stands("label: Not on this speaker", "label: Night 1"), what="what is not here")
            self.mpd("screen show settings")
            self.until(lambda: stands("label: Household", "value: " + words), what="how it went")


class Players(SpeakerCase):
    def test_killed_while_it_plays_it_is_back_and_the_sound_goes_on(self):
        """Twenty times: nothing of it is heard, and each time it is back within a second."""
        self.add_noise("a.mp3", 90, 16000, "-b", "32")
        panel = self.path("panel")
        log = open(self.path("play.log"), "ab")
        self.addCleanup(log.close)
        play = self.spawn("play", "--config", self.write_settings(), "--panel", panel, "--size", "320x240",
                          os.path.join(self.library, "a.mp3"), stdout=log, stderr=log)
        self.addCleanup(play.wait, 20)
        self.addCleanup(play.terminate)

        def child():
            found = subprocess.run(["pgrep", "-P", str(play.pid)], stdout=subprocess.PIPE, text=True).stdout.split()
            return int(found[0]) if found else None

        def wait(condition, seconds):
            end = time.monotonic() + seconds
            while not condition():
                self.assertLess(time.monotonic(), end, contents(self.path("play.log")).decode())
                time.sleep(0.01)
            return time.monotonic()

        wait(lambda: child() and os.path.exists(panel), 20)
        took = []
        for _ in range(20):
            time.sleep(0.5)
            os.unlink(panel)
            before = child()
            os.kill(before, signal.SIGSEGV)
            killed = time.monotonic()
            took.append(wait(lambda: os.path.exists(panel) and any(contents(panel)[:4000]), 10) - killed)
            self.assertNotEqual(child(), before)
        self.assertIsNone(play.poll())
        self.assertLess(max(took), 1, took)
        entries = self.card.entries()
        self.assertEqual(sum(entry.kind == "U" for entry in entries), 0, "underruns")
        # Ten seconds and more in one stretch, as the recording has them.
        heard = self.card.heard()
        self.assertGreater(len(heard), 10 * 16000 * 2)
        self.assertGreaterEqual(self.find(heard[4000:], self.decoded(os.path.join(self.library, "a.mp3"))), 0)


class Beside(SpeakerCase):
    NEEDS_SHIPPED = True
    FASTER = 8

    def test_what_a_screen_costs_the_speaker(self):
        """A screen that is configured and connected adds no library to the speaker and next to no memory."""
        self.add_noise("a.mp3", 120, 16000, "-b", "32")
        write(os.path.join(self.library, "cover.png"), 300, 300, (40, 60, 150))
        found = {}
        for what in ("none", "screen"):
            if what == "screen":
                self.settings["screen"] = {"enabled": "yes"}
            self.start()
            self.mpd("play")
            self.wait_playing()
            self.mpd.close()
            if what == "screen":
                screen = subprocess.Popen(
                    [NIGHTSTAND, "screen", "--config", self.write_settings(), "--panel", self.path("panel"), "--size", "480x320"],
                    stderr=subprocess.DEVNULL)
            time.sleep(8)
            if what == "screen":
                # The screen shares the speaker's pages: without it the speaker's own memory is visible.
                screen.terminate()
                screen.wait(10)
            looks = []
            for _ in range(8):  # longer than from one save to the next, behind which code that is seldom run is given back
                time.sleep(0.7)
                with open(f"/proc/{self.process.pid}/smaps_rollup") as file:
                    looks.append(next(int(line.split()[1]) for line in file if line.startswith("Pss:")))
            with open(f"/proc/{self.process.pid}/maps") as file:
                found[what] = min(looks), {line.split()[-1] for line in file if "/lib/" in line}
            self.end()
        self.assertEqual(found["screen"][1] - found["none"][1], set())
        self.assertLessEqual(found["screen"][0] - found["none"][0], 150)
