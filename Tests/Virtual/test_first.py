"""The board as a whole: systemd starts the package, it plays where it was, shows it, and a button is heard."""

import os
import time
import unittest

from machine import TOP, Machine, until

MEDIA = os.path.join(TOP, "board", "media")


class First(unittest.TestCase):
    def test_plays_shows_and_answers(self):
        board = Machine(library=MEDIA)
        self.addCleanup(board.close)
        seconds = board.on()
        print(f"plug in to READY: {seconds:.1f} s, of which the board counts {board.now():.1f} s")
        until(lambda: "updating_db" not in board.status(), what="the library scan")
        self.assertEqual(board.status()["state"], "pause")  # never played before
        board.record()
        board.mpd("play")
        board.mpd("seekcur 20")
        until(lambda: board.glass.text().startswith("▶ The Lamp"), what=lambda: f"the title on\n{board.glass}")
        until(lambda: board.elapsed() > 23, what="playing on")
        before = board.elapsed()
        # What is spoken from 20 s on, with all its pages; the rows between title and progress show a piece of it.
        with open(os.path.join(MEDIA, "1 - The Lamp Who Counted.srt"), encoding="utf-8") as file:
            words = " ".join(line.strip() for line in file if line[:1].isalpha())
        shown = " ".join(" ".join(board.glass.look()[1:3]).split())
        self.assertTrue(shown and shown in words, f"{board.glass}\nis nothing of the transcript")
        self.assertTrue(any(board.heard()), "the card recorded silence")
        board.press("play")
        until(lambda: board.status()["state"] == "pause", what="the pause")
        at = board.elapsed()
        self.assertLess(at - before, 5)
        board.off()

        # Back on: the place is kept, and play goes on there.
        again = board.on(init="quick")
        print(f"quick init: plug in to READY: {again:.1f} s")
        self.assertAlmostEqual(board.elapsed(), at, delta=0.5)
        board.press("play")
        until(lambda: board.status()["state"] == "play" and board.elapsed() > at, what="playing where it was")
