"""The voice on the board: how soon a press is answered by it, and that the button itself is no later for it."""

import array
import math
import os
import tempfile
import unittest
import wave

from machine import Machine
from material import noise_mp3

RATE = 22050
WORD_SECONDS = 0.4
WORD_HERTZ = 1000
PRESSES = 24


class Voice(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as library:
            for i in range(2):
                noise_mp3(os.path.join(library, f"{i}.mp3"), minutes=20, seed=i, title=f"Item {i}")
            cls.board = Machine(library=library)
        cls.addClassCleanup(cls.board.close)
        # Whatever is to be said: what a real program takes beside this is its own business.
        with wave.open(os.path.join(cls.board.host, "word.wav"), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes(array.array("h", (int(9000 * math.sin(2 * math.pi * WORD_HERTZ * n / RATE))
                                               for n in range(int(WORD_SECONDS * RATE)))).tobytes())
        cls.board.settings["console"] = {}
        cls.board.settings["voice"] = {"enabled": "no", "command": "cat /run/host/word.wav", "cache": "/var/lib/nightstand/spoken"}
        cls.board.on(init="quick")
        cls.board.record(RATE)

    def start(self, enabled):
        """The speaker anew, with the voice or without."""
        board = self.board
        board.settings["voice"]["enabled"] = enabled
        board.write_settings()
        board.sh("set -e; pkill -x nightstand; while pgrep -x nightstand >/dev/null; do sleep 0.05; done; "
                 "cp /run/host/nightstand.conf /etc; ulimit -r 95; ulimit -l unlimited; "
                 "eval \"$(grep '^ *setpriv' /usr/lib/virtual/quick-init)\" >/dev/console 2>&1")
        board.wait_ready()
        board.until(lambda: board.status()["playlistlength"] == "2" and "updating_db" not in board.status(), 60, "the library")
        board.mpd("play 0")
        board.mpd("setvol 50")
        board.wait(2)

    def pause_and_play(self, forget=False):
        """Presses play again and again. Returns the milliseconds from the end of what played to the first of what was said, of each pause."""
        board = self.board
        start = len(board.heard()) // 2
        for _ in range(PRESSES):
            if forget:
                board.sh("rm -f /var/lib/nightstand/spoken/*")
            for state in ("pause", "play"):
                board.press("play")
                board.until(lambda: board.status()["state"] == state, 5, state)
                board.wait(1.5)
        heard = array.array("h", board.heard()[2 * start :])
        return gaps(heard)

    def slowest(self):
        """Of the presses so far, until something is silent, or sounds: milliseconds."""
        lines = self.board.fields("counters raw")
        return {kind: int(lines[kind].split()[0]) / 1e6 for kind in ("silence", "sound")}

    def test_how_soon(self):
        board = self.board
        self.start("no")
        without = len(self.pause_and_play())
        effect = self.slowest()
        self.assertEqual(without, 0)
        self.start("yes")
        cached = sorted(self.pause_and_play())
        spoken = self.slowest()
        anew = sorted(self.pause_and_play(forget=True))
        print(f"voice: silent after {effect['silence']:.1f} ms without it, {spoken['silence']:.1f} ms with it at the latest, sounding after "
              f"{effect['sound']:.1f} and {spoken['sound']:.1f}; its first sample {cached[len(cached) // 2]:.0f} ms behind that, {cached[-1]:.0f} "
              f"at the latest, and {anew[-1]:.0f} where a program makes it")
        self.assertGreaterEqual(len(cached), PRESSES - 1)
        self.assertLess(cached[-1] + spoken["silence"], 150)
        self.assertLess(anew[-1] + spoken["silence"], 400)
        for kind in effect:
            self.assertLess(spoken[kind], effect[kind] + 2, kind)
        # Over what plays, without a gap.
        before = board.fields("counters")["xruns"]
        for _ in range(20):
            board.press("favourite")
            board.wait(0.7)
        self.assertEqual(board.fields("counters")["xruns"], before)
        self.assertEqual(board.status()["state"], "play")


def is_word(part):
    """Nothing but the tone: all of its strength is at one frequency."""
    step = 2 * math.pi * WORD_HERTZ / RATE
    real = sum(value * math.cos(step * n) for n, value in enumerate(part))
    imaginary = sum(value * math.sin(step * n) for n, value in enumerate(part))
    power = sum(value * value for value in part)
    return power > 0 and 2 * (real * real + imaginary * imaginary) / len(part) > 0.9 * power


def gaps(heard):
    """Milliseconds of silence before each word that follows silence."""
    found, silent = [], 0
    at, size = 0, RATE // 100
    while at + size <= len(heard):
        if not any(heard[at : at + size]):
            silent += size
            at += size
            continue
        if silent:
            first = next(n for n in range(at, at + size) if heard[n])
            if is_word(heard[first + 10 : first + 10 + 4 * size]):
                start = first
                while start > 0 and not heard[start - 1]:
                    start -= 1
                found.append((first - start) * 1000 / RATE)
                # Behind it.
                at = first + int((WORD_SECONDS + 0.1) * RATE)
                silent = 0
                continue
        silent = 0
        at += size
    return found


if __name__ == "__main__":
    unittest.main()
