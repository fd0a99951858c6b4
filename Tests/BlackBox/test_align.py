# SPDX-License-Identifier: Apache-2.0
"""`nightstand align` finds the sentences of a text in a recording, spoken by another synthesizer than the one that it compares with."""

import array
import json
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import zipfile

import audio
from build import NIGHTSTAND
from harness import SpeakerCase, contents, until

RATE = 16000
NOUNS = "river garden window letter captain engine mountain kitchen doctor candle village horse market shadow forest teacher island bottle".split()
VERBS = "followed painted carried forgot repaired watched surprised answered counted opened crossed remembered".split()
KINDS = "old silver quiet broken enormous narrow yellow friendly hungry distant careful wooden".split()
ENDS = ("before the morning came", "without saying a word", "because nobody had asked", "in the middle of summer", "until the lamp went out",
        "for more than twenty years", "while the others were asleep", "near the railway station")


def paragraphs(seed, count):
    """Invented sentences, four in a paragraph."""
    chance = random.Random(seed)
    def sentence():
        words = ["the", chance.choice(KINDS), chance.choice(NOUNS), chance.choice(VERBS), "the", chance.choice(KINDS), chance.choice(NOUNS),
                 "and the", chance.choice(NOUNS), chance.choice(ENDS)]
        return " ".join(words).capitalize() + "."
    return [[sentence() for _ in range(4)] for _ in range(count)]


# Shakespeare's third, without its last line.
SONNET = """Look in thy glass and tell the face thou viewest.
Now is the time that face should form another.
Whose fresh repair if now thou not renewest.
Thou dost beguile the world, unbless some mother.
For where is she so fair whose womb disdains the tillage of thy husbandry?
Or who is he so fond will be the tomb of his self-love to stop posterity?
Thou art thy mother's glass and she in thee.
Calls back the lovely April of her prime.
So thou through windows of thine age shalt see.
Despite of wrinkles this thy golden time.
But if thou live, remembered not to be.
Die single and thine image dies with thee.""".split("\n")


@unittest.skipUnless(shutil.which("espeak-ng") and shutil.which("flite"), "espeak-ng and flite are not installed")
class Align(unittest.TestCase):
    """The recording is read by flite: voices of espeak-ng are so alike that another text could pass for what they read."""

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = scratch.name
        cls.book = paragraphs(1, 16)
        cls.starts = cls.record("book.wav", cls.book)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    @classmethod
    def say(cls, sentence):
        path = cls.path("said.wav")
        subprocess.run(["flite", "-voice", "rms", "-t", sentence, "-o", path], check=True)
        rate, _, samples = audio.read_wav(path)
        values = memoryview(bytes(samples)).cast("h")
        loud = [index for index in range(0, len(values), 16) if abs(values[index]) > 200]
        # To the nearest: the features do not hear what lies above 5 kHz.
        wave = [values[min(len(values) - 1, index * rate // RATE)] for index in range(len(values) * RATE // rate)]
        return wave, loud[0] / rate

    @classmethod
    def record(cls, name, book):
        """Writes the recording of some paragraphs. Returns when each sentence begins, in seconds."""
        chance, samples, starts = random.Random(5), [], {}
        for paragraph in book:
            for sentence in paragraph:
                wave, lead = cls.say(sentence)
                starts[sentence] = len(samples) / RATE + lead
                samples += wave + [chance.randrange(-8, 9) for _ in range(int(RATE * chance.uniform(0.2, 0.9)))]
        audio.write_wav(cls.path(name), array.array("h", samples), RATE)
        return starts

    def write(self, name, book):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write("\n\n".join("\n".join(paragraph) for paragraph in book))
        return self.path(name)

    def align(self, *words):
        return subprocess.run([NIGHTSTAND, "align", *words], capture_output=True, text=True, timeout=120)

    def cues(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("WEBVTT\n"))
        def seconds(stamp):
            hours, minutes, rest = stamp.split(":")
            return int(hours) * 3600 + int(minutes) * 60 + float(rest)
        return {line: seconds(start) for start, line in re.findall(r"([\d:.]+) --> .*\n(.*)", text)}

    def test_sentences_are_found_where_they_begin(self):
        done = self.align(self.path("book.wav"), self.write("book.txt", self.book), "-o", self.path("found.vtt"))
        self.assertEqual(done.returncode, 0, done.stderr)
        found = self.cues(self.path("found.vtt"))
        right = sum(abs(found.get(sentence, -9) - start) <= 0.15 for sentence, start in self.starts.items())
        self.assertGreaterEqual(right, 0.95 * len(self.starts))

    def test_what_is_not_read_has_no_words(self):
        # The text has not the introduction nor the tenth paragraph; the recording has not the sixth of the text.
        text = self.book[3:9] + self.book[10:]
        new = paragraphs(2, 1)[0]
        text.insert(3, new)
        done = self.align(self.path("book.wav"), self.write("part.txt", text), "-o", self.path("part.vtt"))
        self.assertEqual(done.returncode, 0, done.stderr)
        found = self.cues(self.path("part.vtt"))
        self.assertLessEqual(sum(sentence in found for sentence in new), 1)
        expected = [sentence for paragraph in text if paragraph is not new for sentence in paragraph]
        right = sum(abs(found.get(sentence, -9) - self.starts[sentence]) <= 0.15 for sentence in expected)
        self.assertGreaterEqual(right, 0.9 * len(expected))
        first = self.starts[self.book[3][0]]
        told = re.search(r"no words from 00:00:00.000 to 00:(\d\d):([\d.]+)", done.stdout)
        self.assertIsNotNone(told, done.stdout)
        self.assertAlmostEqual(60 * int(told[1]) + float(told[2]), first, delta=3)

    def test_another_text_is_refused(self):
        done = self.align(self.path("book.wav"), self.write("other.txt", paragraphs(99, 16)), "-o", self.path("other.vtt"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("not the text of the recording", done.stderr)
        self.assertFalse(os.path.exists(self.path("other.vtt")))

    def test_a_recording_of_a_minute(self):
        """Its text is too much of it to stand out."""
        starts = self.record("short.wav", [SONNET])
        done = self.align(self.path("short.wav"), self.write("short.txt", [SONNET]), "-o", self.path("short.vtt"))
        self.assertEqual(done.returncode, 0, done.stderr)
        found = self.cues(self.path("short.vtt"))
        right = sum(abs(found.get(sentence, -9) - start) <= 0.15 for sentence, start in starts.items())
        self.assertGreaterEqual(right, 11)
        for seed in range(3):
            done = self.align(self.path("short.wav"), self.write("other.txt", paragraphs(50 + seed, 3)), "-o", self.path("other.vtt"))
            self.assertIn("not the text of the recording", done.stderr)

    def test_markup_and_two_files(self):
        second = self.record("second.wav", paragraphs(3, 8))
        with open(self.path("book.html"), "w", encoding="utf-8") as file:
            file.write("<html lang='en'><body>" + "".join(f"<p>{' '.join(p)}</p>" for p in self.book + paragraphs(3, 8)))
        done = self.align(self.path("book.wav"), self.path("second.wav"), self.path("book.html"))
        self.assertEqual(done.returncode, 0, done.stderr)
        for name, starts in (("book.vtt", self.starts), ("second.vtt", second)):
            found = self.cues(self.path(name))
            right = sum(abs(found.get(sentence, -9) - start) <= 0.15 for sentence, start in starts.items())
            self.assertGreaterEqual(right, 0.9 * len(starts), name)

    def test_headings_become_chapters_of_one_file(self):
        with open(self.path("headed.html"), "w", encoding="utf-8") as file:
            file.write("<html lang='en'><body>" + "".join(
                (f"<h2>Part \"{i}\"</h2>" if i % 4 == 0 else "") + f"<p>{' '.join(p)}</p>" for i, p in enumerate(self.book)))
        done = self.align(self.path("book.wav"), self.path("headed.html"), "-o", self.path("headed.vtt"))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("headed.chapters.json"), encoding="utf-8") as file:
            chapters = json.load(file)["chapters"]
        self.assertEqual([chapter["title"] for chapter in chapters], [f'Part "{i}"' for i in range(0, 16, 4)])
        for chapter, i in zip(chapters, range(0, 16, 4)):
            self.assertAlmostEqual(chapter["startTime"], self.starts[self.book[i][0]], delta=2)

    def test_an_epub(self):
        """Its chapters in the order of the spine, under any names."""
        with zipfile.ZipFile(self.path("ebook.epub"), "w", zipfile.ZIP_DEFLATED) as book:
            book.writestr("META-INF/container.xml", '<container><rootfiles><rootfile full-path="o/p.opf"/></rootfiles></container>')
            book.writestr("o/p.opf", '<package><manifest><item id="b" href="1.xhtml"/><item id="a" href="2.xhtml"/><item id="c" href="c.css"/>'
                          '</manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>')
            for name, chapters in (("2", self.book[:8]), ("1", self.book[8:])):
                book.writestr(f"o/{name}.xhtml", "<html lang='en'><head><title>No word</title></head><body>"
                              + "".join(f"<p>{' '.join(p)}</p>" for p in chapters) + "</body></html>")
        done = self.align(self.path("book.wav"), self.path("ebook.epub"), "-o", self.path("ebook.vtt"))
        self.assertEqual(done.returncode, 0, done.stderr)
        found = self.cues(self.path("ebook.vtt"))
        right = sum(abs(found.get(sentence, -9) - start) <= 0.15 for sentence, start in self.starts.items())
        self.assertGreaterEqual(right, 0.95 * len(self.starts))
        with open(self.path("broken.epub"), "wb") as file:
            file.write(b"PK" + bytes(1000))
        done = self.align(self.path("book.wav"), self.path("broken.epub"))
        self.assertEqual((done.returncode, "is no EPUB that can be read" in done.stderr), (1, True), done.stderr)

    def test_cut_off_it_leaves_nothing(self):
        before = set(os.listdir(self.folder))
        process = subprocess.Popen([NIGHTSTAND, "align", self.path("book.wav"), self.write("book.txt", self.book), "-o", self.path("cut.vtt")])
        time.sleep(0.4)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=10)
        if process.returncode != 0:
            self.assertLessEqual(set(os.listdir(self.folder)) - before, {"book.txt"})

    def test_what_cannot_be_done_is_said(self):
        for words, message in ((("book.wav",), "expected AUDIO"), (("book.wav", "none.txt"), "none.txt"), (("none.wav", "book.txt"), "none.wav")):
            self.write("book.txt", self.book)
            done = self.align(*(self.path(word) for word in words))
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(message, done.stderr)


@unittest.skipUnless(shutil.which("espeak-ng") and shutil.which("flite"), "espeak-ng and flite are not installed")
class WordsOfTheLibrary(SpeakerCase):
    """Copy a book and its text; the next evening the words are there."""

    def setUp(self):
        super().setUp()
        self.settings["transcripts"] = {"cache": self.path("words")}
        os.mkdir(self.path("words"))
        self.book = paragraphs(3, 6)
        Align.folder = self.library
        Align.record("book.wav", self.book)
        os.unlink(os.path.join(self.library, "said.wav"))

    def write_text(self, book):
        with open(os.path.join(self.library, "book.txt"), "w", encoding="utf-8") as file:
            file.write("\n\n".join("\n".join(paragraph) for paragraph in book))

    def words(self):
        done = subprocess.run([NIGHTSTAND, "words", "--config", self.write_settings()], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def test_the_next_evening_the_words_are_there(self):
        self.start()
        self.assertEqual(self.words(), "", "without a text there is nothing to be made")
        self.write_text(self.book)
        self.mpd("play")
        self.wait_playing()
        self.words()
        self.assertEqual(os.listdir(self.path("words")), [], "while something plays it waits")
        self.mpd("pause 1")
        self.assertIn("words: made for ", self.words())
        self.assertEqual(len(os.listdir(self.path("words"))), 1)
        self.assertEqual(sorted(os.listdir(self.library)), ["book.txt", "book.wav"], "nothing of it lies in the library")
        self.assertEqual(self.words(), "", "made once")
        self.end()
        self.start()
        first = self.book[0][0]
        until(lambda: any(first in line for line in self.mpd("transcript 3 1")), 10, "the first sentence")
        said = " ".join(self.book[3][1].rstrip(".").split()[:6])
        until(lambda: any("book.wav" in line for line in self.mpd(f'say "{said}"')), 20, "found by what is said")

    def test_headings_become_chapters(self):
        with open(os.path.join(self.library, "book.html"), "w", encoding="utf-8") as file:
            file.write("<html lang='en'><body>" + "".join(f"<h2>Part {i}</h2><p>{' '.join(p)}</p>" for i, p in enumerate(self.book)))
        self.start()
        def titles():
            return [line[7:] for line in self.mpd("lsinfo book.wav") if line.startswith("Title: ")]
        self.assertNotIn("Part 1", titles())
        self.assertIn("words: made for ", self.words())
        until(lambda: [t for t in titles() if t.startswith("Part ")] == [f"Part {i}" for i in range(6)], 20, "the chapters")
        self.assertEqual(sorted(os.listdir(self.library)), ["book.html", "book.wav"], "nothing of it lies in the library")
        self.mpd("play")
        self.wait_playing()
        # Within the first chapter, with its sentence some moments after the beginning.
        self.mpd("seekcur 5")
        self.mpd("next")
        until(lambda: self.mpd.fields("currentsong").get("Chapter") == "Part 1", 10, "the next chapter")
        # A list of a person goes before it.
        self.mpd("pause 1")
        with open(os.path.join(self.library, "book.chapters.json"), "w", encoding="utf-8") as file:
            json.dump({"version": "1.2.0", "chapters": [{"startTime": 0, "title": "Mine"}, {"startTime": 5, "title": "Too"}]}, file)
        self.mpd("update")
        until(lambda: "Too" in titles() and "Part 1" not in titles(), 20, "the person's list")

    def cut_off(self, reached):
        """Ends it as a power cut does, once it has come so far."""
        process = subprocess.Popen([NIGHTSTAND, "words", "--config", self.write_settings()], stderr=subprocess.DEVNULL)
        try:
            until(reached, 60, "the work that is cut off")
        finally:
            process.kill()
            process.wait()

    def test_cut_off_it_goes_on_from_there(self):
        self.start()
        self.write_text(self.book)
        self.words()
        (made,) = os.listdir(self.path("words"))
        path = self.path("words", made)
        whole = contents(path)
        os.unlink(path)

        def size(end):
            return os.path.getsize(path + end) if os.path.exists(path + end) else 0

        # While it listens, then while it speaks: the first sentence is on the disk.
        self.cut_off(lambda: size(".record.audio") >= 65536)
        self.cut_off(lambda: size(".record.text") > 0)
        heard = size(".record.audio")
        self.cut_off(lambda: size(".record.text") > 0)
        self.assertEqual(size(".record.audio"), heard, "nothing is heard again")
        self.assertNotIn(made, os.listdir(self.path("words")))
        # The end of a line that the power cut off.
        with open(path + ".record", "ab") as file:
            file.write(b"12")
        self.assertIn("going on with", self.words())
        self.assertEqual(os.listdir(self.path("words")), [made], "nothing is left of it")
        self.assertEqual(contents(path).count(b"-->"), whole.count(b"-->"))
        # Another text begins it anew.
        os.unlink(path)
        self.cut_off(lambda: size(".record.text") > 0)
        self.write_text(self.book[1:])
        self.assertNotIn("going on with", self.words())

    def test_a_text_of_something_else_is_refused_once(self):
        self.start()
        self.write_text(paragraphs(99, 6))
        self.assertIn("not the text of the recording", self.words())
        (refusal,) = os.listdir(self.path("words"))
        self.assertTrue(refusal.endswith(".none"), refusal)
        self.assertIn("not the text of the recording", contents(self.path("words", refusal)).decode())
        self.assertEqual(self.words(), "", "until the text is another")
        self.write_text(self.book)
        text = os.path.join(self.library, "book.txt")
        os.utime(text, (time.time() + 5, time.time() + 5))
        self.settings["transcripts"]["make"] = "never"
        self.assertEqual(self.words(), "")
        self.settings["transcripts"]["make"] = "idle"
        self.assertIn("words: made for ", self.words())
