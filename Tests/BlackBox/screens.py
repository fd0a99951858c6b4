# SPDX-License-Identifier: Apache-2.0
"""The text on a glass: readers of the bytes that were written to the kernel's character LCD and to a terminal."""

import os
import re
import select
import threading
import time

import audio
from harness import SpeakerCase, until


class CharLCD:
    """The kernel's charlcd driver: characters, \\f, \\n, \\b, and the escape sequences of drivers/auxdisplay/charlcd.c."""

    def __init__(self, width, height):
        self.width, self.height = width, height
        self.cells = [[0x20] * width for _ in range(height)]
        self.x = self.y = 0
        self.pending = b""
        self.glyphs = {}
        self.cursor = self.blink = self.display = True
        self.backlight = None
        self.unknown, self.cells_written, self.clears = [], 0, 0

    def feed(self, data):
        data = self.pending + data
        at = 0
        self.pending = b""
        while at < len(data):
            byte = data[at]
            if byte == 0x1B:
                # [H and [2J as they are; [L… ends at its command letter, or for x, y and G at the semicolon
                sequence = re.compile(rb"\x1b(\[H|\[2J|\[L(?:[DdCcBbFfNnl+\-*rkI]|G[^;]*;|[xy][0-9xy]*;))").match(data, at)
                if not sequence:
                    if len(data) - at < 40:
                        self.pending = data[at:]
                        return
                    self.unknown.append(data[at : at + 10])
                    at += 1
                    continue
                self.escape(sequence.group(1))
                at = sequence.end()
                continue
            at += 1
            if byte == 0x0C:
                self.cells = [[0x20] * self.width for _ in range(self.height)]
                self.x = self.y = 0
                self.clears += 1
            elif byte == 0x0A:
                self.cells[self.y][self.x :] = [0x20] * (self.width - self.x)
                self.x, self.y = 0, (self.y + 1) % self.height
            elif byte == 0x0D:
                self.x = 0
            elif byte == 0x08:
                self.x = max(0, self.x - 1)
            else:
                self.cells_written += 1
                if self.x < self.width:
                    self.cells[self.y][self.x] = byte
                    if self.x < self.width - 1:
                        self.x += 1

    def escape(self, sequence):
        if sequence == b"[H":
            self.x = self.y = 0
        elif sequence.startswith(b"[LG"):
            self.glyphs[int(sequence[3:4])] = sequence[4:-1]
        elif sequence[:3] in (b"[Lx", b"[Ly"):
            for axis, value in re.findall(rb"([xy])(\d+)", sequence):
                if axis == b"x":
                    self.x = min(int(value), self.width - 1)
                else:
                    self.y = min(int(value), self.height - 1)
        elif sequence == b"[Lc":
            self.cursor = False
        elif sequence == b"[Lb":
            self.blink = False
        elif sequence == b"[LD":
            self.display = True
        elif sequence in (b"[L+", b"[L-"):
            self.backlight = sequence == b"[L+"
        elif sequence == b"[Lk":
            self.cells[self.y][self.x :] = [0x20] * (self.width - self.x)

    def rows(self):
        """ASCII as it is, glyphs as *, other codes of the ROM as ?."""
        return ["".join(chr(c) if 0x20 <= c < 0x7F else "*" if c < 0x10 else "?" for c in row) for row in self.cells]


class Terminal:
    """As much of a terminal as a screen program needs: cursor placement, clearing, text."""

    def __init__(self, width=80, height=24):
        self.width, self.height = width, height
        self.clear()
        self.unknown = []
        self.alternate = self.cursor_hidden = False
        self.pending = b""

    def clear(self):
        self.cells = [[" "] * self.width for _ in range(self.height)]
        self.x = self.y = 0

    def feed(self, data):
        data = self.pending + data
        # Half a UTF-8 character or escape sequence waits for its rest.
        cut = re.search(rb"(?:\x1b(?:\[[?0-9;]*)?|[\xc0-\xff][\x80-\xbf]{0,2})$", data)
        self.pending = b""
        if cut:
            try:
                data[cut.start() :].decode()
                if data[cut.start()] == 0x1B:
                    raise UnicodeDecodeError("utf-8", b"", 0, 1, "")
            except UnicodeDecodeError:
                data, self.pending = data[: cut.start()], data[cut.start() :]
        text = data.decode(errors="replace")
        for match in re.finditer(r"\x1b\[(\??)([0-9;]*)([A-Za-z])|\x1b[78=>]|([\s\S])", text):
            private, numbers, final, character = match.groups()
            if character is not None:
                self.put(character)
            elif final:
                self.control(private, [int(n) if n else 0 for n in numbers.split(";")], final)

    def put(self, character):
        if character == "\n":
            self.y = min(self.y + 1, self.height - 1)
        elif character == "\r":
            self.x = 0
        elif character == "\b":
            self.x = max(0, self.x - 1)
        elif character >= " ":
            if self.x < self.width:
                self.cells[self.y][self.x] = character
            self.x += 1

    def control(self, private, numbers, final):
        n = numbers[0]
        if private:
            if n == 1049:
                self.alternate = final == "h"
                self.clear()
            elif n == 25:
                self.cursor_hidden = final == "l"
        elif final in "Hf":
            self.y = min(max(n, 1), self.height) - 1
            self.x = min(max(numbers[1] if len(numbers) > 1 else 1, 1), self.width) - 1
        elif final == "J":
            if n in (2, 3):
                x, y = self.x, self.y
                self.clear()
                self.x, self.y = x, y
            elif n == 0:
                self.cells[self.y][self.x :] = [" "] * (self.width - self.x)
                for row in range(self.y + 1, self.height):
                    self.cells[row] = [" "] * self.width
        elif final == "K":
            if n == 2:
                self.cells[self.y] = [" "] * self.width
            else:
                self.cells[self.y][self.x :] = [" "] * (self.width - self.x)
        elif final == "G":
            self.x = max(n, 1) - 1
        elif final in "ABCD":
            n = max(n, 1)
            self.x = min(max(self.x + {"C": n, "D": -n}.get(final, 0), 0), self.width - 1)
            self.y = min(max(self.y + {"A": -n, "B": n}.get(final, 0), 0), self.height - 1)
        elif final != "m":
            self.unknown.append((private, numbers, final))

    def rows(self):
        return ["".join(row).rstrip() for row in self.cells]

    def box(self):
        """The text in the drawn LCD: the rows between the borders."""
        rows = self.rows()
        inside = [row[row.index("│") + 2 : row.rindex("│") - 1] for row in rows if row.count("│") >= 2]
        return inside


class Glass(SpeakerCase):
    """A speaker with a FIFO in place of /dev/lcd, read all the time as the kernel would."""

    WIDTH, HEIGHT = 16, 2

    def setUp(self):
        super().setUp()
        self.lcd = CharLCD(self.WIDTH, self.HEIGHT)
        self.changes = []  # (seconds, rows)
        self.written = b""
        path = self.path("lcd")
        os.mkfifo(path)
        self.reader = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        self.stop = False
        self.thread = threading.Thread(target=self.read)
        self.thread.start()
        self.addCleanup(self.close)
        self.settings["lcd"] = {"device": path, "width": self.WIDTH, "height": self.HEIGHT}

    def close(self):
        self.stop = True
        self.thread.join()
        os.close(self.reader)

    def read(self):
        while not self.stop:
            if select.select([self.reader], [], [], 0.05)[0]:
                data = os.read(self.reader, 65536)
                self.written += data
                self.lcd.feed(data)
                self.changes.append((time.monotonic(), self.lcd.rows()))

    def item(self, name, seconds, title, *tags):
        audio.lame(f"{self.library}/{name}.mp3", audio.noise(seconds, 16000), 16000, "-b", "32", "--resample", "16",
                   "--tt", title, *tags)

    def shows(self, text, seconds=5):
        until(lambda: any(text in row for row in self.lcd.rows()), seconds, lambda: f"'{text}' on the glass {self.lcd.rows()}")
