# SPDX-License-Identifier: Apache-2.0
"""Books of the program that ships: what they are, how far each was heard, and that it is not forgotten."""

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
        # What the index of tags says.
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
