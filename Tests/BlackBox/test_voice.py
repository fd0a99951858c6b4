# SPDX-License-Identifier: Apache-2.0
"""The voice: the spoken words, read back from the played samples. The program that speaks makes a tone for each letter;
one test has espeak-ng."""

import math
import os
import shutil
import time
import unittest
from operator import mul

import audio
from harness import MPD, SpeakerCase, contents, samples, until
from inputs import KEY, Device, preload

RATE = 22050
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
BLOCK = RATE // 100

# The program writes its input as WAV: 50 ms of a tone for each letter, 30 ms of silence behind it.
PROGRAM = """#!/usr/bin/env python3
import math, os, signal, struct, sys
# It may start programs of its own, and learn how they ended.
assert signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL
text = sys.stdin.read().lower()
open(os.path.join(os.path.dirname(sys.argv[0]), "spoken"), "a").write(text)
letters = %r
sound = []
for letter in text:
    if letter in letters:
        step = 2 * math.pi * (1500 + 150 * letters.index(letter)) / 22050
        sound += [int(8000 * math.sin(step * n)) for n in range(1102)] + [0] * 662
data = struct.pack("<%%dh" %% len(sound), *sound)
sys.stdout.buffer.write(b"RIFF\\xff\\xff\\xff\\x7fWAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 22050, 44100, 2, 16) + b"data\\xff\\xff\\xff\\xff" + data)
""" % LETTERS


TONES = [([math.cos(2 * math.pi * hertz * n / RATE) for n in range(BLOCK)], [math.sin(2 * math.pi * hertz * n / RATE) for n in range(BLOCK)])
         for hertz in range(1500, 1500 + 150 * len(LETTERS), 150)]


def strength(values, hertz):
    """The amplitude of a tone in some samples."""
    step = 2 * math.pi * hertz / RATE
    real = sum(value * math.cos(step * n) for n, value in enumerate(values))
    imaginary = sum(value * math.sin(step * n) for n, value in enumerate(values))
    return 2 * math.hypot(real, imaginary) / max(1, len(values))


def letters(text):
    return "".join(letter for letter in text.lower() if letter in LETTERS)


class Ear:
    """Reads letters in what is heard, which only grows."""

    def __init__(self):
        self.done, self.before, self.count = 0, None, 0
        # Each with the sample at which it begins.
        self.found = []

    def listen(self, values, least=2500):
        # Of what comes behind the last tenth of a second there may be more in a moment.
        while self.done + BLOCK < len(values) - RATE // 10:
            block = values[self.done : self.done + BLOCK]
            now = None
            if max(map(abs, block)) > least:
                best = max((math.hypot(sum(map(mul, block, cosine)), sum(map(mul, block, sine))) * 2 / BLOCK, letter)
                           for (cosine, sine), letter in zip(TONES, LETTERS))
                now = best[1] if best[0] > least else None
            self.count = self.count + 1 if now == self.before else 1
            self.before = now
            if now and self.count == 3:
                self.found.append((now, self.done - 2 * BLOCK))
            self.done += BLOCK
        return "".join(letter for letter, _ in self.found)


class Spoken(SpeakerCase):
    FASTER = 2

    def setUp(self):
        super().setUp()
        self.program = self.path("speak")
        with open(self.program, "w") as file:
            file.write(PROGRAM)
        os.chmod(self.program, 0o755)
        self.ear = Ear()
        self.settings["voice"] = {"enabled": "yes", "command": self.program, "cache": self.path("kept")}

    def runs(self):
        try:
            with open(self.path("spoken")) as file:
                return file.read().split("\n")[:-1]
        except FileNotFoundError:
            return []

    def hear(self):
        return samples(self.card.heard())

    def words(self):
        return self.ear.listen(self.hear())

    def says(self, expected):
        """Waits until it has been heard."""
        until(lambda: self.words().endswith(expected), 20, lambda: f"'{expected}' in '{self.words()}', of {self.runs()}; {self.log()}")


class Voice(Spoken):
    def setUp(self):
        super().setUp()
        audio.lame(f"{self.library}/a.mp3", audio.sine(60, RATE, 220, 0.4), RATE, "-b", "64", "--resample", str(RATE / 1000), "--tt", "One")

    def play(self):
        self.start()
        self.mpd("play")
        self.wait_playing()
        self.says("playing")
        time.sleep(1)

    def test_heard_while_paused_and_kept(self):
        self.play()
        self.mpd("pause 1")
        self.says("paused")
        place = self.mpd.elapsed()
        self.mpd("sleep 30")
        self.says("pausedsleeptimer30minutes")
        self.assertEqual(self.mpd.elapsed(), place)
        # In silence: of the tone that plays nothing is heard.
        heard = self.hear()
        first = next(start for letter, start in self.ear.found[13:] if letter == "l")
        self.assertLess(strength(heard[first : first + RATE], 220), 20)
        self.assertEqual(self.runs(), ["playing.", "paused.", "sleep timer 30 minutes."])
        # A repeated sentence needs no program.
        until(lambda: len(os.listdir(self.path("kept"))) == 3, 5, "what was said kept")
        self.mpd("pause 0")
        self.mpd("pause 1")
        self.says("minutespaused")
        self.assertNotIn("paused.", self.runs()[3:])
        # Nothing is left of the programs.
        until(lambda: contents(f"/proc/{self.process.pid}/task/{self.process.pid}/children") == b"", 5, "no children")

    def strengths(self):
        """The strengths of what plays before, at the beginning and the end of, and behind a sentence."""
        start = len(self.hear())
        self.mpd("sleep 30")
        self.says("sleeptimer30minutes")
        time.sleep(1.5)
        heard = self.hear()
        at = [place for _, place in self.ear.found if place > start - RATE]
        return [strength(heard[place : place + RATE // 10], 220) for place in (at[0] - RATE // 2, at[4], at[-3], at[-1] + RATE)]

    def test_heard_over_what_plays(self):
        self.play()
        xruns = self.counters()["xruns"]
        before, first, last, behind = self.strengths()
        self.assertAlmostEqual(20 * math.log10(first / before), -12, delta=1)
        self.assertAlmostEqual(20 * math.log10(last / before), -12, delta=1)
        self.assertAlmostEqual(behind / before, 1, delta=0.02)
        self.assertEqual(self.counters()["xruns"], xruns)

    def test_nothing_sounds_beside_it(self):
        """For a listener with bad hearing: the recording falls silent, and continues behind the voice."""
        self.settings["voice"]["lower"] = "silent"
        self.play()
        before, first, last, behind = self.strengths()
        self.assertLess(max(first, last), before / 300)
        self.assertAlmostEqual(behind / before, 1, delta=0.02)

    def test_cut_off_by_the_next(self):
        self.play()
        self.mpd("sleep 45")
        until(lambda: "sle" in self.words(), 10, "the beginning")
        self.mpd("pause 1")
        self.says("paused")
        self.assertNotIn("minutes", self.words())
        # Pressed quickly only the last is heard to its end.
        for number in (15, 30, 45):
            self.mpd(f"sleep {number}")
        self.says("45minutes")
        self.assertNotIn("15minutes", self.words())

    def test_the_menu_by_ear(self):
        self.play()
        entry = next(line[7:] for line in self.mpd("menu open") if line.startswith("entry: "))
        self.says("menu" + letters(entry))
        self.mpd("menu previous")
        self.says("first")
        self.mpd("menu leave")
        self.says("menuclosed")

    def test_off_it_costs_nothing(self):
        threads = {}
        for enabled in ("yes", "no"):
            self.settings["voice"]["enabled"] = enabled
            self.start()
            self.mpd("play")
            self.wait_playing()
            self.mpd("pause 1")
            if enabled == "yes":
                self.says("paused")
            else:
                time.sleep(1)
            tasks = f"/proc/{self.process.pid}/task"
            threads[enabled] = len(os.listdir(tasks))
            children = [child for task in os.listdir(tasks) for child in open(f"{tasks}/{task}/children").read().split()]
            self.assertEqual(children, [])
            self.end()
        self.assertEqual(threads["yes"], threads["no"])
        self.assertEqual(self.runs()[-1], "paused.")
        self.assertEqual(self.runs().count("paused."), 1)

    def test_a_program_that_is_not_there(self):
        self.settings["voice"]["command"] = "/nonexistent/speak"
        self.start()
        self.mpd("play")
        self.wait_playing()
        for _ in range(3):
            self.mpd("sleep 30")
            self.mpd("sleep off")
        until(lambda: "voice: " in self.log(), 10, "a line in the journal")
        self.assertEqual(self.log().count("/nonexistent/speak"), 1)
        self.assertEqual(self.mpd.status()["state"], "play")

    @unittest.skipUnless(shutil.which("espeak-ng"), "espeak-ng is not installed")
    def test_the_real_one(self):
        del self.settings["voice"]["command"]
        self.start()
        self.mpd("play")
        self.wait_playing()
        time.sleep(2)
        self.mpd("pause 1")
        until(lambda: self.mpd.status()["state"] == "pause", 5, "the pause")
        time.sleep(2.5)
        heard = self.hear()
        # Behind the tone there is a word, as loud as a voice, and nothing more.
        last = max(start for start in range(0, len(heard) - 2205, 2205) if strength(heard[start : start + 2205], 220) > 3000)
        word = [value for value in heard[last + 4410 :]]
        said = [start for start in range(0, len(word) - BLOCK, BLOCK) if max(map(abs, word[start : start + BLOCK])) > 300]
        seconds = (said[-1] - said[0]) / RATE
        self.assertTrue(0.25 < seconds < 1.5, f"{seconds} s")
        loudness = math.sqrt(sum(value * value for value in word[said[0] : said[-1]]) / (said[-1] - said[0]))
        self.assertTrue(600 < loudness < 12000, f"{loudness}")


class Announcements(Spoken):
    def setUp(self):
        super().setUp()
        audio.lame(f"{self.library}/a.mp3", audio.sine(60, RATE, 220, 0.4), RATE, "-b", "64", "--resample", str(RATE / 1000), "--tt", "One")

    def play(self):
        self.start()
        self.mpd("play 0")
        self.wait_playing()
        self.says("playing")
        time.sleep(1)

    def test_said_over_the_book_one_after_the_other(self):
        self.play()
        place, start = self.mpd.elapsed(), len(self.hear())
        self.mpd('announce "dinner is ready"')
        self.mpd("announce bring salt")
        self.says("dinnerisreadybringsalt")
        time.sleep(1.5)
        heard = self.hear()
        at = [place for _, place in self.ear.found if place > start - RATE]
        levels = [strength(heard[place : place + RATE // 10], 220) for place in (at[0] - RATE // 2, at[4], at[-3], at[-1] + RATE)]
        self.assertAlmostEqual(20 * math.log10(levels[1] / levels[0]), -12, delta=1)
        self.assertAlmostEqual(20 * math.log10(levels[2] / levels[0]), -12, delta=1)
        self.assertAlmostEqual(levels[3] / levels[0], 1, delta=0.02)
        # The book went on, and its place is that of the ear.
        self.assertEqual(self.mpd.status()["state"], "play")
        self.assertAlmostEqual(self.mpd.elapsed() - place, (len(self.hear()) - start) / RATE, delta=0.5)
        # A repeated sentence is heard within half a second, and a press ends it.
        until(lambda: len(os.listdir(self.path("kept"))) >= 3, 5, "what was said kept")
        start, known = len(self.hear()), len(self.ear.found)
        self.mpd('announce "dinner is ready"')
        until(lambda: self.words() and len(self.ear.found) > known, 10, "the first letter")
        self.assertLess((self.ear.found[known][1] - start) / RATE, 0.5)
        self.mpd("pause 1")
        self.says("paused")
        self.assertNotEqual(self.words()[known:], "dinnerisreadypaused")

    def test_a_recording_of_the_library(self):
        os.mkdir(f"{self.library}/chimes")
        audio.lame(f"{self.library}/chimes/gong.mp3", audio.sine(2, RATE, 900, 0.4), RATE, "-b", "64", "--resample", str(RATE / 1000))
        self.play()
        start = len(self.hear())
        self.mpd("announce chimes/gong.mp3")
        until(lambda: strength(self.hear()[-RATE // 10 :], 900) > 2000, 10, "the gong")
        until(lambda: strength(self.hear()[-RATE // 10 :], 900) < 20, 10, "its end")
        heard = self.hear()[start:]
        sounding = sum(strength(heard[at : at + BLOCK], 900) > 1000 for at in range(0, len(heard) - BLOCK, BLOCK))
        self.assertAlmostEqual(sounding / 100, 2, delta=0.15)
        self.assertEqual(self.mpd.fields("currentsong")["file"], "a.mp3")

    def test_what_cannot_be_announced(self):
        self.play()
        with self.assertRaisesRegex(MPD.Refused, r"enabled = yes under \[network\]"):
            self.mpd("announce http://127.0.0.1/gong.mp3")
        for _ in range(9):
            self.mpd("announce " + "a" * 40)
        with self.assertRaisesRegex(MPD.Refused, "Eight announcements"):
            self.mpd("announce one too many")
        self.end()
        self.settings["voice"]["enabled"] = "no"
        self.start()
        with self.assertRaisesRegex(MPD.Refused, "voice is off"):
            self.mpd("announce hello")


class Hands(Spoken):
    """Three buttons and no screen: all that a person knows is what was heard."""

    TAKES_LONG = True
    ENABLED = "yes"

    KEYS = {"play": 59, "back": 60, "forward": 61}
    GESTURES = {}

    def setUp(self):
        super().setUp()
        self.settings["voice"]["enabled"] = self.ENABLED
        for book, files in (("Tales", 6), ("Willows", 3)):
            os.mkdir(os.path.join(self.library, book))
            for number in range(1, files + 1):
                # Five minutes of the same ten seconds: frames of one size, and none (-t) that says how many there are.
                path = f"{self.library}/{book}/{number}.mp3"
                audio.lame(path, audio.sine(10, RATE, 200 + 10 * number, 0.4), RATE, "-b", "32", "--resample", str(RATE / 1000), "-t")
                frames = contents(path)
                tags = {"TIT2": f"{book} {number}", "TALB": book, "TRCK": str(number)}
                with open(path, "wb") as file:
                    file.write(audio.id3v2([(name, audio.text(3, value)) for name, value in tags.items()]) + 30 * frames)
        self.settings["buttons"] = {name: f"input:KEY_F{code - 58}" for name, code in self.KEYS.items()}
        self.settings["gestures"] = self.GESTURES
        inputs = self.path("inputs")
        os.mkdir(inputs)
        self.keys = Device(os.path.join(inputs, "event0-keys"))
        self.addCleanup(self.keys.close)
        self.env = {"FAKE_INPUT": inputs, "LD_PRELOAD": preload()}
        self.start(env=self.env)
        until(lambda: "songs: 9" in self.mpd("stats"), 20, "the library")

    def press(self, name, hears="", seconds=0.06, times=1):
        """Presses and listens until something was heard; returns all that was heard from then on."""
        mark = len(self.words())
        for _ in range(times):
            self.keys.send((KEY, self.KEYS[name], 1))
            time.sleep(seconds)
            self.keys.send((KEY, self.KEYS[name], 0))
            time.sleep(0.05)
        until(lambda: hears in self.words()[mark:], 25, lambda: f"'{hears}' in '{self.words()[mark:]}', of {self.runs()[-3:]}; {self.log()}")
        return self.words()[mark:]

    def open(self, wanted):
        """Opens the menu, and goes to a list of it, by nothing but what is heard."""
        names = [letters(name) for name in ("Continue", "Books", "Favorites", "Bookmarks", "Chapters", "Sleep timer", "Alarms", "Volume", "Speed", "Repeat", "Loudest", "Voice", "About")]
        mark = len(self.words())
        self.press("play", "menu", 1.7)
        for _ in names:
            until(lambda: self.words()[mark:].removeprefix("menu") in names, 10, lambda: f"a list's name in '{self.words()[mark:]}'")
            if self.words()[mark:].removeprefix("menu") == letters(wanted):
                return
            mark = len(self.words())
            self.press("forward")
        self.fail(f"no {wanted} in the menu: {self.words()}")


class ByEar(Hands):
    def test_an_evening(self):
        self.open("Books")
        self.press("play", "books2tales30minutes")
        self.press("forward", "willows15minutes")
        self.press("back", "tales30minutes")
        self.press("play", "tales1")
        self.open("Chapters")
        self.assertRegex(self.press("play", "chosen"), "^chapters6tales15minutes(1percentheard)?chosen")
        for number in range(2, 6):
            self.press("forward", f"tales{number}5minutes")
        self.press("play", "tales5")
        self.open("Sleep timer")
        self.press("play", "sleeptimer9off")
        self.press("forward", "15minutes")
        self.press("forward", "30minutes")
        self.press("play", "sleeptimer30minutes")
        self.open("Alarms")
        self.press("play", "alarms1newalarm")
        self.press("play", "newalarm24600")
        self.press("forward", "700")
        self.press("play", "70012700")
        self.press("forward", "705")
        self.press("play", "7054")
        self.press("forward", "mondaytofriday")
        self.press("play", "alarmisset")
        heard = self.press("play", "inthispart", times=3)
        self.assertRegex(heard, r"tales5itis\d{3,4}")
        self.press("play", "addedtofavorites", 0.8)
        self.open("Favorites")
        self.press("play", "favorites1tales5")
        self.press("play", "tales5")
        self.assertEqual(self.mpd.status()["state"], "play")
        self.assertIn("file: Tales/5.mp3", self.mpd("currentsong"))
        self.assertIn("days: mon-fri", self.mpd("alarm list"))


class Learning(Hands):
    def together(self, seconds):
        for name in ("back", "forward"):
            self.keys.send((KEY, self.KEYS[name], 1))
        time.sleep(seconds)
        for name in ("back", "forward"):
            self.keys.send((KEY, self.KEYS[name], 0))

    def test_buttons_describe_themselves_and_are_locked(self):
        self.press("play", "playing")
        mark = len(self.words())
        self.together(1.5)
        self.says("heldagain")
        self.press("play", "playsorpauses")
        self.press("forward", "goesforward10seconds")
        self.assertEqual(self.mpd.status()["state"], "play")
        self.together(4.5)
        self.says("thebuttonsarelocked")
        self.press("play", "fourseconds")
        self.assertEqual(self.mpd.status()["state"], "play")
        self.together(4.5)
        self.says("thebuttonsactagain")
        self.press("play", "paused")
        self.assertEqual(self.mpd.status()["state"], "pause")


class OneFinger(Hands):
    """A hand that trembles, and presses one button at a time."""

    KEYS = {**Hands.KEYS, "favourite": 62, "volume-up": 63}
    GESTURES = {"favourite.press": "describe", "favourite.long": "lock", "long_ms": "2000", "repeat_ms": "2000", "refuse_ms": "500"}

    def volume(self):
        return int(self.mpd.status()["volume"])

    def test_no_press_has_to_be_quick_or_of_two_buttons(self):
        self.press("play", "playing")
        self.press("favourite", "heldagain")
        self.press("play", "playsorpauses")
        self.press("favourite", "thebuttonsactagain")
        self.press("favourite", "thebuttonsarelocked", 2.4)
        self.press("play", "fourseconds")
        self.press("favourite", "thebuttonsactagain", 2.4)
        self.assertEqual(self.mpd.status()["state"], "play")
        # A second press within half a second after the first is none.
        self.mpd("setvol 40")
        self.press("volume-up", times=2)
        time.sleep(0.7)
        self.assertEqual(self.volume(), 45)
        # Held, it begins to repeat after two seconds, and goes on once in two.
        self.press("volume-up", seconds=3.2)
        self.assertEqual(self.volume(), 55)


class ByHand(Hands):
    """A fresh configuration, no file edited: the listener is told to hold the big button."""

    ENABLED = "no"

    def test_the_voice_comes_on_by_hand(self):
        self.keys.send((KEY, self.KEYS["play"], 1))
        self.says("thevoiceison")
        self.keys.send((KEY, self.KEYS["play"], 0))
        # A long press does not have the effect of its shorter stages.
        self.assertEqual(self.mpd("favourite list"), [])
        self.open("Books")
        self.press("play", "books2tales30minutes")
        self.press("play", "tales1")
        self.open("Chapters")
        self.press("play", "chosen")
        for number in range(2, 6):
            self.press("forward", f"tales{number}5minutes")
        self.press("play", "tales5")
        self.assertIn("file: Tales/5.mp3", self.mpd("currentsong"))
        # It stays so when the power goes, until the button is held as long again.
        self.kill()
        self.start(env=self.env)
        self.press("play", "paused")
        self.keys.send((KEY, self.KEYS["play"], 1))
        self.says("thevoiceisoff")
        self.keys.send((KEY, self.KEYS["play"], 0))
        runs = len(self.runs())
        for press in ("forward", "play", "back"):
            self.keys.send((KEY, self.KEYS[press], 1))
            self.keys.send((KEY, self.KEYS[press], 0))
            time.sleep(0.5)
        self.assertEqual(len(self.runs()), runs)
        self.end()
        self.start(env=self.env)
        self.mpd("pause 1")
        self.mpd("play")
        self.assertEqual(len(self.runs()), runs)

    def test_the_voice_comes_on_by_a_button_held_while_power_comes(self):
        self.kill()
        before = len(self.words())
        self.start(env={**self.env, "FAKE_INPUT_HELD": str(self.KEYS["play"])})
        self.assertEqual(len(self.words()), before)
        self.says("thevoiceison")
        self.keys.send((KEY, self.KEYS["play"], 0))
        self.assertEqual(self.mpd("favourite list"), [])
        self.press("play", "playing")


del Spoken, Hands

if __name__ == "__main__":
    unittest.main()
