# SPDX-License-Identifier: Apache-2.0
"""The cost of formats beside MP3: each beside the command of its own library, and beside MP3."""

import math
import os
import random
import sqlite3
import subprocess
import time

import audio
import mp4
from harness import contents, samples, until

# Decoders write to standard output: as root some of them replace the file that they are given, be it /dev/null.
COMMANDS = {
    "flac": (["flac", "-s", "-f", "-o"], ["flac", "-s", "-d", "-c"]),
    "ogg": (["oggenc", "-Q", "-o"], ["oggdec", "-Q", "-o", "-"]),
    "opus": (["opusenc", "--quiet"], ["opusdec", "--quiet", "--no-dither", "--rate", "48000"]),
    "m4a": (None, ["faad", "-q", "-w"]),
}


def write(kind, path, samples, rate, channels):
    wav = path + ".wav"
    audio.write_wav(wav, samples, rate, channels)
    if kind == "wav":
        os.rename(wav, path)
        return path
    if kind == "m4a":
        return mp4.encode(path, wav)
    command = {"mp3": ["lame", "--quiet", wav, path], "opus": [*COMMANDS["opus"][0], wav, path]}.get(kind)
    subprocess.run(command or [*COMMANDS[kind][0], path, wav], check=True, stderr=subprocess.DEVNULL)
    os.unlink(wav)
    return path


def decoding(folder, instructions, nightstand, row):
    """Instructions for each second of sound, by the difference of two lengths: starting, which a command does once, left out."""
    for kind, (_, command) in COMMANDS.items():
        def cost(*words, tail=()):
            counts = []
            for seconds in (4, 12):
                path = os.path.join(folder, f"{seconds}.{kind}")
                if not os.path.exists(path):
                    write(kind, path, audio.noise(seconds, 44100, 1, 2), 44100, 2)
                counts.append(instructions(*words, path, *tail))
            return (counts[1] - counts[0]) / 8

        theirs, ours = cost(*command, tail=["-"] if kind == "opus" else ()), cost(nightstand, "decode")
        row(f"instructions of nightstand decode over its library's own command, {kind}", "≤ 1.10", f"{ours / theirs:.3f}",
            ours / theirs <= 1.10, f"{ours / 1e6:.2f} M over {theirs / 1e6:.2f} M a second")


def first_sound(make_bench, first_sound_of, row):
    """Instructions from exec to the first PCM beyond those for MP3, and PSS while playing beyond that with MP3."""
    counts, sizes, libraries = {}, {}, {}
    for kind in ("mp3", "wav", "flac", "ogg", "opus", "m4a"):
        def measure(bench):
            write(kind, os.path.join(bench.library, "a." + kind), audio.noise(60, 44100, 1, 2), 44100, 2)
            bench.start()
            bench.mpd("play")
            bench.wait_playing()
            # Until what starting took is given back, and the ring is full.
            time.sleep(8)
            sizes[kind] = bench.pss()
            maps = contents(f"/proc/{bench.process.pid}/maps").decode()
            libraries[kind] = {line.split()[-1] for line in maps.splitlines() if ".so" in line}
            # From its start: a place in Opus costs a second of decoding before it.
            bench.mpd("seekcur 0")
            bench.end()
            counts[kind] = first_sound_of(bench)[0]

        make_bench(measure)
        if kind == "mp3":
            continue
        more, larger = counts[kind] - counts["mp3"], sizes[kind] - sizes["mp3"]
        row(f"instructions to the first PCM beyond MP3's, {kind}", "≤ 6 M", f"{more / 1e6:.2f} M", more <= 6e6)
        added = sorted(os.path.basename(path).split(".so")[0] for path in libraries[kind] - libraries["mp3"])
        row(f"libraries beyond MP3's, {kind}", "≤ 6", str(len(added)), len(added) <= 6, " ".join(added))
        row(f"PSS while playing beyond MP3's, {kind}", "≤ 1.2 MB", f"{larger / 1024:.2f} MB", larger <= 1.2 * 1024)


def places(folder, nightstand, row, count=100):
    """The sound from a place on, beside the same stretch of the whole, at random places: to the frame, and to the
    sample."""
    out = os.path.join(folder, "out.wav")

    def decoded(path, *options):
        subprocess.run([nightstand, "decode", path, *options, "-o", out], check=True, stderr=subprocess.DEVNULL)
        return audio.read_wav(out)[2]

    for kind in ("mp3", "wav", "flac", "ogg", "opus", "m4a"):
        rate = 48000 if kind == "opus" else 44100
        path = write(kind, os.path.join(folder, "places." + kind), audio.noise(6, rate, 9, 2), rate, 2)
        whole, draw, exact, worst = decoded(path), random.Random(kind), 0, 0.0
        for _ in range(count):
            milliseconds = draw.randrange(5900)
            got, want = decoded(path, "--from", str(milliseconds)), whole[milliseconds * rate // 1000 * 4 :]
            exact += len(got) == len(want)
            error = sum((a - b) ** 2 for a, b in zip(samples(got), samples(want)))
            worst = max(worst, error / sum(a * a for a in samples(want)))
        row(f"places after {count} seeks to the frame, {kind}", str(count), str(exact), exact == count)
        decibels = f"{10 * math.log10(worst):.0f} dB" if worst else "none"
        row("the same: difference from the whole", "≤ -50 dB" if kind == "opus" else "none", decibels,
            worst <= (1e-5 if kind == "opus" else 0))


def ten_hours(path):
    """An audiobook of ten hours: 1.5 million access units, and a chapter every ten minutes."""
    wav, adts = path + ".wav", path + ".aac"
    audio.write_wav(wav, audio.noise(60, 44100, 1, 1), 44100, 1)
    mp4.encode(adts, wav)
    chapters = [(minute * 60_000, f"Chapter {minute // 10 + 1}") for minute in range(0, 600, 10)]
    mp4.write(path, mp4.Stream(adts), repeat=600, chapters=chapters)
    os.unlink(wav)
    os.unlink(adts)


def resume(bench, path, first_sound_of, row):
    """At the end of ten hours: the first time, when no table of its places is kept, and any later time."""
    place = 9 * 3600 + 59 * 60
    bench.alone(path)
    bench.start()
    bench.mpd("play 0")
    bench.mpd(f"seekcur {place}")
    until(lambda: bench.mpd.elapsed() > place + 0.2, 60, "playing there")
    time.sleep(0.5)
    bench.end()

    def forget():
        with sqlite3.connect(bench.path("state", "nightstand.db")) as database:
            database.execute("DELETE FROM seekTable")
        database.close()

    what = "resume at 9 h 59 min of a 10-hour M4B"
    for time_, instructions_bar, bytes_bar, before in (("first", 100, 7, forget), ("any later", 15, 1, lambda: None)):
        count, read, _ = first_sound_of(bench, before)
        row(f"{what}, {time_} time: instructions to the first PCM", f"≤ {instructions_bar} M", f"{count / 1e6:.1f} M", count <= instructions_bar * 1e6)
        row("the same: bytes read", f"≤ {bytes_bar} MB", f"{read / 1e6:.2f} MB", read <= bytes_bar * 1e6,
            f"file of {os.path.getsize(path) / 1e6:.0f} MB")
