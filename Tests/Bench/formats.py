"""What formats beside MP3 cost: each beside the command of its own library, and beside MP3."""

import os
import subprocess
import time

import audio

# Decoders write to standard output: as root some of them replace the file that they are given, be it /dev/null.
COMMANDS = {
    "flac": (["flac", "-s", "-f", "-o"], ["flac", "-s", "-d", "-c"]),
    "ogg": (["oggenc", "-Q", "-o"], ["oggdec", "-Q", "-o", "-"]),
    "opus": (["opusenc", "--quiet"], ["opusdec", "--quiet", "--no-dither", "--rate", "48000"]),
}


def write(kind, path, samples, rate, channels):
    wav = path + ".wav"
    audio.write_wav(wav, samples, rate, channels)
    if kind == "wav":
        os.rename(wav, path)
        return path
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
    counts, sizes = {}, {}
    for kind in ("mp3", "wav", "flac", "ogg", "opus"):
        def measure(bench):
            write(kind, os.path.join(bench.library, "a." + kind), audio.noise(60, 44100, 1, 2), 44100, 2)
            bench.start()
            bench.mpd("play")
            bench.wait_playing()
            # Until what starting took is given back, and the ring is full.
            time.sleep(8)
            sizes[kind] = bench.pss()
            # From its start: a place in Opus costs a second of decoding before it.
            bench.mpd("seekcur 0")
            bench.end()
            counts[kind] = first_sound_of(bench)[0]

        make_bench(measure)
        if kind == "mp3":
            continue
        more, larger = counts[kind] - counts["mp3"], sizes[kind] - sizes["mp3"]
        row(f"instructions to the first PCM beyond MP3's, {kind}", "≤ 6 M", f"{more / 1e6:.2f} M", more <= 6e6)
        row(f"PSS while playing beyond MP3's, {kind}", "≤ 1.2 MB", f"{larger / 1024:.2f} MB", larger <= 1.2 * 1024)
