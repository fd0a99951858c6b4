# SPDX-License-Identifier: Apache-2.0
"""The card and the disk misbehave; playback goes on."""

import errno
import os
import signal
import subprocess
import time

from harness import SpeakerCase, until

RATE = 22050


class CardGoes(SpeakerCase):
    """A card that is pulled out, suspended, or not there at the start."""

    FASTER = 8

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
        before = before[: len(before.rstrip(b"\0")) + 1 & ~1]  # without the silence behind a pause
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

    def test_unplugged_with_a_full_queue(self):
        """There is no room to write to, so that no writing fails: it is noticed all the same."""
        self.play()
        self.card.control(stalled=1)

        def queued():
            entries = self.card.recorded()
            return sum(e.b for e in entries if e.kind == "T") - sum(e.b for e in entries if e.kind == "A")
        until(lambda: queued() == 2 * RATE, 5, lambda: f"a full queue of {queued()} frames")
        before, used = self.card.heard(), self.processor_seconds()
        self.card.control(gone=errno.ENODEV, stalled=1)
        gone = time.monotonic()
        until(lambda: "No such device" in self.log(), 3, "a word in the log")
        time.sleep(1)
        self.assertLess(self.processor_seconds() - used, 0.3, "busy while the card is away")
        self.card.control()
        self.goes_on_where_it_was(before, self.heard_again(gone + 0.1))

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

    FASTER = 8

    def setUp(self):
        super().setUp()
        self.reference = self.add_noise("a.mp3", 90, RATE, "-b", "64")
        self.stall = self.path("stall")
        self.env = self.slow_disk(self.stall)

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


    def test_old_place_is_not_heard_meanwhile(self):
        self.start(env=self.env)
        self.mpd("play")
        self.wait_playing()
        self.mpd("pause 1")
        time.sleep(0.2)
        open(self.stall, "w").close()
        self.addCleanup(lambda: os.path.exists(self.stall) and os.unlink(self.stall))
        self.mpd("seekcur 60")
        asked = time.monotonic()
        self.mpd("play")
        time.sleep(0.4)
        self.assertFalse(any(self.card.heard(since=asked)), "the place that was left sounds again")
        os.unlink(self.stall)
        until(lambda: self.mpd.elapsed() > 60.3, 5, "playing from there")
        heard = self.card.heard(since=asked)[600:]
        self.assertAlmostEqual(self.find(heard, self.reference) / 2 / RATE, 60, delta=0.05)


class LibraryGoes(SpeakerCase):
    FASTER = 8

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

    def three(self):
        for name in "abc":
            self.add_noise(f"{name}.mp3", 20)

    def away(self):
        """The library as it is when its disk is not mounted: an empty folder."""
        os.rename(self.library, self.path("disk"))
        os.mkdir(self.library)

    def back(self):
        for name in os.listdir(self.path("disk")):
            os.rename(self.path("disk", name), os.path.join(self.library, name))

    def song(self):
        return self.mpd.fields("currentsong").get("file", "").rsplit("/")[-1]

    def test_disk_not_mounted_at_start_while_it_played(self):
        self.three()
        self.start()
        self.mpd("play 1")
        self.wait_playing()
        self.mpd("seekcur 7")
        until(lambda: self.mpd.elapsed() > 7.5, what="playing from there")
        self.kill()
        self.away()
        self.start()
        time.sleep(3)
        self.assertEqual(self.song(), "b.mp3")
        self.assertEqual(self.mpd.status()["playlistlength"], "3")
        self.assertGreaterEqual(self.mpd.elapsed(), 6.9)
        self.back()
        until(lambda: self.mpd.elapsed() > 8.5, 10, lambda: f"playing on: {self.mpd.status()}")
        self.assertEqual(self.song(), "b.mp3")
        self.assertLess(self.mpd.elapsed(), 12)

    def test_disk_not_mounted_at_start_while_it_rested(self):
        self.three()
        self.start()
        self.mpd("play 1")
        self.wait_playing()
        self.mpd("seekcur 7")
        self.mpd("pause 1")
        self.end()
        self.away()
        self.start()
        self.mpd("play")
        time.sleep(0.5)
        self.assertEqual(self.song(), "b.mp3")
        self.end()
        self.start()
        self.assertEqual((self.song(), self.mpd.status()["playlistlength"]), ("b.mp3", "3"))
        self.back()
        until(lambda: self.mpd.elapsed() > 7.3, 10, lambda: f"playing on: {self.mpd.status()}")
        self.assertEqual(self.song(), "b.mp3")

    def test_a_disk_is_mounted(self):
        """Over a folder that was there and empty all along."""
        self.three()
        os.rename(self.library, self.path("disk"))
        os.mkdir(self.library)
        self.start()
        if subprocess.run(["mount", "--bind", self.path("disk"), self.library], capture_output=True).returncode:
            self.skipTest("mounting is not allowed here")
        self.addCleanup(subprocess.run, ["umount", "-l", self.library], check=True)
        until(lambda: self.mpd.status()["playlistlength"] == "3", 10, "the items in the queue")

    def test_a_stick_is_noticed_at_once(self):
        """Mounted at a folder of the library, and taken away again."""
        self.three()
        stick = f"{self.library}/stick"
        os.mkdir(stick)
        os.rename(f"{self.library}/c.mp3", self.path("c.mp3"))
        self.start()
        self.assertEqual(self.mpd.status()["playlistlength"], "2")
        os.mkdir(self.path("disk"))
        os.rename(self.path("c.mp3"), self.path("disk", "c.mp3"))
        for _ in range(3):
            if subprocess.run(["mount", "--bind", self.path("disk"), stick], capture_output=True).returncode:
                self.skipTest("mounting is not allowed here")
            mounted = time.monotonic()
            try:
                until(lambda: self.mpd.status()["playlistlength"] == "3", 10, "what is on the stick in the queue")
                self.assertLess(time.monotonic() - mounted, 2)
            finally:
                subprocess.run(["umount", "-l", stick], check=True)
            until(lambda: self.mpd.status()["playlistlength"] == "2", 10, "the stick to be gone from the queue")

    def test_what_is_copied_into_the_library_is_found(self):
        self.add_noise("a.mp3", 3)
        self.add_noise("b.mp3", 3)
        reference = self.path("b.mp3")
        os.rename(f"{self.library}/b.mp3", reference)
        self.start()
        os.mkdir(f"{self.library}/new")
        time.sleep(3)
        # As scp writes it: slowly. Half of the file may be visible after a mount meanwhile, but not for long.
        with open(reference, "rb") as source, open(f"{self.library}/new/b.mp3", "wb", buffering=0) as copy:
            copy.write(source.read(8000))
            time.sleep(3)
            copy.write(source.read())

        def whole():
            items = " ".join(self.mpd("playlistinfo")).split("file: ")
            return any(item.startswith("new/b.mp3") and "duration: 3.0" in item for item in items)
        until(whole, 10, lambda: f"the new item, whole, in the queue: {self.mpd('playlistinfo')}")
        self.mpd("play 1")  # what is current stays in the queue until another is
        os.unlink(f"{self.library}/a.mp3")
        until(lambda: self.mpd.status()["playlistlength"] == "1", 10, "the old item to go")

    def test_item_removed_while_it_plays(self):
        reference = self.add_noise("a.mp3", 6)
        self.start()
        self.mpd("play")
        self.wait_playing()
        os.unlink(f"{self.library}/a.mp3")
        until(lambda: self.mpd.status()["state"] != "play", 12, "the end")
        time.sleep(0.2)
        self.assert_heard(self.card.heard(), reference, RATE // 100)  # an open file can be read to its end
