# SPDX-License-Identifier: Apache-2.0
"""Devices that are plugged in and pulled out while the speaker runs under systemd, with the rights that its unit has: a
remote, a keyboard,
a stick within the library."""

import os
import random
import subprocess
import tempfile
import unittest

from machine import Machine
from material import make_library, noise_mp3

# The board only reads the library's disk, so the folder for the package's mounts has to be on it. The number of random times at which the stick is
# plugged in or pulled out; PLUG_EVENTS=1000 board/virtual test test_plugged is a night's worth.
EVENTS = int(os.environ.get("PLUG_EVENTS", 20))
STICK = "/srv/nightstand/STICK"
KEYBOARD = "QEMU QEMU USB Keyboard"


def fat(path, label, cylinders, folder):
    """An image of a FAT file system, as sticks have, with a folder's files. A cylinder is half a megabyte."""
    heads, sectors = 16, 63
    names = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    with open(path, "wb") as file:
        file.truncate(cylinders * heads * sectors * 512)
    for command in (["mformat", "-i", path, "-v", label, "-t", str(cylinders), "-h", str(heads), "-s", str(sectors), "::"],
                    ["mcopy", "-i", path, "-s", *names, "::"]):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, LC_ALL="C.UTF-8"))
    return path


class Plugged(unittest.TestCase):
    """All tests share one board; each leaves it with nothing plugged in."""

    FASTER = 8

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            noise_mp3(os.path.join(folder, "home.mp3"), minutes=10, seed=1, title="At home")
            os.mkdir(os.path.join(folder, "STICK"))
            cls.board = board = Machine(library=folder)
        cls.addClassCleanup(board.close)
        with tempfile.TemporaryDirectory() as folder:
            make_library(folder)
            os.rename(os.path.join(folder, "3.mp3"), os.path.join(folder, "Größe.mp3"))
            cls.image = fat(board.path("stick.img"), "STICK", 66, folder)
        buttons = board.settings["buttons"]
        buttons["play"] += f" | input:KEY_PLAYPAUSE | input:KEY_F5@{KEYBOARD}"
        buttons["volume-up"] += " | input:KEY_F8"
        board.load("xhci_pci", "usb_storage", "sd_mod")
        board.on(devices=["qemu-xhci,id=usb", "virtio-keyboard-pci"], arguments=[
            "-blockdev", f"driver=raw,node-name=stick,read-only=on,file.driver=file,file.filename={cls.image}"])
        board.until(lambda: board.status()["playlistlength"] == "1" and "updating_db" not in board.status(), 60, "the library")
        cls.process = board.sh("systemctl show nightstand -p MainPID --value")

    def setUp(self):
        self.board.mpd("play 0")
        self.board.mpd("seekcur 60")
        self.board.mpd("pause 1")
        self.board.mpd("setvol 20")

    def wait(self, condition, seconds, what):
        self.board.until(condition, seconds, lambda: f"{what}: {self.board.status()}\n{self.board.glass}\n" + self.board.sh(
            "journalctl -u nightstand --no-pager -o short-monotonic -n 20; dmesg | tail -n 15; ls -l /dev/input"))

    def look(self):
        """The state that keys could have changed."""
        status = self.board.status()
        return status["state"], status["volume"], status["song"], self.board.mpd("favourite list")

    # Keys

    def key(self, name, down):
        self.board.qmp("input-send-event", events=[
            {"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": name}}}])

    def press(self, name, seconds=0.1):
        self.key(name, True)
        self.board.wait(seconds)
        self.key(name, False)

    def has_devices(self, count):
        """The speaker has so many input devices open. A descriptor that is closed meanwhile is one that ls complains about."""
        return self.board.sh(f"ls -l /proc/{self.process}/fd 2>/dev/null | grep -c /dev/input/event", check=False) == str(count)

    def plays_and_pauses(self, name):
        for state in ("play", "pause"):
            self.press(name)
            self.wait(lambda: self.board.status()["state"] == state, 5, f"{state} at {name}")

    def plug_keyboard(self):
        """Returns when its key had played, in seconds from when it was plugged in."""
        began = self.board.now()
        self.board.qmp("device_add", driver="usb-kbd", id="keyboard", bus="usb.0")
        self.wait(lambda: self.has_devices(1), 20, "the keyboard in use")
        self.press("f5", 0.05)
        self.wait(lambda: self.board.status()["state"] == "play", 5, "playing at its key")
        seconds = self.board.now() - began
        self.press("f5", 0.05)
        self.wait(lambda: self.board.status()["state"] == "pause", 5, "paused at its key")
        return seconds

    def unplug_keyboard(self):
        self.board.qmp("device_del", id="keyboard")
        self.wait(lambda: self.has_devices(0), 10, "the keyboard gone")

    def test_a_remote_that_wakes_and_sleeps(self):
        """Its driver comes after the unit, which so has not got its device when it starts."""
        self.assertTrue(self.has_devices(0))
        self.assertIn("input", self.board.sh(f"id -nG nightstand; grep ^Groups /proc/{self.process}/status"))
        for _ in range(2):
            began = self.board.now()
            self.board.sh("modprobe -a evdev virtio_input")
            self.wait(lambda: self.has_devices(1), 20, "the remote in use")
            print(f"a remote is used {self.board.now() - began:.2f} s after its driver was loaded")
            self.assertEqual(self.board.sh("stat -c %G:%a /dev/input/event*"), "input:660")
            self.plays_and_pauses("audioplay")
            self.board.sh("modprobe -r virtio_input")
            self.wait(lambda: self.has_devices(0), 10, "the remote gone")
            self.assertEqual(self.board.status()["state"], "pause")

    def test_a_keyboard_pulled_out_while_a_key_is_down(self):
        took = [self.plug_keyboard()]

        # One that repeats: up to here, and not a step further.
        self.key("f8", True)
        self.wait(lambda: int(self.board.status()["volume"]) >= 35, 10, "a key held to go on")
        self.unplug_keyboard()
        self.key("f8", False)
        before = self.look()
        self.board.wait(1.5)
        self.assertEqual(self.look(), before, "a key that is away goes on")
        took.append(self.plug_keyboard())

        # A longer press has acted: its end is neither that of a short press nor of a long one.
        self.key("f5", True)
        self.wait(lambda: self.board.glass.look()[0].startswith("Menu"), 5, "the menu")
        self.unplug_keyboard()
        self.key("f5", False)
        self.board.wait(1.5)
        self.assertEqual(self.look(), before, "a key that is away goes on")
        self.board.mpd("menu leave")
        took.append(self.plug_keyboard())
        self.unplug_keyboard()
        print("a keyboard's key plays " + ", ".join(f"{seconds:.2f}" for seconds in took) + " s after it was plugged in")
        self.assertLess(max(took[1:]), 2)
        journal = self.board.sh("journalctl -u nightstand --no-pager -o cat")
        self.assertIn(f"buttons: {KEYBOARD} (event", journal)
        self.assertNotIn("warning", journal)

    # A stick

    def plug_stick(self):
        """The package mounts it within the library. Returns when it was plugged in."""
        began = self.board.now()
        self.board.qmp("device_add", driver="usb-storage", id="stick", drive="stick", bus="usb.0")
        return began

    def unplug_stick(self):
        """Without a word. The speaker plays on from the kernel's read-ahead, minutes perhaps: it forgets that, but not
        the names."""
        self.board.sh("echo 1 >/proc/sys/vm/drop_caches")
        self.board.qmp("device_del", id="stick")

    def missing(self, place):
        """It waits for the stick, which it names, where it was or soon after; returns the place."""
        self.wait(lambda: "STICK is missing" in self.board.glass.text(), 60, "that the stick is missing")
        at = self.board.elapsed()
        self.assertEqual(self.board.fields("currentsong")["file"], "STICK/2.mp3")
        self.assertGreaterEqual(at, place)
        self.assertLess(at, place + 30)
        return at

    def test_stick(self):
        board = self.board
        # A mount within the first 20 s counts as there when the board was switched on.
        self.wait(lambda: float(board.sh("ps -o etimes= -p " + self.process)) > 21, 30, "a speaker that has been on for a while")
        for name in ("idle", "again"):
            with self.subTest(name):
                began = self.plug_stick()
                self.wait(lambda: board.status()["playlistlength"] == "4", 10, "what is on the stick")
                noticed = board.now() - began
                print(f"a stick: in the queue {noticed:.2f} s after it was plugged in")
                # 2.5 to 3.1 s: a second of it is the kernel's wait before it asks a new disk (usb-storage.delay_use).
                self.assertLess(noticed, 4)
                self.assertEqual([line for line in board.mpd("listall STICK") if line.startswith("file")],
                                 ["file: STICK/1.mp3", "file: STICK/2.mp3", "file: STICK/Größe.mp3"])
                options = board.sh(f"grep ' {STICK} ' /proc/mounts").split()[3].split(",")
                self.assertEqual({"ro", "nosuid", "nodev", "noexec"} - set(options), set())
                # The next press of play starts it: at its place, if it was heard before.
                song = {"idle": "STICK/1.mp3", "again": "STICK/2.mp3"}[name]
                self.wait(lambda: board.fields("currentsong")["file"] == song, 5, f"{song} ready")
                self.assertEqual(board.status()["state"], "pause")
                if name == "again":
                    self.assertGreater(board.elapsed(), 29)
                board.mpd("play 2")
                board.mpd("seekcur 30")
                self.wait(lambda: board.elapsed() >= 31, 30, "playing")

                # Pulled out in play.
                at = board.elapsed()
                self.unplug_stick()
                place = self.missing(at)
                board.wait(4)
                self.assertEqual(self.missing(place), place)
                self.wait(lambda: board.status()["playlistlength"] == "2", 10, "the rest of the stick gone from the queue")
                self.assertEqual(board.sh(f"grep -c ' {STICK} ' /proc/mounts", check=False), "0")

                # Back: it goes on there by itself.
                began = self.plug_stick()
                self.wait(lambda: place < board.elapsed(), 10, "playing on")
                back = board.now() - began
                self.assertEqual((board.fields("currentsong")["file"], board.status()["state"]), ("STICK/2.mp3", "play"))
                self.assertLess(board.elapsed(), place + 5)
                self.wait(lambda: board.status()["playlistlength"] == "4", 10, "all of the stick in the queue again")
                print(f"a stick pulled out in play, {name}: played on for {place - at:.1f} s, then waited; "
                      f"goes on {back:.1f} s after it was plugged in again")
                board.mpd("play 0")
                board.mpd("pause 1")
                self.unplug_stick()
                self.wait(lambda: board.status()["playlistlength"] == "1", 10, "the stick gone from the queue")
                self.wait(lambda: not board.sh(f"ls -l /proc/{self.process}/fd | grep STICK", check=False), 10, "no file held")
                self.assertEqual(board.sh(f"grep -c ' {STICK} ' /proc/mounts; ls /run/nightstand-stick", check=False), "0")

    def test_storm(self):
        """Plugged and pulled at random times, in play and paused: the place is kept, and no mount is left behind."""
        board, chance, began = self.board, random.Random(37), self.board.now()
        self.wait(lambda: float(board.sh("ps -o etimes= -p " + self.process)) > 21, 30, "a speaker that has been on for a while")
        self.plug_stick()
        self.wait(lambda: board.status()["playlistlength"] == "4", 10, "what is on the stick")
        board.mpd("play 2")
        board.mpd("seekcur 30")
        self.wait(lambda: board.elapsed() >= 31, 30, "playing")
        board.mpd("pause 1")
        place, isIn, events, checks = board.elapsed(), True, 0, 0
        while events < EVENTS or not isIn:
            board.wait(chance.choice((0, 0.1, 0.5, 1, 1.5, 2, 3)) * chance.random())
            if isIn:
                self.unplug_stick()
            else:
                self.plug_stick()
            isIn, events = not isIn, events + 1
            if not isIn or (events < EVENTS and chance.random() > 0.2):
                continue
            checks += 1
            self.wait(lambda: board.status()["playlistlength"] == "4", 15, f"all of the stick after {events} events")
            self.wait(lambda: board.fields("currentsong")["file"] == "STICK/2.mp3", 5, f"the place after {events} events")
            at = board.elapsed()
            # Going on after a pause may go back some seconds.
            self.assertGreater(at, place - 3, f"after {events} events")
            board.mpd("play")
            self.wait(lambda: board.elapsed() > max(place, at) + 0.5, 15, f"playing after {events} events")
            place = board.elapsed()
            if chance.random() < 0.5:
                board.mpd("pause 1")
        board.mpd("pause 1")
        self.unplug_stick()
        board.mpd("play 0")
        board.mpd("pause 1")
        self.wait(lambda: board.status()["playlistlength"] == "1", 15, "the stick gone from the queue")
        self.assertEqual(board.sh(f"grep -c ' {STICK}' /proc/mounts; ls /run/nightstand-stick", check=False), "0")
        self.assertEqual(board.sh("systemctl show nightstand -p MainPID --value"), self.process)
        print(f"a storm: {events + 1} events in {board.now() - began:.0f} s, {checks} looks at the place")
