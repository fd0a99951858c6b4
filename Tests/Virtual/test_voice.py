# SPDX-License-Identifier: Apache-2.0
"""The voice on the board: the delay of its answer to a press, and that the button itself is no later for it."""

import array
import math
import os
import tempfile
import unittest
import wave
from operator import mul

import audio
from heard import samples
from machine import Machine

RATE = 22050
WORD_SECONDS, WORD_HERTZ = 0.15, 1000
# The playing item is weaker than this, and the word is stronger.
WEAKER = 400
PRESSES = 8
CACHE = "/var/lib/nightstand/spoken"
# Of so much it is told whether it is the word.
PIECE = RATE // 25
COSINE, SINE = ([turn(2 * math.pi * WORD_HERTZ * n / RATE) for n in range(PIECE)] for turn in (math.cos, math.sin))


class Voice(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as library:
            for name in ("0.mp3", "1.mp3"):
                make_item(library, name)
            cls.board = board = Machine(library=library)
        cls.addClassCleanup(board.close)
        # For any text: the cost of a real program beside this one is its own.
        with wave.open(os.path.join(board.host, "word.wav"), "wb") as file:
            file.setparams((1, 2, RATE, 0, "NONE", ""))
            file.writeframes(array.array("h", (int(9000 * math.sin(2 * math.pi * WORD_HERTZ * n / RATE))
                                               for n in range(int(WORD_SECONDS * RATE)))).tobytes())
        board.settings["console"] = {}
        board.settings["voice"] = {"enabled": "no", "command": "cat /run/host/word.wav", "cache": CACHE}
        board.on(init="quick")
        board.until(lambda: board.status()["playlistlength"] == "2" and "updating_db" not in board.status(), 60, "the library")
        board.mpd("setvol 50")
        board.mpd("play 0")
        board.until(lambda: board.elapsed() > 6, 30, "playing, and a place kept")

    def start(self, **voice):
        """The speaker anew, with other [voice] settings. It plays on by itself, so that all that it counts is answers to presses."""
        board = self.board
        board.settings["voice"].update(voice)
        board.write_settings()
        board.sh("pkill arecord; pkill -KILL -x nightstand; while pgrep 'arecord|nightstand' >/dev/null; do sleep 0.05; done")
        # First: a second user has to take the rate that the card already has.
        board.record(RATE)
        board.sh("cp /run/host/nightstand.conf /etc; ulimit -r 95; ulimit -l unlimited; "
                 "eval \"$(grep '^ *setpriv' /usr/lib/virtual/quick-init)\" >/dev/console 2>&1")
        board.wait_ready()
        board.until(lambda: board.status()["state"] == "play" and board.elapsed() > 1, 30, "playing on")
        # By then the word is kept, in its place.
        self.pause()

    def press(self, button, holds):
        """Presses a button; returns when it was let go of, which is when play counts, once all that comes of it is over."""
        up = self.board.press(button)[1]
        self.board.until(lambda: holds(self.board.status()), 5, f"what {button} does")
        self.board.wait(0.5)
        return up

    def pause(self):
        """Returns when it was paused, and when it was played on."""
        return tuple(self.press("play", lambda status: status["state"] == state) for state in ("pause", "play"))

    def pauses(self):
        """Presses play again and again. Returns the milliseconds from each press that pauses to the word's first sample, shortest first."""
        board = self.board
        with board.steady():
            presses = [self.pause() for _ in range(PRESSES)]
        frame_time, heard = board.frame_times(RATE), samples(board.heard())
        found = []
        for pressed, again in presses:
            start, end = (round((moment - frame_time(0)) * RATE) for moment in (pressed, again))
            # It may begin while what plays dies away.
            first = next((n for n in range(start, end) if abs(heard[n]) > WEAKER), None)
            if first is not None:
                self.assertTrue(is_word(heard[first : first + PIECE]), f"{first - start} samples behind a press no word")
                found.append(1000 * (frame_time(first) - pressed))
        return sorted(found)

    def slowest(self, kind):
        """Of the presses so far, until something is silent, or sounds, as the speaker counts it: milliseconds."""
        return int(self.board.fields("counters raw")[kind].split()[0]) / 1e6

    def effects(self):
        """Presses, and what they do beside what is said of it. Returns the words, as pauses() does, and the latest effect of each kind."""
        words = self.pauses()
        late = {"paused": self.slowest("silence"), "played on": self.slowest("sound")}
        # Slower than that: it has to be got ready, while the next word is made.
        with self.board.steady():
            for number in range(PRESSES):
                button, song = ("next", "1") if number % 2 == 0 else ("previous", "0")
                self.press(button, lambda status: status["song"] == song)
        late["another item"] = self.slowest("sound")
        return words, late

    def test_how_soon(self):
        board = self.board
        self.start(enabled="no")
        words, alone = self.effects()
        self.assertEqual(words, [])
        print(f"voice: without it {told(alone)}")
        for what, cache, most in (("kept", CACHE, 150), ("made anew", "", 400)):
            self.start(enabled="yes", cache=cache)
            words, beside = self.effects()
            self.assertEqual(len(words), PRESSES)
            print(f"voice: {what}: its first sample {words[PRESSES // 2]:.0f} ms behind a press, {words[-1]:.0f} at the latest; "
                  f"{told(beside)}")
            self.assertLess(words[-1], most, what)
            # The latest of so few opens are four milliseconds apart by themselves.
            for effect, more in (("paused", 2), ("played on", 2), ("another item", 10)):
                self.assertLess(beside[effect], alone[effect] + more, f"{what}: {effect}")
            # Said over what plays, and cut off by the next.
            for _ in range(20):
                board.press("favourite")
                board.wait(0.1)
            self.assertEqual(board.status()["state"], "play")
            self.assertEqual(board.fields("counters")["xruns"], "0", what)


class Service(unittest.TestCase):
    """A program that people have, within what the service may do."""

    def test_espeak(self):
        with tempfile.TemporaryDirectory() as library:
            make_item(library)
            board = Machine(library=library)
        self.addCleanup(board.close)
        board.settings["voice"] = {"enabled": "yes"}
        board.on()
        board.until(lambda: board.status()["playlistlength"] == "1" and "updating_db" not in board.status(), 60, "the library")
        board.record(RATE)
        board.mpd("setvol 50")
        board.mpd("play 0")
        board.until(lambda: board.elapsed() > 3, 60, "playing")
        # Reading the program and its data from the disk takes the host's time, while steady() keeps the board's clock going.
        board.sh("espeak-ng -w /dev/null once && find /usr -path '*espeak*' -type f -exec cat {} + >/dev/null")
        for what, most in (("made anew", 250), ("kept", 150)):
            with board.steady():
                up = board.press("play")[1]
                board.until(lambda: board.status()["state"] == "pause", 5, "a pause")
                # Until well behind a word.
                board.wait(2.5)
            frame_time, heard = board.frame_times(RATE), samples(board.heard())
            start = round((up - frame_time(0)) * RATE)
            said = [n for n in range(start, len(heard)) if abs(heard[n]) > WEAKER]
            self.assertTrue(said, f"{what}: nothing is said; {board.sh('journalctl -u nightstand --no-pager -o cat')}")
            milliseconds = 1000 * (said[0] - start) / RATE
            print(f"voice: espeak-ng as a service, {what}: its first sample {milliseconds:.0f} ms behind a press")
            self.assertLess(milliseconds, most, what)
            self.assertTrue(0.25 < (said[-1] - said[0]) / RATE < 1.5)
            board.press("play")
            board.until(lambda: board.status()["state"] == "play", 5, "playing on")
            board.wait(2)
        self.assertIn(".spoken", board.sh("ls /var/cache/nightstand-voice"))
        journal = board.sh("journalctl -u nightstand --no-pager -o cat")
        self.assertNotIn("voice", journal)
        self.assertNotIn("warning", journal)


def make_item(library, name="0.mp3"):
    """Low and quiet, so that a voice stands out."""
    audio.lame(os.path.join(library, name), audio.sine(300, RATE, 220, 0.05), RATE, "-b", "64", "--resample", str(RATE / 1000))


def told(late):
    return ", ".join(f"{effect} {milliseconds:.1f} ms behind a press at the latest" for effect, milliseconds in late.items())


def is_word(piece):
    """Nothing but the tone: all of its strength is at one frequency."""
    power = sum(map(mul, piece, piece))
    return 2 * math.hypot(sum(map(mul, piece, COSINE)), sum(map(mul, piece, SINE))) ** 2 / PIECE > 0.9 * power > 0


if __name__ == "__main__":
    unittest.main()
