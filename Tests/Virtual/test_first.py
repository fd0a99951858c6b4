"""The board as a whole: systemd starts the package, it plays where it was, shows what is spoken, and a button is heard."""

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
        board.record(rate=22050, channels=1)
        board.mpd("play")
        board.mpd("seekcur 20")
        until(lambda: "The Lamp Who Counted" in board.glass.text() or board.glass.text().startswith("▶ The Lamp"),
              what=lambda: f"the title on\n{board.glass}")
        until(lambda: board.elapsed() > 23, what="playing on")
        spoken = board.fields("transcript").get("text", "")
        before = board.elapsed()
        down, up = board.press("play")
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
