"""What comes out of the board's sound cards, to the sample."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from heard import FADE_SECONDS, crossing, fading, stretches
from machine import TOP, Machine, until

sys.path.append(os.path.join(TOP, "Tests", "Board"))
import audio  # noqa: E402
from build import reference_decoder  # noqa: E402

MEDIA = os.path.join(TOP, "board", "media")


def decoded(path):
    """What libmpg123 makes of a file on the host."""
    with tempfile.NamedTemporaryFile() as raw:
        subprocess.run([reference_decoder(), path, raw.name], check=True, stdout=subprocess.DEVNULL)
        return raw.read()


class Clock:
    """Ties the speaker's elapsed time to the board's clock: within [low, high] it is elapsed = now - zero."""

    def __init__(self, board, tries=6):
        self.low, self.high = -1e9, 1e9
        for _ in range(tries):
            before = board.now()
            elapsed = board.elapsed()
            after = board.now()
            # now() is rounded down to hundredths, elapsed to thousandths.
            self.low, self.high = max(self.low, before - elapsed - 0.001), min(self.high, after + 0.01 - elapsed + 0.001)

    def elapsed(self, now):
        return now - (self.low + self.high) / 2

    @property
    def error(self):
        return (self.high - self.low) / 2


class SoundCase(unittest.TestCase):
    """A board with noise, in which every place can be found again, and with the sample media."""

    RATE, CHANNELS = 22050, 1
    NOISE, BITS = 40, "64"
    SPEECH = True
    DEVICES, ARGUMENTS, MODULES = (), (), ()
    AUDIO = {}
    INIT = "systemd"

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="sound-")
        cls.addClassCleanup(scratch.cleanup)
        cls.items = {}
        for name in ("1 noise.mp3", "2 noise.mp3"):
            path = os.path.join(scratch.name, name)
            samples = audio.noise(cls.NOISE, cls.RATE, f"{cls.__name__} {name}", cls.CHANNELS)
            audio.lame(path, samples, cls.RATE, "--resample", str(cls.RATE / 1000), "-b", cls.BITS, channels=cls.CHANNELS)
            cls.items[name] = decoded(path)
        for name in sorted(os.listdir(MEDIA)) if cls.SPEECH else []:
            copy = shutil.copy(os.path.join(MEDIA, name), os.path.join(scratch.name, "9 " + name))
            if name.endswith(".mp3"):
                cls.items["9 " + name] = decoded(copy)
        cls.board = board = Machine(library=scratch.name)
        cls.addClassCleanup(board.close)
        board.settings["audio"].update(cls.AUDIO)
        # So that all buttons act as they go down.
        board.settings["gestures"] = {f"{button}.long": "none" for button in ("play", "back", "forward")}
        if cls.MODULES:
            with open(os.path.join(board.host, "modules"), "w") as file:
                file.write("\n".join(cls.MODULES) + "\n")
        seconds = board.on(cls.INIT, devices=cls.DEVICES, arguments=[a.replace("HOST", board.folder) for a in cls.ARGUMENTS])
        until(lambda: "updating_db" not in board.status(), 60, "the library scan")
        print(f"{cls.__name__}: plug in to ready {seconds:.1f} s, {len(cls.items)} items")

    # What the speaker is told

    def restart(self, **settings):
        """The speaker with other [audio] settings."""
        board = self.board
        board.settings["audio"] = {"device": board.settings["audio"]["device"], **settings}
        board.write_settings()
        board.sh("cp /run/host/nightstand.conf /etc/nightstand.conf && systemctl restart nightstand")
        board.wait_ready()
        until(lambda: "updating_db" not in board.status(), 60, "the library scan")

    def song(self, name):
        return sorted(self.items).index(name)

    def play_from(self, name, seconds):
        """Plays the item from there; returns once it does."""
        self.board.mpd(f"seek {self.song(name)} {seconds}")
        self.board.mpd("play")
        until(lambda: self.board.status()["state"] == "play" and self.board.elapsed() > seconds, 30, "playing")

    def play_on(self, seconds):
        """Waits until that much more was heard."""
        end = self.board.elapsed() + seconds
        until(lambda: self.board.elapsed() >= end, 60, f"{seconds} s more")

    def stretches(self, heard):
        return stretches(heard, self.items, self.CHANNELS, rate=self.RATE)

    @property
    def fade(self):
        return int(FADE_SECONDS * self.RATE)


class Loopback(SoundCase):
    """snd-aloop: the kernel copies what a card would play into a recording."""

    def setUp(self):
        self.recording = f"{self._testMethodName}.raw"
        self.board.mpd("stop")
        self.board.record(self.RATE, self.CHANNELS, self.recording)

    def tearDown(self):
        self.board.sh("pkill arecord; while pgrep arecord; do sleep 0.05; done >/dev/null")

    def heard(self, seconds_more=0.4):
        self.board.sh(f"sleep {seconds_more}")
        return self.board.heard(self.recording)

    def frame_times(self):
        """A function from the recording's frames to the board's clock; the card's own granularity is a tick, 4 ms."""
        text = self.board.sh("cat /proc/asound/Loopback/pcm1c/sub0/status")
        field = dict(re.findall(r"^(\w+)\s*:\s*([\d.]+)", text, re.MULTILINE))
        frame, seconds = int(field["hw_ptr"]), float(field["tstamp"])
        return lambda at: seconds + (at - frame) / self.RATE

    def test_two_items_to_the_sample(self):
        for first, second in (("1 noise.mp3", "2 noise.mp3"), tuple(sorted(self.items)[3:5])):
            with self.subTest(first):
                length = len(self.items[first]) / 2 / self.RATE
                self.play_from(first, length - 4)
                until(lambda: self.board.status()["song"] == str(self.song(second)), 30, "the next item")
                self.play_on(3)
                self.board.mpd("pause 1")
                heard = self.heard()
                print(self.stretches(heard))
