# SPDX-License-Identifier: Apache-2.0
"""What fetching costs: the number of writes of the map, and the repeated requests."""

import os
import re
import shutil
import socket
import struct
import subprocess
import threading
import unittest

from build import compiled
from harness import contents, until
from test_streams import StreamCase


class AskedTwice(StreamCase):
    """Servers that hang up or are cut off, over and over."""

    def cuts(self, count, **options):
        address = self.server.add("/a.mp3", self.data, times=count, **options)
        self.start()
        self.play(address)
        page = self.server.pages["/a.mp3"]
        self.whole()
        self.assertEqual(len(page.requests), count + 1)
        self.assertEqual(contents(self.audio()), self.data)
        return page.sent - len(self.data)

    def audio(self):
        folder = self.path("cache")
        return os.path.join(folder, next(n for n in os.listdir(folder) if n.endswith(".audio")))

    def test_with_a_tag(self):
        """Bytes that a tag calls the same are requested once."""
        self.assertEqual(self.cuts(4, cut=30_000, hangs_up=True), 0)

    def test_without(self):
        """Else 64 KB of it, after each cut."""
        twice = self.cuts(2, cut=75_000, hangs_up=True, tag=None)
        self.assertGreater(twice, 0)
        self.assertLessEqual(twice, 2 * 64 * 1024)

    def test_cut_off_early(self):
        """With fewer bytes than that, it begins anew: also no more than 64 KB."""
        self.assertLessEqual(self.cuts(1, cut=50_000, hangs_up=True, tag=None), 64 * 1024)


@unittest.skipUnless(shutil.which("strace"), "no strace")
class Maps(StreamCase):
    seconds = 60

    def test_twice_a_minute(self):
        """However fast it comes, the map is written twice a minute at most, with the last of it, too."""
        steps = threading.Semaphore(0)
        address = self.server.add("/a.mp3", self.data, steps=steps)
        clock = self.path("ahead")
        with open(clock, "wb") as file:
            file.write(bytes(4096))
        trace = self.path("trace")
        # The fetching process alone, in a time of its own. Counts its writes for one recording.
        self.settings["network"]["words"] = "no"
        fetching = subprocess.Popen(
            ["strace", "-f", "-o", trace, "-e", "trace=rename,renameat,renameat2", *self.command, "--config",
             self.write_settings(), "fetch"],
            env=dict(os.environ, MOVE_CLOCK=clock,
                     LD_PRELOAD=compiled("move-clock.c", "move-clock.so", "-shared", "-fPIC", "-ldl")))
        self.addCleanup(self.end, fetching)
        until(lambda: os.path.exists(self.settings["network"]["socket"]), 10, "the fetching process")
        self.start()
        self.mpd(f'add "{address}"')
        self.mpd("play")
        written, seconds = [], 5
        pieces = -(-len(self.data) // 4096)
        for piece in range(pieces):
            with open(clock, "r+b") as file:
                file.write(struct.pack("=q", piece * seconds))
            steps.release()
            until(lambda: self.fetched() >= min(len(self.data), (piece + 1) * 4096), 10, lambda: f"piece {piece}; {self.say()}")
            written.append(self.writes(trace))
        self.assertGreater(pieces * seconds, 300)
        # The last of it is written when it is due.
        with open(clock, "r+b") as file:
            file.write(struct.pack("=q", pieces * seconds + 60))
        # The process waits by the kernel's time, and reads its own clock for each visitor.
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as visitor:
            visitor.connect(self.settings["network"]["socket"])
        self.whole()
        minute = 60 // seconds
        # A write may be seen a step late.
        most = max(b - a for a, b in zip(written, written[minute - 1:]))
        self.assertLessEqual(most, 2)
        # And the bytes are written: after a power cut, those of half a minute are there.
        self.assertGreaterEqual(written[-1], pieces * seconds // 60)

    def fetched(self):
        folder = self.path("cache")
        names = [n for n in os.listdir(folder) if n.endswith(".audio")] if os.path.isdir(folder) else []
        return os.path.getsize(os.path.join(folder, names[0])) if names else 0

    @staticmethod
    def writes(trace):
        return len(re.findall(rb"rename.*\.map", contents(trace)))


if __name__ == "__main__":
    unittest.main()
