# SPDX-License-Identifier: Apache-2.0
"""The sleep timer: its sound, and the places kept for a sleeper."""

import os
import struct
import time
import unittest

import audio
from build import compiled
from harness import SpeakerCase, samples, until

RATE = 22050


class Sleep(SpeakerCase):
    FASTER = 8

    def tone(self, name, seconds):
        audio.lame(f"{self.library}/{name}", audio.sine(seconds, RATE, 220), RATE, "-b", "64", "--resample", str(RATE / 1000))

    def move(self, seconds):
        with open(self.clock, "r+b") as file:
            file.write(struct.pack("=q", seconds))

    def start_with_clock(self):
        self.clock = self.path("ahead")
        with open(self.clock, "wb") as file:
            file.write(bytes(4096))
        self.start(env={"MOVE_CLOCK": self.clock,
                        "LD_PRELOAD": compiled("move-clock.c", "move-clock.so", "-shared", "-fPIC", "-ldl")})

    @staticmethod
    def level(values):
        return max(map(abs, values), default=0)

    def test_it_dies_away_and_keeps_the_place(self):
        self.tone("a.mp3", 60)
        self.start_with_clock()
        self.mpd("setvol 80")
        self.mpd("play")
        self.wait_playing()
        time.sleep(1)
        self.mpd("pause 1")
        time.sleep(0.5)
        self.mpd("sleep 1")
        self.assertAlmostEqual(float(self.mpd.status()["sleep"]), 60, delta=1)
        # The minute passes but for its end while nothing is heard.
        self.move(45)
        other = self.connect()
        other.socket.settimeout(30)
        self.mpd("play")
        until(lambda: float(self.mpd.status()["sleep"]) < 13, 10, "the end of the minute")
        place, full = self.mpd.elapsed(), self.level(samples(self.card.heard())[-RATE // 5:])
        other.send("idle options")
        self.assertEqual(other.answer(), ["changed: options"])
        status = self.mpd.status()
        self.assertEqual((status["state"], status["volume"]), ("pause", "80"))
        self.assertNotIn("sleep", status)
        self.assertAlmostEqual(float(status["elapsed"]), place, delta=0.4)
        time.sleep(1)
        heard = samples(self.card.heard())
        # Half as loud after half of the ten seconds, and never louder than a moment before.
        levels = [self.level(heard[at : at + RATE // 2]) for at in range(0, len(heard), RATE // 2)]
        while levels[-1] == 0:
            levels.pop()
        last = levels[-20:]
        self.assertTrue(all(b <= a + full // 50 for a, b in zip(last, last[1:])), last)
        self.assertLess(abs(last[10] - full / 2), full / 10)
        self.assertLess(last[-1], full / 10)
        # As loud as ever, at once, in the morning.
        before = len(heard)
        self.mpd("play")
        until(lambda: sum(map(bool, samples(self.card.heard())[before:])) > RATE // 2, 10, "sound")
        again = [abs(value) for value in samples(self.card.heard())[before:]]
        first = next(i for i, value in enumerate(again) if value)
        self.assertGreater(self.level(again[first + RATE // 50 : first + RATE // 5]), full * 0.95)
        self.assertEqual(self.counters()["xruns"], "0")

    def test_an_item_is_heard_to_its_end(self):
        reference = self.add_noise("a.mp3", 3)
        self.add_noise("b.mp3", 3)
        self.start()
        self.mpd("sleep item")
        self.assertEqual(self.mpd.fields("sleep"), {"sleep": "item"})
        self.mpd("play")
        until(lambda: self.mpd.status()["state"] == "pause", 10, "the end of the item")
        time.sleep(0.3)
        status = self.mpd.status()
        self.assertEqual((status["song"], float(status["elapsed"])), ("1", 0))
        self.assertEqual(self.mpd.fields("sleep"), {"sleep": "off"})
        self.assert_heard(self.card.heard(), reference, RATE // 100)

    def test_a_bookmark_stands_where_it_was_set_until_it_is_heard_past(self):
        for name in ("a", "b", "c"):
            self.add_noise(f"{name}.mp3", 3)
        self.start_with_clock()
        self.mpd("play")
        self.wait_playing()
        self.mpd("pause 1")
        self.mpd("seekcur 1.5")
        self.mpd("sleep item")
        mark = self.mpd.fields("bookmark list")
        self.assertEqual((mark["file"], mark["start"]), ("a.mp3", "1.500"))
        self.mpd("play")
        until(lambda: self.mpd.fields("status")["song"] == "1" and self.mpd.status()["state"] == "pause", 10, "silence")
        # Behind the two minutes in which a press would begin the timer anew.
        self.move(200)
        self.assertEqual(self.mpd.fields("bookmark list"), mark)
        self.mpd("play")
        self.wait_playing()
        self.assertEqual(self.mpd.fields("bookmark list"), mark)
        until(lambda: self.mpd.status()["song"] == "2", 10, "the file behind the silence heard to its end")
        until(lambda: self.mpd("bookmark list") == [], 5, "the bookmark gone")


if __name__ == "__main__":
    unittest.main()
