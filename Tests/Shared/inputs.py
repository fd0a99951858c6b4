# SPDX-License-Identifier: Apache-2.0
"""Input devices that a program takes for the kernel's: pipes that a preloaded library (fake-input.c) opens in the place of /dev/input."""

import os
import struct
import time

from build import compiled

SYN, KEY, REL, ABS = 0, 1, 2, 3
SLOT, SLOT_X, SLOT_Y, TRACKING = 0x2F, 0x35, 0x36, 0x39


def preload():
    """The library, for LD_PRELOAD; FAKE_INPUT is the folder of the pipes."""
    return compiled("fake-input.c", "fake-input.so", "-shared", "-fPIC", "-ldl")


class Device:
    """A pipe with the kernel's records: event0-touch is the node event0, a touch panel. slower: by how much the program's clock goes slower
    than the machine's."""

    def __init__(self, path, slower=1):
        self.slower = slower
        folder, name = os.path.split(path)
        pipe = os.path.join(folder, "pipe-" + name)
        os.mkfifo(pipe)
        self.file = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
        os.symlink(pipe, os.path.join(folder, name.split("-")[0]))

    def send(self, *events):
        now = time.monotonic() / self.slower
        for kind, code, value in (*events, (SYN, 0, 0)):
            os.write(self.file, struct.pack("qqHHi", int(now), int(now % 1 * 1e6), kind, code, value))

    def close(self):
        os.close(self.file)


class TouchPanel(Device):
    """Fingers on a panel of so many pixels."""

    def __init__(self, path, width, height, slower=1):
        super().__init__(path, slower)
        self.width, self.height, self.finger = width, height, 0

    def at(self, x, y):
        return ((ABS, SLOT_X, round(x * 999 / (self.width - 1))), (ABS, SLOT_Y, round(y * 999 / (self.height - 1))))

    def down(self, x, y, slot=0):
        self.finger += 1
        self.send((ABS, SLOT, slot), (ABS, TRACKING, self.finger), *self.at(x, y))

    def move(self, x, y, slot=0):
        self.send((ABS, SLOT, slot), *self.at(x, y))

    def up(self, slot=0):
        self.send((ABS, SLOT, slot), (ABS, TRACKING, -1))
