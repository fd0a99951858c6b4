"""The card and the disk misbehave; playback goes on."""

import errno
import os
import signal
import time

from build import compiled
from harness import SpeakerCase, until

RATE = 22050


class CardGoes(SpeakerCase):
    """A card that is pulled out, suspended, or not there at the start."""

    def setUp(self):
        super().setUp()
        self.reference = self.add_noise("a.mp3", 60)

    def play(self):
        self.start()
        self.mpd("play")
        self.wait_playing()
        time.sleep(0.7)

    def heard_again(self, since, seconds=12):
        """Waits until at least 0.4 s are heard since a time; returns what was heard."""
        return until(lambda: (lambda h: h if len(h) > 0.8 * RATE else None)(self.card.heard(since=since)), seconds, "sound again")

    def goes_on_where_it_was(self, before, after):
        last = self.find(before[-2600:-600], self.reference) + 2600
        first = self.find(after[600:2600], self.reference) - 600
        self.assertLess(abs(first - last) / 2 / RATE, 0.06, "not where it was")

    def processor_seconds(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def test_unplugged_and_back(self):
        self.play()
        for code in (errno.ENODEV, errno.ENOENT):
            before = self.card.heard()
            self.card.control(gone=code)
            gone = time.monotonic()
            used = self.processor_seconds()
            elapsed = self.mpd.elapsed()
            time.sleep(1.5)
            self.assertLess(self.processor_seconds() - used, 0.3, "busy while the card is away")
            self.assertAlmostEqual(self.mpd.elapsed(), elapsed, delta=0.1)
            self.assertEqual(self.mpd.status()["state"], "play")
            before = self.card.heard()
            self.card.control()
            after = self.heard_again(gone + 0.1)
            self.goes_on_where_it_was(before, after)
        self.assertEqual(self.process.poll(), None)

    def test_suspended(self):
        self.play()
        self.card.control(suspended=1)
        suspended = time.monotonic()
        time.sleep(1)
        before = self.card.heard()
        self.card.control()
        after = self.heard_again(suspended + 0.1)
        self.goes_on_where_it_was(before, after)

    def test_not_there_at_the_start(self):
        self.card.control(gone=errno.ENOENT)
        self.start()
        self.mpd("play")
        time.sleep(1)
        self.assertEqual(self.mpd.status()["state"], "play")
        self.assertEqual(float(self.mpd.status()["elapsed"]), 0)
        back = time.monotonic()
        self.card.control()
        after = self.heard_again(back)
        self.assertEqual(self.find(after[600:2600], self.reference), 600)
        self.assertEqual(self.log().count("open sound device paced"), 1, self.log())  # one warning, not one a try

    def test_busy_at_the_start(self):
        self.card.control(gone=errno.EBUSY)
        self.start()
        self.mpd("play")
        time.sleep(0.5)
        self.card.control()
        self.heard_again(0)

    def test_unplugged_while_paused(self):
        self.play()
        self.mpd("pause 1")
        time.sleep(0.2)
        before = self.card.heard()
        elapsed = self.mpd.elapsed()
        self.card.control(gone=errno.ENODEV)
        time.sleep(0.3)
        self.mpd("play")
        time.sleep(0.5)
        self.assertAlmostEqual(self.mpd.elapsed(), elapsed, delta=0.02)
        back = time.monotonic()
        self.card.control()
        self.goes_on_where_it_was(before, self.heard_again(back))

    def test_buttons_work_while_it_is_away(self):
        self.play()
        self.card.control(gone=errno.ENODEV)
        time.sleep(0.3)
        self.mpd("seekcur 30")
        self.assertAlmostEqual(self.mpd.elapsed(), 30, delta=0.01)
        back = time.monotonic()
        self.card.control()
        after = self.heard_again(back)
        self.assertAlmostEqual((self.find(after[600:2600], self.reference) - 600) / 2 / RATE, 30, delta=0.01)

    def test_clock_of_the_card_stops(self):
        """A card that hangs for a second: nothing is lost, nothing is repeated."""
        self.play()
        self.card.control(stalled=1)
        time.sleep(1)
        self.card.control()
        time.sleep(3)
        heard = self.card.heard()
        self.find(heard[600:-600], self.reference)
        self.assertEqual(self.counters()["xruns"], "0")


class Underrun(SpeakerCase):
    def test_is_counted_and_survived(self):
        reference = self.add_noise("a.mp3", 60)
        self.start()
        self.mpd("play")
        self.wait_playing()
        time.sleep(0.5)
        self.process.send_signal(signal.SIGSTOP)
        time.sleep(3)  # more than the buffer holds
        self.process.send_signal(signal.SIGCONT)
        resumed = time.monotonic()
        time.sleep(1)
        self.assertGreaterEqual(int(self.counters()["xruns"]), 1)
        heard = self.card.heard(since=resumed)
        self.assertGreater(len(heard), RATE)
        before = self.card.heard()[: -len(heard)]
        last = self.find(before[-2000:], reference) + 2000
        first = self.find(heard[1000:3000], reference) - 1000
        self.assertLess(abs(first - last) / 2 / RATE, 0.05, "something was lost or repeated")
        self.assertEqual(self.mpd.status()["state"], "play")


class DiskStalls(SpeakerCase):
    """A memory card that answers nothing for 2 s."""

    def setUp(self):
        super().setUp()
        self.reference = self.add_noise("a.mp3", 90, RATE, "-b", "64")
        self.stall = self.path("stall")
        shim = compiled("slow-disk.c", "slow-disk.so", "-shared", "-fPIC", "-ldl")
        self.env = {"LD_PRELOAD": shim, "SLOW_DISK_PREFIX": self.library, "SLOW_DISK_WHILE": self.stall}

    def test_is_not_heard(self):
        self.start(env=self.env)
        self.mpd("play")
        self.wait_playing()
        time.sleep(1)
        stalls = 0
        for _ in range(3):
            open(self.stall, "w").close()
            time.sleep(2)
            stalls += os.path.getsize(self.stall) > 0  # the shim notes whom it held up
            os.unlink(self.stall)
            time.sleep(0.8)
        self.assertGreater(stalls, 0, "the disk was never needed, so the test shows nothing")
        self.assertEqual(self.counters()["xruns"], "0")
        heard = self.card.heard()
        self.assertGreater(len(heard), 2 * RATE * 8)
        self.find(heard[600:], self.reference)
        self.assertEqual(self.card.count("U"), 0)

    def test_console_answers_meanwhile(self):
        self.start(env=self.env)
        self.mpd("play")
        self.wait_playing()
        open(self.stall, "w").close()
        self.mpd("seekcur 60")
        began = time.monotonic()
        for command in ("status", "currentsong", "playlistinfo", "counters"):
            self.mpd(command)
        self.assertLess(time.monotonic() - began, 0.5)
        self.assertAlmostEqual(self.mpd.elapsed(), 60, delta=0.05)
        os.unlink(self.stall)
        until(lambda: self.mpd.elapsed() > 60.3, 5, "playing from there")


class LibraryGoes(SpeakerCase):
    def test_item_that_is_no_audio_is_passed_over(self):
        first = self.add_noise("1.mp3", 1)
        with open(f"{self.library}/2.mp3", "wb") as file:
            file.write(b"This is no audio. " * 500)
        last = self.add_noise("3.mp3", 1)
        self.start()
        self.mpd("play")
        until(lambda: self.mpd.status()["state"] != "play", 15, "the end")
        time.sleep(0.2)
        heard = self.card.heard()
        self.find(heard[600 : len(first) - 200], first)
        self.assertIn(last[2000:4000], heard)

    def test_missing_at_start_and_appearing_later(self):
        os.rmdir(self.library)
        self.start()
        self.assertEqual(self.mpd.status()["state"], "stop")
        self.mpd("ping")
        os.mkdir(self.library)
        self.add_noise("a.mp3", 3)
        self.mpd("update")
        until(lambda: self.mpd.status()["playlistlength"] == "1", 10, "the item in the queue")
        self.mpd("play")
        self.wait_playing()

    def test_item_removed_while_it_plays(self):
        reference = self.add_noise("a.mp3", 6)
        self.start()
        self.mpd("play")
        self.wait_playing()
        os.unlink(f"{self.library}/a.mp3")
        until(lambda: self.mpd.status()["state"] != "play", 12, "the end")
        time.sleep(0.2)
        self.assert_heard(self.card.heard(), reference, RATE // 100)  # an open file can be read to its end
