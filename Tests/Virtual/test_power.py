# SPDX-License-Identifier: Apache-2.0
"""The plug is pulled, again and again, at any moment: nothing is damaged, and at most 5 s are heard again.

The disk afterwards is worse than after a killed QEMU, see powercut.py."""

import os
import random
import statistics
import subprocess
import tempfile
import time
import unittest

import audio
import powercut
from machine import Machine
from remembered import Remembered


SEED = int(os.environ.get("SEED", 20))
MAY_BE_LOST = 5.0  # s
# Of a place: positions are saved in whole ms, and asked for some ms before they are answered.
NEAR = 0.15
# Seconds that may be heard from one asking to the next; more is a jump, which are of 10 s.
BETWEEN = 5
FRAME = 192  # bytes, of 24 kHz and 64 kbit/s: the same for each frame
SHORT_ITEMS = 100
LONG_SECONDS = 600


def make_library(folder):
    """Three long items to listen to, and many short ones that take a while to scan."""
    piece = os.path.join(folder, "piece")
    audio.lame(piece, audio.noise(20, 24000), 24000, "-b", "64", "--cbr", "-t", "--nores")
    with open(piece, "rb") as file:
        frames = file.read()
    os.unlink(piece)
    for number in range(3):
        with open(os.path.join(folder, f"{number + 1} long.mp3"), "wb") as file:
            file.write((frames[number * FRAME :] + frames[: number * FRAME]) * (LONG_SECONDS // 20))
    os.mkdir(os.path.join(folder, "short"))
    for number in range(SHORT_ITEMS):
        with open(os.path.join(folder, "short", f"{number}.mp3"), "wb") as file:
            file.write(frames[number * FRAME : (number + 100) * FRAME])


class Heard:
    """The sound of one run, as the speaker reported it. The board's clock may be slower than the host's."""

    def __init__(self):
        self.samples = []  # (song, its seconds, plays, how many requests the state disk had had)

    def add(self, status, requests):
        song, at = os.path.basename(status.get("file", "")), float(status.get("elapsed", 0))
        self.samples.append((song, at, status["state"] == "play", requests))

    def plays(self):
        return any(plays for _, _, plays, _ in self.samples)

    def since(self, song, position, last):
        """The number of seconds heard between a place and the sample number `last`; None if the place was not heard."""
        heard = 0.0
        pairs = list(zip(self.samples[:last], self.samples[1 : last + 1]))
        for (before, start, _, _), (then, end, _, _) in reversed(pairs):
            if before == then and -NEAR <= end - start <= BETWEEN:
                if song == then and start - NEAR <= position <= end + NEAR:
                    return heard + min(max(0, end - position), max(0, end - start))
                heard += max(0, end - start)
            elif song == then and -NEAR <= end - position <= BETWEEN:  # a button
                return heard + max(0, end - position)
        first, at, plays, _ = self.samples[0]
        # Before it was first asked.
        return heard + at - position if first == song and plays and position <= at else None


class Cuts:
    """A board that is never shut down."""

    release = None
    # The first find a disk that is empty; boot, scan and play are cut at any moment of these, the others within 0.3 s
    # of the press; "promised" waits for what the LCD says and a second more.
    first = ["boot", "scan", "scan"]
    rest = ["boot", "boot", "play", "play", "play", "favourite", "promised", "console", "skip", "skip", "next", "next"]
    # So many more disks are made of each run, as if the power had gone at other moments of it.
    more_cuts = 8

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            make_library(folder)
            cls.board = Machine(cls.release, library=folder, state_megabytes=24)
        cls.addClassCleanup(cls.board.close)

    def setUp(self):
        self.random = random.Random(f"{SEED} {self.release}")
        self.boot_seconds, self.scans_cut = [], 0
        self.losses, self.more_losses = [], []
        self.writes = {"safe": 0, "kept": 0, "lost": 0}
        self.promised = set()  # favourites
        self.before = None  # what the disk held at the last cut

    def test_power_cuts(self):
        rest = list(self.rest)
        self.random.shuffle(rest)
        for number, kind in enumerate(self.first + rest):
            try:
                self.run_and_cut(kind)
            except Exception as error:
                error.add_note(f"at power cut {number + 1}, {kind}, of seed {SEED}")
                raise
        print(f"power cuts, {self.release}: {len(self.first + rest)} "
              f"and {len(self.more_losses)} more from the same writes, seed {SEED}; "
              f"loss median {statistics.median(self.losses):.2f} s, worst {max(self.losses):.2f} s "
              f"(of all {max(self.losses + self.more_losses):.2f} s); "
              f"writes {self.writes['safe']} safe, {self.writes['kept']} kept, "
              f"{self.writes['lost']} lost; boot median {statistics.median(self.boot_seconds):.1f} s")
        self.assertGreater(self.scans_cut, 0, "the library was always known already")
        self.assertGreater(self.writes["lost"], 0, "nothing was ever lost, so the test shows nothing")
        self.assertEqual(self.before.items, 3 + SHORT_ITEMS)

    # One run, from the plug being put in to its being pulled

    def run_and_cut(self, kind):
        board, base, log = self.board, self.board.path("base.img"), self.board.path("writes")
        subprocess.run(["cp", "--sparse=always", board.state, base], check=True)
        open(log, "wb").close()
        board.state_drive = powercut.drive_options("state", board.state, log)
        self.kind, self.log, self.heard, self.uncertain = kind, log, Heard(), set()
        said = len(board.log()) if board.boots else 0
        began = time.monotonic()
        board.on(init="quick", wait=False)
        if kind == "boot":
            typical = statistics.median(self.boot_seconds) if self.boot_seconds else 5
            time.sleep(self.random.uniform(0.2, 1.1) * typical)
        else:
            board.wait_ready()
            self.boot_seconds.append(time.monotonic() - began)
            self.came_back()
            getattr(self, "do_" + kind)()
            self.listen()
        board.cut()
        for complaint in ("damaged", "set aside", "cannot use", "cannot save", "EXT4-fs error", "Fatal error"):
            self.assertNotIn(complaint, board.log()[said:])
        self.more_of_it(base)
        self.count(powercut.cut(base, log, board.state, self.random))
        now = Remembered(board.state)
        self.losses.append(self.loss(now))
        self.assertEqual(now.favourites - self.uncertain, self.promised - self.uncertain, "favourites")
        self.promised = now.favourites
        self.before = now

    def more_of_it(self, base):
        """The same run, cut at other moments."""
        for number in self.random.sample(range(len(self.heard.samples)), min(self.more_cuts, len(self.heard.samples))):
            disk = self.board.path("cut.img")
            self.count(powercut.cut(base, self.log, disk, self.random, self.heard.samples[number][3]))
            self.more_losses.append(self.loss(Remembered(disk), number))
        # And just before a flush completed, when the writes since the last one are uncertain.
        flags = [flags for _, _, flags in powercut.requests(self.log)]
        flushes = [i for i in range(1, len(flags)) if flags[i] & powercut.FLUSH and not flags[i - 1] & powercut.FLUSH]
        if flushes:
            disk = self.board.path("cut.img")
            self.count(powercut.cut(base, self.log, disk, self.random, self.random.choice(flushes)))
            Remembered(disk)

    def count(self, writes):
        for name, count in writes.items():
            self.writes[name] += count

    def loss(self, now, last=None):
        """Seconds heard up to sample `last`, or the cut, that will be heard again."""
        samples = self.heard.samples if last is None else self.heard.samples[: last + 1]
        if not any(plays for _, _, plays, _ in samples):
            # Silent so far, or just beginning to play.
            if self.before and self.before.song:
                self.assertEqual(now.song, self.before.song)
                self.assertGreaterEqual(now.position, self.before.position)
                self.assertLess(now.position - self.before.position, 20)
            return 0.0
        loss = self.heard.since(now.song, now.position, len(samples) - 1)
        if loss is None and last is None and (now.song, now.position) == self.pressed(now):
            return 0.0
        self.assertIsNotNone(loss, f"{now.song} at {now.position} s was never heard, but {samples[-20:]}")
        self.assertLessEqual(loss, MAY_BE_LOST, f"{now.song} at {now.position} s, heard {samples[-60:]}")
        return loss

    def pressed(self, now):
        """The place that a button led to after it was last asked."""
        song, at = self.heard.samples[-1][:2]
        if self.kind == "next":
            return f"{int(song[0]) + 1}{song[1:]}", now.position
        return song, now.position if self.kind == "skip" and 10 - NEAR <= now.position - at <= 11 else None

    def listen(self):
        """Notes what is heard."""
        self.status = self.board.fields("command_list_begin\nstatus\ncurrentsong\ncommand_list_end")
        self.heard.add(self.status, powercut.length(self.log))
        return True

    def listen_for(self, seconds):
        """Seconds of sound."""
        heard, last = 0.0, None
        while heard < seconds:
            self.listen()
            at = float(self.status.get("elapsed", 0))
            if last is not None and 0 < at - last < BETWEEN:
                heard += at - last
            last = at
            self.board.wait(0.1)

    def came_back(self):
        """It is where the disk says it was."""
        self.listen()
        if self.before and self.before.song:
            song, elapsed = self.heard.samples[0][:2]
            self.assertEqual(song, self.before.song)
            self.assertGreaterEqual(elapsed, self.before.position - 0.001)
            self.assertLess(elapsed - self.before.position, self.boot_seconds[-1])
            self.assertEqual(self.status["state"], "play" if self.before.is_playing else "pause")
            lines = self.board.mpd("favourite list")
            favourites = {os.path.basename(line[6:]) for line in lines if line.startswith("file: ")}
            self.assertEqual(favourites, self.before.favourites)

    def play_on(self):
        self.board.until(lambda: self.listen() and int(self.status["playlistlength"]) >= 3, 60, "something to play")
        if self.status["state"] != "play":
            self.board.mpd("play")
        at = float(self.status.get("elapsed", 0))
        self.board.until(lambda: self.listen() and float(self.status.get("elapsed", 0)) > at, 60, "playing")

    # The acts before the cut

    def do_scan(self):
        found = self.random.randrange(SHORT_ITEMS * 2 // 3)
        self.board.until(lambda: self.listen() and int(self.status["playlistlength"]) >= found, what=f"{found} items found")
        self.scans_cut += "updating_db" in self.status

    def do_play(self):
        self.play_on()
        self.listen_for(self.random.uniform(0.5, 9))

    def press(self, button):
        self.play_on()
        self.listen_for(self.random.uniform(0.5, 3))
        self.board.press(button)

    def just_pressed(self, button):
        self.press(button)
        self.board.wait(self.random.uniform(0, 0.3))

    def do_skip(self):
        self.just_pressed("forward")

    def do_next(self):
        self.just_pressed("next")

    def do_favourite(self):
        self.just_pressed("favourite")
        self.uncertain = {self.heard.samples[-1][0]}

    def toggled(self):
        self.promised = self.promised ^ {self.heard.samples[-1][0]}
        until_then = self.board.now() + 1
        self.board.until(lambda: self.listen() and self.board.now() >= until_then, 60, "a second")

    def do_promised(self):
        self.press("favourite")
        said = f"{'Removed from' if self.heard.samples[-1][0] in self.promised else 'Added to'} Favorites"
        self.board.until(lambda: self.listen() and said in self.board.glass.text(), 20, lambda: f"{said} on\n{self.board.glass}")
        self.toggled()

    def do_console(self):
        """At rest, where no saved position takes the favourite to the disk with it."""
        self.play_on()
        self.board.mpd("pause 1")
        self.board.until(lambda: self.listen() and self.status["state"] == "pause", what="the pause")
        rested = self.board.now() + 1
        self.board.until(lambda: self.board.now() >= rested, what="a second")
        self.board.mpd("favourite remove" if self.heard.samples[-1][0] in self.promised else "favourite add")
        self.toggled()


class PowerCutsTrixie(Cuts, unittest.TestCase):
    FASTER = 4
    release = "trixie"


class PowerCutsBookworm(Cuts, unittest.TestCase):
    """The same program on an older kernel and file system: each moment once."""

    FASTER = 4

    release = "bookworm"
    rest = ["play", "favourite", "promised", "console", "skip", "next"]
