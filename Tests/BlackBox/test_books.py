# SPDX-License-Identifier: Apache-2.0
"""Books of the program that ships: the list of books, the heard share of each, and that the speaker keeps it."""

import os

import audio
import harness


class Books(harness.SpeakerCase):
    def add(self, name, seconds, **tags):
        path = os.path.join(self.library, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.add_noise(name, seconds)
        with open(path, "rb") as file:
            sound = file.read()
        frames = [(frame, audio.text(3, value)) for frame, value in tags.items()]
        with open(path, "wb") as file:
            file.write(audio.id3v2(frames) + sound)

    def values(self, command, wanted):
        pairs = [line.split(": ", 1) for line in self.mpd(command)]
        return [value for name, value in pairs if name == wanted]

    def files(self, command):
        return self.values(command, "file")

    def books(self, command):
        return self.values(command, "book")

    def test_intros_and_outros_are_skipped(self):
        expected = [self.decoded_part(f"Serial/{number}.mp3") for number in (1, 2)]
        self.start()
        self.mpd("play 0")
        self.wait_playing()
        self.mpd("pause 1")
        self.mpd("skip 2 3")
        self.assertEqual(self.mpd.fields("skip"), {"skipstart": "2", "skipend": "3"})
        # From the beginning of the other file, and of this one again.
        before = len(self.card.heard())
        self.mpd("play 1")
        self.wait_playing()
        self.assertGreaterEqual(self.mpd.elapsed(), 2)
        self.mpd("play 0")
        harness.until(lambda: self.mpd.fields("status").get("song") == "1", 15, "the second file")
        self.assertLess(self.mpd.elapsed(), 3)
        harness.until(lambda: self.mpd.status()["state"] != "play", 15, "the end")
        heard = self.card.heard()[before:]
        rate = 2 * 22050
        for name, reference in zip(("1", "2"), expected):
            # A stretch behind the intro is heard, one in the intro and one in the outro are not.
            for second, isThere in ((0.5, False), (2.5, True), (4.5, True), (5.5, False), (7, False)):
                at = int(second * rate) & ~1
                self.assertEqual(reference[at:at + 128] in heard, isThere, f"{name} at {second}")
        # Kept over a restart; a jump by hand plays it; and nothing is skipped any more.
        self.end()
        self.start()
        self.mpd("play 0")
        self.wait_playing()
        self.assertEqual(self.mpd.fields("skip"), {"skipstart": "2", "skipend": "3"})
        self.mpd("seekcur 0")
        harness.until(lambda: 0.2 < self.mpd.elapsed() < 2, 5, "the intro")
        self.mpd("skip 0 0")
        self.mpd("play 1")
        harness.until(lambda: 0.1 < self.mpd.elapsed() < 2, 5, "the beginning")

    def decoded_part(self, name):
        self.add(name, 8, TALB="Serial")
        return self.decoded(os.path.join(self.library, name))

    def test_a_book_is_left_gone_on_with_and_finished(self):
        for part in (2, 10):
            self.add(f"Dune/Part {part}.mp3", 70, TALB="Dune", TPE1="Frank Herbert", TCON="Fiction", TDRC="1965")
        self.add("Emma/Emma.mp3", 5, TALB="Emma", TPE1="Jane Austen", TCON="Romance")
        self.add_noise("loose.mp3", 5)
        self.start()
        self.assertEqual(self.books("books title"), ["Dune", "Emma"])
        self.assertEqual(self.books("books author 1:2"), ["Emma"])
        with self.assertRaisesRegex(harness.MPD.Refused, "It is part of no book"):
            self.mpd("book loose.mp3")
        book = self.mpd.fields('book "Dune/Part 10.mp3"')
        self.assertEqual((book["Title"], book["Author"], book["files"], book["finished"]), ("Dune", "Frank Herbert", "2", "0"))
        self.assertAlmostEqual(float(book["duration"]), 140, delta=0.5)
        # The answer of the index of tags.
        self.assertEqual(self.files("find genre Fiction"), ["Dune/Part 2.mp3", "Dune/Part 10.mp3"])
        self.assertEqual(self.files('find "(albumartist == \'Jane Austen\')"'), ["Emma/Emma.mp3"])
        self.assertEqual(self.values("list date", "Date"), ["", "1965"])
        # Left in its second file.
        self.mpd("clear")
        self.mpd('add "Dune/Part 2.mp3"')
        self.mpd('add "Dune/Part 10.mp3"')
        self.mpd("play 1")
        self.mpd("seekcur 62")
        self.mpd("pause 1")
        harness.until(lambda: self.books("books unfinished") == ["Dune"], what="the place")
        book = self.mpd.fields("book")
        self.assertEqual(book["file"], "Dune/Part 10.mp3")
        self.assertAlmostEqual(float(book["heard"]), 132, delta=1.5)
        self.assertEqual(self.files("listplaylist Unfinished"), ["Dune/Part 10.mp3"])
        self.mpd("finished on")
        self.assertEqual(self.books("books unfinished"), [])
        # The power goes, and the book is renamed.
        self.mpd("stop")
        self.kill()
        os.rename(os.path.join(self.library, "Dune"), os.path.join(self.library, "Arrakis"))
        self.start()
        self.assertEqual(self.books("books finished"), ["Arrakis"])
        self.assertEqual(self.files("listplaylist Finished"), ["Arrakis/Part 2.mp3", "Arrakis/Part 10.mp3"])
        self.mpd('finished off "Arrakis/Part 2.mp3"')
        self.assertEqual(self.books("books unfinished"), ["Arrakis"])
