# SPDX-License-Identifier: Apache-2.0
"""The text on the LCD's glass, from the levels that the kernel put on its wires.

The kernel's trace of GPIO levels (event gpio/gpio_value) comes in a file; an HD44780 of our own reads D4 to D7, RS and
E as the real one would, by its data sheet (Hitachi ADE-207-272(Z)): initialisation to four bits, commands, text and
drawn characters.
"""

import re

# Lines of the GPIO chip, as Tests/Virtual/parts/board.dts solders them.
DATA = {12: 0, 16: 1, 20: 2, 21: 3}  # D4…D7
RS, E, BACKLIGHT = 7, 8, 26

A00 = {0x5C: "¥", 0x7E: "→", 0x7F: "←", 0xDF: "°", 0xFF: "█", **{0xA1 + i: chr(0xFF61 + i) for i in range(0x3E)},
       **{0xE0 + i: c for i, c in enumerate("αäβεµσρg√⁻jˣ¢£ñöpqθ∞ΩüΣπx̄y千万円÷ ".replace("x̄", "x"))}}

# The pictures that the speaker draws, eight rows of five dots.
PICTURES = {
    "10181C1E1C181000": "▶", "1B1B1B1B1B1B1B00": "⏸", "000A1F1F1F0E0400": "♥",
    "0010101010101000": "▎", "0018181818181800": "▍", "001C1C1C1C1C1C00": "▋",
    "001E1E1E1E1E1E00": "▊", "001F1F1F1F1F1F00": "█",
}
LINE = re.compile(rb" (\d+\.\d+): gpio_value: (\d+) set (\d)")


class Garbled(AssertionError):
    """The signals on the wires are none that an HD44780 could show, or the trace has a gap."""


class HD44780:
    """The controller. Its bus is four lines wide and it is only written to."""

    def __init__(self):
        self.levels = dict.fromkeys((*DATA, RS, E, BACKLIGHT), 0)
        self.four_bits = False
        self.high = None  # the first half of a byte
        self.text, self.drawn = [0x20] * 80, [0] * 64
        self.address, self.in_drawn = 0, False
        self.two_lines = self.on = self.cursor = self.blink = False
        self.forward, self.shifts = 1, False
        self.shift = 0
        self.commands = self.characters = self.clears = 0

    def wire(self, line, level):
        """A level on a line; True where that completed a byte."""
        if line not in self.levels:
            return False
        falls = line == E and self.levels[E] and not level
        self.levels[line] = level
        if not falls:
            return False
        half = sum(self.levels[line] << bit for line, bit in DATA.items())
        if not self.four_bits:
            self.command(half << 4)  # the other four lines are not connected
        elif self.high is None:
            self.high = half
            return False
        else:
            byte, self.high = self.high << 4 | half, None
            (self.data if self.levels[RS] else self.command)(byte)
        return True

    def step(self):
        if self.in_drawn:
            self.address = (self.address + self.forward) % 64
        elif self.two_lines:  # 0x00…0x27 and 0x40…0x67
            cell = (self.cell() + self.forward) % 80
            self.address = cell if cell < 40 else cell - 40 + 0x40
        else:
            self.address = (self.address + self.forward) % 80

    def cell(self):
        if not self.two_lines:
            return self.address % 80
        return (40 if self.address & 0x40 else 0) + (self.address & 0x3F) % 40

    def data(self, byte):
        self.characters += 1
        if self.in_drawn:
            self.drawn[self.address] = byte & 0x1F
        else:
            self.text[self.cell()] = byte
        self.step()

    def command(self, byte):
        self.commands += 1
        if byte & 0x80:
            self.address, self.in_drawn = byte & 0x7F, False
        elif byte & 0x40:
            self.address, self.in_drawn = byte & 0x3F, True
        elif byte & 0x20:
            self.four_bits = not byte & 0x10
            self.two_lines = bool(byte & 0x08)
        elif byte & 0x10:
            right = 1 if byte & 0x04 else -1
            if byte & 0x08:
                self.shift -= right
            else:
                self.address = (self.address + right) & 0x7F
        elif byte & 0x08:
            self.on, self.cursor, self.blink = bool(byte & 4), bool(byte & 2), bool(byte & 1)
        elif byte & 0x04:
            self.forward, self.shifts = 1 if byte & 2 else -1, bool(byte & 1)
        elif byte & 0x02:
            self.address, self.in_drawn, self.shift = 0, False, 0
        elif byte & 0x01:
            self.text = [0x20] * 80
            self.address, self.in_drawn, self.shift, self.forward = 0, False, 0, 1
            self.clears += 1

    def symbol(self, code):
        if code < 16:
            picture = bytes(self.drawn[8 * (code & 7) : 8 * (code & 7) + 8]).hex().upper()
            return PICTURES.get(picture, "?" if any(self.drawn[8 * (code & 7) : 8 * (code & 7) + 8]) else " ")
        return chr(code) if 0x20 <= code < 0x7E and code != 0x5C else A00.get(code, "�")


class Glass:
    """The glass of one boot. Reads on in the trace whenever it is looked at."""

    def __init__(self, path, width, height):
        self.path, self.width, self.height = path, width, height
        self.controller, self.base = HD44780(), None
        self.at, self.rest, self.seconds = 0, b"", 0.0
        self.history = []  # (seconds of the board's CLOCK_MONOTONIC, rows), whenever the rows changed

    def look(self):
        """The rows now."""
        try:
            with open(self.path, "rb") as file:
                file.seek(self.at)
                data = self.rest + file.read()
                self.at = file.tell()
        except FileNotFoundError:
            return self.rows()
        lines = data.split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            if found := LINE.search(line):
                self.seconds = float(found[1])
                if self.controller.wire(int(found[2]) - self.base, int(found[3])):
                    if not self.history or self.history[-1][1] != self.rows():
                        self.history.append((self.seconds, self.rows()))
            elif line.startswith(b"# base "):
                self.base = int(line.split()[2])
            elif b"LOST" in line:
                raise Garbled(f"the trace has a gap: {line.decode()}")
        return self.rows()

    def rows(self):
        if not self.controller.on:
            return [" " * self.width] * self.height
        starts = [0, 40, self.width, 40 + self.width]
        return ["".join(self.controller.symbol(code) for code in self.controller.text[start : start + self.width])
                for start in starts[: self.height]]

    def text(self):
        """The rows now, in one line: words that are parted by rows or blanks stand behind each other with one blank."""
        return " ".join(" ".join(self.look()).split())

    @property
    def backlight(self):
        self.look()
        return bool(self.controller.levels[BACKLIGHT])

    def __str__(self):
        edge = "─" * self.width
        return "\n".join([f"╭{edge}╮", *(f"│{row}│" for row in self.look()), f"╰{edge}╯"])
