# SPDX-License-Identifier: Apache-2.0
"""PNGs, as far as tests need them."""

import struct
import zlib


def picture(path):
    """(width, height, rows of bytes) of an 8-bit RGB PNG without interlace."""
    with open(path, "rb") as file:
        data = file.read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height, depth, kind, _, _, interlace = struct.unpack(">IIBBBBB", data[16:29])
    assert (depth, kind, interlace) == (8, 2, 0)
    packed, at = b"", 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at:at + 4])
        if data[at + 4:at + 8] == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += length + 12
    raw, stride, rows, before = zlib.decompress(packed), width * 3, [], bytearray(width * 3)
    for y in range(height):
        line = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        filtering = raw[y * (stride + 1)]
        for x in range(stride):
            left, up, corner = (line[x - 3] if x > 2 else 0), before[x], (before[x - 3] if x > 2 else 0)
            if filtering == 1:
                line[x] = line[x] + left & 255
            elif filtering == 2:
                line[x] = line[x] + up & 255
            elif filtering == 3:
                line[x] = line[x] + (left + up) // 2 & 255
            elif filtering == 4:
                p = left + up - corner
                line[x] = line[x] + min((left, up, corner), key=lambda c: abs(p - c)) & 255
        rows.append(bytes(line))
        before = line
    return width, height, rows


def write(path, width, height, color):
    """A picture of one colour."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes(color) * width) * height
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
                   chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
