# SPDX-License-Identifier: Apache-2.0
"""Audio for tests: generated, encoded with the usual encoders, or written bit by bit where there is no encoder."""

import array
import ctypes
import hashlib
import math
import os
import random
import shutil
import struct
import subprocess
import tempfile
import wave

from build import compiled, kept

BITRATES = {  # kbit/s by MPEG 1 or not and layer, from index 1
    (True, 1): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    (True, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    (True, 3): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    (False, 1): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    (False, 2): [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
RATES = {44100: (3, 0), 48000: (3, 1), 32000: (3, 2), 22050: (2, 0), 24000: (2, 1), 16000: (2, 2),
         11025: (0, 0), 12000: (0, 1), 8000: (0, 2)}  # version and index of the header



def _filled(function, seconds, rate, channels, *parameters):
    """Samples that a function of noise.c writes."""
    frames = int(seconds * rate)
    samples = array.array("h", bytes(2 * channels * frames))
    library = ctypes.CDLL(compiled("noise.c", "noise.so", "-shared", "-fPIC", "-lm"))
    address, _ = samples.buffer_info()
    library[function](ctypes.c_void_p(address), ctypes.c_long(frames), channels, *parameters)
    return samples


def sine(seconds, rate, hertz=440, level=0.5, channels=1):
    return _filled("fill_sine", seconds, rate, channels, ctypes.c_double(level), ctypes.c_double(2 * math.pi * hertz / rate))


def noise(seconds, rate, seed=1, channels=1, level=0.3):
    """Different at every place, which is what finds a place again."""
    number = int.from_bytes(hashlib.sha256(repr(seed).encode()).digest()[:8], "little")
    return _filled("fill_noise", seconds, rate, channels, ctypes.c_double(level), ctypes.c_uint64(number))


def write_wav(path, samples, rate, channels=1):
    with wave.open(path, "wb") as writer:
        writer.setparams((channels, 2, rate, 0, "NONE", ""))
        writer.writeframes(samples.tobytes())


def read_wav(path):
    """(rate, channels, sample bytes), and checks that the header is a plain 16-bit one with true sizes."""
    with wave.open(path, "rb") as reader:
        assert reader.getsampwidth() == 2
        return reader.getframerate(), reader.getnchannels(), reader.readframes(reader.getnframes())


def _encoded(encoder, path, samples, rate, options, channels):
    """Writes what an encoder makes of samples to path. The same samples are encoded once for all tests."""
    def encode(target):
        with tempfile.TemporaryDirectory() as scratch:
            wav = os.path.join(scratch, "in.wav")
            write_wav(wav, samples, rate, channels)
            subprocess.run([encoder, "--quiet", *options, wav, target], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    program = os.stat(shutil.which(encoder))
    shutil.copyfile(kept(encode, encoder, program.st_mtime_ns, program.st_size, rate, channels, options, samples.tobytes()), path)
    return path


def lame(path, samples, rate, *options, channels=1):
    return _encoded("lame", path, samples, rate, options, channels)


def twolame(path, samples, rate, *options, channels=1):
    return _encoded("twolame", path, samples, rate, options, channels)


def layer_one(path, frames, rate, mode=3, seed=1, free_bytes=0, crc=False):
    """A Layer I file of random, valid frames. mode: 0 stereo, 1 joint stereo, 2 dual channel, 3 mono. free_bytes: of a
    free-format frame, a multiple of 4."""
    draw, channels = random.Random(seed), 1 if mode == 3 else 2
    version, rate_index = RATES[rate]
    with open(path, "wb") as file:
        for _ in range(frames):
            index = 0 if free_bytes else draw.randint(3, 12)
            padding = 0 if free_bytes or rate % 11025 else draw.randint(0, 1)
            kbit = 0 if free_bytes else BITRATES[version == 3, 1][index - 1]
            size = free_bytes or (12 * kbit * 1000 // rate + padding) * 4
            bound = 32 if mode != 1 else draw.choice((4, 8, 12, 16))
            bits = []

            def put(value, count):
                bits.extend((value >> shift) & 1 for shift in reversed(range(count)))

            put(0xFFF >> 1, 11)
            put(version, 2)
            put(3, 2)
            put(0 if crc else 1, 1)
            put(index, 4)
            put(rate_index, 2)
            put(padding, 1)
            put(0, 1)
            put(mode, 2)
            put(bound // 4 - 1 if mode == 1 else 0, 2)
            put(0, 4)
            if crc:
                put(0, 16)  # mpg123 reads past it
            left = size * 8 - len(bits) - 4 * (bound * channels + 32 - bound)
            allocation = {}
            for band in range(32):
                for channel in range(channels if band < bound else 1):
                    width = draw.choice((0, 0, 2, 3, 4, 5, 6))
                    cost = (12 * width + 6 * (channels if band >= bound else 1)) if width else 0
                    if band > 20 or cost > left:
                        width = cost = 0
                    left -= cost
                    allocation[band, channel] = width
                    put(width - 1 if width else 0, 4)
            for band in range(32):
                for channel in range(channels):
                    if allocation[band, channel if band < bound else 0]:
                        put(draw.randint(8 + band, 40), 6)
            for _ in range(12):
                for band in range(32):
                    for channel in range(channels if band < bound else 1):
                        width = allocation[band, channel]
                        if width:
                            put(draw.randrange((1 << width) - 1), width)
            bits.extend([0] * (size * 8 - len(bits)))
            file.write(int("".join(map(str, bits)), 2).to_bytes(size, "big"))
    return path


def id3v1(title):
    return b"TAG" + title[:30].ljust(30, b"\0") + b"artist".ljust(30, b"\0") + b"album".ljust(30, b"\0") + b"2024" + bytes(30) + b"\x65"


def id3v2(frames, version=4):
    """frames: [(identifier, body)]."""
    def size(n):
        return bytes((n >> shift) & 0x7F for shift in (21, 14, 7, 0)) if version == 4 else struct.pack(">I", n)

    body = b"".join(name.encode() + size(len(data)) + b"\0\0" + data for name, data in frames)
    n = len(body)
    return b"ID3" + bytes((version, 0, 0)) + bytes((n >> shift) & 0x7F for shift in (21, 14, 7, 0)) + body


def text(encoding, value):
    """The body of an ID3v2 text frame in one of its four encodings."""
    return bytes([encoding]) + value.encode(("latin-1", "utf-16", "utf-16-be", "utf-8")[encoding])
