# SPDX-License-Identifier: Apache-2.0
"""The text on the character LCD, and in the terminal that plays its part."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unittest

import audio
from build import NIGHTSTAND, TOP
from harness import SpeakerCase, contents, until
from screens import CharLCD, Glass, Terminal


class SmallLCD(Glass):
    # Lines are due to a tenth of a second.
    FASTER = 2

    def test_title_state_and_transcript(self):
        self.item("a", 20, "Night Mail")
        with open(f"{self.library}/a.srt", "w") as file:
            file.write("1\n00:00:01,000 --> 00:00:02,000\nFirst line.\n\n2\n00:00:02,000 --> 00:00:03,000\nSecond.\n\n"
                       "3\n00:00:10,000 --> 00:00:12,000\nThird one.\n")
        self.start()
        self.shows("Night Mail")
        paused = self.lcd.cells[0][0]
        self.mpd("play")
        began = time.monotonic()
        self.wait_playing()
        time.sleep(0.3)
        self.assertNotEqual(self.lcd.cells[0][0], paused, "playing and paused look the same")
        time.sleep(3)
        origin = began + 0.01
        for text, due in (("First line.", 1.0), ("Second.", 2.0)):
            seen = next(t for t, rows in self.changes if rows[1].startswith(text))
            self.assertAlmostEqual(seen - origin, due, delta=0.12, msg=text)
        self.mpd("seekcur 10.5")
        pressed = time.monotonic()
        self.shows("Third one.")
        seen = next(t for t, rows in self.changes if "Third one." in rows[1])
        self.assertLess(seen - pressed, 0.1, "updated at once on a seek")
        self.assertEqual(self.lcd.unknown, [])
        self.assertFalse(self.lcd.cursor or self.lcd.blink, "cursor off")

    def test_every_sentence_of_the_story(self):
        """The first quarter of a minute of the sample library, against its transcript."""
        folder = os.path.join(TOP, "board", "media")
        stem = sorted(name[:-4] for name in os.listdir(folder) if name.endswith(".mp3"))[0]
        for kind in ("mp3", "srt"):
            os.symlink(f"{folder}/{stem}.{kind}", f"{self.library}/{stem}.{kind}")
        cues = re.findall(r"(\d\d):(\d\d):(\d\d),(\d{3}) --> .*\n(.*)", contents(f"{folder}/{stem}.srt").decode())
        self.start()
        self.mpd("play")
        began = time.monotonic()
        time.sleep(15.5)
        for h, m, s, ms, text in cues:
            due = int(m) * 60 + int(s) + int(ms) / 1000
            if due > 14.5:
                break
            start = text[:8].replace("“", '"')
            seen = next((t for t, rows in self.changes if rows[1].replace("?", "'").startswith(start)), None)
            self.assertIsNotNone(seen, f"'{start}' never stood on the glass: {self.changes[-1]}")
            self.assertAlmostEqual(seen - began, due, delta=0.15, msg=text)

    def test_long_text_is_paged_by_words(self):
        sentence = "The quick brown fox jumps over the lazy dog and goes home."
        self.item("a", 10, "Fox")
        with open(f"{self.library}/a.srt", "w") as file:
            file.write(f"1\n00:00:00,200 --> 00:00:06,000\n{sentence}\n")
        self.start()
        self.mpd("play")
        time.sleep(6.5)
        pages = []
        for _, rows in self.changes:
            page = rows[1].strip()
            if page and (not pages or pages[-1] != page):
                pages.append(page)
        words = " ".join(pages).split()
        position = -1
        for word in sentence.split():  # every word whole, in order
            self.assertIn(word, words[position + 1 :], pages)
            position = words.index(word, position + 1)

    def test_foreign_letters_are_never_garbage(self):
        self.item("a", 20, "Caf\u00e9 \u201c\u0416\u201d \u2014")
        self.start()
        self.shows("Caf")
        row = self.lcd.rows()[0]
        self.assertIn('Cafe "Zh"', row.replace("?", "e"))

    def test_message_stands_for_two_seconds(self):
        self.item("a", 20, "Night Mail")
        self.start()
        self.shows("Night Mail")
        self.mpd("favourite add")
        self.shows("Added to")
        added = time.monotonic()
        until(lambda: not any("Added to" in row for row in self.lcd.rows()), 5, "the message's end")
        self.assertAlmostEqual(time.monotonic() - added, 2, delta=0.3)

    def test_only_changed_cells_are_written(self):
        self.item("a", 20, "Night Mail")
        self.start()
        self.mpd("play")
        self.wait_playing()
        time.sleep(1)
        before, written = len(self.written), self.lcd.cells_written
        time.sleep(4)
        # Without a transcript the progress row counts seconds: a few cells each.
        self.assertLessEqual(self.lcd.cells_written - written, 4 * 8)
        self.assertLessEqual(len(self.written) - before, 4 * 40)
        self.assertLessEqual(self.lcd.clears, 2)

    def test_says_goodbye_and_goes_dark(self):
        self.item("a", 20, "Night Mail")
        self.start()
        self.mpd("play")
        self.shows("Night Mail")
        self.assertTrue(self.lcd.backlight)
        self.end()
        until(lambda: not self.lcd.backlight, 5, "darkness")
        self.assertEqual("".join(self.lcd.rows()).strip(), "")
        # A picture that stood for a moment may have come in one piece with the end.
        glass, goodbyes = CharLCD(self.WIDTH, self.HEIGHT), 0
        for at in range(len(self.written)):
            glass.feed(self.written[at : at + 1])
            goodbyes += bool(glass.backlight) and "Good night" in glass.rows()[1]
        self.assertGreater(goodbyes, 0)

    def test_lcd_that_comes_back(self):
        self.item("a", 20, "Night Mail")
        path = self.settings["lcd"]["device"]
        os.rename(path, path + ".away")
        self.start()
        self.mpd("play")
        self.wait_playing()
        self.assertEqual(self.log().count("LCD"), 1)
        os.rename(path + ".away", path)
        self.shows("Night Mail", 35)


class LargeLCD(Glass):
    WIDTH, HEIGHT = 20, 4

    def test_rows(self):
        self.item("a", 100, "Night Mail")
        with open(f"{self.library}/a.lrc", "w") as file:
            file.write("[00:01.00]This is the Night Mail crossing the border\n[00:09.00]Bringing the cheque\n")
        self.start()
        self.mpd("play")
        time.sleep(1.6)
        rows = self.lcd.rows()
        self.assertIn("Night Mail", rows[0])
        # Two rows of whole words, from the sentence's first on.
        words = f"{rows[1].strip()} {rows[2].strip()}".split()
        self.assertEqual(words, "This is the Night Mail crossing the border".split()[:len(words)])
        self.assertGreater(len(words), 4)
        self.assertRegex(rows[3], r"0:01.*1:(38|39|40)")

    def test_progress_moves(self):
        self.item("a", 30, "Night Mail")
        self.start()
        self.mpd("play")
        self.wait_playing()
        self.mpd("seekcur 5")
        self.shows("0:05")
        time.sleep(0.3)  # all of the row
        early = self.lcd.cells[3][:]
        self.mpd("seekcur 25")
        self.shows("0:25")
        time.sleep(0.3)
        self.assertNotEqual([c for c in self.lcd.cells[3] if c not in range(0x30, 0x3B)],
                            [c for c in early if c not in range(0x30, 0x3B)], "the bar has not moved")


class TerminalBoard(SpeakerCase):
    """`nightstand play` on a terminal."""

    def play(self, *arguments, size=(24, 80)):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.slave = slave
        self.screen = Terminal(size[1], size[0])
        self.addCleanup(os.close, self.master)
        self.addCleanup(os.close, slave)
        self.process = self.spawn("play", *arguments, env={"TERM": "xterm-256color"}, stdin=slave, stdout=slave, stderr=slave,
                                  start_new_session=True)

    def look(self, seconds=0.05):
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.master], [], [], left)[0]:
                break
            self.screen.feed(os.read(self.master, 65536))
        return self.screen.box()

    def shows(self, text, seconds=5):
        until(lambda: any(text in row for row in self.look()), seconds, lambda: f"'{text}' in the box {self.screen.rows()}")

    def press(self, keys):
        os.write(self.master, keys)

    def tales(self, count=3, seconds=40):
        for number in range(1, count + 1):
            audio.lame(f"{self.library}/{number}.mp3", audio.noise(seconds, 16000, number), 16000, "-b", "32",
                       "--resample", "16", "--tt", f"Tale {number}")

    def mpd_of_board(self):
        self.settings["console"]["socket"] = self.path("board.socket")
        return self.connect()

    def test_keys_are_the_buttons(self):
        self.tales()
        self.play("--device", "paced", "--socket", self.path("board.socket"), self.library)
        self.shows("Tale 1")
        mpd = self.mpd_of_board()
        until(lambda: mpd.status()["state"] == "play", 5, "playing")
        self.press(b" ")
        until(lambda: mpd.status()["state"] == "pause", 2, "space pauses")
        self.press(b" ")
        until(lambda: mpd.status()["state"] == "play", 2, "space plays")
        elapsed = mpd.elapsed()
        self.press(b"\x1b[C\x1b[C")
        until(lambda: mpd.elapsed() >= elapsed + 20, 2, "two arrows are 20 s")
        self.press(b"\x1b[D")
        until(lambda: mpd.elapsed() < elapsed + 15, 2, "left is back")
        self.press(b"n")
        self.shows("Tale 2")
        self.press(b"n")
        self.shows("Tale 3")
        self.press(b"p")
        self.shows("Tale 2")
        self.press(b"f")
        self.shows("Added to")
        self.assertEqual(mpd.fields("favourite list")["Title"], "Tale 2")
        self.press(b"---")
        until(lambda: mpd.status()["volume"] == "85", 2, "quieter")
        self.press(b"+")
        until(lambda: mpd.status()["volume"] == "90", 2, "louder")
        self.press(b"q")
        self.assertEqual(self.process.wait(5), 0)

    def test_terminal_is_given_back(self):
        for ending in (b"q", b"\x03", b"\x1c", None):
            with self.subTest(ending=ending):
                if not os.path.exists(f"{self.library}/1.mp3"):
                    self.tales(1)
                self.play("--device", "paced", self.library)
                self.shows("Tale 1")
                self.assertTrue(self.screen.alternate and self.screen.cursor_hidden)
                self.assertNotEqual(termios.tcgetattr(self.slave)[3] & termios.ECHO, termios.ECHO)
                if ending is None or ending < b" ":
                    # The terminal is not a controlling one, so that its keys raise no signals.
                    self.process.send_signal({None: signal.SIGTERM, b"\x03": signal.SIGINT, b"\x1c": signal.SIGQUIT}[ending])
                else:
                    self.press(ending)
                self.process.wait(5)
                self.look()
                self.assertFalse(self.screen.alternate or self.screen.cursor_hidden)
                self.assertEqual(termios.tcgetattr(self.slave), self.before)

    def test_large_lcd(self):
        self.tales(1)
        self.play("--device", "paced", "--lcd", "20x4", self.library)
        self.shows("Tale 1")
        box = self.look(0.5)
        self.assertEqual(len(box), 4)
        self.assertTrue(all(len(row) == 20 for row in box), box)
        self.assertRegex(box[3], r"0:0\d.*0:(39|40)")

    def test_no_sound_card_is_one_line_and_silent_playing(self):
        self.tales(1)
        self.play(self.library)  # the tests' ALSA configuration has no default device
        self.shows("Tale 1")
        self.look(1.5)
        told = [row for row in self.screen.rows() if "device" in row.lower() or "sound" in row.lower()]
        self.assertEqual(len(told), 1, self.screen.rows())

    def test_what_is_drawn_is_understood(self):
        self.tales(1)
        self.play("--device", "paced", self.library)
        self.shows("Tale 1")
        self.look(1)
        self.assertEqual(self.screen.unknown, [])
        box = self.screen.box()
        self.assertEqual([len(row) for row in box], [16, 16])


class PlayLines(SpeakerCase):
    """`nightstand play` where standard output is no terminal."""

    def run_play(self, *arguments, timeout=30):
        process = self.spawn("play", *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        out, error = process.communicate(timeout=timeout)
        return process.returncode, out.decode(), error.decode()

    def test_prints_what_it_plays_and_ends(self):
        expected = b""
        for number in (1, 2):
            # Longer than what is queued: else the second may come when the first is queued to its end, and what was to be the
            # end is taken back, which on a card that can only drop repeats a frame.
            audio.lame(f"{self.library}/{number}.mp3", audio.noise(3, 16000, number), 16000, "-b", "32", "--resample", "16",
                       "--tt", f"Tale {number}", "--ta", "Teller")
            expected += self.decoded(f"{self.library}/{number}.mp3")
        with open(f"{self.library}/2.vtt", "w") as file:
            file.write("WEBVTT\n\n00:00.200 --> 00:01.000\nOnce upon a time.\n")
        code, out, error = self.run_play("--device", "paced", self.library)
        self.assertEqual((code, error), (0, ""))
        lines = out.splitlines()
        self.assertTrue(lines[0].startswith("Tale 1 - Teller"), lines)
        self.assertTrue(any(line.startswith("Tale 2") for line in lines), lines)
        self.assertTrue(any("Once upon a time." in line for line in lines), lines)
        self.assert_heard(self.card.heard(), expected, 160)

    def test_nobody_reads(self):
        """A pipe that stands full: the speaker plays on, answers, and ends when it is asked to."""
        self.add_noise("a.mp3", 60)
        with open(f"{self.library}/a.lrc", "w") as file:
            file.writelines(f"[00:{second // 10:02}.{second % 10}]{second} " + "word " * 3000 + "\n" for second in range(600))
        process = self.spawn("play", "--device", "paced", f"{self.library}/a.mp3", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(8)
        self.assertIsNone(process.poll())
        process.terminate()
        began = time.monotonic()
        process.wait(5)
        self.assertLess(time.monotonic() - began, 2)
        process.stdout.close()
        process.stderr.close()

    def test_without_a_sound_card(self):
        self.add_noise("a.mp3", 1.5)
        began = time.monotonic()
        code, out, error = self.run_play(self.library)
        self.assertEqual(code, 0)
        self.assertEqual(len(error.splitlines()), 1, error)
        self.assertGreater(time.monotonic() - began, 1.4, "not paced by the clock")
        self.assertLess(time.monotonic() - began, 6)

    def test_a_single_file(self):
        expected = self.add_noise("a.mp3", 1)
        self.add_noise("b.mp3", 1)
        code, out, _ = self.run_play("--device", "paced", f"{self.library}/a.mp3")
        self.assertEqual(code, 0)
        self.assert_heard(self.card.heard(), expected, 220)

    def test_nothing_to_play(self):
        code, out, error = self.run_play(self.path("nothing"))
        self.assertEqual((code, out), (1, ""))
        self.assertRegex(error, r"^nightstand: .*nothing: No such file or directory\n$")
        code, out, error = self.run_play("--device", "paced", self.library)
        self.assertEqual(code, 1)
        self.assertRegex(error, r"^nightstand: ")


del Glass

if __name__ == "__main__":
    unittest.main()
