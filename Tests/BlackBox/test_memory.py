# SPDX-License-Identifier: Apache-2.0
"""The speaker remembers: places, favourites, what it was doing; through restarts, power cuts and damage."""

import concurrent.futures
import os
import random
import shutil
import sqlite3
import subprocess
import tempfile
import time
import unittest

import audio
from harness import SpeakerCase, contents, until


class Restart(SpeakerCase):
    def setUp(self):
        super().setUp()
        for name in "abc":
            self.add_noise(f"{name}.mp3", 60, 16000, "-b", "32")

    def restart(self):
        self.assertEqual(self.end(), 0, self.log())
        self.start()

    def test_paused_at_a_place(self):
        self.start()
        self.mpd("play 1")
        self.wait_playing()
        self.mpd("seekcur 31.25")
        time.sleep(0.2)
        self.mpd("pause 1")
        self.mpd("setvol 70")
        self.mpd("favourite add")
        time.sleep(0.1)
        before = self.mpd.status()
        self.restart()
        after = self.mpd.status()
        for field in ("state", "song", "volume", "elapsed", "playlistlength"):
            self.assertEqual(after[field], before[field], field)
        self.assertEqual(self.mpd.fields("favourite list")["file"], "b.mp3")

    def test_playing_goes_on(self):
        self.start()
        self.mpd("play 2")
        self.wait_playing()
        self.mpd("seekcur 20")
        time.sleep(0.5)
        began, elapsed = time.monotonic(), self.mpd.elapsed()
        self.restart()
        self.wait_playing()
        self.assertGreater(self.mpd.elapsed(), elapsed - 0.1)
        self.assertLess(self.mpd.elapsed(), elapsed + 0.1 + time.monotonic() - began)
        self.assertEqual(self.mpd.status()["song"], "2")

    def test_every_item_has_its_own_place(self):
        self.start()
        for song, place in ((0, 11), (1, 22), (2, 33)):
            self.mpd(f"play {song}")
            self.mpd(f"seekcur {place}")
        self.mpd("pause 1")
        self.restart()
        for song, place in ((1, 22), (0, 11), (2, 33)):
            self.mpd(f"play {song}")
            self.assertAlmostEqual(self.mpd.elapsed(), place, delta=0.5)

    def test_last_five_seconds_are_not_resumed(self):
        self.start()
        self.mpd("play 0")
        until(lambda: "duration" in self.mpd.fields("playlistinfo 0"), 5, "a duration")
        self.mpd("seekcur 57")
        self.mpd("play 1")
        self.mpd("play 0")
        self.assertLess(self.mpd.elapsed(), 1)

    def test_no_place_is_saved_by_looking(self):
        self.start()
        self.assertEqual(self.mpd.status()["state"], "pause")
        self.restart()
        self.assertEqual(self.mpd.elapsed(), 0)


@unittest.skipUnless(os.access("/dev/shm", os.W_OK), "needs a folder in memory")
class InMemory(SpeakerCase):
    def test_a_state_that_goes_with_the_power_is_said(self):
        self.add_noise("a.mp3", 5, 16000, "-b", "32")
        folder = tempfile.mkdtemp(prefix="nightstand-state-", dir="/dev/shm")
        self.addCleanup(shutil.rmtree, folder)
        self.start()
        self.assertNotIn("not kept", self.log())
        self.assertNotIn("error", self.mpd.status())
        self.end()
        self.settings["state"]["path"] = folder
        # As a service manager starts it.
        self.start(env={"NOTIFY_SOCKET": self.path("notify")})
        self.assertIn(f"places are not kept: {folder} is in memory", self.log())
        self.assertIn("not kept", self.mpd.status()["error"])


class KnownByContent(SpeakerCase):
    def setUp(self):
        super().setUp()
        self.add_noise("a.mp3", 60, 16000, "-b", "32")
        self.add_noise("b.mp3", 60, 16000, "-b", "32")
        self.start()
        self.mpd("play 0")
        self.mpd("seekcur 42")
        self.mpd("pause 1")
        self.mpd("favourite add")

    def still_known(self, name):
        files = [line[6:] for line in self.mpd("playlistinfo") if line.startswith("file: ")]
        self.mpd(f"play {files.index(name)}")
        self.assertAlmostEqual(self.mpd.elapsed(), 42, delta=0.5)
        self.assertEqual(self.mpd.fields("favourite list")["file"], name)

    def update(self):
        self.mpd("update")
        until(lambda: "updating_db" not in self.mpd.status(), 10, "the scan")

    def test_renamed_while_running(self):
        os.rename(f"{self.library}/a.mp3", f"{self.library}/z.mp3")
        self.update()
        self.still_known("z.mp3")

    def test_moved_while_off(self):
        self.end()
        os.mkdir(f"{self.library}/stories")
        os.rename(f"{self.library}/a.mp3", f"{self.library}/stories/a.mp3")
        self.start()
        self.still_known("stories/a.mp3")

    def test_retagged(self):
        self.end()
        plain = contents(f"{self.library}/a.mp3")
        with open(f"{self.library}/a.mp3", "wb") as file:
            file.write(audio.id3v2([("TIT2", audio.text(3, "Ein neuer Name"))]) + plain + audio.id3v1(b"Ein neuer Name"))
        self.start()
        self.still_known("a.mp3")
        self.assertIn("Title: Ein neuer Name", self.mpd("currentsong"))


class Favourites(SpeakerCase):
    def setUp(self):
        super().setUp()
        for name, seconds in (("b", 3), ("c", 1), ("a", 2)):
            # With a tag that tells the length: else it is not known before the frames have been counted.
            self.add_noise(f"{name}.mp3", seconds, 22050, "-b", "64", "--tt", f"Title {name}")
        self.start()

    def listed(self, arguments=""):
        return [line[6:7] for line in self.mpd(f"favourite list {arguments}") if line.startswith("file: ")]

    def test_orders(self):
        for name in ("b", "c", "a"):
            self.mpd(f"favourite add {name}.mp3")
        self.assertEqual(self.listed(), ["a", "c", "b"])
        self.assertEqual(self.listed("newest"), ["a", "c", "b"])
        self.assertEqual(self.listed("title"), ["a", "b", "c"])
        self.assertIn(self.listed("duration"), (["b", "a", "c"], ["c", "a", "b"]))  # longest or shortest first
        self.mpd("play 2")
        self.mpd("pause 1")
        self.assertEqual(self.listed("plays")[0], "c")

    def test_pages(self):
        for name in ("b", "c", "a"):
            self.mpd(f"favourite add {name}.mp3")
        self.assertEqual(self.listed("newest 0:2"), ["a", "c"])
        self.assertEqual(self.listed("newest 2:4"), ["b"])
        self.assertEqual(self.listed("newest 3:9"), [])

    def test_twice_and_removing(self):
        self.mpd("favourite add a.mp3")
        with self.assertRaisesRegex(self.mpd.Refused, "already in favourites"):
            self.mpd("favourite add a.mp3")
        self.assertEqual(self.listed(), ["a"])
        self.mpd("favourite remove a.mp3")
        with self.assertRaisesRegex(self.mpd.Refused, "not in favourites"):
            self.mpd("favourite remove a.mp3")
        self.assertEqual(self.listed(), [])
        with self.assertRaises(self.mpd.Refused):
            self.mpd("favourite add nothing.mp3")

    def test_what_is_kept(self):
        self.mpd("favourite add b.mp3")
        fields = self.mpd.fields("favourite list")
        self.assertEqual((fields["file"], fields["Title"], fields["duration"]), ("b.mp3", "Title b", "3.000"))
        self.assertRegex(fields["added"], r"^20\d\d-\d\d-\d\dT")


class PowerCuts(SpeakerCase):
    """kill -9 at any moment loses at most 5 s of position, and nothing else: 200 times, on four speakers at once."""

    TAKES_LONG = True

    SPEAKERS, TIMES, LONG = 4, 50, 6

    def test_two_hundred(self):
        self.add_noise("a.mp3", 600, 8000, "-b", "16")
        cases = []
        for number in range(self.SPEAKERS):
            case = SpeakerCase()
            case.setUp()
            self.addCleanup(case.doCleanups)
            shutil.copy(f"{self.library}/a.mp3", case.library)
            cases.append(case)
        with concurrent.futures.ThreadPoolExecutor(self.SPEAKERS) as pool:
            kills = list(pool.map(self.kill_often, cases, range(self.SPEAKERS)))
        self.assertEqual(sum(kills), 200)

    def kill_often(self, case, seed):
        draw = random.Random(seed)
        case.start()
        case.mpd("favourite add a.mp3")
        case.mpd("setvol 83")
        case.mpd("play 0")
        case.mpd("seekcur 20")
        place = 20.0  # where it surely was when it was killed
        slow = set(draw.sample(range(self.TIMES), self.LONG))  # these play long enough to need the save every 5 s
        for kill in range(self.TIMES):
            run = draw.uniform(5, 9) if kill in slow else draw.uniform(0, 0.5)
            time.sleep(run)
            if draw.random() < 0.3:
                place = draw.uniform(10, 400)
                case.mpd(f"seekcur {place:.3f}")
            place = case.mpd.elapsed()
            case.kill()
            case.mpd.close()
            case.start(wait=draw.random() < 0.9)
            if not hasattr(case.mpd, "file") or case.mpd.file.closed:
                time.sleep(draw.uniform(0, 0.05))  # killed while it starts
                case.kill()
                case.start()
            status = case.mpd.status()
            elapsed = float(status["elapsed"])
            self.assertGreater(elapsed, place - 5.05, f"speaker {seed}, kill {kill}")
            self.assertLess(elapsed, place + 1.5, f"speaker {seed}, kill {kill}")
            self.assertEqual((status["volume"], status["state"], status["song"]), ("83", "play", "0"),
                             f"speaker {seed}, kill {kill}; it says {case.log()[-1000:]}")
            self.assertEqual(case.mpd.fields("favourite list")["file"], "a.mp3")
            place = elapsed
        case.kill()
        database = sqlite3.connect(case.path("state", "nightstand.db"))
        self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        database.close()
        self.assertNotIn("set aside", case.log())
        return self.TIMES


class DamagedDatabase(SpeakerCase):
    FASTER = 8

    def setUp(self):
        super().setUp()
        self.add_noise("a.mp3", 30, 16000, "-b", "32")
        self.start()
        self.mpd("favourite add a.mp3")
        self.mpd("play")
        self.wait_playing()
        self.end()
        self.state = self.settings["state"]["path"]
        self.database = os.path.join(self.state, "nightstand.db")

    def starts_anew(self):
        self.start()
        self.mpd("play 0")
        self.wait_playing()
        aside = [name for name in os.listdir(self.state) if name.startswith("nightstand.db") and "20" in name]
        self.assertTrue(aside, os.listdir(self.state))
        self.assertRegex(aside[0], r"20\d\d-?\d\d-?\d\d")
        self.assertEqual(self.log().count("set aside"), 1, self.log())
        self.end()
        check = sqlite3.connect(self.database)
        self.assertEqual(check.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        check.close()

    def overwrite(self, data, at=0):
        with open(self.database, "r+b") as file:
            file.seek(at)
            file.write(data)

    def test_rubbish(self):
        with open(self.database, "wb") as file:
            file.write(random.Random(1).randbytes(50_000))
        self.starts_anew()

    def test_head_overwritten(self):
        self.overwrite(b"Once upon a time" * 20)
        self.starts_anew()

    def test_every_page_but_the_first_overwritten(self):
        self.overwrite(random.Random(2).randbytes(os.path.getsize(self.database) - 1024), 1024)
        self.starts_anew()

    def test_truncated(self):
        os.truncate(self.database, os.path.getsize(self.database) // 2)
        self.starts_anew()

    def test_damage_anywhere_never_hurts_playback(self):
        good = contents(self.database)
        draw = random.Random(3)
        for round in range(15):
            with self.subTest(round=round):
                data = bytearray(good)
                for _ in range(draw.choice((1, 20, 400))):
                    data[draw.randrange(len(data))] = draw.randrange(256)
                with open(self.database, "wb") as file:
                    file.write(data)
                self.start()
                self.mpd("play 0")
                self.wait_playing()
                self.mpd("favourite list")
                self.mpd("playlistinfo")
                self.end()

    def test_log_is_rubbish(self):
        with open(self.database + "-wal", "wb") as file:
            file.write(random.Random(4).randbytes(20_000))
        self.start()
        self.mpd("play 0")
        self.wait_playing()
        self.assertEqual(self.mpd.fields("favourite list").get("file"), "a.mp3")

    def test_written_by_a_newer_version(self):
        database = sqlite3.connect(self.database)
        database.execute("PRAGMA user_version = 999")
        database.close()
        before = contents(self.database)
        self.start()
        self.assertIn("a newer Nightstand wrote it", self.log())
        self.mpd("play 0")
        self.wait_playing()
        self.end()
        self.assertEqual(contents(self.database), before)

    def test_in_use_it_ends_with_words(self):
        self.start()
        with open(self.path("second"), "wb") as log:
            second = self.spawn("--config", self.write_settings(), stdout=log, stderr=log)
            self.assertEqual(second.wait(10), 1)
        self.assertIn(b"which another nightstand has", contents(self.path("second")))
        self.mpd("play 0")
        self.wait_playing()


class BadDisk(SpeakerCase):
    """A state folder on a disk that is full or takes no writing."""

    FASTER = 8

    def setUp(self):
        super().setUp()
        self.add_noise("a.mp3", 60, 16000, "-b", "32")
        self.state = self.settings["state"]["path"]
        os.mkdir(self.state)
        mounted = os.geteuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=128k", "none", self.state], stderr=subprocess.DEVNULL).returncode == 0
        if not mounted:
            self.skipTest("mounting a small file system needs root")
        self.addCleanup(subprocess.run, ["umount", "-l", self.state], check=True)

    def plays_with_one_warning(self):
        self.mpd("play 0")
        self.wait_playing()
        self.mpd("seekcur 30")
        for _ in range(20):
            self.mpd("seekcur +0.1")
        time.sleep(5.5)  # past a save
        self.mpd("pause 1")
        self.mpd("pause 0")
        self.assertEqual(self.mpd.status()["state"], "play")
        self.assertEqual(self.log().count("warning"), 1, self.log())

    def test_read_only_from_the_start(self):
        subprocess.run(["mount", "-o", "remount,ro", self.state], check=True)
        self.start()
        self.plays_with_one_warning()

    def test_full_from_the_start(self):
        with open(f"{self.state}/big", "wb") as file:
            with self.assertRaises(OSError):
                file.write(bytes(1 << 20))
                file.flush()
            try:
                file.close()
            except OSError:
                pass
        self.start()
        self.plays_with_one_warning()

    def test_fills_up_while_it_plays(self):
        self.start()
        self.mpd("favourite add a.mp3")
        self.mpd("play 0")
        self.wait_playing()
        try:
            with open(f"{self.state}/big", "wb", buffering=0) as file:
                while True:
                    file.write(bytes(512))
        except OSError:
            pass
        for _ in range(300):
            self.mpd("seekcur +0.1")
        self.plays_with_one_warning()
        self.assertEqual(self.mpd.fields("favourite list")["file"], "a.mp3")

    def test_becomes_read_only_while_it_plays(self):
        self.start()
        self.mpd("favourite add a.mp3")
        done = subprocess.run(["mount", "-o", "remount,ro", self.state], stderr=subprocess.DEVNULL)
        if done.returncode:  # busy: files are open for writing, as they would be on a real disk
            subprocess.run(["umount", "-l", self.state], check=True)
            subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "none", self.state], check=True)
        self.mpd("play 0")
        self.wait_playing()
        self.mpd("seekcur 30")
        time.sleep(5.5)
        self.assertEqual(self.mpd.status()["state"], "play")
        self.assertLessEqual(self.log().count("warning"), 1, self.log())
        self.assertEqual(self.mpd.fields("favourite list")["file"], "a.mp3")


class LongFiles(SpeakerCase):
    def test_duration_without_xing_header_is_true(self):
        """A file of variable bit rate with a beginning quieter than the rest, where guessing from the first frames
        fails."""
        quiet = audio.noise(20, 16000, 1, level=0.0001)
        loud = audio.noise(60, 16000, 2, level=0.5)
        audio.lame(f"{self.library}/a.mp3", quiet + loud, 16000, "-V", "6", "-t", "--resample", "16")
        reference = self.decoded(f"{self.library}/a.mp3")
        self.start()
        seconds = len(reference) / 2 / 16000
        self.mpd("play 0")
        until(lambda: "duration" in self.mpd.fields("playlistinfo 0"), 5, "a duration")
        self.assertAlmostEqual(float(self.mpd.fields("playlistinfo 0")["duration"]), seconds, delta=0.05)
        self.wait_playing()
        self.mpd("seekcur 70")
        pressed = time.monotonic()
        time.sleep(0.6)
        heard = self.card.heard(since=pressed)[8000:12000]  # from a quarter of a second on
        self.assertAlmostEqual(self.find(heard, reference) / 2 / 16000, 70.25, delta=0.06)


if __name__ == "__main__":
    unittest.main()
