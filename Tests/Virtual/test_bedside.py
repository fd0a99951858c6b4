# SPDX-License-Identifier: Apache-2.0
"""An evening with the speaker under systemd: it goes on where it was, its LCD follows the voice, it can be talked to over a serial
line, and a button that cannot be had at first is had later.

The board's clock goes by its instructions (see machine.py): the text on the glass is compared with the sound at that
moment.
"""

import os
import re
import unittest

from machine import SLOW, TOP, Machine, Serial

MEDIA = os.path.join(TOP, "board", "media")
PLACE = 44.0  # seconds into the first item; its last sentences, and the first of the second
LISTEN = 40  # seconds
ITEMS = ("The Lamp Who Counted", "The Moon Asks the Way", "Nineteen, Twenty")


def seconds(clock):
    """Of 0:01:02,345 or 01:02.345."""
    result = 0.0
    for part in clock.replace(",", ".").split(":"):
        result = 60 * result + float(part)
    return result


def sentences(path):
    """[(start, end, text)…] of our own SRT and WebVTT files."""
    with open(path, encoding="utf-8") as file:
        found = re.findall(r"(\S+) --> (\S+)\n(.*)", file.read())
    return [(seconds(start), seconds(end), text) for start, end, text in found]


def on_rom(text):
    """As the Japanese character ROM has it."""
    return text.translate(str.maketrans({"“": '"', "”": '"', "’": "'"}))


class Bedside(unittest.TestCase):
    """All tests share one board, with a second serial line."""

    FASTER = 8

    @classmethod
    def setUpClass(cls):
        cls.board = board = Machine(library=MEDIA)
        cls.addClassCleanup(board.close)
        # Left playing, and the plug pulled in order.
        board.on(init="quick")
        board.until(lambda: board.status()["playlistlength"] == "3" and "updating_db" not in board.status(), 60, "the library")
        board.mpd("play 0")
        board.mpd(f"seekcur {PLACE}")
        board.until(lambda: board.elapsed() > PLACE + 0.1, what="playing on")
        cls.left = board.elapsed()
        board.sh("pkill -x nightstand; while pgrep -x nightstand; do sleep 0.05; done")
        board.off()
        # On again, by the packaged unit.
        cls.took = board.on(devices=["pci-serial,chardev=second"],
                            arguments=[*SLOW, "-chardev", f"socket,id=second,path={board.path('second')},server=on,wait=off"])
        # The first that is heard, and when by the board's clock; and the same again when the stretch is over.
        with board.steady():
            cls.first = cls.heard()
            cls.place = board.status()
            properties = board.sh("systemctl show nightstand -p ActiveState,StatusText,NRestarts,ExecMainStartTimestampMonotonic")
            cls.unit = dict(line.split("=", 1) for line in properties.splitlines())
            cls.before_end = cls.heard()
            board.until(lambda: board.status()["song"] == "1" and board.elapsed() > PLACE + LISTEN - 66, 240, "the next item", pause=0.2)
            cls.second = cls.heard()
        board.glass.look()
        # The part of this stretch, whatever the tests do to the board.
        cls.history, cls.seen = list(board.glass.history), board.glass.seconds

    @classmethod
    def heard(cls):
        """(offset of the place in the item from the board's clock, by how much it may be wrong): from the closest pair of looks."""
        looks = []
        for _ in range(5):
            before = cls.board.now()
            elapsed = cls.board.elapsed()
            after = cls.board.now()
            looks.append(((after - before) / 2 + 0.01, elapsed - (before + after) / 2))
        error, offset = min(looks)
        return offset, error

    def test_goes_on_where_it_was(self):
        print(f"systemd: plug to console {self.took:.1f} s on this host; the speaker was started "
              f"{int(self.unit['ExecMainStartTimestampMonotonic']) / 1e6:.1f} s after the kernel")
        self.assertEqual(self.unit["ActiveState"], "active")
        self.assertEqual(self.unit["NRestarts"], "0")
        self.assertEqual(self.place["state"], "play")
        self.assertEqual(self.place["song"], "0")
        offset, error = self.first
        started = int(self.unit["ExecMainStartTimestampMonotonic"]) / 1e6
        # It cannot have played before it was started, nor from before the place where it was left.
        self.assertLess(offset + started, self.left + 0.5)
        at = float(self.place["elapsed"])
        self.assertGreater(at, self.left)
        self.assertIn("The Lamp Who Counted", self.unit["StatusText"])

    # The text on the glass

    def shown(self, at):
        """The rows that stood on the glass at a time of the board's clock."""
        rows = None
        for when, now in self.history:
            if when > at:
                break
            rows = now
        return rows

    def stretches(self):
        """[(item, its sentences, offset of its place from the board's clock, from place, to place)…] of what was listened to."""
        ends = self.board.fields("playlistinfo 0")
        duration = float(ends["duration"])
        print(f"the sound ran {abs(self.first[0] - self.before_end[0]) * 1000:.0f} ms off the clock")
        return [
            (0, sentences(os.path.join(MEDIA, "1 - The Lamp Who Counted.srt")), self.first[0], self.left + 2, duration - 0.3),
            (1, sentences(os.path.join(MEDIA, "2 - The Moon Asks the Way.vtt")), self.second[0], 0.5, self.second_end()),
        ]

    def second_end(self):
        return self.seen + self.second[0]

    def test_the_sentence_being_spoken_stands_on_the_glass(self):
        late, count = [], 0
        for item, spoken, offset, begin, end in self.stretches():
            for start, stop, text in spoken:
                if start < begin or stop > end:
                    continue
                count += 1
                # The time from which the sentence could be read to its end: pages in order, and together the sentence. A page that stands for less
                # than 0.08 s is still being written.
                pages, at = [], start + 0.2
                while at < stop - 0.05:
                    page = " ".join(" ".join(self.shown(at - offset)[1:3]).split())
                    if pages and pages[-1][0] == page:
                        pages[-1][1] += 1
                    else:
                        pages.append([page, 1])
                    at += 0.02
                whole = [page for page, count in pages if count > 4]
                self.assertEqual(" ".join(whole), on_rom(text), f"item {item}, sentence at {start}: {pages}")
                change = min(when + offset for when, rows in self.history
                             if when + offset > start - 0.3 and " ".join(" ".join(rows[1:3]).split()) == whole[0])
                late.append(change - start)
        self.assertGreaterEqual(count, 5)
        self.assertGreater(min(late), -0.1, "shown before it is spoken")
        self.assertLess(max(late), 0.3, "shown late")
        print(f"{count} sentences stood on the LCD while they were spoken, complete {min(late) * 1000:.0f} to "
              f"{max(late) * 1000:.0f} ms after their beginning")

    def test_the_glass_is_dark_when_the_speaker_has_ended(self):
        board, glass = self.board, self.board.glass
        board.until(lambda: glass.text() and glass.backlight, what="a lit glass")
        before = len(glass.history)
        self.addCleanup(board.sh, "systemctl start nightstand")
        board.sh("systemctl stop nightstand")
        board.until(lambda: not glass.backlight, 10, "darkness")
        self.assertEqual(glass.text(), "")
        self.assertTrue(any("Good night" in " ".join(rows) for _, rows in glass.history[before:]), glass.history[before:])

    def test_title_and_clock(self):
        for item, _, offset, begin, end in self.stretches():
            pages, at = [], begin + 1
            while at < end:
                rows = self.shown(at - offset)
                # The clock may be a tenth of a second late, and its digits are written one after the other.
                if 0.25 < at % 1 < 0.95:
                    self.assertEqual(rows[0][0], "▶")
                    title = rows[0][1:].strip()
                    if title not in pages:
                        pages.append(title)
                    clock = re.match(r" *(\d+:\d\d) ", rows[3])
                    self.assertTrue(clock, rows[3])
                    self.assertEqual(seconds(clock[1]), int(at), f"item {item} at {at:.2f}: {rows}")
                at += 0.1
            pages.sort(key=ITEMS[item].find)
            self.assertEqual(" ".join(pages), ITEMS[item])
        controller = self.board.glass.controller
        self.assertFalse(controller.cursor or controller.blink)
        self.assertEqual(self.board.glass.history and controller.shift, 0)

    # The serial lines

    def test_serial_session(self):
        board, line = self.board, self.board.serial
        self.assertTrue(line.expect(r"Nightstand\. Type help and press Enter\.\r\nnightstand> "))

        def ask(text, answer):
            line.send(text + "\r")
            line.expect(re.escape(text) + r"\r\n")
            found = line.expect(answer)
            line.expect(r"nightstand> $")
            return found

        ask("pause 1", "OK\r\n")
        self.assertEqual(board.status()["state"], "pause")
        self.assertEqual(ask("status", r"(?s)state: (\w+)\r\n.*OK\r\n")[1], "pause")
        ask("play 1", "OK\r\n")
        ask("seekcur 40", "OK\r\n")
        ask("pause 1", "OK\r\n")
        at = board.elapsed()
        self.assertTrue(40 <= at < 50, at)
        ask("seekcur +10", "OK\r\n")
        self.assertAlmostEqual(board.elapsed(), at + 10, delta=0.01)
        ask("seekcur 42", "OK\r\n")
        spoken = ask("transcript", r"(?s)current: (\d+)\r\n.*OK\r\n")
        self.assertEqual(spoken[1], "8")
        self.assertIn("segment: 8 41.329-44.493 Then, very slowly, it leaned to the left.", spoken[0])
        self.assertIn("segment: 7 35.952-40.979 The glass of water trembled", spoken[0])
        ask("next", "OK\r\n")
        self.assertEqual(board.status()["song"], "2")
        counters = ask("counters", r"(?s)(.*)OK\r\n")[1]
        for name in ("xruns", "wakeups_per_second", "decode_us_p99", "ring_fill_bytes", "pss_kib"):
            self.assertRegex(counters, rf"(?m)^{name}: [\d.]+\r$")
        help_text = ask("help", r"(?s)(.*)OK\r\n")[1]
        for word in ("status", "seekcur", "transcript", "counters", "favourite"):
            self.assertIn(word, help_text)
        # A typing error taken back, a line given up, and the last line again by the up arrow.
        line.send("setvol 99\x7f\x7f42\r")
        line.expect(r"setvol 99\x08 \x08\x08 \x0842\r\nOK\r\nnightstand> ")
        self.assertEqual(board.status()["volume"], "42")
        board.mpd("setvol 50")
        line.send("\x1b[A\r")
        line.expect(r"setvol 42\r\nOK\r\nnightstand> ")
        self.assertEqual(board.status()["volume"], "42")
        line.send("setvol 1\x15setvol 2\x03")
        line.expect(r"\^C\r\nnightstand> ")
        ask("frobnicate", "error: unknown command \"frobnicate\"\r\n")
        # The bytes of a loose plug. Ctrl-U deletes their input.
        line.socket.sendall(bytes(byte for byte in range(256) if byte not in b"\r\n\x03") * 3 + b"\x1b[999;999H\x00\xff\xfe\x15")
        board.serial.read()
        line.send("\r")
        line.text = ""
        line.send("ping\r")
        line.expect(r"ping\r\nOK\r\nnightstand> ")
        self.assertEqual(board.status()["volume"], "42")
        self.assertEqual(board.sh("systemctl show nightstand -p NRestarts --value"), "0")

    def test_console_unit_on_another_line(self):
        board = self.board
        line = Serial(board, "second")
        self.addCleanup(line.close)
        # This board's udev looks only at the devices that most tests need.
        board.sh("udevadm trigger --action=add --sysname-match=ttyS1 && udevadm settle; systemctl start nightstand-console@ttyS1")
        self.addCleanup(board.sh, "systemctl stop nightstand-console@ttyS1")
        line.expect(r"nightstand> ", 60)
        line.send("status\r")
        line.expect(r"(?s)volume: \d+.*state: \w+.*OK\r\nnightstand> ")
        line.send("setvol 33\r")
        line.expect(r"OK\r\nnightstand> ")
        self.assertEqual(board.status()["volume"], "33")
        # A person who leaves and returns finds it again; so does one who comes while the speaker is away.
        line.send("quit\r")
        line.expect(r"nightstand> ", 60)
        board.sh("systemctl stop nightstand")
        line.expect(r"(?s)closed the connection.*no speaker is running", 60)
        board.sh("systemctl start nightstand")
        line.expect(r"nightstand> ", 60)
        line.send("ping\r")
        line.expect(r"OK\r\nnightstand> ")
        self.assertEqual(board.sh("systemctl show nightstand-console@ttyS1 -p User --value"), "nightstand")

    # Buttons that cannot be had

    def journal(self, since):
        return self.board.sh(f"journalctl -u nightstand -o cat --no-pager --after-cursor='{since}'")

    def cursor(self):
        return self.board.sh("journalctl -n 0 --show-cursor --no-pager").split("-- cursor: ")[1]

    def restart(self, script=""):
        """Starts the speaker anew with the settings; returns the journal's place before."""
        board = self.board
        board.write_settings()
        cursor = self.cursor()
        board.sh(f"systemctl stop nightstand; cp /run/host/nightstand.conf /etc; {script} systemctl start nightstand")
        board.mpd("pause 1")
        board.mpd("seek 1 30")
        return cursor

    def test_chip_that_is_permitted_later(self):
        """Early at boot the chip's device is root's alone, until udev has been at it."""
        board = self.board
        mode = board.sh("stat -c '%a %U:%G' /dev/gpiochip0")
        cursor = self.restart("chown root:root /dev/gpiochip*; chmod 600 /dev/gpiochip*;")
        board.until(lambda: "no permission for /dev/gpiochip" in self.journal(cursor), what=lambda: self.journal(cursor))
        board.press("forward")
        board.sh("sleep 3")
        self.assertAlmostEqual(board.elapsed(), 30, delta=0.01)  # and how should it
        self.assertEqual(self.journal(cursor).count("no permission"), 1, "said once")
        board.sh("chgrp gpio /dev/gpiochip*; chmod 660 /dev/gpiochip*")
        board.until(lambda: self.journal(cursor).count("is there") == len(Machine.LINES), what=lambda: self.journal(cursor))
        board.press("forward")
        board.until(lambda: board.elapsed() > 39.9, what="a press on a button that came late")
        self.assertAlmostEqual(board.elapsed(), 40, delta=0.01)
        self.assertEqual(mode, board.sh("stat -c '%a %U:%G' /dev/gpiochip0"), "what the package's udev rule gives")

    def test_line_that_is_missing(self):
        board = self.board
        board.settings["buttons"]["favourite"] = "GPIO99,active-low,pull-up"
        self.addCleanup(board.settings["buttons"].update, favourite="GPIO23,active-low,pull-up")
        cursor = self.restart()
        board.until(lambda: "GPIO99" in self.journal(cursor), what=lambda: self.journal(cursor))
        said = self.journal(cursor)
        self.assertRegex(said, r"button favourite: no GPIO line 'GPIO99': there are .*gpiochip1: GPIO0 to GPIO27, ")
        board.press("back")
        board.until(lambda: board.elapsed() < 20.1, what="a press beside the missing button")
        self.assertAlmostEqual(board.elapsed(), 20, delta=0.01)
        board.press("volume-down")
        board.sh("sleep 6")
        self.assertEqual(self.journal(cursor).count("GPIO99"), 1, "said once")


if __name__ == "__main__":
    unittest.main()
