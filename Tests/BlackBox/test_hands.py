# SPDX-License-Identifier: Apache-2.0
"""The speaker carries out the acts of a hand at the panel: touches, keys, a mouse and the speaker's own buttons, on
pipes that stand for
/dev/input (fake-input.c)."""

import os
import time
from unittest import mock

from build import preloads
from harness import MPD, contents
from inputs import ABS, KEY, REL, SLOT, SLOT_X, SLOT_Y, TRACKING, Device, preload
from png import write
from test_panel import PanelCase
from test_podcasts import PodcastCase
from test_words import subtitles

WHEEL = 8
KEYS = {"esc": 1, "tab": 15, "enter": 28, "up": 103, "down": 108, "left": 105, "right": 106, "playpause": 164, "menu": 139,
        "louder": 115, "search": 217, "home": 172, "erase": 14, "space": 57, "favourite": 364,
        "a": 30, "b": 48, "c": 46, "q": 16, "w": 17, "e": 18}


class Hands(PanelCase):
    SIZE = (480, 800)

    def setUp(self):
        super().setUp()
        self.settings["screen"] = {"dim_seconds": "0"}
        self.inputs = self.path("input")
        os.mkdir(self.inputs)
        self.finger = 0
        self.environment = {"FAKE_INPUT": self.inputs, "STATE_DIRECTORY": self.path("screen-state"),
                            "LD_PRELOAD": preload()}
        os.mkdir(self.path("screen-state"))

    def add_recordings(self, count):
        """Short ones, each another by what is in it: t000.mp3 and on. Returns their names."""
        self.add_noise("a.mp3", 2, 16000, "-b", "32")
        sound = contents(os.path.join(self.library, "a.mp3"))
        names = [f"t{number:03}" for number in range(count)]
        for name in names:
            with open(os.path.join(self.library, name + ".mp3"), "wb") as file:
                file.write(sound + b"\0" * 64 + name.encode())
        return names

    def device(self, name):
        device = Device(os.path.join(self.inputs, name))
        self.addCleanup(device.close)
        return device

    def show(self, *options):
        with mock.patch.dict(os.environ, self.environment, LD_PRELOAD=preloads(self.environment["LD_PRELOAD"])):
            super().show(*options)
        self.until(lambda: self.shown() and any(self.shown()), what="a picture")

    def logged(self, words, seconds=10):
        self.until(lambda: words in contents(self.path("screen.log")).decode(), seconds, words)

    # The panel's content

    def elements(self):
        """[(label, {field: value})] in the order in which a focus goes, as the screen itself tells it."""
        found = []
        try:
            lines = self.mpd("screen tree")
        except MPD.Refused:
            # It has not found the speaker yet.
            return found
        for line in lines:
            name, value = line.split(": ", 1)
            if name == "element":
                found.append(["", {}])
            elif name == "label":
                found[-1][0] = value
            else:
                found[-1][1][name] = value
        return found

    def find(self, label):
        for name, fields in self.elements():
            if name == label:
                return tuple(map(int, fields["frame"].split()))
        return None

    def place(self, label, seconds=10):
        """(x, y, width, height) of what has that label, once it is there and stands still."""
        end, before = time.monotonic() + seconds, None
        while True:
            found = self.find(label)
            if found and found == before:
                return found
            before = found
            labels = [name for name, _ in self.elements()]
            self.assertLess(time.monotonic(), end, f"{label} is not among {labels}")
            time.sleep(0.15)

    def gone(self, label):
        self.until(lambda: self.find(label) is None, what=f"{label} gone")

    def focused(self):
        return next((name for name, fields in self.elements() if "focused" in fields.get("state", "")), None)

    @staticmethod
    def middle(frame):
        return frame[0] + frame[2] // 2, frame[1] + frame[3] // 2

    # The effects of a hand

    def at(self, x, y):
        return ((ABS, SLOT_X, round(x * 999 / (self.SIZE[0] - 1))), (ABS, SLOT_Y, round(y * 999 / (self.SIZE[1] - 1))))

    def down(self, x, y, slot=0):
        self.finger += 1
        self.touch.send((ABS, SLOT, slot), (ABS, TRACKING, self.finger), *self.at(x, y))

    def move(self, x, y, slot=0):
        self.touch.send((ABS, SLOT, slot), *self.at(x, y))

    def up(self, slot=0):
        self.touch.send((ABS, SLOT, slot), (ABS, TRACKING, -1))

    def tap(self, frame, settle=0.9):
        self.down(*self.middle(frame))
        time.sleep(0.03)
        self.up()
        time.sleep(settle)

    def hold(self, frame):
        self.down(*self.middle(frame))
        time.sleep(0.8)
        self.up()
        time.sleep(0.6)

    def drag(self, x, y, to_x, to_y, seconds=0.25, rest=0.0):
        self.down(x, y)
        for step in range(1, 16):
            time.sleep(seconds / 15)
            self.move(x + (to_x - x) * step / 15, y + (to_y - y) * step / 15)
        time.sleep(rest)
        self.up()
        time.sleep(0.9)

    def press(self, name, settle=0.35):
        self.keys.send((KEY, KEYS[name], 1))
        self.keys.send((KEY, KEYS[name], 0))
        time.sleep(settle)

    def playing(self):
        status = self.mpd.status()
        return self.mpd.fields("currentsong").get("file") if status["state"] == "play" else None

    def favourites(self):
        return [line[6:] for line in self.mpd("favourite list") if line.startswith("file: ")]


class Touches(Hands):
    def setUp(self):
        super().setUp()
        for name, text in (("a lamp", ("The old lamp.", "It gives light.", "A red fox came by.", "The end of the lamp.")),
                           ("b moth", ("A moth flies.", "The fox is red.")), ("c owl", ("An owl.",))):
            self.add_noise(name + ".mp3", 60, 16000, "-b", "32", "--tt", name[2:].title())
            with open(os.path.join(self.library, name + ".srt"), "w") as file:
                file.write(subtitles(*text))
        self.touch = self.device("event0-touch")
        self.start()
        for name in ("a lamp", "b moth", "c owl"):
            self.mpd(f'add "{name}.mp3"')

    def show_touched(self):
        self.show()
        self.logged("is touched")

    def test_the_player(self):
        self.mpd("play 0")
        self.mpd("pause 1")
        self.show_touched()
        self.tap(self.place("Play"))
        self.until(self.playing, what="play")
        # A sentence is touched to hear it.
        self.tap(self.place("A red fox came by."), 0)
        self.until(lambda: self.mpd.elapsed() >= 8, 3, "the sentence")
        # Scrolled by hand it waits for the hand, and goes nowhere.
        x, y = self.middle(self.place("A red fox came by."))
        self.drag(x, y, x, y - 60)
        self.assertIsNotNone(self.find("Back to now"))
        self.assertLess(self.mpd.elapsed(), 20)
        # Twice on the artwork.
        self.mpd("pause 1")
        time.sleep(0.8)
        frame = (self.SIZE[0] // 2, self.SIZE[1] // 3, 2, 2)
        self.tap(frame, 0.05)
        self.tap(frame)
        self.until(lambda: self.favourites() == ["a lamp.mp3"], what="a favourite")
        # Along the progress.
        x, y, width, height = self.place("Progress")
        self.drag(x + width // 10, y + height // 2, x + width // 2, y + height // 2, rest=0.3)
        self.until(lambda: abs(self.mpd.elapsed() - 30) < 1, what="the place of the finger")
        # Two fingers make the words larger, and that is kept. They are meant after half a second.
        self.down(200, 300)
        self.down(280, 300, 1)
        time.sleep(0.7)
        for step in range(12):
            self.move(200 - step * 12, 300)
            self.move(280 + step * 12, 300, 1)
            time.sleep(0.02)
        self.up(1)
        self.up()
        kept = self.path("screen-state", "settings")
        self.until(lambda: os.path.exists(kept) and b"text-size" in contents(kept), what="a larger text")
        self.assertGreater(int(contents(kept).split()[1]), 100)

    def test_favourites_in_orders_and_swiped_away(self):
        for name in ("a lamp", "b moth", "c owl"):
            self.mpd(f'favourite add "{name}.mp3"')
        self.show_touched()
        self.tap(self.place("Favorites"))
        x, y = self.middle(self.place("Moth"))
        self.drag(x + 100, y, x - 80, y)
        self.until(lambda: self.favourites() == ["c owl.mp3", "a lamp.mp3"], what="one fewer")
        self.gone("Moth")
        self.tap(self.place("Title"))
        self.until(lambda: self.place("Lamp")[1] < self.place("Owl")[1], what="by title")
        # Changes from elsewhere arrive by themselves.
        self.mpd('favourite add "b moth.mp3"')
        self.place("Moth")
        # A stroke to the right goes back; a touch on a row plays it.
        self.drag(60, 600, 400, 600, 0.15)
        self.place("Progress")
        self.tap(self.place("Favorites"))
        self.tap(self.place("Owl"))
        self.until(lambda: self.playing() == "c owl.mp3", what="the favourite")

    def test_a_row_is_held_for_more(self):
        self.mpd('favourite add "c owl.mp3"')
        self.mpd("play 0")
        self.show_touched()
        self.tap(self.place("Favorites"))
        self.hold(self.place("Owl"))
        before = int(self.mpd.status()["playlistlength"])
        self.tap(self.place("Play next"))
        self.until(lambda: int(self.mpd.status()["playlistlength"]) == before + 1, what="one more in the queue")
        self.assertTrue(self.mpd("playlist")[1].endswith("c owl.mp3"))
        self.hold(self.place("Owl"))
        self.tap(self.place("Remove from Favorites"))
        self.until(lambda: not self.favourites(), what="no favourite")
        self.place("No favorites yet")

    def test_words_are_searched_for(self):
        self.show_touched()
        self.until(lambda: len(self.mpd("say fox")) >= 2, 30, "the words")
        self.tap(self.place("Library"))
        self.tap(self.place("Search"))
        for letter in "owl":
            self.tap(self.place(letter), 0.15)
        # It is found by its title, and by what is said in it.
        self.place("Owl")
        self.place("An owl.")
        for _ in "owl":
            self.tap(self.place("Erase"), 0.15)
        for letter in "fox":
            self.tap(self.place(letter), 0.15)
        self.tap(self.place("Done"))
        self.gone("q")
        self.tap(self.place("The fox is red."), 0)
        self.until(lambda: self.playing() == "b moth.mp3" and self.mpd.elapsed() >= 4, 10, "the sentence")

    def test_a_panel_that_is_mounted_the_other_way_round(self):
        """By the matrix that X's drivers take."""
        self.settings["screen"]["calibration"] = "-1 0 1 0 -1 1"
        self.show_touched()
        x, y, width, height = self.place("Favorites")
        self.tap((self.SIZE[0] - x - width, self.SIZE[1] - y - height, width, height))
        self.place("No favorites yet")

    def test_it_comes_while_it_runs(self):
        self.show_touched()
        self.touch = self.device("event1-touch")
        self.logged("event1")
        self.tap(self.place("Play"))
        self.until(self.playing, what="play")


class Books(Hands):
    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.library, "willows"))
        for number in (1, 2, 3):
            self.add_noise(f"willows/{number}.mp3", 20, 16000, "-b", "32", "--tt", f"Part {number}", "--tl", "The Willows",
                           "--tn", f"{number}", "--ta", "Kenneth")
        self.touch = self.device("event0-touch")
        self.start()

    def test_a_list_that_is_pulled_is_read_again(self):
        self.show()
        self.logged("is touched")
        self.tap(self.place("Library"))
        self.place("The Willows")
        job = int(self.mpd.fields("update")["updating_db"])
        self.drag(240, 300, 240, 700, rest=0.2)
        # It is numbered, and came in between.
        self.assertEqual(int(self.mpd.fields("update")["updating_db"]), job + 2)
        self.place("The Willows")

    def test_a_book_is_opened_and_its_part_played(self):
        self.show()
        self.logged("is touched")
        self.tap(self.place("Library"))
        self.tap(self.place("The Willows"))
        self.tap(self.place("Part 2"))
        self.until(lambda: self.playing() == "willows/2.mp3", what="the part")
        self.tap(self.place("Library"))
        # It is still open; back is to the books.
        self.tap(self.place("Back"))
        self.hold(self.place("The Willows"))
        self.tap(self.place("Mark as finished"))
        self.until(lambda: self.mpd.fields("book")["finished"] == "1", what="finished")


class LongLists(Hands):
    def test_a_long_list_is_asked_for_in_pages(self):
        names = self.add_recordings(450)
        self.touch = self.device("event0-touch")
        self.start()
        for name in names:
            self.mpd(f"favourite add {name}.mp3")
        self.show()
        self.logged("is touched")
        self.tap(self.place("Favorites"))
        self.tap(self.place("Title"))
        self.place("t000")
        last = False
        for _ in range(90):
            self.drag(240, 640, 240, 250, 0.06)
            last = self.find("t449") is not None
            if last:
                break
        self.assertTrue(last, [name for name, _ in self.elements()])

    def test_a_long_transcript_is_asked_for_where_the_hand_is(self):
        self.add_noise("mole.mp3", 1200, 16000, "-b", "8", "--tt", "The Mole")
        with open(os.path.join(self.library, "mole.srt"), "w") as file:
            file.write(subtitles(*(f"This is sentence {number} of it." for number in range(300))))
        self.touch = self.device("event0-touch")
        self.start()
        self.mpd("add mole.mp3")
        self.mpd("play 0")
        self.show()
        self.logged("is touched")
        self.place("This is sentence 1 of it.")
        for _ in range(60):
            self.down(240, 400)
            for step in range(6):
                time.sleep(0.01)
                self.move(240, 400 - 50 * (step + 1))
            time.sleep(0.05)
            self.up()
            time.sleep(0.3)
            if self.find("This is sentence 299 of it."):
                break
        self.assertIsNotNone(self.find("Back to now"))
        self.assertLess(self.mpd.elapsed(), 120)
        self.tap(self.place("This is sentence 298 of it."), 0)
        self.until(lambda: self.mpd.elapsed() >= 298 * 4, 3, "the sentence")


class Keys(Hands):
    def setUp(self):
        super().setUp()
        for name in "abc":
            self.add_noise(f"{name}.mp3", 60, 16000, "-b", "32", "--tt", "Title " + name.upper())
        self.keys = self.device("event0-keys")

    def start_all(self, **environment):
        self.start(**environment)
        for name in "abc":
            self.mpd(f"add {name}.mp3")
            self.mpd(f"favourite add {name}.mp3")
        self.mpd("play 0")
        self.mpd("pause 1")
        self.show()
        self.logged("moves the focus")

    def test_keys(self):
        self.start_all()
        self.press("playpause")
        self.until(self.playing, what="play")
        self.press("playpause")
        self.until(lambda: not self.playing(), what="pause")
        self.press("favourite")
        self.until(lambda: "a.mp3" not in self.favourites(), what="no favourite")
        # Along the player to the favourites, and to one of them.
        for _ in range(30):
            if self.focused() == "Favorites":
                break
            self.press("tab")
        self.assertEqual(self.focused(), "Favorites")
        self.press("enter", 0.9)
        self.place("Title C")
        for _ in range(30):
            if self.focused() == "Title B":
                break
            self.press("tab")
        self.assertEqual(self.focused(), "Title B")
        self.press("up")
        self.assertEqual(self.focused(), "Title C")
        self.press("menu", 0.8)
        self.assertEqual(self.focused(), "Play")
        self.press("enter", 0.9)
        self.until(lambda: self.playing() == "c.mp3", what="what had the focus")
        # Letters where words are looked for, and the space bar elsewhere.
        self.press("search", 0.9)
        self.press("b")
        self.place("Title B")
        self.press("erase")
        self.gone("Title B")
        self.press("esc", 0.9)
        self.press("home", 0.9)
        self.press("space")
        self.until(lambda: not self.playing(), what="the space bar")

    def test_a_key_that_is_held(self):
        """Along a list and with the volume it goes on; each act once."""
        self.start_all()
        self.mpd("setvol 20")
        self.keys.send((KEY, KEYS["louder"], 1))
        for _ in range(3):
            self.keys.send((KEY, KEYS["louder"], 2))
        self.keys.send((KEY, KEYS["louder"], 0))
        self.until(lambda: self.mpd.status()["volume"] == "40", what="a volume by four steps")
        self.keys.send((KEY, KEYS["playpause"], 1))
        self.until(self.playing, what="play")
        for _ in range(4):
            self.keys.send((KEY, KEYS["playpause"], 2))
        self.keys.send((KEY, KEYS["playpause"], 0))
        time.sleep(0.5)
        self.assertTrue(self.playing())
        self.keys.send((KEY, KEYS["tab"], 1))
        seen = []
        for _ in range(40):
            seen.append(self.focused())
            if seen[-1] == "Favorites":
                break
            self.keys.send((KEY, KEYS["tab"], 2))
            time.sleep(0.1)
        self.keys.send((KEY, KEYS["tab"], 0))
        self.assertEqual(seen[-1], "Favorites", seen)

    def test_the_speakers_buttons_move_a_focus_in_lists(self):
        # Keys that are the speaker's buttons, and a touch panel for the way to the list.
        self.settings["buttons"] = {"play": "input:KEY_F1", "back": "input:KEY_F2", "forward": "input:KEY_F3",
                                    "volume-down": "input:KEY_F4"}
        keys = {"play": 59, "back": 60, "forward": 61, "volume-down": 62}
        self.touch = self.device("event1-touch")
        # A pipe has one reader: the speaker's device is in a folder of its own.
        os.mkdir(self.path("speaker-input"))
        buttons = Device(self.path("speaker-input", "event0-keys"))
        self.addCleanup(buttons.close)
        self.start_all(env={"FAKE_INPUT": self.path("speaker-input"), "LD_PRELOAD": self.environment["LD_PRELOAD"]})

        def press(name):
            buttons.send((KEY, keys[name], 1))
            time.sleep(0.05)
            buttons.send((KEY, keys[name], 0))
            time.sleep(0.6)

        self.assertEqual(self.mpd("buttons"), ["taken: 0"])
        # A list that a finger opened has no focus: the buttons stay what they are.
        self.tap(self.place("Favorites"))
        self.place("Title B")
        self.assertEqual(self.mpd("buttons"), ["taken: 0"])
        self.tap(self.place("Back"))
        self.place("Favorites")
        self.mpd("screen show favourites")
        self.until(lambda: self.mpd("buttons") == ["taken: 1"], what="the buttons")
        self.place("Title B")
        place = self.mpd.elapsed()
        for _ in range(30):
            if self.focused() == "Title B":
                break
            press("forward")
        self.assertEqual(self.focused(), "Title B")
        press("back")
        self.assertEqual(self.focused(), "Title C")
        self.assertEqual(self.mpd.elapsed(), place)
        # A key that a list does not know has its usual effect.
        volume = int(self.mpd.status()["volume"])
        press("volume-down")
        self.assertEqual(int(self.mpd.status()["volume"]), volume - 5)
        self.assertEqual(self.mpd("buttons"), ["taken: 1"])
        press("play")
        self.until(lambda: self.playing() == "c.mp3", what="what has the focus")
        # On the player they are the speaker's again.
        self.until(lambda: self.mpd("buttons") == ["taken: 0"], what="the buttons back")
        press("play")
        self.until(lambda: not self.playing(), what="pause")
        # And so they are when the screen has died.
        self.mpd("screen show favourites")
        self.until(lambda: self.mpd("buttons") == ["taken: 1"], what="the buttons again")
        self.screen.kill()
        self.until(lambda: self.mpd("buttons") == ["taken: 0"], what="the buttons of who is gone")


class Mice(Hands):
    def test_a_mouse(self):
        self.add_noise("a.mp3", 60, 16000, "-b", "32", "--tt", "A")
        self.mouse = self.device("event0-mouse")
        self.start()
        self.mpd("add a.mp3")
        self.mpd("play 0")
        self.mpd("pause 1")
        self.show()
        self.logged("moves a pointer")
        self.place("Play")
        time.sleep(1.5)
        before = self.shown()
        x, y = self.middle(self.place("Play"))
        way_x, way_y = x - self.SIZE[0] // 2, y - self.SIZE[1] // 2
        while way_x or way_y:
            step_x, step_y = max(-90, min(90, way_x)), max(-90, min(90, way_y))
            self.mouse.send((REL, 0, step_x), (REL, 1, step_y))
            way_x, way_y = way_x - step_x, way_y - step_y
            time.sleep(0.02)
        time.sleep(0.3)
        self.assertGreater(self.different(before, self.shown()), 0)
        # It goes by itself, and leaves nothing behind.
        self.until(lambda: self.shown() == before, 8, "the pointer gone")
        self.mouse.send((KEY, 0x110, 1))
        self.mouse.send((KEY, 0x110, 0))
        self.until(self.playing, what="play")


    def test_the_wheel(self):
        self.mouse = self.device("event0-mouse")
        names = self.add_recordings(40)
        self.keys = self.device("event1-keys")
        self.start()
        for name in names:
            self.mpd(f"favourite add {name}.mp3")
        self.show()
        self.logged("moves a pointer")
        self.logged("moves the focus")
        while self.focused() != "Favorites":
            self.press("tab")
        self.press("enter", 0.9)
        self.place("t039")
        for _ in range(120):
            if self.find("t000"):
                break
            self.mouse.send((REL, WHEEL, -1))
            time.sleep(0.05)
        self.place("t000")
        self.mouse.send((REL, WHEEL, 3))
        self.until(lambda: self.place("t002")[1] > 0, what="the way back")


class Podcasts(Hands, PodcastCase):
    def setUp(self):
        super().setUp()
        cover = self.path("cover.png")
        write(cover, 300, 300, (200, 60, 15))
        self.feed.extra = f'<itunes:image href="{self.server.add("/cover.png", contents(cover))}"/>'
        self.touch = self.device("event0-touch")

    def test_a_podcast_is_opened_and_its_episode_played(self):
        self.subscribe()
        self.until(lambda: len(self.titles()) == 3, what="the episodes")
        self.show()
        self.logged("is touched")
        self.tap(self.place("Library"))
        self.tap(self.place("Podcasts"))
        x, y, width, height = self.place("The Owl: Nights / Days")

        def has_cover():
            row = self.shown()[((y + height // 3) * self.SIZE[0] + x) * 4:][:width * 4]
            colours = zip(row[2::4], row[1::4], row[0::4])
            return sum(red > 120 and green < 100 and blue < 70 for red, green, blue in colours) > width // 2

        self.until(has_cover, what="the cover")
        self.tap((x, y, width, height))
        # The newest first.
        places = [self.place(title)[1] for title in ("Three", "Two", "One")]
        self.assertEqual(places, sorted(places))
        self.tap(self.place("Two"))
        self.until(lambda: (self.playing() or "") == self.file("Two"), what="the episode")
        self.until(lambda: self.mpd.elapsed() > 0.1, what="sound")

    def test_settings_tell_of_the_network(self):
        self.subscribe()
        self.until(lambda: len(self.titles()) == 3, what="the episodes")
        self.show()
        self.logged("is touched")

        def network():
            while not self.find("Network"):
                self.drag(240, 640, 240, 400)
            return next(fields.get("value") for name, fields in self.elements() if name == "Network")

        self.tap(self.place("Settings"))
        self.until(lambda: network() == "On", what="a network")
        # The page names the failure of a podcast.
        self.feed.status = 404
        self.refresh()
        self.until(lambda: self.subscription().get("problem"), what="a problem")
        self.tap(self.place("Library"))
        self.tap(self.place("Settings"))
        self.until(lambda: network() == self.subscription()["problem"], what="the problem")


class Memories(Hands):
    def test_what_was_set_is_kept_over_a_restart(self):
        self.touch = self.device("event0-touch")
        self.add_noise("a.mp3", 20, 16000, "-b", "32")
        self.start()
        self.show()
        self.logged("is touched")
        self.tap(self.place("Settings"))
        self.tap(self.place("Appearance, more"))
        kept = self.path("screen-state", "settings")
        self.until(lambda: os.path.exists(kept) and contents(kept) == b"theme dark\n", what="what was set")
        self.leave()
        # Values that mean nothing are passed over.
        with open(kept, "ab") as file:
            file.write(b"brightness 4000\nnonsense\n\xff\xff 3\ntext-size -1\n")
        os.unlink(self.panel)
        self.show()
        time.sleep(1)
        # Dark, although the configuration has it light.
        self.assertLess(sum(self.shown()[0::4]) / (len(self.shown()) / 4), 110)
        self.tap(self.place("Settings"))
        self.place("Brightness")
