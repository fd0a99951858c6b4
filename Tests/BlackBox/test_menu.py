# SPDX-License-Identifier: Apache-2.0
"""The menu: everything by three buttons and sixteen characters, and by the console."""

import os
import time
import unittest

import audio
from harness import MPD, until
from inputs import KEY, Device, preload
from screens import Glass

KEYS = {"play": 59, "back": 60, "forward": 61}


class Menu(Glass):
    FASTER = 8

    def setUp(self):
        super().setUp()
        for book, files in (("Tales", 6), ("Willows", 3)):
            os.mkdir(os.path.join(self.library, book))
            for number in range(1, files + 1):
                audio.lame(f"{self.library}/{book}/{number}.mp3", audio.noise(30, 16000, f"{book} {number}"), 16000, "-b", "32", "--resample", "16",
                           "--tt", f"{book} {number}", "--tl", book)
        self.settings["buttons"] = {name: f"input:KEY_F{code - 58}" for name, code in KEYS.items()}
        inputs = self.path("inputs")
        os.mkdir(inputs)
        self.keys = Device(os.path.join(inputs, "event0-keys"))
        self.addCleanup(self.keys.close)
        self.start(env={"FAKE_INPUT": inputs, "LD_PRELOAD": preload()})

    def press(self, name, seconds=0.06):
        self.keys.send((KEY, KEYS[name], 1))
        time.sleep(seconds)
        self.keys.send((KEY, KEYS[name], 0))

    def stands(self, heading, entry):
        """Upper row and lower row of the glass."""
        until(lambda: self.lcd.rows()[0].startswith(heading) and self.lcd.rows()[1].startswith(entry), 5,
              lambda: f"'{heading}' and '{entry}' on the glass {self.lcd.rows()}")

    def open(self, name):
        """Opens the menu by its gesture, and goes to a list of it."""
        self.press("play", 1.7)
        self.shows("Menu")
        for _ in range(24):
            if self.lcd.rows()[1].startswith(name):
                break
            before = self.lcd.rows()[0]
            self.press("forward")
            until(lambda: self.lcd.rows()[0] != before, 5, "the next entry")
        self.assertTrue(self.lcd.rows()[1].startswith(name), self.lcd.rows())

    def file(self):
        return next((line[6:] for line in self.mpd("currentsong") if line.startswith("file: ")), "")

    def test_a_book_its_fifth_chapter_a_sleep_and_a_favourite(self):
        self.open("Books")
        self.press("play")
        self.stands("Books        1/2", "Tales")
        self.press("forward")
        self.stands("Books        2/2", "Willows")
        self.press("back")
        self.stands("Books        1/2", "Tales")
        self.press("play")
        self.wait_playing()
        self.assertEqual(self.file(), "Tales/1.mp3")
        self.open("Chapters")
        self.press("play")
        self.stands("Chapters     1/6", "Tales 1 *")
        for number in range(2, 6):
            self.press("forward")
            self.stands(f"Chapters     {number}/6", f"Tales {number}")
        self.press("play")
        until(lambda: self.file() == "Tales/5.mp3", 5, "the fifth")
        self.open("Sleep timer")
        self.press("play")
        self.stands("Sleep timer  1/9", "off *")
        self.press("forward")
        self.press("forward")
        self.stands("Sleep timer  3/9", "30 min")
        self.press("play")
        until(lambda: "sleep" in self.mpd.status(), 5, "the sleep timer")
        self.assertAlmostEqual(float(self.mpd.status()["sleep"]), 1800, delta=5)
        # Half a second is a favourite still, once the button is up.
        self.press("play", 0.8)
        self.shows("Added to")
        self.open("Favorites")
        self.press("play")
        self.stands("Favorites    1/1", "Tales 5")
        # One level up, and out of the menu, by holding; playback has gone on all the time.
        self.press("play", 0.7)
        self.shows("Menu")
        self.press("play", 0.7)
        until(lambda: self.mpd("menu") == [], 5, "the menu gone")
        self.assertEqual(self.mpd.status()["state"], "play")
        self.assertEqual(self.file(), "Tales/5.mp3")

    def test_any_file_by_its_folder(self):
        self.open("Folders")
        self.press("play")
        self.stands("Folders      1/2", "Tales")
        self.press("forward")
        self.stands("Folders      2/2", "Willows")
        self.press("play")
        self.stands("Willows      1/3", "Willows 1")
        self.press("forward")
        self.stands("Willows      2/3", "Willows 2")
        self.press("play")
        self.wait_playing()
        self.assertEqual(self.file(), "Willows/2.mp3")
        # It goes on in its folder.
        self.mpd("seekcur 29.5")
        until(lambda: self.file() == "Willows/3.mp3", 10, "the next file of the folder")

    def test_left_alone_it_closes_and_nothing_has_changed(self):
        self.open("Books")
        self.press("play")
        self.stands("Books        1/2", "Tales")
        self.press("back")
        self.stands("Books        1/2", "First item")
        until(lambda: self.mpd("menu") == [], 20, "nobody waited for")
        self.assertNotEqual(self.mpd.status()["state"], "play")
        # Buttons do again what they always do.
        self.press("play")
        self.wait_playing()

    def test_the_console_goes_through_it(self):
        self.assertEqual(self.mpd("menu open")[:2], ["list: Menu", "entry: Books"])
        self.assertEqual(self.mpd("menu choose")[:4], ["list: Books", "entry: Tales", "place: 1", "count: 2"])
        self.assertEqual(self.mpd("menu next")[:3], ["list: Books", "entry: Willows", "place: 2"])
        self.stands("Books        2/2", "Willows")
        self.assertEqual(self.mpd("menu back")[:2], ["list: Menu", "entry: Books"])
        # Starting playback leaves it.
        self.mpd("play")
        until(lambda: self.mpd("menu") == [], 5, "the menu gone")
        with self.assertRaises(MPD.Refused):
            self.mpd("menu sideways")


del Glass

if __name__ == "__main__":
    unittest.main()
