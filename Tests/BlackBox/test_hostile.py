# SPDX-License-Identifier: Apache-2.0
"""A library filled by an attacker, or a disk that has seen much: the speaker plays what can be played, says what
cannot,
answers meanwhile, and ends when told to."""

import json
import os
import re
import shutil
import struct
import time

import audio
from harness import SpeakerCase, contents, until

RATE = 16000
GIBIBYTE = 1 << 30


def srt_time(seconds):
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02},000"


def text_frame(name, body):
    return name + struct.pack(">I", len(body)) + b"\0\0" + body


def tag(*frames):
    """An ID3v2.3 tag."""
    body = b"".join(frames)
    size = bytes(len(body) >> shift & 0x7F for shift in (21, 14, 7, 0))
    return b"ID3\x03\0\0" + size + body


class Library(SpeakerCase):
    def setUp(self):
        super().setUp()
        self.add_noise("base.mp3", 4, RATE, "-b", "32")
        self.base = contents(os.path.join(self.library, "base.mp3"))
        os.unlink(os.path.join(self.library, "base.mp3"))
        self.count = 0

    def at(self, name):
        return os.path.join(os.fsencode(self.library), os.fsencode(name))

    def add(self, name, before=b"", behind=b""):
        """A file that can be played, and is no other."""
        self.count += 1
        path = self.at(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            # Another first frame each, or they would share what is remembered of them.
            self.add_noise(".one.mp3", 2, RATE, "-b", "32", seed=self.count)
            file.write(before + contents(os.path.join(self.library, ".one.mp3")) + self.base + behind)
        os.unlink(os.path.join(self.library, ".one.mp3"))
        return path

    def beside(self, name, data):
        with open(self.at(name), "wb") as file:
            file.write(data if isinstance(data, bytes) else data.encode())

    def fill_with_what_plays(self):
        # Two languages at the same times for ten hours.
        self.add("bilingual.mp3")
        self.beside("bilingual.srt", "".join(
            f"{n}\n{srt_time(n * 2)} --> {srt_time(n * 2 + 2)}\n{word} {n}\n\n" for n in range(18_000) for word in ("Sentence", "Satz")))
        # Each of two long lines at each of many times.
        self.add("laughs.mp3")
        stamps = "".join(f"[{n // 60:02}:{n % 60:02}.00]" for n in range(5000))
        self.beside("laughs.lrc", f"{stamps}{'ha ' * 16_000}\n{stamps}{'ho ' * 16_000}\n")
        self.add("whisper.mp3")
        self.beside("whisper.json", json.dumps({"transcription": [
            {"offsets": {"from": n * 100, "to": n * 100 + 100}, "text": f" word {n}", "tokens": [{"text": "w", "id": n, "p": 0.5}] * 4}
            for n in range(60_000)]}))
        self.add("one-object.mp3")
        self.beside("one-object.json", '{"segments": [' + "{}," * 4_000_000 + "{}]}")
        self.add("sylt.mp3", before=tag(text_frame(b"SYLT", b"\0eng\x02\x01\0" + bytes(4_000_000))))
        self.add("pipe.mp3")
        os.mkfifo(self.at("pipe.srt"))
        self.add("loops/a.mp3")
        for name in ("s", "t"):
            os.symlink(".", self.at(f"loops/{name}"))
        self.add(b"latin\xe9.mp3")
        self.add(b"a\x1b]0;pwned\x07\n<0>nightstand: forged.mp3")
        # An interrupted download: nothing behind the sound.
        with open(self.add("zeros.mp3"), "r+b") as file:
            file.truncate(40 * GIBIBYTE)
        # A tag of 100 MB: a title of 50 MB and as much of a foreign frame.
        self.add("hundred.mp3", before=tag(text_frame(b"TIT2", b"\0" + b"long " * 10_000_000), text_frame(b"PRIV", bytes(50_000_000))))
        # Chapters behind the end, at the last moment that can be told, and one that begins before the one it follows.
        chapters = (0, 2000, 3_600_000, 0xFFFFFFFE, 1000)
        self.add("chapters.mp3", before=tag(*(
            text_frame(b"CHAP", b"c%d\0" % number + struct.pack(">IIII", start, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF)
                       + text_frame(b"TIT2", b"\0Chapter %d" % number)) for number, start in enumerate(chapters))))
        self.add("cue.mp3")
        self.beside("cue.cue", 'FILE "cue.mp3" MP3\n' + "".join(
            f'TRACK {n} AUDIO\nTITLE "{n}"\nINDEX 01 {n * 99999}:00:00\n' for n in range(1, 100)))
        self.add("covered/a.mp3")
        os.symlink("/dev/zero", self.at("covered/cover.jpg"))
        os.mkfifo(self.at("covered/folder.jpg"))
        os.mkfifo(self.at("covered/chapters.json"))
        self.add("deep/" + "d/" * 20 + "deep.mp3")

    def fill_with_what_does_not(self):
        wave = audio.noise(3, RATE, "wave", 1)
        samples = b"".join(struct.pack("<h", s) for s in wave)
        header = b"RIFF" + struct.pack("<I", 36 + len(samples)) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 17, 1, RATE, RATE * 2, 2, 16)
        # It says that it is packed by IMA's method.
        self.beside("no-wave.mp3", header + b"data" + struct.pack("<I", len(samples)) + samples)
        shutil.copy("/bin/bash", self.at("no-program.mp3"))
        self.beside("no-zeros.mp3", bytes(3_000_000))
        self.beside("no-nothing.mp3", b"")
        os.mkfifo(self.at("no-pipe.mp3"))
        os.symlink("/dev/zero", self.at("no-device.mp3"))
        os.symlink("nowhere", self.at("no-target.mp3"))

    def test_what_can_be_played_is(self):
        self.settings["audio"]["priority"] = 50  # as on a board, where it may: else whoever is as busy comes in between
        self.fill_with_what_plays()
        self.fill_with_what_does_not()
        self.start(wait=False)
        self.mpd = self.connect()
        until(lambda: "updating_db" not in self.mpd.status(), 60, "the library scan")
        files = [line.removeprefix("file: ") for line in self.mpd("playlistinfo") if line.startswith("file: ")]
        self.assertEqual(len(files), self.count, files)
        self.assertFalse([file for file in files if "no-" in file])
        resident = self.peak()
        for position, file in enumerate(files):
            with self.subTest(file):
                self.mpd(f"play {position}")
                until(lambda: self.mpd.elapsed() > 0.2, 20, "sound")
                self.mpd("seekcur 3")
                until(lambda: self.mpd.elapsed() > 3.2, 20, "sound behind a jump")
                self.assertEqual(self.mpd.status()["song"], str(position))
                if file in ("bilingual.mp3", "whisper.mp3"):
                    # A busy host may need longer for it than the recording lasts.
                    self.mpd("pause 1")
                    until(self.transcript, 20, "its transcript")
                if file == "chapters.mp3":
                    # Of five those that lie within it.
                    self.assertEqual([line[9:] for line in self.mpd(f"book {file}") if line.startswith("chapter: ")],
                                     ["Chapter 0", "Chapter 4", "Chapter 1"])
                # 8 MB for a file's tables and its transcript, and what the one before still had.
                self.assertLess(self.peak() - resident, 16_000, "kB")
        self.assertEqual(self.counters()["xruns"], "0")
        # A name from here is printed as a name, on a line of its own.
        log = contents(self.log_path)
        self.assertNotIn(b"\x1b]0;", log)
        self.assertFalse([line for line in log.split(b"\n") if line.startswith(b"<0>")], log)
        for name in (b"no-wave.mp3", b"no-program.mp3", b"no-pipe.mp3"):
            self.assertEqual(log.count(name), 1, log)

    def test_it_ends_when_told_to_whatever_it_reads(self):
        self.fill_with_what_plays()
        self.start(wait=False)
        self.mpd = self.connect()
        until(lambda: self.mpd.status()["playlistlength"] == str(self.count), 60, "the library")
        for name in ("zeros", "laughs", "one-object", "pipe"):
            position = next(line.removeprefix("Pos: ") for line in self.mpd(f'playlistfind file "{name}.mp3"') if line.startswith("Pos: "))
            self.mpd(f"play {position}")
            if name == "zeros":
                self.mpd("seekcur 3600")
            began = time.monotonic()
            self.process.terminate()
            # The speaker's own bound is 2 s; the host may have other things to do.
            self.process.wait(8)
            self.assertLess(time.monotonic() - began, 8)
            self.start(wait=False)
            self.mpd = self.connect()

    def peak(self):
        return int(re.search(r"VmHWM:\s+(\d+)", contents(f"/proc/{self.process.pid}/status").decode()).group(1))
