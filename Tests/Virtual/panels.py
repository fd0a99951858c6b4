# SPDX-License-Identifier: Apache-2.0
"""The shared parts of a panel's tests: a board with one, photographs of it from outside, fingers and keys, and what
--png draws of the
speaker, which is what has to be seen."""

import os
import re
import struct
import unittest
import zlib

from machine import TOP, Machine
from png import picture

MEDIA = os.path.join(TOP, "board", "media")
SIZE = (800, 480)
# As Tests/Virtual/parts/framebuffers.dts has them: (where in the board's memory, size, bytes of a row, bytes of a pixel).
SIXTEEN = (0x58000000, (480, 320), 960, 2)
TWENTY_FOUR = (0x58200000, (800, 480), 2504, 3)
# Of the bytes of two pictures that are the same: two drawings of a gradient may differ by a little.
SAME = 0.002
# While it plays a second may go by between the two.
PLAYING = 0.01


def ppm(path):
    """(width, height, bytes) of a binary PPM."""
    with open(path, "rb") as file:
        data = file.read()
    words, at = [], 0
    while len(words) < 4:
        end = min(i for i in (data.find(b" ", at), data.find(b"\n", at)) if i >= 0)
        words.append(data[at:end])
        at = end + 1
    assert words[0] == b"P6" and words[3] == b"255"
    return int(words[1]), int(words[2]), data[at:]


def different(a, b, tolerance=2):
    """The part of bytes that differ by more than the tolerance."""
    if a == b:
        return 0
    if len(a) != len(b):
        return 1
    # Stretches that are equal, as most are, need no look at each byte.
    step, count = 3 * 64, 0
    for at in range(0, len(a), step):
        one, other = a[at:at + step], b[at:at + step]
        if one != other:
            count += sum(1 for x, y in zip(one, other) if abs(x - y) > tolerance)
    return count / len(a)


def roughly_different(a, b):
    """The same of a few hundred pixels, for what is asked often."""
    step = 3 * 997
    return different(a[::step] + a[1::step] + a[2::step], b[::step] + b[1::step] + b[2::step], 8)


def edges(data):
    """The content there, over any ground: each pixel's difference from its neighbor."""
    green = data[1::3]
    return bytes(abs(a - b) for a, b in zip(green, green[1:]))


def interleaved(size, red, green, blue):
    whole = bytearray(3 * size[0] * size[1])
    whole[0::3], whole[1::3], whole[2::3] = red, green, blue
    return bytes(whole)


def turned_back(data, size, rotation):
    """As a person sees a panel of that size and mounting: a picture of its own width and height."""
    width, height = size
    if rotation == 0:
        return data
    if rotation == 180:
        return interleaved(size, data[-3::-3], data[-2::-3], data[-1::-3])
    channels = []
    for channel in range(3):
        rows = [data[3 * width * y + channel:3 * width * (y + 1):3] for y in range(height)]
        if rotation == 90:
            columns = (bytes(row[width - 1 - y] for row in rows) for y in range(width))
        else:
            columns = (bytes(row[y] for row in reversed(rows)) for y in range(width))
        channels.append(b"".join(columns))
    return interleaved(size, *channels)


def keep(data, size, name):
    """For looking at it: a PNG in the folder that PHOTOGRAPHS names."""
    folder = os.environ.get("PHOTOGRAPHS")
    if not folder or not data:
        return

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + data[3 * size[0] * y:3 * size[0] * (y + 1)] for y in range(size[1]))
    with open(os.path.join(folder, name + ".png"), "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", *size, 8, 2, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


class PanelCase(unittest.TestCase):
    """A board with a panel and hands that are virtio devices; their drivers come after the service does."""

    DEVICES = ("virtio-gpu-pci,id=gpu,xres={},yres={}".format(*SIZE), "virtio-tablet-pci,id=finger", "virtio-keyboard-pci,id=keys")
    DRIVERS = ("virtio_gpu", "virtio_input", "evdev")
    rotation = 0

    @classmethod
    def make(cls):
        cls.board = board = Machine(library=MEDIA)
        cls.addClassCleanup(board.close)
        board.settings["screen"] = {"enabled": "yes", "theme": "light", "dim_seconds": "0"}
        board.settings["night"] = {"hours": "never"}
        return board

    def log(self):
        return self.board.sh("journalctl -u nightstand-screen --no-pager -n 20; systemctl status nightstand-screen --no-pager; "
                             "ls -l /dev/dri /dev/fb* /dev/input", check=False)

    # What is seen

    def photograph(self):
        path = self.board.path("photo.ppm")
        self.board.qmp("screendump", filename=path)
        width, height, data = ppm(path)
        return turned_back(data, SIZE, self.rotation) if (width, height) == SIZE else b""

    def memory(self, place, size, stride, bytes_):
        """The picture of a panel of the older kind."""
        path = self.board.path("photo.memory")
        self.board.qmp("pmemsave", val=place, size=stride * size[1], filename=path)
        with open(path, "rb") as file:
            data = file.read()
        data = b"".join(data[stride * y:stride * y + bytes_ * size[0]] for y in range(size[1]))
        if bytes_ == 3:
            data = interleaved(size, data[2::3], data[1::3], data[0::3])
        else:
            pixels = struct.unpack(f"<{len(data) // 2}H", data)
            five, six = [level * 255 // 31 for level in range(32)], [level * 255 // 63 for level in range(64)]
            data = interleaved(size, bytes(five[p >> 11] for p in pixels), bytes(six[p >> 5 & 63] for p in pixels),
                               bytes(five[p & 31] for p in pixels))
        return turned_back(data, size, self.rotation)

    def looked_at(self, size=SIZE):
        """The size of what is seen."""
        return size if self.rotation % 180 == 0 else (size[1], size[0])

    def drawn(self, *options, size=SIZE, state=None):
        """The picture of --png, of the running speaker or of a text."""
        out = os.path.join(self.board.host, "out.png")
        source = "--socket /run/nightstand/socket"
        if state is not None:
            with open(os.path.join(self.board.host, "state"), "w") as file:
                file.write(state)
            source = "--state /run/host/state"
        size = self.looked_at(size)
        self.tree = self.board.sh(f"nightstand screen --png /run/host/out.png --tree --size {size[0]}x{size[1]} {source} "
                                  + " ".join(options))
        return b"".join(picture(out)[2])

    def until_shown(self, *options, seconds=30, differing=SAME, state=None, part=lambda data: data, tolerance=2):
        """Waits until what is drawn is on the panel, and returns that."""
        last, wanted = None, b""

        def shown():
            nonlocal last, wanted
            photo = self.photograph()
            # Drawn again only if what it is drawn of has changed, the playing second included.
            told = state() if state else None
            now = told, [line for line in self.board.mpd("screenstate 12") if not line.startswith("elapsed")], int(self.board.elapsed())
            if now != last:
                last, wanted = now, self.drawn(*options, state=told)
            if photo and different(part(photo), part(wanted), tolerance) < differing:
                return photo
            keep(photo, self.looked_at(), self.id().split(".")[-1] + "-seen")
            keep(wanted, self.looked_at(), self.id().split(".")[-1] + "-wanted")
            return None
        return self.board.until(shown, seconds, lambda: "the same picture on the panel; " + self.log(), pause=0.3)

    def list_state(self, name, command):
        """The text that a screen with a list is drawn of."""
        return "\n".join([*self.board.mpd("screenstate 12"), f"list: {name}", *self.board.mpd(command)])

    def what_stands_there(self, data):
        """Of a list: its edges, since each change of screen brings another gradient, and nothing where rows and the bar beneath them have
        their covers, which a text does not bring."""
        data = bytearray(data)
        width, _ = self.looked_at()
        for x, y, height in re.findall(r'(?m)^(?:row|button) "[^"]*",.* at (\d+),(\d+) \d{3,}x(\d+)$', self.tree):
            for line in range(int(y), int(y) + int(height)):
                start = 3 * (width * line + int(x))
                data[start:start + 3 * 72] = bytes(3 * 72)
        return edges(bytes(data))

    # Hands

    def place(self, label):
        """The middle of what stands there by that name, of what was drawn last."""
        found = re.search(rf'(?m)^\w+ "{re.escape(label)}".* at (-?\d+),(-?\d+) (\d+)x(\d+)$', self.tree)
        self.assertTrue(found, f"{label} in\n{self.tree}")
        x, y, width, height = map(int, found.groups())
        return x + width // 2, y + height // 2

    def finger(self, x, y, down=None):
        """A finger comes down at a place of what is seen, goes there, or leaves."""
        width, height = SIZE
        x, y = {0: (x, y), 90: (width - 1 - y, x), 180: (width - 1 - x, height - 1 - y), 270: (y, height - 1 - x)}[self.rotation]
        events = [{"type": "abs", "data": {"axis": axis, "value": int((place + 0.5) * 32767 / size)}}
                  for axis, place, size in (("x", x, width), ("y", y, height))]
        if down is not None:
            events.append({"type": "btn", "data": {"button": "left", "down": down}})
        self.board.qmp("input-send-event", events=events)

    def tap(self, x, y, seconds=0.05):
        self.finger(x, y, True)
        self.board.wait(seconds)
        self.finger(x, y, False)

    def drag(self, x, y, to_x, to_y, steps=12):
        self.finger(x, y, True)
        for step in range(1, steps + 1):
            self.board.wait(0.01)
            self.finger(x + (to_x - x) * step // steps, y + (to_y - y) * step // steps)
        self.finger(to_x, to_y, False)

    def key(self, name):
        for down in (True, False):
            self.board.qmp("input-send-event", events=[{"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": name}}}])

    # The service

    def restart(self, hours=None, **settings):
        """Under other settings, and with other hours of the night."""
        if hours:
            self.board.settings["night"]["hours"] = hours
        self.board.settings["screen"].update(settings)
        self.board.write_settings()
        type(self).rotation = int(self.board.settings["screen"].get("rotation", "0"))
        self.board.sh("cp /run/host/nightstand.conf /etc/nightstand.conf; systemctl restart nightstand-screen")

    def process(self):
        return int(self.board.sh("systemctl show -P MainPID nightstand-screen"))

    def switches(self):
        """The number of times that its threads got the processor."""
        text = self.board.sh(f"cat /proc/{self.process()}/task/*/status")
        return sum(map(int, re.findall(r"voluntary_ctxt_switches:\s+(\d+)", text)))

    def told(self, begun):
        """Its messages since a moment of the board's clock."""
        lines = self.board.sh("journalctl -u nightstand-screen --no-pager -o short-monotonic -n 400").splitlines()
        return [line for line in lines if (at := re.match(r"\[\s*([\d.]+)\]", line)) and float(at[1]) >= begun]

    def terminal(self):
        """0 where the kernel writes text, 1 where it does not."""
        return int(self.board.sh("""perl -e 'open F, "<", "/dev/tty0" or die; $x = "\\0" x 8; ioctl F, 0x4B3B, $x or die; """
                                 """print unpack "l", $x'"""))

    # The speaker

    def until_state(self, state, seconds=10):
        self.board.until(lambda: self.board.status()["state"] == state, seconds, self.log)

    def xruns(self):
        return int(self.board.fields("counters")["xruns"])
