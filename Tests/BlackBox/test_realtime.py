# SPDX-License-Identifier: Apache-2.0
"""The audio thread asks for nothing that could make it wait."""

import array
import os
import struct
import subprocess
import time

import audio
import harness
from build import compiled
from harness import SpeakerCase, contents

NAMES = ("armed", "allocations", "frees", "locks", "opens", "reads", "calls_seen", "thread_id")


def thread_named(pid, name):
    for task in os.listdir(f"/proc/{pid}/task"):
        if open(f"/proc/{pid}/task/{task}/comm").read().strip() == name:
            return task
    raise AssertionError(f"no thread is named {name}")


def faults(pid, task):
    """(minor, major) page faults of a thread."""
    fields = open(f"/proc/{pid}/task/{task}/stat").read().rsplit(")", 1)[1].split()
    return int(fields[7]), int(fields[9])


class AudioThread(SpeakerCase):
    NEEDS_SHIPPED = True
    FASTER = 8

    SECONDS = 60

    def watched(self, **settings):
        report = self.path("report")
        with open(report, "wb") as file:
            file.write(bytes(4096))
        shim = compiled("watch-thread.c", "watch-thread.so", "-shared", "-fPIC", "-ldl")
        self.settings["audio"].update(settings)
        self.start(env={"LD_PRELOAD": shim, "WATCH_REPORT": report})
        self.report = report

    def arm(self, on=1):
        with open(self.report, "r+b") as file:
            file.write(struct.pack("q", on))

    def counts(self):
        with open(self.report, "rb") as file:
            return dict(zip(NAMES, struct.unpack(f"{len(NAMES)}q", file.read(8 * len(NAMES)))))

    def assert_clean(self):
        counts = self.counts()
        task = thread_named(self.process.pid, "audio")
        self.assertEqual(str(counts["thread_id"]), task, "another thread was watched")
        self.assertGreater(counts["calls_seen"], 1, "the audio thread was not seen working")
        for name in ("allocations", "frees", "locks", "opens", "reads"):
            self.assertEqual(counts[name], 0, name)

    def test_a_minute_of_playback(self):
        """Over the ends of items, and items of variable bit rate."""
        for number in range(4):
            self.add_noise(f"{number}.mp3", 17, 22050, *(("-V", "5") if number % 2 else ("-b", "64")))
        # With the priority of a board: otherwise an equally busy process comes in between.
        self.watched(buffer_ms=400, priority=50)
        self.mpd("play")
        self.wait_playing()
        task = thread_named(self.process.pid, "audio")
        self.arm()
        before = faults(self.process.pid, task)
        time.sleep(self.SECONDS)
        after = faults(self.process.pid, task)
        self.assert_clean()
        self.assertEqual(after[1] - before[1], 0, "major faults")
        self.assertLess(after[0] - before[0], 60, "minor faults: memory is not touched ahead")
        self.assertEqual(self.counters()["xruns"], "0")

    def test_while_buttons_are_pressed(self):
        for number in range(3):
            self.add_noise(f"{number}.mp3", 40, 22050, "-V", "5")
        self.watched()
        self.mpd("play")
        self.wait_playing()
        self.arm()
        for round in range(20):
            for command in ("seekcur +7.3", "pause 1", "seekcur -3", "pause 0", "setvol 60", "next", "setvol 100", "previous"):
                self.mpd(command)
                time.sleep(0.03)
        self.assert_clean()

    def plays_resampled(self):
        self.add_noise("a.mp3", 20, 22050)
        self.card = self.make_card(rate=48000, channels=2)
        self.watched()
        self.mpd("play")
        self.wait_playing()
        self.arm()
        time.sleep(3)

    def test_while_resampling(self):
        self.plays_resampled()
        self.mpd("seekcur 10")
        time.sleep(2)
        self.assert_clean()

    def test_at_other_speeds_while_resampling(self):
        self.plays_resampled()
        for speed in ("1.5", "3", "0.5", "2"):
            self.mpd(f"speed {speed}")
            time.sleep(1)
        time.sleep(2)
        self.assert_clean()

    def test_recordings_of_other_kinds_joined_into_one_file(self):
        """Rate, channels and length of frames change in mid-stream: the decoder makes its buffers anew, and not on this thread."""
        kinds = [(22050, 1), (8000, 1), (44100, 2), (16000, 1)]
        seconds = 3
        with open(f"{self.library}/joined.mp3", "wb") as joined:
            for rate, channels in kinds:
                wave = array.array("h", (sample for sample in audio.sine(seconds, rate) for _ in range(channels)))
                audio.lame(self.path("part.mp3"), wave, rate, "-b", "64", "--resample", str(rate / 1000), channels=channels)
                joined.write(contents(self.path("part.mp3")))
        self.card = self.make_card(rate=48000, channels=2)
        self.watched()
        self.mpd("play")
        self.wait_playing()
        self.arm()
        harness.until(lambda: self.mpd.status()["state"] != "play", 60, "the end")
        self.assert_clean()
        time.sleep(0.3)
        left = array.array("h", self.card.heard())[::2]
        self.assertAlmostEqual(len(left) / 48000, seconds * len(kinds), delta=1)
        # Each at its right pitch.
        for part in range(len(kinds)):
            middle = left[int((part * seconds + 1) * 48000) : int((part * seconds + 2) * 48000)]
            crossings = sum(a < 0 <= b for a, b in zip(middle, middle[1:]))
            self.assertAlmostEqual(crossings, 440, delta=3, msg=f"{kinds[part]}")
        # The next item needs buffers too, and is not disturbed.
        audio.lame(f"{self.library}/next.mp3", audio.sine(2, 24000), 24000, "-b", "64", "--resample", "24")
        self.mpd("update")
        harness.until(lambda: "next.mp3" in "".join(self.mpd("listall")), 20, "the next item")
        self.mpd("play 1")
        self.wait_playing()

    def test_priority(self):
        self.add_noise("a.mp3", 5)
        self.settings["audio"]["priority"] = 40
        self.start()
        task = thread_named(self.process.pid, "audio")
        scheduled = os.sched_getscheduler(int(task))
        if scheduled == os.SCHED_FIFO:
            self.assertEqual(os.sched_getparam(int(task)).sched_priority, 40)
        else:
            self.assertEqual(sum("priority" in line for line in self.log().splitlines()), 1, self.log())

    def test_refused_priority_is_one_warning(self):
        self.add_noise("a.mp3", 5)
        self.settings["audio"]["priority"] = 40
        limited = ["prlimit", "--rtprio=0", "--memlock=65536"]
        if os.geteuid() == 0:
            limited = ["setpriv", "--bounding-set=-sys_nice,-ipc_lock", "--inh-caps=-all", *limited]
        self.log_path = self.path("log")
        with open(self.log_path, "ab") as log:
            environment = dict(os.environ, ALSA_CONFIG_PATH=self.card.conf)
            self.process = subprocess.Popen([*limited, harness.NIGHTSTAND, "--config", self.write_settings()], env=environment,
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.addCleanup(self.end, self.process)
        self.mpd = self.connect()
        harness.until(lambda: "updating_db" not in self.mpd.status(), 20, "the library scan")
        self.mpd("play")
        self.wait_playing()
        priority = [line for line in self.log().splitlines() if "priority" in line]
        self.assertEqual(len(priority), 1, self.log())
