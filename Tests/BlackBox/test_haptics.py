# SPDX-License-Identifier: Apache-2.0
"""A motor on a PWM channel, in a folder as the kernel has it: the pulses, and that the motor is off afterwards."""

import os
import time

from harness import SpeakerCase, contents, until


class Channels(SpeakerCase):
    def setUp(self):
        super().setUp()
        self.chip = self.path("pwmchip0")
        os.mkdir(self.chip)
        with open(os.path.join(self.chip, "export"), "w"):
            pass
        self.settings["haptics"] = {"pwm": self.chip + "/1"}

    def export(self):
        os.mkdir(os.path.join(self.chip, "pwm1"))
        for name in ("period", "duty_cycle", "enable"):
            with open(os.path.join(self.chip, "pwm1", name), "w") as file:
                file.write("0\n")

    def told(self, name):
        return contents(os.path.join(self.chip, "pwm1", name)).decode().strip()

    def levels(self, name):
        """The values of the channel, one after the other."""
        self.mpd("haptic " + name)
        seen, end = [], time.monotonic() + 0.7
        while time.monotonic() < end:
            now = self.told("duty_cycle")
            # The kernel's file has one value or another. This one can be read while it is written, but not twice the same.
            if now and now == self.told("duty_cycle") and (not seen or seen[-1] != now):
                seen.append(now)
        return seen

    def test_strength_and_end(self):
        self.export()
        self.start()
        until(lambda: self.told("enable") == "1", 10, "the channel")
        self.assertEqual((self.told("period"), self.told("duty_cycle")), ("50000", "0"))
        self.assertEqual([level for level in self.levels("heavy") if level != "0"], ["50000"])
        self.assertEqual([level for level in self.levels("light") if level != "0"], ["30000"])
        self.assertEqual([level for level in self.levels("error") if level != "0"], ["45000"] * 3)
        self.assertEqual(self.told("duty_cycle"), "0")
        self.assertEqual(self.end(), 0)
        self.assertEqual((self.told("duty_cycle"), self.told("enable")), ("0", "0"))

    def test_it_may_come_later(self):
        self.start()
        until(lambda: contents(os.path.join(self.chip, "export")) == b"1", 10, "asking for the channel")
        self.assertIn("haptics: open " + self.chip, self.log())
        self.mpd("haptic heavy")
        self.export()
        until(lambda: self.told("enable") == "1", 20, "the channel")
        self.assertEqual([level for level in self.levels("medium") if level != "0"], ["40000"])
