"""What comes out of the board's sound cards, to the sample."""

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

from heard import FADE_SECONDS, crossing, fading, samples, stretches
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


class Skipping(SoundCase):
    """What is heard when buttons skip, on any card. A subclass knows how its card is listened to."""

    def begin(self):
        """From now on it is recorded."""

    def heard(self, seconds_more=0.4):
        """The recording so far, one channel."""

    def frame_times(self):
        """A function from the recording's frames to the board's clock, or None where there is none."""

    def skip(self, crossing_is_whole=True):
        board = self.board
        self.play_from("2 noise.mp3", 7)
        self.play_on(0.5)
        board.mpd("pause 1")
        self.begin()
        self.board.sh("sleep 0.2")
        self.play_from("1 noise.mp3", 12)
        self.play_on(1)
        presses = []
        for button in ("forward", "forward", "back", "next", "previous"):
            clock = Clock(board)
            down = board.press(button)[0]
            presses.append((button, down, clock.elapsed(down), clock.error))
            board.sh("sleep 0.8")
        told = Clock(board)
        times = self.frame_times()
        heard = self.heard()
        found = self.stretches(heard)
        self.assertEqual(len(found), len(presses) + 1, found)
        silences, sounds = [], []
        left = {"2 noise.mp3": None}
        for (button, down, elapsed, error), old, new in zip(presses, found, found[1:]):
            before = elapsed * self.RATE  # the place told when the button went down
            if button in ("forward", "back"):
                self.assertEqual(new.item, old.item)
                jump = (new.place - old.place_end) / self.RATE
                self.assertAlmostEqual(jump, 10 if button == "forward" else -10, delta=0.03 + error, msg=f"{button}: {old} → {new}")
            else:
                self.assertNotEqual(new.item, old.item)
            # No leftover: what is still heard of the old place is what the speaker needs to find the new one.
            silences.append((old.place_end - before) / self.RATE)
            gap = (new.start - old.end) / self.RATE
            sounds.append(silences[-1] + gap)
            if times:
                self.assertAlmostEqual(times(old.end) - down, silences[-1], delta=0.02 + error, msg="the place told is not the one heard")
                silences[-1], sounds[-1] = times(old.end) - down, times(new.start) - down
            if crossing_is_whole:
                self.assertLessEqual(gap, 2 * FADE_SECONDS + 0.001, f"{button}: {old} → {new}")
                self.assertIsNone(crossing(heard, old, new, self.items))
            else:
                self.assertLess(gap, 0.15)
        print(self.id(), [f"{1000 * x:.0f}" for x in silences], [f"{1000 * x:.0f}" for x in sounds], found, self.board.fields("counters"))


class Loopback(Skipping):
    """snd-aloop: the kernel copies what a card would play into a recording."""

    recorder = None

    def begin(self):
        self.end()
        self.recording = f"{self._testMethodName}.raw"
        self.board.record(self.RATE, self.CHANNELS, self.recording)

    def end(self):
        self.board.sh("pkill arecord; while pgrep arecord; do sleep 0.05; done >/dev/null")

    def heard(self, seconds_more=0.4):
        self.board.sh(f"sleep {seconds_more}")
        return self.board.heard(self.recording)

    def frame_times(self):
        text = self.board.sh("cat /proc/asound/Loopback/pcm1c/sub0/status")
        field = dict(re.findall(r"^(\w+)\s*:\s*([\d.]+)", text, re.MULTILINE))
        began = float(field["trigger_time"])
        now = self.board.now()
        # Recorded without a pause since then, as the card's clock says too.
        self.assertAlmostEqual(began + int(field["hw_ptr"]) / self.RATE, now, delta=0.05)
        return lambda frame: began + frame / self.RATE

    def test_two_items_to_the_sample(self):
        for first, second in (("1 noise.mp3", "2 noise.mp3"), tuple(sorted(self.items)[3:5])):
            with self.subTest(first):
                self.board.mpd("stop")
                self.begin()
                length = len(self.items[first]) / 2 / self.RATE
                self.board.mpd(f"seek {self.song(second)} 0")
                self.board.mpd("stop")
                self.play_from(first, length - 4)
                until(lambda: self.board.status()["song"] == str(self.song(second)), 30, "the next item")
                self.play_on(3)
                self.board.mpd("pause 1")
                heard = self.heard()
                print(self.stretches(heard))

    def test_rewinding(self):
        self.skip()

    def test_dropping(self):
        self.restart(cut="drop")
        self.skip(crossing_is_whole=False)


class HDA(Skipping):
    """An Intel HDA card as QEMU emulates it: a kernel driver whose card fetches the queue from memory by itself."""

    DEVICES = ("intel-hda", "hda-output,audiodev=hda")
    ARGUMENTS = ("-audiodev", "wav,id=hda,path=HOST/hda.wav,out.mixing-engine=off")
    MODULES = ("snd-hda-intel",)
    AUDIO = {"device": "plughw:CARD=Intel"}

    def begin(self):
        self.began = os.path.getsize(self.board.path("hda.wav"))

    def heard(self, seconds_more=0.4):
        self.board.sh(f"sleep {seconds_more}")
        with open(self.board.path("hda.wav"), "rb") as file:
            header = file.read(44)
            self.assertEqual(struct.unpack_from("<HI", header, 22), (2, self.RATE))
            file.seek(max(44, self.began - self.began % 4))
            data = file.read()
        both = samples(data[: len(data) // 4 * 4])
        left, right = both[::2], both[1::2]
        self.assertEqual(left[: len(right)], right)
        return left.tobytes()

    def test_rewinding(self):
        self.skip()

    def test_dropping(self):
        self.restart(cut="drop")
        self.skip(crossing_is_whole=False)
