# SPDX-License-Identifier: Apache-2.0
"""A recording that ends the speaker does so once: then it is passed over and named, and the rest of the evening plays."""

import ctypes
import glob
import os
import signal
import struct
import unittest

from build import compiled
from harness import SpeakerCase, until


class Deaths(SpeakerCase):
    FASTER = 8

    def setUp(self):
        super().setUp()
        for name in "a.mp3", "deadly.mp3", "z.mp3":
            self.add_noise(name, 20, 16000, "-b", "32")
        self.env = {"LD_PRELOAD": compiled("crash.c", "crash.so", "-shared", "-fPIC", "-ldl"), "CRASH_ON": "deadly.mp3"}

    def dies(self):
        self.assertEqual(self.process.wait(20), -signal.SIGSEGV)

    def files(self):
        return [line for line in self.mpd("listall") if line.startswith("file: ")]

    def test_in_a_scan(self):
        self.start(env=self.env, wait=False)
        self.dies()
        self.start(env=self.env)
        self.assertEqual(self.files(), ["file: a.mp3", "file: z.mp3"])
        self.assertEqual(self.log().count("deadly.mp3: ended the speaker"), 1)
        self.mpd("play 0")
        self.wait_playing()
        self.end()
        # It is known from then on, and told of no more.
        self.start(env=self.env)
        self.assertEqual(self.files(), ["file: a.mp3", "file: z.mp3"])
        self.assertEqual(self.log().count("deadly.mp3: ended the speaker"), 1)
        self.end()
        # Once it is another file it is tried again.
        self.add_noise("deadly.mp3", 10, 16000, "-b", "32", seed="another")
        self.start()
        until(lambda: "file: deadly.mp3" in self.files(), 10, "the file that has changed")

    def test_while_it_plays(self):
        self.start()
        self.assertEqual(len(self.files()), 3)
        self.mpd("play 0")
        self.wait_playing()
        self.end()
        # It plays on, and what comes next is got ready.
        self.start(env=self.env, wait=False)
        self.dies()
        self.start(env=self.env)
        self.wait_playing()
        self.assertEqual(self.mpd.fields("currentsong")["file"], "a.mp3")
        self.assertEqual(self.log().count("deadly.mp3: ended the speaker"), 1)
        self.mpd("seekcur 19")
        until(lambda: self.mpd.fields("currentsong").get("file") == "z.mp3", 10, "the one behind it")
        self.wait_playing()
        self.end()
        # A person's request succeeds: here the file is mended.
        self.start()
        self.mpd("play 1")
        self.wait_playing()
        self.assertEqual(self.mpd.fields("currentsong")["file"], "deadly.mp3")

    def test_what_kills_from_outside_is_no_fault_of_a_recording(self):
        self.start()
        self.mpd("play 1")
        self.wait_playing()
        self.kill()
        self.start()
        self.wait_playing()
        # As a service manager does with one that hangs.
        self.process.send_signal(signal.SIGABRT)
        self.assertEqual(self.process.wait(20), -signal.SIGABRT)
        self.start()
        self.wait_playing()
        self.assertEqual(self.mpd.fields("currentsong")["file"], "deadly.mp3")
        self.assertNotIn("deadly.mp3: ended the speaker", self.log())

    def test_which_thread_is_told_to_end_says_nothing(self):
        # If the whole process hangs, the kernel lets any of its threads take the signal: here one that reads a recording.
        stalled = {"LD_PRELOAD": compiled("stall.c", "stall.so", "-shared", "-fPIC", "-ldl"), "STALL_CALL": "read",
                   "STALL_PREFIX": os.path.join(self.library, "z.mp3"), "STALL_WHILE": self.path("stalled")}
        self.start()
        self.mpd("play 1")
        self.wait_playing()
        self.end()
        with open(stalled["STALL_WHILE"], "w"):
            pass
        self.start(env=stalled)
        self.wait_playing()
        self.mpd("play 2")
        until(lambda: os.path.getsize(stalled["STALL_WHILE"]), 10, "a thread that reads what is asked for")
        tids = self.marked_threads()
        self.assertTrue(tids)
        self.assertNotIn(self.process.pid, tids)
        tgkill = ctypes.CDLL(None, use_errno=True).syscall
        self.assertEqual(tgkill(ctypes.c_long({"x86_64": 234, "aarch64": 131}[os.uname().machine]), self.process.pid, tids[0], signal.SIGABRT), 0)
        self.assertEqual(self.process.wait(20), -signal.SIGABRT)
        os.unlink(stalled["STALL_WHILE"])
        self.start()
        self.wait_playing()
        self.assertNotIn("ended the speaker", self.log())
        self.assertEqual(self.mpd.fields("currentsong")["file"], "z.mp3")

    def test_one_that_is_killed_five_times_at_a_recording_is_not_played_for_ever(self):
        """As by the kernel, for want of memory. A few times may be chance."""
        stalled = {"LD_PRELOAD": compiled("stall.c", "stall.so", "-shared", "-fPIC", "-ldl"), "STALL_CALL": "read",
                   "STALL_PREFIX": os.path.join(self.library, "deadly.mp3"), "STALL_WHILE": self.path("stalled")}
        self.start()
        self.mpd("play 1")
        self.wait_playing()
        self.end()
        for kill in range(5):
            with open(stalled["STALL_WHILE"], "w"):
                pass
            self.start(env=stalled)
            until(lambda: os.path.getsize(stalled["STALL_WHILE"]) and self.marked_threads(), 10, "a thread that reads what is played")
            self.assertNotIn("deadly.mp3: ended the speaker", self.log())
            self.kill()
        os.unlink(stalled["STALL_WHILE"])
        self.start()
        self.assertIn("deadly.mp3: ended the speaker (killed from outside)", self.log())
        until(lambda: self.mpd.fields("currentsong").get("file") == "z.mp3", 10, "the one behind it")
        self.wait_playing()

    def marked_threads(self):
        """Those that are at a recording, as the page of the fuse has it: slots of 512 bytes behind the first, each with its thread first."""
        (page,) = glob.glob(os.path.join(self.folder, "**", "touching"), recursive=True)
        with open(page, "rb") as file:
            data = file.read()
        return [tid for (tid,) in (struct.unpack_from("<i", data, 512 * slot) for slot in range(1, 16)) if tid]

    def test_one_that_hangs_twice_at_a_recording_does_not_do_so_for_ever(self):
        self.start()
        self.mpd("play 1")
        self.wait_playing()
        for is_there in (True, False):
            # As a service manager does with one that hangs.
            self.process.send_signal(signal.SIGABRT)
            self.assertEqual(self.process.wait(20), -signal.SIGABRT)
            self.start()
            self.wait_playing()
            self.assertEqual("deadly.mp3: ended the speaker" not in self.log(), is_there)
        until(lambda: self.mpd.fields("currentsong").get("file") == "z.mp3", 10, "the one behind it")
        self.wait_playing()


if __name__ == "__main__":
    unittest.main()
