# SPDX-License-Identifier: Apache-2.0
"""The virtual board on a person's desk: board/virtual and board/virtual run.

    desk.py boot|run [--os RELEASE] [--lcd SIZE] [FOLDER]
"""

import argparse
import os
import select
import sys
import termios
import tty
from contextlib import closing, contextmanager

from machine import TOP, Machine

KEYS = {" ": "play", "\x1b[D": "back", "\x1b[C": "forward", "f": "favourite", "n": "next", "p": "previous",
        "+": "volume-up", "=": "volume-up", "-": "volume-down"}


@contextmanager
def raw_keys():
    """The terminal gives every key as it is pressed."""
    if not sys.stdin.isatty():
        yield
        return
    before = termios.tcgetattr(0)
    try:
        tty.setraw(0, termios.TCSANOW)
        # Lines printed still begin at the left.
        now = termios.tcgetattr(0)
        now[1] |= termios.OPOST | termios.ONLCR
        termios.tcsetattr(0, termios.TCSANOW, now)
        yield
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)


@contextmanager
def cooked():
    """Back to lines for a while."""
    raw = termios.tcgetattr(0)
    now = termios.tcgetattr(0)
    now[0] |= termios.ICRNL
    now[3] |= termios.ICANON | termios.ECHO
    termios.tcsetattr(0, termios.TCSANOW, now)
    try:
        yield
    finally:
        termios.tcsetattr(0, termios.TCSANOW, raw)


def key(seconds):
    """The input within that time, "" without any, "q" at the end of input."""
    if not select.select([0], [], [], seconds)[0]:
        return ""
    return os.read(0, 64).decode(errors="replace") or "q"


def buttons(board):
    """Draws the glass; keys press the buttons."""
    print("keys: space play/pause   ← → 10 s   n p next/previous   f favourite   + - volume   q quit\n"
          "      ! a command in the board\n"
          f"{board.host} is the board's /run/host; the speaker's messages: ! journalctl -u nightstand\n")
    lines = None
    while True:
        rows = board.glass.look()
        if rows != lines:
            if lines is not None:
                print(f"\x1b[{len(rows) + 2}A", end="")
            print(board.glass, flush=True)
            lines = rows
        typed = key(0.1)
        if typed in ("q", "\x03", "\x04"):
            return
        if typed in KEYS:
            board.press(KEYS[typed])
        if typed == "!":
            with cooked():
                print(board.sh(input("# "), check=False))
            lines = None


def serial(board):
    """This terminal is the far end of the serial line."""
    print("the serial console of the board, 115200 baud; Ctrl-] pulls the plug. Try help, status, play, transcript.")
    board.serial.take = lambda text: os.write(1, text.encode())
    os.write(1, board.serial.read().encode())
    board.serial.send("\r")
    while board.process.poll() is None:
        ready, _, _ = select.select([0], [], [], 0.2)
        if ready:
            data = os.read(0, 1024)
            if not data or b"\x1d" in data:
                return
            board.serial.socket.sendall(data)


def main():
    parser = argparse.ArgumentParser(prog="board/virtual")
    parser.add_argument("task", choices=("boot", "run"))
    parser.add_argument("--os", default="trixie", choices=("trixie", "bookworm"))
    parser.add_argument("--lcd", default="20x4", choices=("20x4", "16x2"))
    parser.add_argument("library", nargs="?", default=os.path.join(TOP, "board", "media"))
    options = parser.parse_args()
    with closing(Machine(options.os, options.lcd, options.library)) as board, raw_keys():
        print(f"booting Debian {options.os} on the virtual board…", flush=True)
        print(f"ready after {board.on():.0f} s", flush=True)
        (serial if options.task == "run" else buttons)(board)
        if options.task == "boot" and board.process:
            print("shutting down")
            board.off()


if __name__ == "__main__":
    main()
