# SPDX-License-Identifier: Apache-2.0
"""A panel: virtio-gpu by mode setting and by /dev/fb*, panels of 16 and 24 bits by the kernel's simplefb, photographed from outside,
touched by QEMU's tablet. The picture of --png for the speaker is the expected one."""

import os
import random
import re
import subprocess
import time
import unittest
from collections import Counter

import powercut
from machine import Refused
from panels import PLAYING, SIXTEEN, SIZE, TWENTY_FOUR, PanelCase, different, edges, keep, roughly_different
from remembered import Remembered

FRAME = 1000 / 60  # ms
TOUCHES = 60
CRASHES = int(os.environ.get("CRASHES", 4))
PROFILED = 10  # s
SEED = int(os.environ.get("SEED", 10))


class Panel(PanelCase):
    """One board with a panel's driver that comes after the service does; the tests' names keep them in order. At last
    its plug is pulled."""

    @classmethod
    def setUpClass(cls):
        board = cls.make()
        board.tree_parts = os.path.join(os.path.dirname(os.path.abspath(__file__)), "parts", "framebuffers.dts")
        cls.before, cls.writes = board.path("before.img"), board.path("writes")
        subprocess.run(["cp", "--sparse=always", board.state, cls.before], check=True)
        open(cls.writes, "wb").close()
        board.state_drive = powercut.drive_options("state", board.state, cls.writes)
        # So that the thread that plays is woken often, and soon has nothing left if it comes late.
        board.settings["audio"].update({"buffer_ms": "200"})
        board.on(devices=cls.DEVICES)
        board.until(lambda: board.status()["playlistlength"] == "3" and "updating_db" not in board.status(), 60, "the library")
        board.sh("systemctl start nightstand-screen")
        # Those of the older kind are there before it comes, and the one that is used until then is not the one that is meant.
        board.until(lambda: "screen: /dev/fb" in board.sh("journalctl -u nightstand-screen --no-pager"), 30, "a panel of the older kind")
        board.sh(f"modprobe -a {' '.join(cls.DRIVERS)}; udevadm settle", seconds=120)

    def setUp(self):
        """Paused in the first item, and that is on the panel."""
        if self.board.sh("systemctl is-active nightstand-screen", check=False) != "active":
            self.board.sh("systemctl start nightstand-screen")
        self.began = time.monotonic()
        self.board.mpd("play 0")
        self.board.mpd("seekcur 9")
        self.board.until(lambda: self.board.elapsed() > 9.2, 30, "playing")
        self.board.mpd("pause 1")
        self.player = self.until_shown()
        self.play = self.place("Play")

    def tearDown(self):
        print(f"{self.id().split('.')[-1]}: {time.monotonic() - self.began:.0f} s")

    def leave_player(self):
        """A stroke to the left leads to the library."""
        self.drag(700, 250, 300, 250)
        self.drawn("--screen library")

    # The content of the panel

    def test_1_what_png_draws_is_on_the_panel(self):
        """The way that the driver does best: one buffer, and what has changed of it. The card came after the process, and that went over
        to it."""
        self.assertRegex(self.log(), r"(?s)screen: /dev/fb.*screen: /dev/dri/card0, 800x480")
        keep(self.player, SIZE, "player")

    def test_2_a_finger_plays_and_pauses(self):
        # A hand is not made to wait for a speaker that is busy.
        speaker = self.board.sh("systemctl show -P MainPID nightstand")
        self.board.sh(f"kill -STOP {speaker}")
        self.tap(*self.play)
        self.board.until(lambda: different(self.player, self.photograph()) > 0.1, 2, "the artwork's blur")
        self.board.sh(f"kill -CONT {speaker}")
        self.until_state("play", 5)
        # The artwork is blurred, and the words are there.
        playing = self.until_shown(differing=PLAYING)
        keep(playing, SIZE, "playing")
        self.assertGreater(different(self.player, playing), 0.1)
        self.tap(*self.play)
        self.until_state("pause", 5)
        self.until_shown()
        # Along the bar.
        self.tap(*self.place("Progress"))
        self.board.until(lambda: 30 < self.board.elapsed() < 36, 5, lambda: f"half of it: {self.board.elapsed()}")

    def test_2_b_favourites_by_fingers_and_keys(self):
        for song in (1, 2):
            self.board.mpd("favourite add " + '"' + self.board.fields(f"playlistinfo {song}")["file"] + '"')
            self.board.wait(1.1)
        self.addCleanup(self.restart)
        self.leave_player()
        self.tap(*self.place("Favorites"))
        state = lambda: self.list_state("favourites", "favourite list newest 0:500")
        # Black on one of two gradients differs by some 30.
        shown = self.until_shown("--screen favourites", state=state, part=self.what_stands_there, tolerance=40)
        keep(shown, SIZE, "favourites")
        row = self.place("Nineteen, Twenty")
        # Its cover is a night.
        cover = 3 * (SIZE[0] * (row[1] - 20) + 104)
        self.assertLess(sum(shown[cover:cover + 3]), 300)
        # A key brings a focus, a finger on a row plays it.
        self.key("down")
        self.board.until(lambda: different(shown, self.photograph()) > 0.0005, 5, "a focus")
        self.tap(*row)
        self.until_state("play")
        self.assertEqual(self.board.status()["song"], "2")

    # Where it leads

    LISTS = ("Library", "Favorites", "Settings")

    def standing(self):
        """All that stands on the panel, as the process that draws tells it: {"element": its role, "label": …}."""
        try:
            lines = self.board.mpd("screen tree")
        except Refused:
            # It is starting.
            return []
        elements = []
        for line in lines:
            name, _, value = line.partition(": ")
            if name == "element":
                elements.append({})
            elements[-1][name] = value
        return elements

    def middle(self, label):
        self.board.until(lambda: any(element["label"] == label for element in self.standing()), 10, lambda: f"{label} in {self.standing()}")
        frame = [element["frame"] for element in self.standing() if element["label"] == label][-1]
        x, y, width, height = map(int, frame.split())
        return x + width // 2, y + height // 2

    def until_screen(self, name):
        """Of a list its tab is selected; on the player none is."""
        def shown():
            all = self.standing()
            selected = [element["label"] for element in all if element["element"] == "tab" and "selected" in element.get("state", "")]
            return bool(all) and selected == ([name] if name else [])
        self.board.until(shown, 10, lambda: f"{name}: {self.standing()}")

    def focus_on(self, label, forward):
        """Brings the focus there, step by step."""
        def focused():
            return next((element["label"] for element in self.standing() if "focused" in element.get("state", "")), None)
        for _ in range(40):
            if focused() == label:
                return
            before = focused()
            forward()
            self.board.until(lambda: focused() not in (before, None), 5, lambda: f"a focus after {before}: {self.standing()}")
        self.fail(f"no focus comes to {label}: {self.standing()}")

    def test_2_d_every_way_by_fingers(self):
        """From the player to every list, from each list to every other, and back by a stroke and by what is playing along the edge."""
        for number, first in enumerate(self.LISTS):
            self.tap(*self.middle(first))
            self.until_screen(first)
            for other in self.LISTS:
                self.tap(*self.middle(other))
                self.until_screen(other)
                self.tap(*self.middle(first))
                self.until_screen(first)
            if number % 2:
                # Back is where one was, list after list.
                for other in [*(o for o in reversed(self.LISTS) if o != first), None]:
                    self.drag(300, 250, 700, 250)
                    self.until_screen(other)
            else:
                self.tap(*self.middle("Now playing"))
                self.until_screen(None)

    def test_2_e_every_way_by_keys(self):
        for name in self.LISTS:
            self.focus_on(name, lambda: self.key("tab"))
            self.key("ret")
            self.until_screen(name)
            for other in self.LISTS:
                self.focus_on(other, lambda: self.key("tab"))
                self.key("ret")
                self.until_screen(other)
            # Back is where one was, list after list.
            for other in [*(o for o in reversed(self.LISTS) if o != self.LISTS[-1]), None]:
                self.key("esc")
                self.until_screen(other)

    def test_2_f_every_way_by_three_buttons(self):
        """A very long hold of play opens the library; there back and forward move the focus, play chooses, a long press of back leads back."""
        for name in self.LISTS:
            self.board.press("play", 1.8)
            self.until_screen("Library")
            self.focus_on(name, lambda: self.board.press("forward"))
            self.board.press("play")
            self.until_screen(name)
            for other in ["Library", None] if name != "Library" else [None]:
                self.board.press("back", 0.8)
                self.until_screen(other)
                # A hand comes up between two long presses.
                self.board.wait(0.5)
        self.assertEqual(self.board.status()["state"], "pause")

    def test_2_g_how_it_looks(self):
        """Photographs of the dark theme, of the night, and of what is large and simple."""
        self.addCleanup(self.restart, "never", theme="light", layout="full")
        looks = (("dark", {"theme": "dark"}), ("night", {"theme": "dark", "hours": "00:00-23:59"}),
                 ("simple", {"hours": "never", "layout": "simple"}))
        for name, settings in looks:
            with self.subTest(name):
                self.restart(**settings)
                self.middle("Play")
                self.board.wait(2)
                photo = self.photograph()
                keep(photo, SIZE, name)
                light = sum(photo[::301]) / len(photo[::301])
                self.assertLess(light, {"dark": 90, "night": 26, "simple": 120}[name])
                if name == "night":
                    self.assertLess(max(photo[2::3]), 9, "blue light")
                if name == "simple":
                    labels = [element["label"] for element in self.standing() if element["element"] == "button"]
                    self.assertEqual(labels, ["Back", "Play", "Forward", "Books"])
                    self.tap(*self.middle("Books"))
                    # The player has a "Back" of its own.
                    self.board.until(lambda: any(element.get("hint") == "goes to what plays" for element in self.standing()), 10, self.standing)
                    self.board.wait(1)
                    keep(self.photograph(), SIZE, "simple-books")
                    self.tap(*self.middle("Back"))
                    self.middle("Play")

    def test_2_c_how_soon(self):
        """While something moves most of the time, by the process's own figures: from the kernel's time of a touch to the picture that it
        is seen in, which the panel has been given."""
        # Of playing and pausing, where all of the picture begins to change, 99 of 100 are the worst of 40.
        for name, labels, count, frames in (("buttons that show themselves pressed", ("Back", "Forward", "Favourite"), TOUCHES, 2),
                                            ("playing and pausing", ("Play",), TOUCHES // 3, 3)):
            # A busy host holds the whole board up now and then, and makes nothing faster: a second try where the first is late.
            for _ in range(2):
                latest = self.touched_until_seen(name, labels, count)
                if latest <= frames * FRAME:
                    break
            self.assertLessEqual(latest, frames * FRAME)
            self.assertEqual(self.xruns(), 0)

    def touched_until_seen(self, name, labels, count):
        """Milliseconds until 99 of 100 touches were seen."""
        places = [self.place(label) for label in labels]
        begun = self.board.now()
        for round in range(count):
            self.tap(*places[round % len(places)])
            self.board.wait(0.05 + round % 7 * 0.03)
        self.board.sh("systemctl restart nightstand-screen")
        told = "\n".join(self.told(begun))
        found = re.search(r"(\d+) pictures; a touch was seen after (\d+) ms at most, 99 of 100 after (\d+)", told)
        self.assertTrue(found, told)
        print(f"{count} taps, {name}: {found[0]}")
        self.until_shown(differing=PLAYING)
        return int(found[3])

    # The effect on the sound

    def test_3_a_crash_costs_the_picture_and_not_the_sound(self):
        self.board.mpd("pause 0")
        self.until_shown(differing=PLAYING)
        begun, kills, seen = self.board.now(), [], 0
        for round in range(CRASHES):
            # The next item has another picture.
            self.board.mpd("seekcur 9")
            process, playing, at = self.process(), self.photograph(), self.board.elapsed()
            if round % 2:
                # In the middle of a change of screen.
                self.drag(700, 250, 300, 250)
                self.board.wait(round * 0.01)
            self.board.sh(f"kill -SEGV {process}")
            kills.append(self.board.now())
            # Looking meanwhile would take the one core from it.
            self.board.wait(1)
            alike = lambda: roughly_different(playing, self.photograph()) < 0.1
            seen += alike()
            self.board.until(lambda: alike() and self.process() not in (0, process), 5, self.log)
            self.assertEqual(self.board.status()["state"], "play")
            self.assertGreater(self.board.elapsed(), at)
        opened = [float(line[1:line.index("]")]) for line in self.told(begun) if "/dev/dri/card0, " in line]
        self.assertEqual(len(opened), CRASHES)
        # It draws as soon as it has its panel.
        again = [at - killed for at, killed in zip(opened, kills)]
        print(f"{CRASHES} times killed, the panel had a process again after {min(again):.2f} to {max(again):.2f} s, "
              f"its picture was seen within a second {seen} times")
        self.assertEqual(self.xruns(), 0)
        # On this board, half as fast as a Pi 3's core, most of it is the service manager's sandbox.
        self.assertEqual(seen, CRASHES)

    def profile(self, during=None):
        """The figures of `nightstand profile`, and the card's calls meanwhile, while something is done again and again."""
        before = self.calls()
        self.board.sh("rm -f /run/profile; { " f"nightstand profile --seconds {PROFILED} >/run/profile.now; mv /run/profile.now /run/profile; "
                      "} >/dev/null 2>&1 &")
        while not self.board.sh("cat /run/profile 2>/dev/null", check=False):
            if during:
                during()
            else:
                self.board.wait(0.2)
        report = self.board.sh("cat /run/profile")
        figures = {name: float(number) for name, number in re.findall(r"(?m)^(.*?) {2,}([\d.]+)", report)}
        return figures, self.calls() - before

    def calls(self):
        """The lateness of the audio thread at the card's calls: {bucket: calls}, four buckets an octave of
        nanoseconds."""
        counted = self.board.fields("counters raw")["scheduling"].split()[1:]
        return Counter({int(bucket): int(calls) for bucket, calls in (word.split(":") for word in counted)})

    @staticmethod
    def late(calls, percent):
        """Microseconds that so many percent of the calls were late by at most."""
        seen = 0
        for bucket in sorted(calls):
            seen += calls[bucket]
            if seen * 100 >= calls.total() * percent:
                return 2 ** ((bucket + 1) / 4) / 1000
        return 0

    def test_4_the_sound_does_not_suffer(self):
        """One core, and a panel on which something moves without end: screens that give way to each other, a list under a finger."""
        self.addCleanup(self.restart)
        self.board.sh("systemctl stop nightstand-screen")
        self.board.mpd("pause 0")
        without, calls_without = self.profile()
        self.board.sh("systemctl start nightstand-screen")
        self.until_shown(differing=PLAYING)
        self.leave_player()
        tabs = [self.place("Library"), self.place("Favorites"), self.place("Settings")]
        self.count = 0

        def animate():
            self.count += 1
            self.tap(*tabs[self.count % 3], 0.03)
            self.board.wait(0.15)

        begun = self.board.now()
        within, calls_within = self.profile(animate)
        took = self.board.now() - begun
        self.board.sh("systemctl stop nightstand-screen")
        pictures = int(re.search(r"(\d+) pictures", "\n".join(self.told(begun)))[1])
        for name in ("scheduling latency p99", "scheduling latency max", "underruns", "decode time p99", "ring fill min"):
            print(f"{name}: {without[name]:.0f} without a screen, {within[name]:.0f} with one that draws {pictures / took:.0f} a second")
        self.assertGreater(pictures / took, 20)
        self.assertEqual(within["underruns"], 0)
        self.assertEqual(self.xruns(), 0)
        self.assertGreater(min(calls_without.total(), calls_within.total()), 30)
        # Of some 60 calls: the usual one pays for a change of caches; none waits for the process that draws, which takes milliseconds for
        # a picture. The kernel of this board may be entered by others for some 0.4 ms, which befalls one call of 200.
        for percent, more in ((50, 100), (95, 1000)):
            latest, latest_without = self.late(calls_within, percent), self.late(calls_without, percent)
            print(f"{percent} of 100 calls of the card: {latest_without:.0f} us late at most without a screen, {latest:.0f} with one")
            self.assertLess(latest, latest_without + more)

    # Other ways to a panel

    def test_5_the_other_ways_to_the_panel(self):
        for settings in ({"output": "flip"}, {"output": "fb", "device": self.framebuffer("virtio_gpu")}):
            with self.subTest(settings["output"]):
                self.restart(**settings)
                self.until_shown()
                self.tap(*self.play)
                self.until_state("play", 5)
                self.until_shown(differing=PLAYING)
                self.tap(*self.play)
                self.until_state("pause", 5)
                self.until_shown()
        self.assertEqual(self.terminal(), 1)
        self.board.sh(f"kill -KILL {self.process()}; systemctl stop nightstand-screen")
        self.board.until(lambda: self.terminal() == 0, 10, "the kernel's text")
        self.restart(output="auto", device="")

    def framebuffer(self, driver):
        """The path of the device with a driver whose name begins so."""
        return self.board.sh(f"cd /sys/class/graphics && echo /dev/$(grep -l '^{driver}' fb*/name | head -1 | cut -d/ -f1)")

    def test_6_turned_round(self):
        for rotation in ("90", "270"):  # 180 is the black box's
            with self.subTest(rotation):
                self.restart(rotation=rotation)
                # Upright, a gradient lies behind it.
                keep(self.until_shown(part=edges, tolerance=40), self.looked_at(), "turned-" + rotation)
                self.tap(*self.place("Play"))
                self.until_state("play", 5)
                self.board.mpd("pause 1")
                self.until_state("pause", 5)
        self.restart(rotation="0")

    def test_6_b_sixteen_and_twenty_four_bits(self):
        for number, (panel, rotation) in enumerate(((SIXTEEN, "0"), (TWENTY_FOUR, "270"))):
            size = panel[1]
            with self.subTest(panel[3]):
                device = self.board.sh("cd /sys/class/graphics && echo /dev/$(grep -l " f"'^{8 * panel[3]}$' fb*/bits_per_pixel | cut -d/ -f1)")
                self.restart(output="auto", device=device, rotation=rotation)
                self.board.until(lambda: self.is_like(self.memory(*panel), self.drawn(size=size), panel[3]), 30, self.log, pause=0.3)
                keep(self.memory(*panel), self.looked_at(size), f"bits-{8 * panel[3]}")
        self.restart(output="auto", device="", rotation="0")

    def is_like(self, seen, drawn, bytes_):
        """Of 16 bits all, within a level of theirs; of 24 what stands there, since it is held upright, with a gradient behind it."""
        return different(seen, drawn, 10) < 0.002 if bytes_ == 2 else different(edges(seen), edges(drawn), 40) < 0.002

    # Light

    def test_7_dark_it_wakes_for_nobody_and_a_touch_only_wakes(self):
        self.addCleanup(self.restart, dim_seconds="0", off_seconds="0")
        self.restart(dim_seconds="10", off_seconds="13")
        self.until_shown()
        self.board.mpd("pause 0")
        self.board.until(lambda: (photo := self.photograph()) and sum(photo[::301]) / len(photo[::301]) < 3, 40, self.log)
        before, then = self.switches(), self.board.now()
        self.board.wait(20)
        count = self.switches() - before
        print(f"dark: {count} wake-ups in {self.board.now() - then:.0f} s of playing")
        self.assertEqual(count, 0)
        self.tap(*self.play)
        self.until_shown(differing=PLAYING)
        self.assertEqual(self.board.status()["state"], "play")
        self.tap(*self.play)
        self.until_state("pause", 5)

    def test_8_what_it_may_do(self):
        process = self.process()
        status = self.board.sh(f"cat /proc/{process}/status")
        self.assertEqual(self.board.sh(f"stat -c %U /proc/{process}").strip(), "nightstand-screen")
        self.assertRegex(status, r"(?m)^CapEff:\s*0+$")
        self.assertRegex(status, r"(?m)^Seccomp:\s*2$")
        names = self.board.sh("id -Gn nightstand-screen").split()
        self.assertEqual(set(names), {"nightstand-screen", "nightstand", "video", "input"})
        exposure = self.board.sh("systemd-analyze security --no-pager nightstand-screen.service | tail -1", check=False, seconds=120)
        print("\n" + exposure)
        self.assertRegex(exposure, r"level for nightstand-screen.service: [01]\.\d ")

    # The plug

    def test_9_a_power_cut(self):
        """The place is kept, and the screen is there again by itself."""
        board = self.board
        board.sh("systemctl enable nightstand-screen; sync")
        board.mpd("pause 0")
        at = board.elapsed()
        board.until(lambda: board.elapsed() > at + 4, 30, "playing")
        self.leave_player()
        last = board.elapsed()
        board.cut()
        lost = powercut.cut(self.before, self.writes, board.state, random.Random(SEED))
        board.state_drive = None
        remembered = Remembered(board.state)
        self.assertLess(last - remembered.position, 5)
        board.load(*self.DRIVERS)
        took = board.on(devices=self.DEVICES)
        self.assertEqual(board.status()["state"], "play")
        self.assertEqual(board.status()["song"], "0")
        self.assertGreaterEqual(board.elapsed(), remembered.position)
        self.until_shown(differing=PLAYING)
        print(f"power cut, writes {lost}; speaker back {took:.0f} s after the plug on this host, the panel "
              + board.sh("systemctl show -P ExecMainStartTimestampMonotonic nightstand-screen") + " us after the kernel")


if __name__ == "__main__":
    unittest.main()
