# SPDX-License-Identifier: Apache-2.0
"""The pulses under a hand: a motor on a line of the virtual board: its pulses are read from the trace of the wires,
with the kernel's times."""

import re
import unittest

from machine import TOP, Machine

MOTOR = 13
# Milliseconds on, off, on … of each pattern, as Controls/HapticPlayer.swift has them.
PATTERNS = {"selection": [8], "light": [15], "medium": [25], "heavy": [45], "success": [15, 80, 35], "error": [35, 60, 35, 60, 35]}


class Haptics(unittest.TestCase):
    FASTER = 2

    @classmethod
    def setUpClass(cls):
        cls.board = board = Machine(library=TOP + "/board/media")
        cls.addClassCleanup(board.close)
        board.settings["haptics"] = {"line": f"GPIO{MOTOR}"}
        board.on()
        board.until(lambda: board.status()["playlistlength"] == "3" and "updating_db" not in board.status(), 60, "the library")

    def pulses(self, since=0.0):
        """Milliseconds on, off, on … of the motor's line, by the kernel's clock; the last is that of a level that has ended."""
        self.board.glass.look()
        with open(self.board.trace, "rb") as file:
            text = file.read()
        times, last = [], 0
        for found in re.finditer(rb" (\d+\.\d+): gpio_value: (\d+) set (\d)", text):
            if int(found[2]) - self.board.glass.base == MOTOR and int(found[3]) != last and float(found[1]) > since:
                last = int(found[3])
                times.append(float(found[1]))
        self.assertEqual(last, 0, "the motor stands still")
        return [round((after - before) * 1000, 1) for before, after in zip(times, times[1:])]

    def felt(self, act):
        """The pulse for each act."""
        board = self.board
        since = board.now()
        act()
        board.wait(0.6)
        return self.pulses(since)

    def assert_pattern(self, pattern, act, times=3):
        """No pulse is missed. An edge is late by what control has just begun, and a busy host holds the whole board up
        now and then: the middle one of the felt pulses counts."""
        felt = [self.felt(act) for _ in range(times)]
        for pulses in felt:
            self.assertEqual(len(pulses), len(pattern), felt)
        for pulses, meant in zip(zip(*felt), pattern):
            pulse = sorted(pulses)[times // 2]
            # Longer by the millisecond that the loop's clock is rounded to.
            self.assertGreater(pulse, meant - 1, felt)
            self.assertLess(pulse, meant + 25, felt)

    def test_every_pattern_is_on_the_line(self):
        for name, pattern in PATTERNS.items():
            with self.subTest(name):
                self.assert_pattern(pattern, lambda name=name: self.board.mpd(f"haptic {name}"))

    def test_buttons_are_felt(self):
        self.assert_pattern(PATTERNS["light"], lambda: self.board.press("play"))
        self.assert_pattern(PATTERNS["medium"], lambda: self.board.press("favourite"))

    def test_while_it_plays_nothing_is_late_and_nothing_is_missed(self):
        self.board.mpd("play")
        self.board.wait(2)
        before = self.board.fields("counters")["xruns"]
        self.assert_pattern(PATTERNS["error"], lambda: self.board.mpd("haptic error"), times=5)
        self.assertEqual(self.board.fields("counters")["xruns"], before)
        self.board.mpd("pause 1")

    def test_ended_in_the_middle_the_motor_stands(self):
        self.board.mpd("haptic error")
        self.board.sh("systemctl stop nightstand", seconds=60)
        try:
            self.assertEqual(len(self.pulses()) % 2, 1)
        finally:
            self.board.sh("systemctl start nightstand", seconds=60)
            self.board.wait_ready()


if __name__ == "__main__":
    unittest.main()
