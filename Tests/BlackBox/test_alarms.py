# SPDX-License-Identifier: Apache-2.0
"""Alarms: the alarms that ring at their minute, and their sound."""

import os
import time
import unittest

from build import compiled
from harness import MPD, SpeakerCase, samples, until


class Alarms(SpeakerCase):
    FASTER = 8

    def begin(self):
        self.start(env={"LD_PRELOAD": compiled("known-clock.c", "known-clock.so", "-shared", "-fPIC")})

    def rings(self):
        return self.mpd.status().get("alarm", "").endswith("ringing")

    def lamp(self):
        """The motor's share of each period, in percent."""
        with open(self.path("pwmchip0/pwm1/duty_cycle")) as file:
            return int(file.read() or 0) / 10_000

    def test_it_rings_at_its_minute_and_is_put_off(self):
        self.add_noise("a.mp3", 30)
        os.makedirs(self.path("pwmchip0/pwm1"))
        for name in ("duty_cycle", "period", "enable"):
            with open(self.path("pwmchip0/pwm1", name), "w") as file:
                file.write("0")
        self.settings["light"] = {"pwm": self.path("pwmchip0/1"), "minutes": "1"}
        self.begin()
        self.assertNotIn("alarm", self.mpd.status())
        # Never the minute that is just beginning.
        due = (int(time.time()) + 5) // 60 * 60 + 60
        clock = time.strftime("%H:%M", time.localtime(due))
        self.assertEqual(self.mpd(f"alarm add {clock} once \"a.mp3\" rise 0 volume 40"), ["alarm: 1"])
        self.assertEqual(self.mpd.status()["alarm"], clock + " waiting")
        # The lamp rises before it.
        until(lambda: 0 < self.lamp() < 100, due - time.time(), "the lamp")
        until(self.rings, due - time.time() + 5, "the alarm")
        self.assertAlmostEqual(time.time(), due, delta=1)
        until(lambda: self.lamp() == 100, 2, "all of the lamp")
        self.wait_playing()
        until(lambda: any(samples(self.card.heard())), 5, "sound")
        self.mpd("pause")
        self.assertEqual(self.mpd.status()["alarm"], clock + " snoozed")
        self.assertEqual(self.mpd.status()["state"], "pause")
        # Killed, it knows what it was put off for, and that it has rung.
        self.kill()
        self.begin()
        self.assertEqual(self.mpd.status()["alarm"], clock + " snoozed")
        until(lambda: self.lamp() == 100, 2, "the lamp as it was")
        self.mpd("alarm end")
        until(lambda: self.lamp() == 0, 2, "the dark")
        self.assertNotIn("alarm", self.mpd.status())
        self.assertIn("enabled: 0", self.mpd("alarm list"))

    def test_where_there_is_nothing_a_tone_is_heard(self):
        self.begin()
        due = (int(time.time()) + 5) // 60 * 60 + 60
        self.mpd(f"alarm add {time.strftime('%H:%M', time.localtime(due))} daily rise 0")
        until(self.rings, due - time.time() + 5, "the alarm")
        until(lambda: max(map(abs, samples(self.card.heard())), default=0) > 3000, 15,
              lambda: f"the tone, at {max(map(abs, samples(self.card.heard())), default=0)}: {self.mpd.status()} {self.log()}")
        self.mpd("stop")
        self.assertEqual(self.mpd.status()["state"], "stop")
        with self.assertRaises(MPD.Refused):
            self.mpd("alarm add 06:40 daily \"Nobody knows this\"")


if __name__ == "__main__":
    unittest.main()
