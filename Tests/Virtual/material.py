"""Files for libraries of the virtual board."""

import random
import subprocess


def noise_mp3(path, minutes, seed, title):
    """An item of noise, mono at 8 kHz and 8 kbit/s, different for each seed. Half a minute of it, again and again."""
    samples = random.Random(seed).randbytes(8000 * 2 * 30)
    with open(path, "wb") as file:
        for options in (["--id3v2-only", "--tt", title, "--ta", "Teller"], ["-t"]):
            command = ["lame", "--silent", "-r", "-s", "8", "-m", "m", "-b", "8", "--nores", "-t", *options, "-", "-"]
            once = subprocess.run(command, input=samples, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout
            file.write(once * (1 if "--tt" in options else 2 * minutes - 1))
