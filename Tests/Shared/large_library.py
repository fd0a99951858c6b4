# SPDX-License-Identifier: Apache-2.0
"""A library of tens of thousands of real files, each of a tenth of a second of silence with the tags that taggers write."""

import os
import struct

MODIFIED = 1_700_000_000
FRAME = bytes([0xFF, 0xFB, 0x90, 0x00]) + bytes(413)


def synchsafe(number):
    return bytes((number >> shift) & 127 for shift in (21, 14, 7, 0))


def frame(name, body):
    return name.encode() + synchsafe(len(body)) + b"\0\0" + body


def text(name, value):
    return frame(name, b"\3" + value.encode())


def tag(*frames):
    body = b"".join(frames)
    return b"ID3\4\0\0" + synchsafe(len(body)) + body


def silence(number):
    """Four frames that no other number's audio has, behind one that says how many they are."""
    info = bytearray(FRAME)
    info[36:40] = b"Info"
    struct.pack_into(">III", info, 40, 3, 4, 5 * len(FRAME))
    last = FRAME[:-8] + bytes(number >> (4 * i) & 0xF for i in range(8))
    return bytes(info) + FRAME * 3 + last


def file(n, a_folder):
    """12 tags."""
    reader = f"Reader {n // 1000}"
    return tag(
        text("TIT2", f"Chapter {n:05} of a story that is told at night"), text("TPE1", reader), text("TALB", f"Shelf {n // a_folder}"),
        text("TPE2", reader), text("TRCK", f"{n % a_folder + 1}/{a_folder}"), text("TPOS", "1/1"),
        text("TDRC", f"{1950 + n // 1000}"), text("TCON", "Audiobook" if n % 2 else "Fantasy"), text("TCOM", f"Voice {n // 500}"),
        text("TPUB", "The Night Press"), text("TSOP", f"{n // 1000}, Reader"),
        frame("COMM", b"\3eng\0" + f"What is told in chapter {n}, and to whom".encode())) + silence(n)


def make(library, count, a_folder=100, first=0):
    """Files shelf NNN/Chapter NNNNN.mp3, so many a folder."""
    for n in range(first, first + count):
        folder = f"{library}/shelf {n // a_folder:03}"
        os.makedirs(folder, exist_ok=True)
        path = f"{folder}/Chapter {n:05}.mp3"
        with open(path, "wb") as out:
            out.write(file(n, a_folder))
        os.utime(path, (MODIFIED, MODIFIED))
