# SPDX-License-Identifier: Apache-2.0
"""Faster and slower at its own pitch: the sound, the reported place, and the memory."""

import os
import subprocess
import time

import audio
import stoi
from build import NIGHTSTAND, compiled
from harness import SpeakerCase, samples, until

RATE = 22050


def pitch(values, rate):
    """Of a tone, by its rising zero crossings."""
    places = [i + a / (a - b) for i, (a, b) in enumerate(zip(values, values[1:])) if a < 0 <= b]
    return (len(places) - 1) / (places[-1] - places[0]) * rate


class Speed(SpeakerCase):
    def tone(self, name, seconds, hertz=220, rate=RATE):
        audio.lame(f"{self.library}/{name}", audio.sine(seconds, rate, hertz), rate, "-b", "64", "--resample", str(rate / 1000))

    def heard(self):
        values = samples(self.card.heard())
        while values and values[-1] == 0:
            values.pop()
        return values

    def play_to_the_end(self):
        self.mpd("play")
        until(lambda: self.mpd.status()["state"] != "play", 60, "the end of the library")
        time.sleep(0.3)

    def test_duration_and_pitch(self):
        for speed, seconds in (("2.5", 20), ("0.75", 6)):
            with self.subTest(speed):
                self.card = self.make_card()
                self.tone("a.mp3", seconds)
                self.start()
                self.mpd(f"speed {speed}")
                self.play_to_the_end()
                values = self.heard()
                # At the end a period or two may be silence.
                self.assertAlmostEqual(len(values) / RATE, seconds / float(speed), delta=0.03)
                self.assertAlmostEqual(pitch(values[RATE // 4 : -RATE // 4], RATE), 220, delta=0.4)
                self.assertEqual(self.counters()["xruns"], "0")
                self.end()

    def test_decoding_at_a_speed(self):
        """Every speed there is, as long as it has to be, and at its own pitch."""
        source, out = self.path("tone.wav"), self.path("out.wav")
        audio.write_wav(source, audio.sine(5, RATE, 220), RATE)
        for percent in range(50, 301, 25):
            with self.subTest(percent):
                subprocess.run([NIGHTSTAND, "decode", "--speed", str(percent / 100), "-o", out, source], check=True, timeout=60)
                rate, channels, data = audio.read_wav(out)
                values = samples(data)
                self.assertEqual((rate, channels), (RATE, 1))
                self.assertAlmostEqual(len(values), 5 * RATE * 100 / percent, delta=2)
                self.assertAlmostEqual(pitch(values[RATE // 8 : -RATE // 8], RATE), 220, delta=0.44)
        for bad in ("0.4", "3.1", "x", "", "-1"):
            done = subprocess.run([NIGHTSTAND, "decode", "--speed", bad, source], stderr=subprocess.PIPE, text=True, timeout=60)
            self.assertEqual((done.returncode, "--speed" in done.stderr), (2, True), bad)

    def test_words_are_understood_as_well_as_libsonics(self):
        """Speech at a speed and back at its own, each way by libsonic's for the way back: its intelligibility."""
        source, plain, out = self.path("speech.wav"), self.path("plain.wav"), self.path("out.wav")
        words = "Quality is measured by how well the words of a sentence are still understood at night."
        subprocess.run(["espeak-ng", "-s", "160", "-w", source, words], check=True)
        subprocess.run(["ffmpeg", "-v", "error", "-i", source, "-c:a", "pcm_s16le", "-ar", str(RATE), "-ac", "1", plain], check=True)
        sonic = compiled("sonic-speed.c", "sonic-speed", "-lsonic")
        spoken = audio.read_wav(plain)[2]

        def at_ten(data):
            command = ["ffmpeg", "-v", "error", "-f", "s16le", "-ar", str(RATE), "-ac", "1", "-i", "-", "-ar", str(stoi.RATE), "-f", "s16le", "-"]
            return samples(subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True, timeout=60).stdout)

        def changed(data, speed):
            return subprocess.run([sonic, str(RATE), repr(speed)], input=data, stdout=subprocess.PIPE, check=True, timeout=60).stdout

        clean = at_ten(spoken)
        for speed in (0.5, 1.5, 2, 3):
            with self.subTest(speed):
                subprocess.run([NIGHTSTAND, "decode", "--speed", str(speed), "-o", out, plain], check=True, timeout=60)
                own = stoi.stoi(clean, at_ten(changed(audio.read_wav(out)[2], 1 / speed)))
                theirs = stoi.stoi(clean, at_ten(changed(changed(spoken, speed), 1 / speed)))
                print(f"speed {speed}: STOI {own:.3f}, libsonic's {theirs:.3f}")
                self.assertGreater(own, theirs - 0.03)
                self.assertGreater(own, 0.7)

    def test_own_speed_is_bit_exact_after_another(self):
        reference = self.add_noise("a.mp3", 8)
        self.start()
        self.mpd("speed 2")
        self.mpd("speed 1")
        self.play_to_the_end()
        self.assert_heard(self.card.heard(), reference, RATE // 100)

    def test_a_change_is_heard_at_once_and_keeps_the_place(self):
        self.tone("a.mp3", 60)
        self.start()
        self.mpd("play")
        self.wait_playing()
        time.sleep(1)
        place, at, speed = self.mpd.elapsed(), time.monotonic(), 1
        for wanted in (1.5, 3, 0.5, 1):
            expected = place + (time.monotonic() - at) * speed
            self.mpd(f"speed {wanted}")
            until(lambda: abs(self.rate() - wanted) < 0.2, 5, "the new pace")
            speed, now, at_now = wanted, self.mpd.elapsed(), time.monotonic()
            self.assertGreater(now, expected - 0.05)
            place, at = now, at_now
        said = self.counters_raw()
        self.assertLess(said["sound"], 100e6, "from the command to the ear")
        self.assertEqual(self.counters()["xruns"], "0")
        # A tone's samples are no further apart at a change than anywhere, but for the fall and the rise.
        values = self.heard()
        steps = [abs(b - a) for a, b in zip(values, values[1:])]
        self.assertLess(max(steps), 1.3 * 16383 * 0.0627)

    def rate(self):
        """Seconds of the recording that pass in one."""
        before, began = self.mpd.elapsed(), time.monotonic()
        time.sleep(0.3)
        return (self.mpd.elapsed() - before) / (time.monotonic() - began)

    def counters_raw(self):
        return {key: int(value.split()[0]) for key, value in self.mpd.fields("counters raw").items() if key in ("sound", "silence")}

    def test_place_and_sentence_are_the_recordings(self):
        self.tone("a.mp3", 60)
        with open(f"{self.library}/a.srt", "w") as file:
            for i in range(10):
                file.write(f"{i + 1}\n00:00:{i * 6:02},000 --> 00:00:{i * 6 + 5:02},000\nSentence {i}.\n\n")
        self.start()
        self.mpd("speed 2")
        self.mpd("play")
        self.wait_playing()
        until(lambda: self.mpd.elapsed() > 6.2, 10, "the second sentence")
        self.assertIn("Sentence 1.", "".join(self.mpd("transcript 0")))
        before = self.mpd.elapsed()
        self.mpd("seekcur +10")
        self.assertAlmostEqual(self.mpd.elapsed(), before + 10, delta=0.4)
        self.assertEqual(self.mpd.status()["speed"], "2")

    def test_it_is_remembered(self):
        for name, hertz in (("a", 220), ("b", 330)):
            os.mkdir(f"{self.library}/{name}")
            self.tone(f"{name}/{name}.mp3", 5, hertz)
        self.start()
        self.mpd("speed 1.25")
        self.mpd("play 1")
        self.mpd("speed 0.75 book")
        self.mpd("pause 1")
        self.kill()
        self.start()
        self.assertEqual(self.mpd.fields("speed"), {"speed": "0.75", "speed_speaker": "1.25", "speed_book": "0.75"})
        self.mpd("play 0")
        self.assertEqual(self.mpd.status()["speed"], "1.25")
        with self.assertRaises(self.mpd.Refused):
            self.mpd("speed 3.5")
