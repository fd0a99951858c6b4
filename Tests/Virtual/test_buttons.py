# SPDX-License-Identifier: Apache-2.0
"""Buttons on the kernel's GPIO lines, pressed as hands press them: with contact bounce, one over another, some five hundred times.

The board's clock goes by its instructions here, so that the bounce that is played is the bounce that was meant, on a loaded
host too.
"""

import os
import random
import tempfile
import unittest

from machine import SLOW, Machine
from material import noise_mp3

ITEMS = 5
START = 600  # seconds into each item: presses find no end of it
DEBOUNCE = 0.008  # seconds: what the speaker asks for where the configuration does not say
KNOBS = {"volume": (9, 10), "jog": (18, 19)}  # the lines of their contacts A and B
DETENTS = 30  # a second: as fast as fingers turn


class Hand:
    """Makes edges of presses. Contacts bounce at both ends: up to nine edges that follow each other by 0.1 to 5 ms."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.edges, self.longest_gap = [], 0.0
        self.turned, self.levels = {}, {}  # of knobs: quarters from where they rested, and how their contacts stand

    @classmethod
    def of(cls, button):
        """A hand with one short press."""
        hand = cls(5)
        hand.press(button, 0.02, 0.1)
        return hand

    def gap(self):
        return 0.0001 * 50 ** self.draw.random()  # 0.1 to 5 ms, short ones as often as long ones

    def burst(self, at, line, level):
        """Contacts that close (0) or open (1) at a time; returns when they rest."""
        for i in range(2 * self.draw.randrange(5)):
            self.edges.append((at, line, level if i % 2 == 0 else 1 - level))
            gap = self.gap()
            self.longest_gap = max(self.longest_gap, gap)
            at += gap
        self.edges.append((at, line, level))
        return at

    def press(self, button, at, seconds):
        """Contacts that rest closed for so long; returns when they rest open again."""
        line = Machine.LINES[button]
        return self.burst(self.burst(at, line, 0) + seconds, line, 1)

    def glitch(self, button, at, level=0):
        """A pulse of 0.1 to 5 ms; returns when it is over."""
        line, end = Machine.LINES[button], at + self.gap()
        self.edges += [(at, line, level), (end, line, 1 - level)]
        return end

    def turn(self, knob, at, quarters, each=4):
        """A rotary encoder by so many quarters of a period, to the right where positive, as unevenly as fingers turn: DETENTS
        a second, where a detent has so many quarters. The contact that moves bounces for up to 3 ms. Returns when it rests."""
        seconds = 1 / (DETENTS * each)
        for number in range(abs(quarters)):
            self.turned[knob] = self.turned.get(knob, 0) + (1 if quarters > 0 else -1)
            # From open (1) A leads to the right, and B to the left.
            levels = ((1, 1), (0, 1), (0, 0), (1, 0))[self.turned[knob] % 4]
            [moved] = [contact for contact in (0, 1) if levels[contact] != self.levels.get((knob, contact), 1)]
            self.levels[knob, moved] = levels[moved]
            when = at + number * seconds + self.draw.uniform(0, 0.3) * seconds
            swings = self.draw.randrange(4)
            bounce = sorted(self.draw.uniform(0, 0.003) for _ in range(2 * swings))
            for i, later in enumerate([0, *bounce]):
                self.edges.append((when + later, KNOBS[knob][moved], levels[moved] ^ i % 2))
        return at + abs(quarters) * seconds


class Model:
    """The expected state of the speaker after commands, in the words of its configuration."""

    def __init__(self):
        self.state, self.volume, self.speed, self.song, self.favourites = "pause", 50, 100, 2, set()
        self.elapsed = [float(START)] * ITEMS
        self.drift = [0.0] * ITEMS  # how much later it may be in an item, since it played

    def perform(self, command):
        word, number = (command.split() + ["5"])[:2]
        if word == "play-pause":
            self.state = "pause" if self.state == "play" else "play"
        elif word == "favourite":
            self.favourites ^= {self.song}
        elif word in ("next", "previous"):
            self.song += 1 if word == "next" else -1
            assert 0 <= self.song < ITEMS, "the test goes beyond its library"
        elif word in ("forward", "back"):
            self.elapsed[self.song] += int(number) * (1 if word == "forward" else -1)
        elif word in ("volume-up", "volume-down"):
            self.volume += int(number) * (1 if word == "volume-up" else -1)
            assert 0 < self.volume < 100, "the test goes beyond the volume's range"
        elif word in ("speed-up", "speed-down"):
            self.speed += int(number) * (1 if word == "speed-up" else -1)
        else:
            assert word == "none", command


DEFAULTS = {"play": "play-pause", "back": "back 10", "forward": "forward 10", "favourite": "favourite", "next": "next",
            "previous": "previous", "volume-up": "volume-up 5", "volume-down": "volume-down 5"}
AT_RELEASE = ("play", "back", "forward")  # those with a long press too

# What hands do: [(button, begins, seconds)…], and the commands that come of it.
DEFAULT_GESTURES = [
    ("play, pressed", [("play", 0, 0.1)], ["play-pause"]),
    ("play, pressed again", [("play", 0, 0.06)], ["play-pause"]),
    ("play, long", [("play", 0, 0.8)], ["favourite"]),
    ("play, long again, and for long", [("play", 0, 1.3)], ["favourite"]),
    ("play, very long: the menu, which is gone through and left", [("play", 0, 1.8), ("forward", 2.1, 0.1), ("back", 2.4, 0.9),
                                                                  ("play", 3.6, 0.8)], []),
    ("back, pressed", [("back", 0, 0.1)], ["back 10"]),
    ("back, not quite long", [("back", 0, 0.42)], ["back 10"]),
    ("back, long", [("back", 0, 0.7)], ["previous"]),
    ("forward, pressed", [("forward", 0, 0.1)], ["forward 10"]),
    ("forward, three times in a second", [("forward", 0, 0.07), ("forward", 0.3, 0.07), ("forward", 0.6, 0.07)],
     ["forward 10"] * 3),
    ("forward, long", [("forward", 0, 0.7)], ["next"]),
    ("favourite, pressed", [("favourite", 0, 0.1)], ["favourite"]),
    ("favourite, held", [("favourite", 0, 1.2)], ["favourite"]),
    ("next, pressed", [("next", 0, 0.1)], ["next"]),
    ("previous, held", [("previous", 0, 1.2)], ["previous"]),
    ("volume-up, pressed", [("volume-up", 0, 0.1)], ["volume-up 5"]),
    ("volume-up, held", [("volume-up", 0, 1.2)], ["volume-up 5"] * 5),  # at once, then from 0.5 s on every 0.2 s
    ("volume-down, pressed", [("volume-down", 0, 0.1)], ["volume-down 5"]),
    ("volume-down, held", [("volume-down", 0, 0.8)], ["volume-down 5"] * 3),
    ("volume-up, twice", [("volume-up", 0, 0.08), ("volume-up", 0.25, 0.08)], ["volume-up 5"] * 2),
    ("volume-down, twice", [("volume-down", 0, 0.08), ("volume-down", 0.25, 0.08)], ["volume-down 5"] * 2),
    ("two hands", [("play", 0, 0.8), ("volume-up", 0.1, 0.1), ("forward", 0.3, 0.1), ("volume-down", 0.35, 0.1)],
     ["volume-up 5", "forward 10", "volume-down 5", "favourite"]),
]

GESTURES = {"long_ms": 300, "double_ms": 400, "repeat_ms": 100,
            "play.press": "favourite", "play.double": "next", "play.long": "none",
            "back.hold": "back 30", "forward.double": "forward 60", "forward.long": "volume-up 20",
            "favourite.long": "play-pause", "next.press": "none", "next.hold": "volume-down 1",
            "previous.double": "previous", "volume-up.press": "forward 1", "volume-up.hold": "forward 1"}
CUSTOM_GESTURES = [
    ("play, once", [("play", 0, 0.1)], ["favourite"]),
    ("play, held: no long press is bound", [("play", 0, 0.9)], ["favourite"]),
    ("play, twice", [("play", 0, 0.08), ("play", 0.25, 0.08)], ["next"]),
    ("play, twice, too slow for a double press", [("play", 0, 0.08), ("play", 0.8, 0.08)], ["favourite", "favourite"]),
    ("play, three times", [("play", 0, 0.07), ("play", 0.2, 0.07), ("play", 0.4, 0.07)], ["next", "favourite"]),
    ("back, pressed", [("back", 0, 0.1)], ["back 10"]),
    ("back, held", [("back", 0, 0.75)], ["back 30"] * 5),
    ("forward, pressed", [("forward", 0, 0.1)], ["forward 10"]),
    ("forward, twice", [("forward", 0, 0.08), ("forward", 0.25, 0.08)], ["forward 60"]),
    ("forward, long", [("forward", 0, 0.5)], ["volume-up 20"]),
    ("favourite, long", [("favourite", 0, 0.5)], ["play-pause"]),
    ("favourite, long again", [("favourite", 0, 0.5)], ["play-pause"]),
    ("favourite, pressed", [("favourite", 0, 0.1)], ["favourite"]),
    ("next, held", [("next", 0, 0.65)], ["volume-down 1"] * 4),
    ("next, pressed: nothing is bound", [("next", 0, 0.1)], []),
    ("previous, twice", [("previous", 0, 0.08), ("previous", 0.2, 0.08)], ["previous"]),
    ("volume-up, held", [("volume-up", 0, 0.55)], ["forward 1"] * 4),
    ("volume-down, pressed", [("volume-down", 0, 0.1)], ["volume-down 5"]),
]


# Sentences, and how they read on the Japanese character ROM and on the European one.
CHARACTERS = [
    ("Größe: 5 °C", "Grösse: 5 °C", "Größe: 5 °C"),
    ("Éloïse, ça va?", "Eloise, ca va?", "Éloïse, ça va?"),
    ("“Ñandú” – ½ …", '"Nandu" - 1/2 ...', "“Ñandú” - ½ ..."),
    ("Łódź, Ж и щ", "Lodz, Zh i shch", "Lódz, Ж И Щ"),
    ("a\\b ~ 3 → 4", "a/b - 3 → 4", "a\\b ~ 3 → 4"),
    ("π, café ♥ 😀!", "π, cafe !", "π, café ♥ !"),
]
EUROPEAN = {code: chr(code) for code in range(0x20, 0x100)} | {
    code: letter for code, letter in zip(range(0x80, 0x90), "БДЖЗИЙЛПУЦЧШЩЪЫЭ")} | {
    0x12: "“", 0x13: "”", 0x1A: "→", 0x93: "π", 0x9D: "♥"}


class Buttons:
    RELEASE = PRESSES = LCD = ROM = None

    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as library:
            for i in range(ITEMS):
                noise_mp3(os.path.join(library, f"{i}.mp3"), minutes=20, seed=i, title=f"Träume {i}")
            with open(os.path.join(library, "0.lrc"), "w", encoding="utf-8") as file:
                for i, (text, _, _) in enumerate(CHARACTERS):
                    file.write(f"[{i}:00.00]{text}\n")
            cls.board = Machine(cls.RELEASE, lcd=cls.LCD, library=library)
        cls.addClassCleanup(cls.board.close)
        cls.board.settings["console"] = {}
        for knob, (a, b) in KNOBS.items():
            cls.board.settings["buttons"][knob] = f"encoder:GPIO{a},GPIO{b},detents={4 if knob == 'volume' else 2},active-low,pull-up"
        cls.board.settings["lcd"]["rom"] = cls.ROM
        cls.board.on(init="quick", arguments=SLOW)

    def start(self, gestures):
        """Has the speaker run with a map of gestures, at a known place."""
        board = self.board
        if board.settings["gestures"] != gestures:
            board.settings["gestures"] = gestures
            board.write_settings()
            board.sh("set -e; pkill -x nightstand; while pgrep -x nightstand >/dev/null; do sleep 0.05; done; "
                     "cp /run/host/nightstand.conf /etc; ulimit -r 95; ulimit -l unlimited; "
                     "eval \"$(grep '^ *setpriv' /usr/lib/virtual/quick-init)\" >/dev/console 2>&1")
            board.wait_ready()
        board.until(lambda: board.status()["playlistlength"] == str(ITEMS) and "updating_db" not in board.status(), 60, "the library")
        self.latest = 0.0
        self.begin()

    def begin(self):
        """Takes the speaker to where a new model is."""
        self.model = Model()
        commands = [f'favourite remove "{name}.mp3"' for name in self.look()[-1]]
        commands += [f"seek {i} {START}" for i in range(ITEMS) if i != self.model.song]
        commands += [f"seek {self.model.song} {START}", "pause 1", f"setvol {self.model.volume}", "speed 1"]
        self.board.mpd("\n".join(["command_list_begin", *commands, "command_list_end"]))
        self.check("the beginning")

    def look(self):
        lines = self.board.mpd("command_list_begin\nstatus\nfavourite list\ncommand_list_end")
        fields = dict(line.split(": ", 1) for line in reversed(lines))
        favourites = {int(line[6:-4]) for line in lines if line.startswith("file: ")}
        speed = round(float(fields["speed"]) * 100)
        return fields["state"], int(fields["volume"]), speed, int(fields["song"]), float(fields["elapsed"]), favourites

    def check(self, what):
        """The speaker does what the model says it should."""
        model = self.model
        self.checked = self.board.now()
        state, volume, speed, song, elapsed, favourites = self.look()
        expected = (f"{model.state}, volume {model.volume}, speed {model.speed}, item {model.song}, "
                    f"favourites {sorted(model.favourites)}")
        self.assertEqual(f"{state}, volume {volume}, speed {speed}, item {song}, favourites {sorted(favourites)}", expected, what)
        ahead = elapsed - model.elapsed[song]
        self.assertTrue(-0.2 < ahead < model.drift[song] + 0.2, f"{what}: at {elapsed}, expected {model.elapsed[song]} "
                        f"or at most {model.drift[song]:.1f} s later")
        model.elapsed[song], model.drift[song] = elapsed, 0.0

    def play(self, hand, commands, what, rest=0.3, held_up=False):
        """Plays what the hand does on the wires, then checks that these commands came of it, no more and no less.
        held_up: the speaker does not run meanwhile."""
        model = self.model
        script = sorted(hand.edges, key=lambda edge: edge[0])
        if held_up:
            self.board.sh("pkill -STOP -x nightstand")
        with self.board.steady():
            played = self.board.edges(script)
        if held_up:
            self.board.sh("pkill -CONT -x nightstand")
        self.board.sh(f"sleep {rest}")
        late = max((when - played[0]) - (edge[0] - script[0][0]) for when, edge in zip(played, script))
        # Else it is not the bounce that was meant.
        self.assertLess(hand.longest_gap + late, DEBOUNCE, f"{what}: the hand was {late * 1000:.1f} ms late")
        self.latest = max(self.latest, late)
        plays = model.state == "play" or "play-pause" in commands
        songs = {model.song}
        for command in commands:
            model.perform(command)
            songs.add(model.song)
        if plays:
            for song in songs:
                model.drift[song] += self.board.now() - self.checked + 0.1
                self.assertLess(model.drift[song], 9, "more than the test could tell from a press")
        self.check(what)

    def gestures(self, gestures, cases):
        self.start(gestures)
        hand = Hand(1)
        for what, presses, commands in cases:
            hand.edges = []
            for button, at, seconds in presses:
                hand.press(button, 0.02 + at, seconds)
            self.play(hand, commands, what, rest=0.5)
        print(f"{self.RELEASE}: {len(cases)} gestures, the hand at most {self.latest * 1e6:.0f} µs late")

    def test_gestures_by_default(self):
        self.gestures({}, DEFAULT_GESTURES)

    def test_glitches_do_nothing(self):
        self.start({})
        hand, count = Hand(2), 0
        for button in Machine.LINES:
            hand.edges, at = [], 0.02
            for _ in range(10):
                at = hand.glitch(button, at) + hand.draw.uniform(0.012, 0.05)
            for _ in range(30):  # chatter for a while
                at = hand.glitch(button, at) + hand.gap()
            count += 40
            self.play(hand, [], f"glitches on {button}")
        # Contacts that open for a moment while the button is held.
        hand.edges = []
        hand.press("back", 0.02, 0.8)
        hand.press("play", 0.1, 0.3)
        for at in (0.2, 0.3, 0.4, 0.6, 0.7):
            hand.glitch("back", at, level=1)
        hand.glitch("play", 0.25, level=1)
        self.play(hand, ["play-pause", "previous"], "glitches while held")
        print(f"{self.RELEASE}: {count} glitches of 0.1 to 5 ms, no action")

    def test_knobs(self):
        """Turned while it plays, with no detent lost and none made of half of one."""
        self.start({"volume.right": "volume-up 1", "volume.left": "volume-down 1", "jog.right": "forward 1", "jog.left": "back 1"})
        hand, edges, count = Hand(4), 0, {1: 0, -1: 0}

        def turned(what, commands, *steps, each=4):
            hand.edges, at = [], 0.02
            for knob, quarters in steps:
                at = hand.turn(knob, at, quarters, each) + 0.05
            self.play(hand, commands, what)
            return len(hand.edges)

        self.play(Hand.of("play"), ["play-pause"], "playing")
        for detents in (45, -90, 90, -90, 90, -90, 75, -30):
            way = 1 if detents > 0 else -1
            edges += turned(f"{detents} detents", ["volume-up 1" if way > 0 else "volume-down 1"] * abs(detents), ("volume", 4 * detents))
            count[way] += abs(detents)
        # Half of the way and back, from either side; and half of the way, where it may stay.
        turned("half a detent", [], ("volume", 2), ("volume", -2), ("volume", -3), ("volume", 3), ("volume", 2))
        turned("the other half", ["volume-up 1"], ("volume", 2))
        self.play(Hand.of("play"), ["play-pause"], "paused")
        # Two quarters from one detent to the next.
        edges += turned("forward", ["forward 1"] * 30, ("jog", 60), each=2)
        edges += turned("back", ["back 1"] * 31, ("jog", -62), each=2)
        turned("half a detent of two quarters", [], ("jog", 1), ("jog", -1), ("jog", -1), ("jog", 1), each=2)
        print(f"{self.RELEASE}: a knob at {DETENTS} detents a second while it plays, {count[1]} to the right and {count[-1]} to the left, "
              f"{edges} edges with bounce: none lost, no half step")

    def test_the_menu(self):
        """On the glass, by three buttons and by a knob: each choice is carried out, and nothing else."""
        self.start({})
        board, hand = self.board, Hand(5)

        def does(button=None, seconds=0.1, detents=0):
            hand.edges = []
            if button:
                hand.press(button, 0.02, seconds)
            else:
                hand.turn("volume", 0.02, 4 * detents)
            with board.steady():
                board.edges(sorted(hand.edges, key=lambda edge: edge[0]))

        def stands(*wanted):
            board.until(lambda: all(row.startswith(words) for row, words in zip(board.glass.look(), wanted)), 10,
                        lambda: f"{wanted} on\n{board.glass}")

        does("play", 1.8)
        stands("Menu")
        for _ in range(10):
            if board.glass.look()[1].startswith("Sleep timer"):
                break
            before = board.glass.look()[:2]
            does("forward")
            board.until(lambda: board.glass.look()[:2] != before, 10, "the next entry")
        does("play")
        stands("Sleep timer", "off *")
        does(detents=3)
        stands("Sleep timer", "45 min")
        does(detents=-1)
        stands("Sleep timer", "30 min")
        does("play")
        board.until(lambda: "sleep" in board.status(), 10, "the sleep timer")
        left = float(board.status()["sleep"])
        self.assertTrue(1780 < left <= 1800, left)
        board.mpd("sleep off")
        # A second and a half is the menu, half of it one up: out of it again.
        does("play", 1.8)
        stands("Menu")
        does("play", 0.8)
        board.until(lambda: not board.mpd("menu"), 10, "the menu gone")
        self.check("nothing has changed")
        print(f"{self.RELEASE}: the menu by three buttons and a knob, a sleep of {left:.0f} s")

    def test_held_up(self):
        """A card that is slow to give a page of the program holds it up: presses and turns meanwhile are not lost."""
        self.start({"volume.right": "volume-up 1", "volume.left": "volume-down 1"})
        for seed, way in enumerate((-1, 1, -1), 6):
            hand = Hand(seed)
            turned = hand.turn("volume", 0.02, way * 4 * 40)
            for button, at in (("favourite", 0.1), ("forward", 0.5), ("next" if way < 0 else "previous", 0.9)):
                hand.press(button, at, 0.1)
            self.play(hand, ["volume-up 1" if way > 0 else "volume-down 1"] * 40 + ["favourite", "forward 10", "next" if way < 0 else "previous"],
                      f"held up for {turned:.1f} s", rest=0.5, held_up=True)
        print(f"{self.RELEASE}: three presses and 40 detents while the speaker is held up for {turned:.1f} s: none lost")

    def test_characters(self):
        """The ROM's characters stand on the LCD as they are written, all others as a person would spell them."""
        self.start({})
        controller = self.board.glass.controller
        self.board.sh("sleep 2.2")  # the volume stands there

        def row():
            rows = self.board.glass.look()
            shown = rows[1] if self.ROM == "A00" else "".join(EUROPEAN.get(code, "?") for code in controller.text[40:56])
            return shown.rstrip()

        for i, (text, japanese, european) in enumerate(CHARACTERS):
            self.board.mpd(f"seek 0 {60 * i + 1}")
            self.board.mpd("pause 1")
            expected = japanese if self.ROM == "A00" else european
            self.board.until(lambda: row() == expected, 10, lambda: f"{expected!r} for {text!r} on\n{self.board.glass}")
        self.assertEqual("".join(map(chr, controller.text[2:10])), "Tr\xe1ume 0" if self.ROM == "A00" else "Träume 0")
        print(f"{self.RELEASE}: {len(CHARACTERS)} sentences beyond ASCII read well on a {self.LCD} LCD with ROM {self.ROM}")

    def test_presses(self):
        """As fast as people press, two hands, blocks of 25."""
        self.start({})
        hand, pressed, seconds, edges = Hand(3), dict.fromkeys(DEFAULTS, 0), 0.0, 0
        for block in range(self.PRESSES // 25):
            self.begin()
            hand.edges = []
            commands, free, sketch, at = [], dict.fromkeys(DEFAULTS, 0.0), Model(), 0.3
            while len(commands) < 25:
                button = hand.draw.choice(list(DEFAULTS))
                held = hand.draw.uniform(0.05, 0.14)
                begins = at - (held + 0.03 if button in AT_RELEASE else 0)
                command = DEFAULTS[button]
                if (begins < free[button] or command == "next" and sketch.song == ITEMS - 1
                        or command == "previous" and sketch.song == 0):
                    at += 0.005
                    continue
                # Twice it is a gesture of its own: the sentence again, which one of the items has.
                is_double = button == "play"
                free[button] = hand.press(button, begins, held) + (0.4 if is_double else 0.06)
                sketch.perform(command)
                commands.append(command)
                pressed[button] += 1
                # The next acts when this one has: bursts last for up to 40 ms.
                at += hand.draw.uniform(0.09, 0.2)
            seconds += at
            edges += len(hand.edges)
            self.play(hand, commands, f"block {block} of presses")
        total = sum(pressed.values())
        self.assertEqual(total, self.PRESSES)
        each = ", ".join(f"{count} {button}" for button, count in pressed.items())
        print(f"{self.RELEASE}: {total} presses with bounce in {edges} edges, {total / seconds:.1f} a second, none lost or "
              f"doubled ({each}); the hand at most {self.latest * 1e6:.0f} µs late")


class Trixie(Buttons, unittest.TestCase):
    RELEASE, LCD, ROM, PRESSES = "trixie", "20x4", "A00", 200  # libgpiod 2: the kernel debounces

    def test_gestures_of_the_configuration(self):
        self.gestures(GESTURES, CUSTOM_GESTURES)


class Bookworm(Buttons, unittest.TestCase):
    RELEASE, LCD, ROM, PRESSES = "bookworm", "16x2", "A02", 75  # libgpiod 1.6: the speaker debounces
