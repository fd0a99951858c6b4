# SPDX-License-Identifier: Apache-2.0
"""Files for libraries of the virtual board."""

import os
import random
import subprocess

import audio

SECONDS = 160  # of an item of make_library


def noise_mp3(path, minutes, seed, title):
    """An item of noise, mono at 8 kHz and 8 kbit/s, different for each seed. Half a minute of it, again and again."""
    samples = random.Random(seed).randbytes(8000 * 2 * 30)
    with open(path, "wb") as file:
        for options in (["--id3v2-only", "--tt", title, "--ta", "Teller"], ["-t"]):
            command = ["lame", "--silent", "-r", "-s", "8", "-m", "m", "-b", "8", "--nores", "-t", *options, "-", "-"]
            once = subprocess.run(command, input=samples, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
            file.write(once * (1 if "--tt" in options else 2 * minutes - 1))


def make_library(folder, items=3):
    """Items of noise, 256 kbit/s, of which no more than some seconds are read ahead."""
    piece = os.path.join(folder, "piece")
    audio.lame(piece, audio.noise(20, 32000), 32000, "-b", "256", "--cbr", "-t", "--nores")
    with open(piece, "rb") as file:
        frames = file.read()
    os.unlink(piece)
    for number in range(items):
        with open(os.path.join(folder, f"{number + 1}.mp3"), "wb") as file:
            file.write((frames[number * 1152 :] + frames[: number * 1152]) * (SECONDS // 20))  # 1152 bytes are a frame
