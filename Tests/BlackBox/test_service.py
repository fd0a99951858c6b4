# SPDX-License-Identifier: Apache-2.0
"""The messages to the service manager: sd_notify's protocol on a real socket. The audio thread is frozen with
ptrace."""

import ctypes
import os
import socket
import time
import unittest

from harness import SpeakerCase, until
from test_realtime import thread_named

WATCHDOG_SECONDS = 0.6


class Frozen:
    """Holds one thread of a process still."""

    SEIZE, INTERRUPT, DETACH, ALL_CHILDREN = 0x4206, 0x4207, 17, 0x40000000

    def __init__(self, task):
        self.task, self.libc = int(task), ctypes.CDLL(None, use_errno=True)
        for request in (self.SEIZE, self.INTERRUPT):
            if self.libc.ptrace(request, self.task, None, None) != 0:
                raise unittest.SkipTest(f"ptrace is refused here: {os.strerror(ctypes.get_errno())}")
        os.waitpid(self.task, self.ALL_CHILDREN)

    def release(self):
        self.libc.ptrace(self.DETACH, self.task, None, None)


class Service(SpeakerCase):
    FASTER = 8

    def setUp(self):
        super().setUp()
        self.add_noise("lamp.mp3", 60)

    def started(self, address=None, **env):
        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.addCleanup(manager.close)
        address = address or self.path("notify")
        manager.bind("\0" + address[1:] if address[0] == "@" else address)
        manager.settimeout(10)
        self.manager, self.told = manager, []
        self.start(env={"NOTIFY_SOCKET": address, **env})

    def watched(self):
        self.started(WATCHDOG_USEC=str(int(WATCHDOG_SECONDS * 1e6)))

    def hear(self, seconds=0.0):
        """The messages since, after a wait of some seconds; all of it lands in self.told, too."""
        heard, end = [], time.monotonic() + seconds
        while True:
            self.manager.settimeout(max(0.001, end - time.monotonic()))
            try:
                heard += self.manager.recv(4096).decode().split("\n")
            except TimeoutError:
                self.told += heard
                return heard

    def fed(self):
        return self.hear(4 * WATCHDOG_SECONDS).count("WATCHDOG=1")

    def test_ready_status_and_stopping(self):
        self.started()
        self.assertEqual(self.hear(0.2).count("READY=1"), 1)
        # A database may have to be brought to a newer schema, or rescued, first.
        self.assertTrue(self.told[0].startswith("EXTEND_TIMEOUT_USEC="), self.told)
        self.mpd("play")
        until(lambda: "STATUS=Playing lamp" in self.hear(0.05) + self.told, what=lambda: f"playing, told {self.told}")
        self.mpd("pause 1")
        until(lambda: "STATUS=Paused in lamp" in self.hear(0.05) + self.told, what=lambda: f"paused, told {self.told}")
        self.end()
        self.assertEqual(self.hear(0.05)[0], "STOPPING=1")
        self.assertEqual(self.told.count("READY=1"), 1)
        self.assertNotIn("WATCHDOG=1", self.told, "nobody watches")

    def test_an_abstract_socket(self):
        self.started("@nightstand-test-" + os.path.basename(self.folder))
        self.assertIn("READY=1", self.hear(0.2))

    def test_trouble_is_told(self):
        self.settings["audio"]["device"] = "missing"
        self.started()
        self.mpd("play")
        until(lambda: "STATUS=No sound device" in self.hear(0.05) + self.told, what=lambda: f"trouble, told {self.told}")

    def test_a_watchdog_of_another_process_is_not_fed(self):
        self.started(WATCHDOG_USEC=str(int(WATCHDOG_SECONDS * 1e6)), WATCHDOG_PID="1")
        self.assertEqual(self.fed(), 0)

    def test_the_watchdog_is_fed_at_rest_and_in_play(self):
        self.watched()
        # Three times as often as must be; every second time is enough where the machine is busy.
        self.assertGreaterEqual(self.fed(), 6)
        self.mpd("play")
        self.wait_playing()
        self.assertGreaterEqual(self.fed(), 6)

    def test_the_watchdog_is_not_fed_when_the_audio_thread_hangs(self):
        self.watched()
        self.mpd("play")
        self.wait_playing()
        frozen = Frozen(thread_named(self.process.pid, "audio"))
        try:
            self.hear(WATCHDOG_SECONDS)  # what was under way
            self.assertEqual(self.fed(), 0)
            self.assertEqual(self.mpd.status()["state"], "play", "the control thread lives all the same")
        finally:
            frozen.release()
        until(lambda: "WATCHDOG=1" in self.hear(0.05), what="the watchdog fed again")

    def test_no_manager(self):
        self.start(env={"NOTIFY_SOCKET": self.path("nobody")})
        self.assertEqual(self.mpd.status()["state"], "pause")

    def test_the_journal_gets_priorities(self):
        self.log_path = self.path("log")
        with open(self.log_path, "wb") as log:
            status = os.fstat(log.fileno())
        self.settings["audio"]["device"] = "missing"
        self.start(env={"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"})
        self.mpd("play")
        until(lambda: "<4>nightstand: warning: " in self.log(), what=self.log)
        self.assertIn("<5>nightstand: ready\n", self.log())
        self.end()
        self.assertTrue(all(line.startswith("<") for line in self.log().splitlines()), self.log())


if __name__ == "__main__":
    unittest.main()
