# SPDX-License-Identifier: Apache-2.0
"""One kind of system call hangs, as a disk that spins up or dies makes it: buttons are answered all the same, and the program ends."""

import contextlib
import os
import signal
import subprocess
import time
import unittest

import large_library
from build import compiled
from harness import SpeakerCase, contents, until

CALLS = "sync", "stat", "open", "list", "read"
# The time of answering a press. A busy host may take its time; a hanging disk takes forever.
ANSWERED_SECONDS = 1.0


class StallCase(SpeakerCase):
    def setUp(self):
        super().setUp()
        for name in "a.mp3", "b.mp3", "c.mp3":
            self.add_noise(name, 60)
        self.flag = self.path("stalled")
        self.addCleanup(self.go_on)

    def stalled(self, call):
        """An environment for start(): such calls wait while the flag exists. Reading is of the library alone: SQLite
        has read its own pages before."""
        return {"LD_PRELOAD": compiled("stall.c", "stall.so", "-shared", "-fPIC", "-ldl"), "STALL_CALL": call,
                "STALL_PREFIX": self.library if call == "read" else self.folder, "STALL_WHILE": self.flag}

    def stall(self):
        with open(self.flag, "w"):
            pass

    def go_on(self):
        if os.path.exists(self.flag):
            os.remove(self.flag)

    def waiting(self):
        return contents(self.flag).decode() if os.path.exists(self.flag) else ""


class Stalls(StallCase):
    FASTER = 8

    def answered(self, command):
        began = time.monotonic()
        self.mpd(command)
        self.assertLess(time.monotonic() - began, ANSWERED_SECONDS, command)

    def answers_while_it_hangs(self, call):
        self.start(env=self.stalled(call))
        self.mpd("play")
        self.wait_playing()
        self.stall()
        # Commands that touch disks in any way, over longer than the interval of saving a place.
        end = time.monotonic() + 6
        commands = ["pause 1", "pause 0", "seekcur 20", "setvol 60", "next", "previous", "favorite", "status", "currentsong",
                    "playlistinfo", "update", "stop", "play", "transcript 1", "lsinfo", "deleteid 2", "listall"]
        at = 0
        while time.monotonic() < end or at < len(commands):
            try:
                self.answered(commands[at % len(commands)])
            except type(self.mpd).Refused:
                pass  # an answer, too
            at += 1
            time.sleep(0.05)
        self.assertNotIn("C", self.waiting(), f"{call} on the control thread")
        self.assertIn("w", self.waiting(), f"no {call} hung")
        self.go_on()
        until(lambda: "updating_db" not in self.mpd.status(), 20, "the library scan")
        self.mpd("play 0")
        self.wait_playing()

    def test_sync(self):
        self.answers_while_it_hangs("sync")

    def test_the_disk_of_the_state(self):
        """A card that tidies up: every access to the state folder waits for nine seconds."""
        state = self.settings["state"]["path"]
        self.start(env=dict(self.stalled("write,read,sync"), STALL_PREFIX=state))
        self.mpd("setvol 80")
        self.mpd("play")
        self.wait_playing()
        # Questions about the current and the next item have been asked before: their answers are in memory.
        for command in "next", "previous", "favourite add", "favourite remove", "bookmark add", "pause 1", "pause 0":
            self.mpd(command)
        time.sleep(6)  # past a save
        self.stall()
        slowest, at = 0.0, 0
        end = time.monotonic() + 9
        commands = ["pause 1", "pause 0", "seekcur 20", "setvol 60", "favourite add", "status", "currentsong", "next", "setvol 70",
                    "previous", "favourite remove", "bookmark add"]
        while time.monotonic() < end:
            began = time.monotonic()
            try:
                self.mpd(commands[at % len(commands)])
            except type(self.mpd).Refused:
                pass
            slowest = max(slowest, time.monotonic() - began)
            at += 1
            time.sleep(0.05)
        self.mpd("seekcur 33")
        self.mpd("setvol 41")
        with contextlib.suppress(type(self.mpd).Refused):
            self.mpd("favourite add")  # it may be one already
        title = self.mpd.fields("currentsong")["file"]
        self.assertNotIn("C", self.waiting(), "the state's disk on the control thread")
        self.assertIn("w", self.waiting(), "nothing hung")
        print(f"{at} commands while the disk hung, the slowest answered in {slowest * 1000:.1f} ms")
        self.assertLess(slowest, ANSWERED_SECONDS)
        self.go_on()
        time.sleep(2)
        self.kill()
        self.start()
        status = self.mpd.status()
        self.assertEqual(self.mpd.fields("currentsong")["file"], title)
        self.assertEqual(status["volume"], "41")
        self.assertTrue(33 <= float(status["elapsed"]) < 39, status)
        self.assertIn("favourite: ", "\n".join(self.mpd("favourite list")).replace("file: ", "favourite: "))

    def test_stat(self):
        self.answers_while_it_hangs("stat")

    def test_open(self):
        self.answers_while_it_hangs("open")

    def test_list(self):
        self.answers_while_it_hangs("list")

    def test_read(self):
        self.answers_while_it_hangs("read")

    def test_a_hang_does_not_keep_the_program(self):
        """SIGTERM ends it in 2 s, during any hanging call of any thread."""
        for call in CALLS:
            with self.subTest(call):
                self.start(env=self.stalled(call))
                self.mpd("play 0")
                self.wait_playing()
                self.stall()
                for command in "seekcur 30", "next", "update":
                    self.mpd.send(command)
                time.sleep(0.3)
                began = time.monotonic()
                self.process.send_signal(signal.SIGTERM)
                self.process.wait(10)
                self.assertLess(time.monotonic() - began, 2.2)
                self.go_on()
                self.mpd.close()

    def test_a_pipe_that_nobody_reads_does_not_keep_the_program(self):
        with open(os.path.join(self.library, "a.srt"), "w") as file:
            file.write("1\n00:00:00,000 --> 00:00:40,000\n" + "word " * 60_000 + "\n")
        reading, writing = os.pipe()
        self.addCleanup(os.close, reading)
        with open(self.path("conf"), "w") as file:
            file.write(f"[audio]\ndevice = paced\npriority = 0\n[state]\npath = {self.path('state')}\n[console]\nsocket = {self.path('socket')}\n")
        process = self.spawn("--config", self.path("conf"), "play", os.path.join(self.library, "a.mp3"), stdout=writing,
                             stderr=subprocess.DEVNULL)
        os.close(writing)
        self.process = process
        mpd = self.connect()
        until(lambda: mpd.status()["state"] == "play", 10, "playing")
        time.sleep(1)
        began = time.monotonic()
        mpd("setvol 40")
        self.assertLess(time.monotonic() - began, ANSWERED_SECONDS)
        process.send_signal(signal.SIGTERM)
        process.wait(10)
        self.assertLess(time.monotonic() - began, 2.2 + ANSWERED_SECONDS)


class Scan(StallCase):
    """A scan's findings take the processor's time, not the clock's."""

    FASTER = 1
    TAKES_LONG = True

    def test_a_scan_waits_for_a_disk_that_does_not_keep_up(self):
        """Findings while the disk takes no writes are not lost: more than the log may hold."""
        self.start(env=self.stalled("sync"))
        self.stall()
        count = 12_000
        large_library.make(self.library, count)
        self.mpd("update")

        def found():
            return int(self.mpd.status().get("updating_db_files", 0))

        until(lambda: "w" in self.waiting() and found() > 0, 30, "the disk to hang in the scan")
        last = -1
        while found() != last:
            last = found()
            time.sleep(1)
        self.assertLess(last, count, "the log took all of it: no test")
        self.assertIn("updating_db", self.mpd.status())
        self.go_on()
        until(lambda: "updating_db" not in self.mpd.status(), 120, "the library scan")
        self.assertEqual(int(self.mpd.fields("stats")["songs"]), count + 3)


if __name__ == "__main__":
    unittest.main()
