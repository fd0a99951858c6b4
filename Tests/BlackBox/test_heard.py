# SPDX-License-Identifier: Apache-2.0
"""The time of listening on each of the last days, in `stats`: counted while it plays, and remembered."""

import unittest

import audio
from harness import SpeakerCase, until

RATE = 22050


class Heard(SpeakerCase):
    def week(self):
        return [int(seconds) for seconds in self.mpd.fields("stats")["week"].split()]

    def test_what_was_heard_is_there_after_a_restart(self):
        audio.lame(f"{self.library}/a.mp3", audio.sine(60, RATE, 220), RATE, "-b", "64", "--resample", str(RATE / 1000))
        self.start()
        self.assertEqual(self.week(), [0] * 7)
        self.mpd("play")
        until(lambda: self.week()[-1] >= 2, 30, "two seconds of listening")
        self.mpd("pause 1")
        heard = self.week()
        self.assertEqual(heard[:-1], [0] * 6)
        stats = self.mpd.fields("stats")
        hours, missed = ([int(count) for count in stats[name].split()] for name in ("hours", "xruns"))
        self.assertEqual([len(hours), len(missed)], [24, 24])
        self.assertAlmostEqual(sum(hours), heard[-1], delta=1)
        # A pause is not listened to.
        until(lambda: int(self.mpd.fields("stats")["uptime"]) >= 5, 30, "some seconds more")
        self.assertLessEqual(self.week()[-1], heard[-1] + 1)
        self.end()
        self.start()
        self.assertAlmostEqual(self.week()[-1], heard[-1], delta=1)


if __name__ == "__main__":
    unittest.main()
