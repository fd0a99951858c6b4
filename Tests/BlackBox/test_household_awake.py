# SPDX-License-Identifier: Apache-2.0
"""While a person is at a speaker, its changes go at once, and those of others come within seconds."""

import os
import subprocess
import threading
import time
import unittest

import test_household
from harness import NIGHTSTAND, until
from test_household_sync import SyncCase


class Watch:
    """The acts of the service manager: starts `nightstand sync --stay` where the speaker's file is there, and one at a
    time."""

    def __init__(self, case, speaker):
        self.case, self.speaker, self.started, self.isOver = case, speaker, 0, False
        self.process = None
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        while not self.isOver:
            if os.path.exists(self.speaker.path("household")):
                self.started += 1
                self.process = subprocess.Popen(
                    [NIGHTSTAND, "--config", self.speaker.write_settings(), "sync", "--stay", "--account",
                     self.speaker.path("account", "file")], stderr=subprocess.PIPE, text=True, env=dict(os.environ, LC_ALL="C.UTF-8"))
                self.process.wait()
            time.sleep(0.01)

    def close(self):
        self.isOver = True
        if self.process:
            self.process.kill()
        self.thread.join()


class Awake(SyncCase):
    def setUp(self):
        super().setUp()
        self.other = test_household.Two.another(self)
        for speaker in (self, self.other):
            speaker.start()
            self.join(speaker)
        self.sync(self)

    def watch(self, *speakers):
        found = [Watch(self, speaker) for speaker in speakers]
        for watch in found:
            self.addCleanup(watch.close)
        return found

    def isCarried(self, speaker):
        state = self.state(speaker)
        return state["waiting"] == "0" and state["sent"] == state["revision"]

    def test_a_favourite_made_here_is_there_within_three_seconds(self):
        other = self.other
        self.gateway.delay = 0.05
        mine, theirs = self.watch(self, other)
        # A person is at each speaker.
        self.mpd("pause 1")
        other.mpd("pause 1")
        until(lambda: mine.started and theirs.started, 5, "both at work")
        until(lambda: all(self.isCarried(speaker) for speaker in (self, other)), 10, "nothing to carry")
        slowest = 0
        for name, there in (("b moth.mp3", "b moth.mp3"), ("a lamp.mp3", "lamp, renamed.mp3")):
            began = time.monotonic()
            self.mpd(f'favourite add "{name}"')
            until(lambda: there in self.favourites(other), 10, "the favourite")
            slowest = max(slowest, time.monotonic() - began)
        print(f"household: a favourite is on the other speaker {slowest:.1f} s later")
        self.assertLess(slowest, 3)
        self.assertEqual((mine.started, theirs.started), (1, 1))

    def test_the_kitchen_goes_on_where_the_bed_stopped(self):
        other = self.other
        self.rest(self, "a lamp.mp3")
        self.rest(other, "lamp, renamed.mp3")
        self.sync(self, other, self)
        self.watch(self, other)
        self.next_second()
        self.mpd("seekcur 30")
        self.mpd("pause 0")
        self.wait_playing()
        self.mpd("pause 1")
        until(lambda: any("30" in str(row["value"]) for row in self.rows() if row["kind"] == "place"), 10, "the bed's place")
        self.assertLess(other.mpd.elapsed(), 10)
        other.mpd("pause 0")
        began = time.monotonic()
        until(lambda: other.mpd.elapsed() >= 29, 10, "the kitchen at the place of the bed")
        print(f"household: the kitchen is at the place of the bed {time.monotonic() - began:.1f} s after play")
        self.assertEqual(other.mpd.status()["state"], "play")


if __name__ == "__main__":
    unittest.main()
