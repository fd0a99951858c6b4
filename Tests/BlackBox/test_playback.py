# SPDX-License-Identifier: Apache-2.0
"""The sound of the library: every sample, in order, at the place that the speaker says."""

import math
import random
import time

import audio
from build import compiled
from harness import Look, SpeakerCase, largest_step, sample, samples, until

RATE = 22050
FADE = RATE // 100  # twice the 5 ms of a fade


class Gapless(SpeakerCase):
    FASTER = 8

    def play_to_the_end(self):
        self.start()
        self.mpd("play")
        until(lambda: self.mpd.status()["state"] != "play", 60, "the end of the library")
        time.sleep(0.3)
        self.end()

    def test_items_follow_each_other_without_a_gap(self):
        expected = (self.add_noise("1.mp3", 5, RATE, "-b", "40") + self.add_noise("2.mp3", 7.3, RATE, "-V", "6")
                    + self.add_noise("3.mp3", 3, RATE, "--abr", "48") + self.add_noise("4.mp3", 6, RATE, "-b", "64"))
        self.play_to_the_end()
        self.assert_heard(self.card.heard(), expected, FADE)
        dry = [e.a for e in self.card.entries() if e.kind == "U" and e.a < len(expected) // 2]
        self.assertEqual(dry, [], "underruns at these frames")

    def test_very_short_items(self):
        # A late successor is inserted by rewinding, exact to the sample; by dropping, only as exactly as the clock allows.
        self.settings["audio"]["cut"] = "rewind"
        parts = [self.add_noise(f"{i:02}.mp3", 0.02 + 0.013 * i) for i in range(12)]
        self.play_to_the_end()
        self.assert_heard(self.card.heard(), b"".join(parts), FADE)

    def test_small_buffer(self):
        expected = self.add_noise("1.mp3", 3) + self.add_noise("2.mp3", 3)
        self.settings["audio"].update(buffer_ms=200)
        self.play_to_the_end()
        self.assert_heard(self.card.heard(), expected, FADE)

    def test_items_of_different_rates(self):
        parts = {rate: self.add_noise(f"{rate}.mp3", 3, rate) for rate in (16000, 22050, 44100)}
        self.play_to_the_end()
        heard, rate = {}, None
        for entry in self.card.entries():
            if entry.kind == "H":
                rate = entry.a
            elif entry.kind == "A":
                heard[rate] = heard.get(rate, b"") + entry.data
        for rate, expected in parts.items():
            self.assert_heard(heard[rate], expected, rate // 100, f"{rate} Hz")


class Resampling(SpeakerCase):
    def heard_sine(self, seconds, source_rate, **card):
        """Left channel of what is heard of a sine of 440 Hz."""
        audio.lame(f"{self.library}/sine.mp3", audio.sine(seconds, source_rate), source_rate, "-b", "128",
                   "--resample", str(source_rate / 1000))
        self.card = self.make_card(**card)
        self.start()
        self.mpd("play")
        until(lambda: self.mpd.status()["state"] != "play", 30, "the end")
        time.sleep(0.3)
        rate, channels, width = self.card.format()
        data = self.card.heard()
        if width == 4:
            data = b"".join(data[i + 2 : i + 4] for i in range(0, len(data), 4))  # the upper half
        values = samples(data)
        if channels == 2:
            self.assertEqual(values[::2], values[1::2], "mono goes to both sides")
            values = values[::2]
        return rate, values

    def check_sine(self, values, rate, seconds):
        while values and values[-1] == 0:
            values.pop()
        self.assertAlmostEqual(len(values) / rate, seconds, delta=0.01)
        middle = values[rate // 2 : -rate // 2]
        crossings = sum(a < 0 <= b for a, b in zip(middle, middle[1:]))
        self.assertAlmostEqual(crossings / (len(middle) / rate), 440, delta=1)
        # The rest without the best-fitting sine: distortion.
        n = len(middle)
        sine = [math.sin(2 * math.pi * 440 * i / rate) for i in range(n)]
        cosine = [math.cos(2 * math.pi * 440 * i / rate) for i in range(n)]
        a = 2 / n * sum(x * y for x, y in zip(middle, sine))
        b = 2 / n * sum(x * y for x, y in zip(middle, cosine))
        rest = math.sqrt(sum((x - a * s - b * c) ** 2 for x, s, c in zip(middle, sine, cosine)) / n)
        self.assertAlmostEqual(math.hypot(a, b), 16383 * 0.95, delta=200)  # lame takes 5 % off
        self.assertLess(rest, 16383 * 0.005, "distorted")

    def test_card_takes_only_48000(self):
        rate, values = self.heard_sine(4, 22050, rate=48000, channels=2)
        self.assertEqual(rate, 48000)
        self.check_sine(values, rate, 4)

    def test_card_takes_only_44100_with_32_bits(self):
        rate, values = self.heard_sine(3, 16000, rate=44100, channels=2, bits=32)
        self.assertEqual(rate, 44100)
        self.check_sine(values, rate, 3)

    def test_position_while_resampling(self):
        self.add_noise("a.mp3", 20)
        self.card = self.make_card(rate=48000, channels=2)
        self.start()
        self.mpd("play")
        self.wait_playing()
        asked = time.monotonic()
        self.mpd("seekcur 10")
        jumped = Look(asked, time.monotonic(), 10)
        time.sleep(1.5)
        self.assert_went_on(jumped, self.look(), within=0.08)


class Position(SpeakerCase):
    def test_is_what_the_ear_hears(self):
        reference = self.add_noise("a.mp3", 20)
        self.start()
        self.mpd("play")
        self.wait_playing()
        for seek in (None, "12.5", "3.25"):
            if seek:
                self.mpd(f"seekcur {seek}")
            time.sleep(0.25)
            asked = []
            for _ in range(20):
                before = time.monotonic()
                elapsed = self.mpd.elapsed()
                asked.append((before, time.monotonic(), elapsed))
                time.sleep(0.03)
            time.sleep(0.1)
            entries = [e for e in self.card.entries() if e.kind == "A" and len(e.data) > 400]
            for before, after, elapsed in asked:
                # Which sample of the file was heard at that time, by the card's record?
                entry = [e for e in entries if e.seconds <= before][-1]
                place = self.find(entry.data[-400:], reference) - (len(entry.data) - 400)
                heard = place / 2 / RATE - entry.seconds
                self.assertGreater(elapsed, heard + before - 0.012, f"after {seek}")
                self.assertLess(elapsed, heard + after + 0.012, f"after {seek}")

    def test_goes_on_after_two_jumps_in_a_breath(self):
        """Both changes of place are queued at once, the second before the first is heard."""
        self.settings["audio"]["cut"] = "rewind"
        self.add_noise("a.mp3", 20)
        self.start()
        self.mpd("play")
        self.wait_playing()
        for milliseconds in (3, 6, 9, 12, 15, 18, 21, 25):
            self.mpd("seekcur 5")
            time.sleep(milliseconds / 1000)
            self.mpd("seekcur 9")
            time.sleep(0.2)
            first = self.look()
            time.sleep(0.15)
            self.assert_went_on(first, self.look(), msg=f"{milliseconds} ms")

    def test_stands_still_while_paused(self):
        self.add_noise("a.mp3", 5)
        self.start()
        self.mpd("play")
        self.wait_playing()
        time.sleep(0.5)
        self.mpd("pause 1")
        time.sleep(0.1)
        paused = self.mpd.elapsed()
        time.sleep(0.5)
        self.assertEqual(self.mpd.elapsed(), paused)
        heard = len(self.card.heard().rstrip(b"\0")) / 2 / RATE
        self.assertAlmostEqual(paused, heard, delta=0.012)


class Seeking(SpeakerCase):
    """After a seek the audio of the new place is heard, sample for sample."""

    def seek_all_over(self, *options, rate=RATE, cut=None, env=None, **card):
        reference = self.add_noise("a.mp3", 30, rate, *options)
        self.card = self.make_card(**card)
        if cut:
            self.settings["audio"]["cut"] = cut
        self.start(env=env)
        self.mpd("play")
        self.wait_playing()
        for target in (12.345, 3, 0, 29.2, 17.77, 17.5):
            with self.subTest(target=target):
                pressed = time.monotonic()
                self.mpd(f"seekcur {target}")
                time.sleep(0.4)
                heard = self.card.heard(since=pressed)
                expected = round(target * rate) * 2
                # Behind the fades, at most 60 ms after the press, all that was heard is one stretch of the file.
                tail = heard[-int(0.25 * rate) * 2 :]
                place = self.find(tail, reference)
                start = place - (len(heard) - len(tail))  # where the file would begin at the press
                # A busy host is late; the test compares the first sample below.
                self.assertLess(abs(start + 2 * rate * 0.03 - expected), 2 * rate * 0.2, "not the place asked for")
                # The first sample of the new place is exactly the one asked for: look where heard and file begin to agree.
                same = 0
                limit = min(len(heard), place + len(tail))
                while same + 2 <= limit and abs(sample(heard, len(heard) - same - 2) - sample(reference, place + len(tail) - same - 2)) < 2:
                    same += 2
                first = place + len(tail) - same
                self.assertGreaterEqual(first, expected)
                self.assertLess(first - expected, 2 * rate * 0.008, "more than a fade is missing")

    def test_constant_bit_rate(self):
        self.seek_all_over("-b", "64")

    def test_variable_bit_rate(self):
        self.seek_all_over("-V", "5")

    def test_variable_bit_rate_without_xing_header(self):
        self.seek_all_over("-V", "5", "-t")

    def test_high_rate(self):
        self.seek_all_over("-b", "128", rate=44100)

    def test_rewinding(self):
        self.seek_all_over("-V", "5", cut="rewind", fetch=64)

    def test_rewinding_where_the_card_refuses(self):
        shim = compiled("no-rewind.c", "no-rewind.so", "-shared", "-fPIC")
        self.seek_all_over("-V", "5", cut="rewind", fetch=64, env={"LD_PRELOAD": shim})

    def test_while_paused(self):
        reference = self.add_noise("a.mp3", 20)
        self.start()
        self.mpd("play")
        self.wait_playing()
        self.mpd("pause 1")
        time.sleep(0.2)
        self.mpd("seekcur 12")
        self.assertEqual(self.mpd.status()["state"], "pause")
        self.assertAlmostEqual(self.mpd.elapsed(), 12, delta=0.002)
        now = time.monotonic()
        self.mpd("play")
        time.sleep(0.4)
        heard = self.card.heard(since=now)[6 * FADE :]
        self.assertAlmostEqual(self.find(heard, reference) / 2 / RATE, 12 + 3 * FADE / RATE, delta=0.05)


class Transport(SpeakerCase):
    def setUp(self):
        super().setUp()
        for name in "abc":
            self.add_noise(f"{name}.mp3", 60, 22050, "-b", "64")

    def playing(self, item=0):
        self.start()
        self.mpd(f"play {item}")
        self.wait_playing()

    def test_rapid_presses_add_up(self):
        self.playing()
        began = self.look()
        for _ in range(3):
            self.mpd("seekcur +10")
        self.assert_went_on(began, self.look(), more=30, within=0.1)
        self.mpd("command_list_begin\n" + "seekcur -10\n" * 2 + "command_list_end")
        self.assert_went_on(began, self.look(), more=10, within=0.1)
        time.sleep(0.5)
        self.assert_went_on(began, self.look(), more=10, within=0.1)

    def test_many_rapid_presses(self):
        self.playing()
        began = self.look()
        for _ in range(200):
            self.mpd("seekcur +0.25")
        self.assert_went_on(began, self.look(), more=50, within=0.6)

    def test_back_stops_at_the_start(self):
        self.playing()
        self.mpd("seekcur 4")
        self.mpd("seekcur -10")
        self.assertLess(self.mpd.elapsed(), 0.2)
        status = self.mpd.status()
        self.assertEqual((status["state"], status["song"]), ("play", "0"))

    def test_forward_past_the_end_pauses_there(self):
        self.playing()
        self.mpd("seekcur 55")
        time.sleep(0.1)
        self.mpd("seekcur +10")
        time.sleep(0.3)
        status = self.mpd.status()
        self.assertEqual((status["state"], status["song"]), ("pause", "0"))
        self.assertAlmostEqual(float(status["elapsed"]), 60, delta=0.01)
        heard = len(self.card.heard())
        time.sleep(0.3)
        self.assertEqual(len(self.card.heard()), heard, "something is heard after the end")
        self.mpd("seekcur -10")
        self.assertAlmostEqual(self.mpd.elapsed(), 50, delta=0.01)
        self.mpd("play")
        self.wait_playing()
        self.assertEqual(self.mpd.status()["song"], "0")

    def test_next_and_previous(self):
        self.playing()
        self.mpd("seekcur 20")
        self.mpd("next")
        status = self.mpd.status()
        self.assertEqual((status["state"], status["song"]), ("play", "1"))
        self.assertLess(float(status["elapsed"]), 0.5)
        self.mpd("next")
        self.assertEqual(self.mpd.status()["song"], "2")
        self.mpd("previous")
        self.mpd("previous")
        status = self.mpd.status()
        self.assertEqual(status["song"], "0")
        self.assertAlmostEqual(float(status["elapsed"]), 20, delta=0.5)  # resumed where it was left

    def test_pause_toggles(self):
        self.playing()
        for expected in ("pause", "play", "pause", "play"):
            self.mpd("pause")
            self.assertEqual(self.mpd.status()["state"], expected)
        self.mpd("pause 1")
        self.mpd("pause 1")
        self.assertEqual(self.mpd.status()["state"], "pause")
        self.mpd("pause 0")
        self.assertEqual(self.mpd.status()["state"], "play")

    def test_seek_to_an_item_and_time(self):
        self.playing()
        self.mpd("seek 2 31.5")
        status = self.mpd.status()
        self.assertEqual(status["song"], "2")
        self.assertAlmostEqual(float(status["elapsed"]), 31.5, delta=0.3)
        identifier = self.mpd("playlistinfo 1")
        identifier = [line for line in identifier if line.startswith("Id: ")][0][4:]
        self.mpd(f"seekid {identifier} 7")
        status = self.mpd.status()
        self.assertEqual(status["song"], "1")
        self.assertAlmostEqual(float(status["elapsed"]), 7, delta=0.3)

    def test_stop_and_play(self):
        self.playing()
        self.mpd("seekcur 30")
        self.mpd("stop")
        self.assertEqual(self.mpd.status()["state"], "stop")
        heard = len(self.card.heard())
        time.sleep(0.3)
        # A busy host may be late with the fade.
        self.assertLessEqual(len(self.card.heard()) - heard, 2 * 0.1 * RATE)
        self.mpd("play 0")
        self.wait_playing()
        self.assertAlmostEqual(self.mpd.elapsed(), 30, delta=0.5)


class Fades(SpeakerCase):
    """No click: nowhere a larger step between samples than a fade of the sine itself has."""

    FASTER = 8

    LEVEL, HERTZ = 0.5, 50

    def setUp(self):
        super().setUp()
        self.settings["audio"]["priority"] = 50  # as on a board, where it may: else whoever is as busy comes in between

    def play_sine(self, **card):
        wave = audio.sine(30, RATE, self.HERTZ, self.LEVEL)
        audio.lame(f"{self.library}/a.mp3", wave, RATE, "-b", "128", "--resample", "22.05")
        self.card = self.make_card(**card)
        self.start()
        self.mpd("play")
        self.wait_playing()

    def assert_no_click(self):
        self.mpd("pause 1")
        time.sleep(0.2)
        heard = self.card.heard()
        self.assertGreater(len(heard), 2 * RATE)
        natural = 32767 * self.LEVEL * 2 * math.pi * self.HERTZ / RATE
        # A fade of 5 ms adds a little to the steepest place. The position of a dropped card is known to half the time of asking and dropping. The
        # error is heard as a leap of the sine by so many frames.
        leap = 0 if self.settings["audio"].get("cut") == "rewind" else 0.0005 * RATE
        limit = natural * (1.1 + leap) + 32767 * self.LEVEL / (0.005 * RATE)
        self.assertLess(largest_step(b"\0\0" + heard + b"\0\0"), limit)

    def no_click(self, **card):
        self.play_sine(**card)
        for command in ("pause 1", "pause 0", "seekcur 10.0003", "seekcur +3.33337", "seekcur -5.1111", "setvol 60", "setvol 100",
                        "pause 1", "seekcur 20.00071", "pause 0", "stop", "play 0", "seekcur 4.0004", "seekcur 8.0008"):
            self.mpd(command)
            time.sleep(0.12 if command != "seekcur 4.0004" else 0.003)
        self.assert_no_click()

    def no_click_in_a_hurry(self, **card):
        """One command upon the other, in the midst of the fades of those before."""
        self.play_sine(**card)
        rng = random.Random(7)
        for _ in range(300):
            self.mpd(rng.choice(("pause 1", "pause 0", "setvol 60", "setvol 100", f"seekcur {rng.uniform(0, 20):.5f}")))
            time.sleep(rng.choice((0, 0, 0.001, 0.002, 0.003, 0.005, 0.012, 0.05)))
        self.assert_no_click()

    def test_dropping(self):
        self.no_click()

    def test_rewinding(self):
        self.settings["audio"]["cut"] = "rewind"
        self.no_click(fetch=64)

    def test_small_buffer(self):
        self.settings["audio"].update(buffer_ms=100)
        self.no_click()

    def test_dropping_in_a_hurry(self):
        self.no_click_in_a_hurry()

    def test_rewinding_in_a_hurry(self):
        self.settings["audio"]["cut"] = "rewind"
        self.no_click_in_a_hurry(fetch=64)

    def end_of_the_last(self):
        """Plays the last second of the last item, all of which is at the card."""
        self.play_sine()
        self.mpd("seekcur 29")
        until(lambda: self.mpd.elapsed() > 29.1 and self.card.heard(since=time.monotonic() - 0.05), what="the last second")

    def test_pause_in_the_last_second(self):
        for cut in ("drop", "rewind"):
            with self.subTest(cut=cut):
                self.settings["audio"]["cut"] = cut
                self.end_of_the_last()
                self.mpd("pause 1")
                paused = time.monotonic()
                self.assertEqual(self.mpd.status()["state"], "pause")
                at = self.mpd.elapsed()
                self.assertLess(at, 29.5)
                time.sleep(0.3)
                self.assertFalse(any(self.card.heard(since=paused + 0.1)), "heard although paused")
                self.assertAlmostEqual(self.mpd.elapsed(), at, delta=0.05)
                self.assertEqual(self.mpd.status()["state"], "pause")
                self.mpd("pause 0")
                until(lambda: self.mpd.status()["state"] != "play", what="the end")
                rest = self.card.heard(since=paused + 0.3).rstrip(b"\0")  # a late thread plays some of the silence behind it
                self.assertAlmostEqual(len(rest) / 2 / RATE, 30 - at, delta=0.1)
                self.end()

    def test_volume_in_the_last_second(self):
        self.end_of_the_last()
        self.mpd("setvol 0")
        silent = time.monotonic()
        time.sleep(0.3)
        self.assertEqual(self.mpd.status()["state"], "play")
        self.assertFalse(any(self.card.heard(since=silent + 0.1)), "heard although the volume is 0")


class Volume(SpeakerCase):
    def test_curve(self):
        audio.lame(f"{self.library}/a.mp3", audio.sine(30, RATE, 441, 0.5), RATE, "-b", "128", "--resample", "22.05")
        self.start()
        self.mpd("play")
        self.wait_playing()
        peaks = []
        for volume in (100, 75, 50, 25, 10, 0):
            self.mpd(f"setvol {volume}")
            time.sleep(0.15)
            now = time.monotonic()
            time.sleep(0.2)
            peaks.append(max(map(abs, samples(self.card.heard(since=now - 0.02)))))
            self.assertEqual(self.mpd.status()["volume"], str(volume))
        self.assertAlmostEqual(peaks[0], 16383 * 0.95, delta=200)
        self.assertEqual(peaks[-1], 0)
        decibels = [20 * math.log10(peak / peaks[0]) for peak in peaks[:-1]]
        self.assertEqual(decibels, sorted(decibels, reverse=True))
        # Perceptual: half way is much less than half the amplitude, and still well heard.
        self.assertLess(decibels[2], -9)
        self.assertGreater(decibels[2], -36)

    def test_steps_and_limits(self):
        self.add_noise("a.mp3", 1)
        self.start()
        self.mpd("setvol 98")
        self.mpd("volume +5")
        self.assertEqual(self.mpd.status()["volume"], "100")
        self.mpd("volume -30")
        self.assertEqual(self.mpd.status()["volume"], "70")
        with self.assertRaisesRegex(self.mpd.Refused, r"^ACK \[2@0\] \{setvol\} "):
            self.mpd("setvol 101")
