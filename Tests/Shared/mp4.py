# SPDX-License-Identifier: Apache-2.0
"""Writes MP4 files (M4A, M4B) around AAC units, as large and as odd as a test needs them."""

import struct
import subprocess

RATES = (96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350)
SAMPLES = 1024


def encode(path, wav, *options):
    """AAC by ffmpeg's own encoder, without noise substitution, so that every decoder gives the same."""
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", wav, "-map_metadata", "-1", "-c:a", "aac", "-aac_pns", "0",
                    *(options or ("-b:a", "64k")), path], check=True, stdin=subprocess.DEVNULL)
    return path


class Stream:
    """The units of an ADTS file."""

    def __init__(self, path):
        data = open(path, "rb").read()
        self.units, at = [], 0
        while at + 7 <= len(data):
            kind, rate, self.channels = data[at + 2] >> 6, data[at + 2] >> 2 & 15, (data[at + 2] & 1) << 2 | data[at + 3] >> 6
            size = (data[at + 3] & 3) << 11 | data[at + 4] << 3 | data[at + 5] >> 5
            self.units.append(data[at + (7 if data[at + 1] & 1 else 9):at + size])
            at += size
        self.rate = RATES[rate]
        self.config = struct.pack(">H", (kind + 1) << 11 | rate << 7 | self.channels << 3)


def box(kind, *parts):
    body = b"".join(parts)
    return struct.pack(">I", len(body) + 8) + (kind if isinstance(kind, bytes) else kind.encode("latin-1")) + body


def full(kind, *parts, version=0, flags=0):
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def descriptor(tag, body):
    return struct.pack(">BBBBB", tag, 0x80, 0x80, 0x80, len(body)) + body


def sample_entry(stream, kind=b"mp4a", extra=b""):
    esds = full("esds", descriptor(3, b"\0\0\0" + descriptor(
        4, b"\x40\x15" + bytes(11) + descriptor(5, stream.config)) + descriptor(6, b"\2")))
    return box(kind, bytes(6), b"\0\1", bytes(8), struct.pack(">HHII", stream.channels, 16, 0, stream.rate << 16), esds, extra)


MATRIX = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)


def track(number, handler, timescale, ticks, entry, tables, before=b"", reference=b""):
    return box(
        "trak", full("tkhd", struct.pack(">5I", 0, 0, number, 0, ticks), bytes(16), MATRIX, bytes(8), flags=7), before, reference,
        box("mdia", full("mdhd", struct.pack(">4IHH", 0, 0, timescale, ticks, 0x55C4, 0)),
            full("hdlr", bytes(4), handler, bytes(13)),
            box("minf", box("stbl", full("stsd", struct.pack(">I", 1), entry), *tables))))


def runs(chunks):
    """Of the number of units in each chunk: stsc."""
    entries, last = [], None
    for number, count in enumerate(chunks):
        if count != last:
            entries.append(struct.pack(">III", number + 1, count, 1))
            last = count
    return full("stsc", struct.pack(">I", len(entries)), *entries)


def data(value):
    kind, body = (1, value.encode()) if isinstance(value, str) else (0, value)
    return box("data", struct.pack(">II", kind, 0), body)


def item(name, value):
    if len(name) == 4:
        return box(name, data(value))
    return box("----", full("mean", b"com.apple.iTunes"), full("name", name.encode()), data(value))


def write(path, stream, repeat=1, units=None, media_time=SAMPLES, samples=None, tags=(), cover=None, chapters=(), kinds=("chpl", "text"),
          moov_first=False, chunk=22, wide=False, entry=None, smpb=False, movie_timescale=None, between=b""):
    """`units` of the stream, all of them `repeat` times over. `chapters`: (milliseconds, title). Returns the samples that are heard."""
    units = stream.units if units is None else units
    count = len(units) * repeat
    total = count * SAMPLES if samples is None else media_time + samples
    heard = total - media_time
    sizes = struct.pack(">%dI" % len(units), *map(len, units)) * repeat
    block = b"".join(units)
    chunks = [chunk] * (count // chunk) + ([count % chunk] if count % chunk else [])
    # The beginnings of chunks, from the first byte of the media: one that repeats is added up once.
    offsets, at, within = [], 0, [0]
    for unit in units:
        within.append(within[-1] + len(unit))
    for number in range(len(chunks)):
        round_, rest = divmod(number * chunk, len(units))
        offsets.append(round_ * len(block) + within[rest])
    texts = [struct.pack(">H", len(title.encode())) + title.encode() for _, title in chapters] if "text" in kinds else []
    media = len(block) * repeat
    text_offsets = [media + sum(map(len, texts[:i])) for i in range(len(texts))]
    timescale = movie_timescale or stream.rate

    def moov(start):
        place = (lambda all: full("co64", struct.pack(">I", len(all)), struct.pack(">%dQ" % len(all), *(start + o for o in all)))
                 ) if wide else (lambda all: full("stco", struct.pack(">I", len(all)), struct.pack(">%dI" % len(all), *(start + o for o in all))))
        edit = box("edts", full("elst", struct.pack(">IIiI", 1, heard * timescale // stream.rate, media_time, 0x10000))) if media_time else b""
        times = struct.pack(">III", 1, count, SAMPLES)
        if total < count * SAMPLES:
            times = struct.pack(">5I", 2, count - 1, SAMPLES, 1, max(1, total - (count - 1) * SAMPLES))
        parts = [track(1, b"soun", stream.rate, total, entry or sample_entry(stream),
                       [full("stts", times), runs(chunks), full("stsz", struct.pack(">II", 0, count), sizes), place(offsets)],
                       edit, box("tref", box("chap", struct.pack(">I", 2))) if texts else b"")]
        if texts:
            ends = [start_ for start_, _ in chapters[1:]] + [heard * 1000 // stream.rate]
            durations = b"".join(struct.pack(">II", 1, end - begin) for (begin, _), end in zip(chapters, ends))
            parts.append(track(
                2, b"text", 1000, ends[-1], box("text", bytes(6), b"\0\1", bytes(43)),
                [full("stts", struct.pack(">I", len(texts)), durations), runs([1] * len(texts)),
                 full("stsz", struct.pack(">II", 0, len(texts)), *(struct.pack(">I", len(t)) for t in texts)), place(text_offsets)]))
        items = [item(name, value) for name, value in tags]
        if smpb:
            padding = count * SAMPLES - media_time - heard
            items.append(item("iTunSMPB", " 00000000 %08X %08X %016X" % (media_time, padding, heard) + " 00000000" * 8))
        if cover:
            items.append(box("covr", box("data", struct.pack(">II", 13, 0), cover)))
        user = [full("meta", full("hdlr", bytes(4), b"mdirappl", bytes(9)), box("ilst", *items))] if items else []
        if chapters and "chpl" in kinds:
            user.append(full("chpl", struct.pack(">IB", 0, min(255, len(chapters))), *(
                struct.pack(">QB", begin * 10000, len(title.encode()[:255])) + title.encode()[:255]
                for begin, title in chapters[:255]), version=1))
        return box("moov", full("mvhd", struct.pack(">4I", 0, 0, timescale, heard * timescale // stream.rate), bytes(80)),
                   *parts, box("udta", *user) if user else b"")

    head = box("ftyp", b"M4B \0\0\0\0M4B mp42isom") + between
    length = media + sum(map(len, texts))
    mdat = struct.pack(">I4sQ", 1, b"mdat", length + 16) if wide else struct.pack(">I4s", length + 8, b"mdat")
    with open(path, "wb") as file:
        start = len(head) + len(mdat) + (len(moov(0)) if moov_first else 0)
        file.write(head + (moov(start) if moov_first else b"") + mdat)
        for _ in range(repeat):
            file.write(block)
        file.write(b"".join(texts) + (b"" if moov_first else moov(start)))
    return heard
