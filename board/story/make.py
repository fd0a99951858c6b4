# SPDX-License-Identifier: Apache-2.0
"""Speaks story.txt into three MP3 files, each with a cover picture and a transcript whose times are the true ones.

Every sentence is synthesised by itself and the pauses are ours, so where each begins and ends is known to the sample.
The encoder's delay is in the file's LAME tag and a gapless player takes it off again, so the times need no correction.
The same input gives the same bytes.
"""

import array
import io
import os
import struct
import subprocess
import sys
import tempfile
import wave
import zlib

RATE = 22_050  # what espeak-ng speaks at
VOICE = ["-v", "en-gb-x-rp", "-s", "145", "-p", "36", "-a", "90", "-g", "2"]
SILENCE = 60  # samples quieter than this, of 32,767, at the ends of a sentence are not speech
LEAD_IN, BETWEEN, BREATH, LEAD_OUT = (int(seconds * RATE) for seconds in (0.5, 0.35, 0.9, 1.2))
ALBUM, ARTIST = "The Nightstand at Number Nine", "Nightstand"


def read_story(path):
    """[(title, [[sentence, …], …])]: items, paragraphs, sentences."""
    items = []
    for line in open(path, encoding="utf-8"):
        line = line.strip()
        if line.startswith("#"):
            continue
        if line.startswith("="):
            items.append((line[1:].strip(), [[]]))
        elif not line:
            if items and items[-1][1][-1]:
                items[-1][1].append([])
        else:
            items[-1][1][-1].append(line)
    return [(title, [p for p in paragraphs if p]) for title, paragraphs in items]


def speak(sentence):
    """The samples of one sentence, without the silence around it."""
    # quotes change nothing that is heard, and the voice reads the abbreviation's full stop as the sentence's
    text = sentence.replace("“", "").replace("”", "").replace("Mrs.", "Missis")
    wav = subprocess.run(["espeak-ng", *VOICE, "--stdout", text], check=True, stdout=subprocess.PIPE).stdout
    with wave.open(io.BytesIO(wav)) as reader:
        assert (reader.getframerate(), reader.getnchannels(), reader.getsampwidth()) == (RATE, 1, 2)
    body = wav[wav.index(b"data") + 8 :]
    samples = array.array("h", body[: len(body) & ~1])
    loud = [i for i, sample in enumerate(samples) if abs(sample) > SILENCE]
    return samples[max(loud[0] - 200, 0) : loud[-1] + 600]


def tell(paragraphs):
    """One item: its samples and its cues, (start ms, end ms, sentence)."""
    samples, cues = array.array("h", bytes(2 * LEAD_IN)), []
    for number, paragraph in enumerate(paragraphs):
        for place, sentence in enumerate(paragraph):
            if number or place:
                samples.extend(array.array("h", bytes(2 * (BETWEEN if place else BREATH))))
            start = len(samples)
            samples.extend(speak(sentence))
            cues.append((round(start * 1000 / RATE), round(len(samples) * 1000 / RATE), sentence))
    samples.extend(array.array("h", bytes(2 * LEAD_OUT)))
    return samples, cues


def clock(ms, mark):
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02}{mark}{ms % 1000:03}"


def srt(title, cues):
    return "\n".join(f"{n}\n{clock(a, ',')} --> {clock(b, ',')}\n{text}\n" for n, (a, b, text) in enumerate(cues, 1))


def vtt(title, cues):
    return f"WEBVTT - {title}\n\n" + "\n".join(f"{clock(a, '.')} --> {clock(b, '.')}\n{text}\n" for a, b, text in cues)


def lrc(title, cues):
    # LRC counts hundredths and has no ends: an empty line is the end of what stands before a long pause
    def stamp(ms):
        return f"[{ms // 60_000:02}:{ms // 1000 % 60:02}.{ms % 1000 // 10:02}]"

    lines = [f"[ti:{title}]", f"[ar:{ARTIST}]", f"[al:{ALBUM}]"]
    for (a, b, text), following in zip(cues, [c[0] for c in cues[1:]] + [1 << 40]):
        lines.append(stamp(a) + text)
        if following - b > 600:
            lines.append(stamp(b))
    return "\n".join(lines) + "\n"


def cover(phase):
    """A moon, a lamp on a nightstand and a window of stars, as a PNG of 240 × 240. phase: the share of the moon that is
    full, 0…1."""
    size, fine = 240, 2
    stars = [((i * 97 + 31) % 225 + 8, (i * 61 + 17) % 120 + 8) for i in range(26)]
    lit = phase > 0.9

    def colour(x, y):
        if 176 <= y < 184 and 40 <= x < 200:  # the top of the nightstand
            return (150, 100, 62)
        if 184 <= y < 240 and 48 <= x < 192:  # its front, and the drawer
            if 192 <= y < 216 and 60 <= x < 180:
                return (214, 178, 94) if (x - 120) ** 2 + (y - 204) ** 2 < 16 else (122, 78, 48)
            return (104, 66, 42)
        if 168 <= y < 176 and 68 <= x < 108 or 138 <= y < 170 and 85 <= x < 91:  # the lamp's foot and stem
            return (190, 160, 110)
        if 100 <= y < 138 and abs(x - 88) < 14 + (y - 100) * 0.42:  # its shade
            return (255, 214, 130) if lit else (176, 128, 96)
        if 150 <= y < 176 and abs(x - 150) < 13 - (y - 150) * 0.1:  # the glass of water
            return (150, 190, 220) if y >= 157 else (92, 112, 150)
        dx, dy = x - 172, y - 62  # the moon, and the shadow that leaves its phase
        if dx * dx + dy * dy < 34 * 34:
            shadow = (dx + 68 * phase) ** 2 + dy * dy < 34 * 34
            crater = any((dx - a) ** 2 + (dy - b) ** 2 < r * r for a, b, r in ((12, -10, 6), (4, 14, 8), (20, 8, 4)))
            return (44, 52, 96) if shadow else (226, 216, 176) if crater else (246, 238, 204)
        if any((x - a) ** 2 + (y - b) ** 2 < 1.9 for a, b in stars):
            return (236, 232, 255)
        glow = max(0.0, 1 - ((x - 88) ** 2 + (y - 122) ** 2) ** 0.5 / 110) if lit else 0.0
        step = y // 20  # a flat sky packs well
        sky = (18 + step * 3, 24 + step * 3, 62 + step * 5)
        level = int(glow * 8) / 8
        return tuple(int(s + (t - s) * level * 0.6) for s, t in zip(sky, (255, 190, 110)))

    rows = bytearray()
    for y in range(size):
        rows.append(0)
        for x in range(size):
            spots = [colour(x + (i + 0.5) / fine, y + (j + 0.5) / fine) for i in range(fine) for j in range(fine)]
            rows += bytes(sum(part) // len(spots) for part in zip(*spots))

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b"")
    )


def main(story, folder):
    os.makedirs(folder, exist_ok=True)
    for name in os.listdir(folder):
        os.unlink(os.path.join(folder, name))
    kinds = [("srt", srt, ["--cbr", "-b", "40"]), ("vtt", vtt, ["-V", "7"]), ("lrc", lrc, ["--abr", "40"])]
    total = 0
    for number, ((title, paragraphs), (kind, transcript, mode)) in enumerate(zip(read_story(story), kinds), 1):
        samples, cues = tell(paragraphs)
        total += len(samples)
        stem = os.path.join(folder, f"{number} - {title}")
        with tempfile.TemporaryDirectory() as scratch:
            picture, wav = os.path.join(scratch, "cover.png"), os.path.join(scratch, "speech.wav")
            with open(picture, "wb") as file:
                file.write(cover((0.25, 0.6, 1.0)[number - 1]))
            with wave.open(wav, "wb") as writer:
                writer.setparams((1, 2, RATE, len(samples), "NONE", ""))
                writer.writeframes(samples.tobytes())
            tags = ["--tt", title, "--ta", ARTIST, "--tl", ALBUM, "--tn", f"{number}/3", "--tg", "101", "--ti", picture]
            subprocess.run(
                ["lame", "--quiet", "-q", "2", "-m", "m", *mode, "--resample", "22.05", "--add-id3v2", *tags, wav, stem + ".mp3"],
                check=True,
            )
        with open(f"{stem}.{kind}", "w", encoding="utf-8") as file:
            file.write(transcript(title, cues))
    size = sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))
    print(f"{folder}: {total / RATE:.1f} s of story, {size / 1000:.0f} kB")


main(*sys.argv[1:])
