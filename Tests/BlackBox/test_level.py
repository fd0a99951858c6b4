# SPDX-License-Identifier: Apache-2.0
"""One level for all recordings, and shorter silences: the card's signal, the measured values, the memory."""

import array
import os
import re
import subprocess
import time

import audio
from build import NIGHTSTAND
from harness import SpeakerCase, samples, until

RATE = 22050
CEILING = 29204  # -1 dB
WORDS = (
    "Once upon a time there was a house at the edge of the wood. In it lived an old man and his cat. Every night the man read a story, "
    "and the cat listened. When the story was good, the cat stayed awake until the end. When it was not, both of them slept."
)


def speech(path):
    """Some fifteen seconds, as espeak says them: 22.05 kHz, mono."""
    subprocess.run(["espeak-ng", "-s", "150", "-w", path, WORDS], check=True)
    rate, channels, data = audio.read_wav(path)
    assert (rate, channels) == (RATE, 1)
    return samples(data)


def scaled(values, factor):
    return array.array("h", [max(-32768, min(32767, round(value * factor))) for value in values])


def loudness(values):
    """Integrated, in LUFS, as ffmpeg measures it."""
    command = ["ffmpeg", "-nostats", "-f", "s16le", "-ar", str(RATE), "-ac", "1", "-i", "-", "-af", "ebur128", "-f", "null", "-"]
    done = subprocess.run(command, input=array.array("h", values).tobytes(), stderr=subprocess.PIPE, check=True, timeout=60)
    return float(re.findall(r"I:\s+(-?[0-9.]+) LUFS", done.stderr.decode())[-1])


def tagged(path, *texts):
    """Puts an ID3v2.4 tag of TXXX frames before a file."""
    def size(count):
        return bytes(count >> shift & 127 for shift in (21, 14, 7, 0))

    frames = b""
    for name, text in texts:
        body = b"\3" + name.encode() + b"\0" + text.encode()
        frames += b"TXXX" + size(len(body)) + b"\0\0" + body
    with open(path, "rb") as file:
        rest = file.read()
    with open(path, "wb") as file:
        file.write(b"ID3\4\0\0" + size(len(frames)) + frames + rest)


class Level(SpeakerCase):
    FASTER = 8

    def setUp(self):
        super().setUp()
        self.spoken = speech(self.path("speech.wav"))

    def add(self, name, factor=1.0):
        audio.write_wav(os.path.join(self.library, name), scaled(self.spoken, factor), RATE)

    def gain(self):
        return float(self.mpd.fields("replay_gain_status").get("gain", "nan"))

    def play_alone(self, song):
        """The sound of one item from its start to its end."""
        began = time.monotonic()
        self.mpd("single 1")
        self.mpd(f"play {song}")
        until(lambda: self.mpd.status()["state"] != "play" and self.mpd.status().get("elapsed") is not None, 60, "its end")
        time.sleep(0.5)
        return samples(self.card.heard(began))

    def library_is_mapped(self):
        with open(f"/proc/{self.process.pid}/maps", encoding="utf-8") as file:
            return "libebur128" in file.read()

    def test_a_quiet_recording_and_a_loud_one_are_heard_alike(self):
        self.add("a.wav")
        self.add("b.wav", 0.1)
        self.assertAlmostEqual(loudness(self.spoken) - loudness(scaled(self.spoken, 0.1)), 20, delta=0.3)
        self.start()
        self.assertEqual(self.mpd.fields("replay_gain_status"), {"replay_gain_mode": "off"})
        self.assertFalse(self.library_is_mapped())
        self.mpd("replay_gain_mode track")
        for song in (0, 1):
            self.mpd(f"play {song}")
            until(lambda: self.gain() == self.gain(), 20, "its loudness")
        self.assertTrue(self.library_is_mapped())
        heard = [self.play_alone(song) for song in (0, 1)]
        levels = [loudness(values) for values in heard]
        print("loudness heard:", levels)
        self.assertAlmostEqual(levels[0], levels[1], delta=1)
        # One channel is heard by both ears, and measured so: 3 dB more than as one.
        self.assertAlmostEqual(levels[0] + 3, -18, delta=1)
        for values in heard:
            self.assertLessEqual(max(abs(value) for value in values), CEILING)
        self.assertEqual(self.counters()["xruns"], "0")
        # It is remembered, and not measured again.
        gain = self.gain()
        self.kill()
        self.start()
        self.assertEqual(self.mpd.fields("replay_gain_status")["replay_gain_mode"], "track")
        self.mpd("play 1")
        self.assertEqual(self.gain(), gain)
        self.assertFalse(self.library_is_mapped())

    def test_a_gain_that_was_measured_while_playing_comes_slowly(self):
        self.add("b.wav", 0.25)
        self.start()
        self.mpd("replay_gain_mode track")
        values = self.play_alone(0)
        first, later = values[: len(values) // 4], values[len(values) // 2 :]
        self.assertGreater(loudness(later) - loudness(first), 3)
        self.assertLessEqual(max(abs(value) for value in values), CEILING)

    def test_a_tag_is_honoured_and_a_broken_one_is_not(self):
        for name, text in (("a.mp3", "-6.00 dB"), ("b.mp3", "6 elephants"), ("c.mp3", "+99 dB")):
            path = os.path.join(self.library, name)
            # The speaker knows a recording by its content: three of them.
            audio.lame(path, self.spoken[ord(name[0]) :], RATE, "-b", "64")
            tagged(path, ("REPLAYGAIN_TRACK_GAIN", text))
        self.start()
        self.mpd("replay_gain_mode auto")
        self.mpd("play 0")
        self.assertEqual(self.gain(), -6)
        self.assertNotIn("loudness", self.mpd.fields("replay_gain_status"))
        for song in (1, 2):
            self.mpd(f"play {song}")
            until(lambda: self.gain() == self.gain(), 20, "its loudness")
            self.assertAlmostEqual(self.gain(), -18 - loudness(self.spoken) - 3, delta=1)
        heard = [self.play_alone(song) for song in (0, 1)]
        self.assertAlmostEqual(loudness(heard[0]), loudness(self.spoken) - 6, delta=0.5)
        self.assertAlmostEqual(loudness(heard[1]) + 3, -18, delta=1)

    def test_off_again_is_bit_exact(self):
        reference = self.add_noise("n.mp3", 5)
        self.start()
        self.mpd("clear")
        self.mpd('add "n.mp3"')
        for mode in ("track", "off"):
            self.mpd(f"replay_gain_mode {mode}")
            self.mpd(f"silence {'shorter' if mode == 'track' else 'own'}")
        self.assert_heard(array.array("h", self.play_alone(0)).tobytes(), reference, RATE // 100)

    def test_without_the_library_it_is_named_once_and_all_plays(self):
        self.add("a.wav")
        self.add("b.wav", 0.5)
        broken = self.path("lib")
        os.mkdir(broken)
        with open(os.path.join(broken, "libebur128.so.1"), "w", encoding="utf-8"):
            pass
        self.start(env={"LD_LIBRARY_PATH": broken})
        self.mpd("play 0")
        self.assertNotIn("libebur128", self.log())
        self.mpd("replay_gain_mode track")
        for song in (0, 1, 0):
            self.mpd(f"play {song}")
            until(lambda: self.mpd.elapsed() > 0.5, 10, "sound")
        self.assertEqual(len(re.findall(r"libebur128 is not installed \(package libebur128-1\)", self.log())), 1)
        self.assertEqual(self.mpd.status()["state"], "play")


class Silences(SpeakerCase):
    FASTER = 8

    PAUSE = 1.5

    def spoken(self):
        """Sentences with pauses of 1.5 s, and where each begins, in seconds."""
        places, values = [], []
        for sentence in WORDS.split(". ")[:4]:
            path = self.path("sentence.wav")
            subprocess.run(["espeak-ng", "-s", "150", "-w", path, sentence + "."], check=True)
            said = samples(audio.read_wav(path)[2])
            while abs(said[0]) < 64:
                said = said[1:]
            while abs(said[-1]) < 64:
                said = said[:-1]
            places.append(len(values) / RATE)
            values += list(said) + [0] * int(self.PAUSE * RATE)
        return array.array("h", values), places

    def test_a_fifth_is_kept(self):
        values, places = self.spoken()
        source, out = self.path("in.wav"), self.path("out.wav")
        audio.write_wav(source, values, RATE)
        subprocess.run([NIGHTSTAND, "decode", "--silences", "shorter", "-o", out, source], check=True, timeout=60)
        left = len(samples(audio.read_wav(out)[2]))
        # Of each pause 40 ms belong to the word before it; 292 of what is behind are kept. Words have their own silences.
        saved = (len(values) - left) / RATE
        self.assertGreater(saved, len(places) * (self.PAUSE - 0.04) * 0.8 - 0.15)
        self.assertLess(saved, len(places) * self.PAUSE * 0.8 + 0.5)
        subprocess.run([NIGHTSTAND, "decode", "--silences", "own", "-o", out, source], check=True, timeout=60)
        self.assertEqual(list(samples(audio.read_wav(out)[2])), values.tolist())
        bad = subprocess.run([NIGHTSTAND, "decode", "--silences", "long", source], stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual((bad.returncode, "--silences" in bad.stderr), (2, True))

    def test_sentences_are_told_when_they_are_heard(self):
        values, places = self.spoken()
        audio.write_wav(f"{self.library}/a.wav", values, RATE)
        with open(f"{self.library}/a.srt", "w", encoding="utf-8") as file:
            for i, place in enumerate(places):
                end = place + 1
                stamps = [f"00:00:{int(t):02},{int(t % 1 * 1000):03}" for t in (place, end)]
                file.write(f"{i + 1}\n{stamps[0]} --> {stamps[1]}\nSentence {i}.\n\n")
        self.start()
        self.mpd("silence shorter")
        began = time.monotonic()
        self.mpd("play 0")
        self.wait_playing()
        looks = []
        while self.mpd.status()["state"] == "play":
            before = time.monotonic()
            place = self.mpd.elapsed()
            looks.append(((before + time.monotonic()) / 2, place, time.monotonic() - before))
            time.sleep(0.01)
        told = self.mpd.fields("silence")
        self.assertEqual(told["silence"], "shorter")
        self.assertGreater(float(told["saved"]), len(places) * 1.0)
        self.assertEqual(told["saved"], told["saved_in_all"])
        self.assertLess(time.monotonic() - began, len(values) / RATE - len(places) * 0.9)
        self.assertEqual(self.counters()["xruns"], "0")
        # Wherever a place within a sentence was told, its sound was at the card then: the time at which the sentence is told to have
        # begun is the same by each look.
        for index, place in enumerate(places):
            starts = [at - (told - place) for at, told, took in looks if place + 0.1 < told < place + 0.6 and took < 0.01]
            self.assertGreater(len(starts), 3, index)
            self.assertLess(max(starts) - min(starts), 0.02 + 0.01, index)
        # It is remembered.
        self.kill()
        self.start()
        self.assertEqual(self.mpd.fields("silence")["silence"], "shorter")
