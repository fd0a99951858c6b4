# SPDX-License-Identifier: Apache-2.0
"""The output of the board's sound cards, to the sample."""

import os
import shutil
import struct
import subprocess
import tempfile
import unittest

import audio
from build import reference_decoder
from heard import FADE_SECONDS, crossing, fading, samples, stretches
from machine import TOP, Machine


MEDIA = os.path.join(TOP, "board", "media")


def decoded(path):
    """The samples of libmpg123 for a file on the host."""
    with tempfile.NamedTemporaryFile() as raw:
        subprocess.run([reference_decoder(), path, raw.name], check=True, stdout=subprocess.DEVNULL)
        return raw.read()


class Clock:
    """Ties the speaker's elapsed time to the board's clock: within [low, high] it is elapsed = now - zero."""

    def __init__(self, board, tries=3):
        self.low, self.high = -1e9, 1e9
        for _ in range(tries):
            before = board.now()
            elapsed = board.elapsed()
            after = board.now()
            # now() is rounded down to hundredths, elapsed to thousandths.
            self.low, self.high = max(self.low, before - elapsed - 0.001), min(self.high, after + 0.01 - elapsed + 0.001)

    def elapsed(self, now):
        return now - (self.low + self.high) / 2

    @property
    def error(self):
        return (self.high - self.low) / 2


class SoundCase(unittest.TestCase):
    """A board with noise, in which every place can be found again, and with the sample media."""

    RATE, CHANNELS = 22050, 1
    NOISE, BITS = 40, "64"
    SPEECH = True
    DEVICES, ARGUMENTS, MODULES = (), (), ()
    AUDIO = {}
    INIT = "systemd"

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="sound-")
        cls.addClassCleanup(scratch.cleanup)
        cls.items = {}
        for name in ("1 noise.mp3", "2 noise.mp3"):
            path = os.path.join(scratch.name, name)
            samples = audio.noise(cls.NOISE, cls.RATE, f"{cls.__name__} {name}", cls.CHANNELS)
            audio.lame(path, samples, cls.RATE, "--resample", str(cls.RATE / 1000), "-b", cls.BITS, channels=cls.CHANNELS)
            cls.items[name] = decoded(path)
        for name in sorted(os.listdir(MEDIA)) if cls.SPEECH else []:
            copy = shutil.copy(os.path.join(MEDIA, name), os.path.join(scratch.name, "9 " + name))
            if name.endswith(".mp3"):
                cls.items["9 " + name] = decoded(copy)
        cls.board = board = Machine(library=scratch.name)
        cls.addClassCleanup(board.close)
        board.settings["audio"].update(cls.AUDIO)
        # So that all buttons act as they go down.
        board.settings["gestures"] = {f"{button}.long": "none" for button in ("play", "back", "forward")}
        board.load(*cls.MODULES)
        devices, arguments = ([part.replace("FOLDER", board.folder) for part in parts] for parts in (cls.DEVICES, cls.ARGUMENTS))
        seconds = board.on(cls.INIT, devices=devices, arguments=arguments)
        board.until(lambda: "updating_db" not in board.status(), 60, "the library scan")
        print(f"{cls.__name__}: plug in to ready {seconds:.1f} s, {len(cls.items)} items")

    # The commands to the speaker

    def restart(self, **settings):
        """The speaker with other [audio] settings."""
        board = self.board
        board.settings["audio"] = {"device": board.settings["audio"]["device"], **settings}
        board.write_settings()
        board.sh("cp /run/host/nightstand.conf /etc/nightstand.conf && systemctl restart nightstand")
        board.wait_ready()
        board.until(lambda: "updating_db" not in board.status(), 60, "the library scan")

    def song(self, name):
        return sorted(self.items).index(name)

    def play_from(self, name, seconds):
        """Plays the item from there; returns once it does."""
        self.board.mpd(f"seek {self.song(name)} {seconds}")
        self.board.mpd("play")
        self.board.until(lambda: self.board.status()["state"] == "play" and self.board.elapsed() > seconds, 30, "playing")

    def play_on(self, seconds):
        """Waits until that much more was heard."""
        end = self.board.elapsed() + seconds
        self.board.until(lambda: self.board.elapsed() >= end, 60, f"{seconds} s more")

    def stretches(self, heard):
        return stretches(heard, self.items, self.CHANNELS, rate=self.RATE)

    @property
    def fade(self):
        return int(FADE_SECONDS * self.RATE)


class Skipping(SoundCase):
    """The sound when buttons skip, on any card. A subclass knows how its card is listened to."""

    def begin(self):
        """From now on it is recorded."""

    def heard(self, seconds_more=0.4):
        """The recording so far, one channel."""

    def frame_times(self):
        """A function from the recording's frames to the board's clock, or None where there is none."""

    def skip(self, crossing_is_whole=True):
        board = self.board
        self.play_from("2 noise.mp3", 7)
        self.play_on(0.5)
        board.mpd("pause 1")
        board.sh("sleep 0.2")  # until it has died away
        kept = board.elapsed()
        self.begin()
        self.play_from("1 noise.mp3", 12)
        self.play_on(1)
        presses = []
        for button in ("forward", "forward", "back", "next", "previous"):
            clock = Clock(board)
            down = board.press(button)[0]
            presses.append((button, down, clock.elapsed(down), clock.error))
            board.sh("sleep 0.8")
        end = Clock(board)
        times = self.frame_times()
        heard = self.heard()
        found = self.stretches(heard)
        while found and found[0].item == "2 noise.mp3":  # a recorder's buffer had held its last samples
            found.pop(0)
        self.assertEqual(len(found), len(presses) + 1, found)
        silences, sounds, gaps = [], [], []
        left = {"2 noise.mp3": kept}  # where each item goes on
        for (button, down, elapsed, error), old, new in zip(presses, found, found[1:]):
            before = elapsed * self.RATE  # the place told when the button went down
            if button in ("forward", "back"):
                self.assertEqual(new.item, old.item)
                jump = (new.place - old.place_end) / self.RATE
                wanted = 10 if button == "forward" else -10
                self.assertAlmostEqual(jump, wanted, delta=0.05 + error, msg=f"{button}: {old} → {new}")
            else:
                self.assertNotEqual(new.item, old.item)
                left[old.item] = old.place_end / self.RATE
                # The place at which the button went down; the item was heard on until the other one was there.
                repeated = left[new.item] - (new.place - self.fade) / self.RATE
                self.assertLess(abs(repeated - 0.1), 0.11, f"{button}: {old} → {new}")
            # No leftover: the old place is audible while the speaker looks for the new one.
            silences.append((old.place_end - before) / self.RATE)
            gap = (new.start - old.end) / self.RATE
            gaps.append(gap)
            sounds.append(silences[-1] + gap)
            if times:
                self.assertAlmostEqual(times(old.end) - down, silences[-1], delta=0.02 + error, msg="told and heard differ")
                silences[-1], sounds[-1] = times(old.end) - down, times(new.start) - down
            if crossing_is_whole:
                self.assertLessEqual(gap, 2 * FADE_SECONDS + 0.001, f"{button}: {old} → {new}")
                self.assertIsNone(crossing(heard, old, new, self.items, self.CHANNELS))
            else:
                self.assertLess(gap, 0.1)
        if times:  # what is told to be heard now is what was
            last = found[-1]
            self.assertAlmostEqual(end.elapsed(times(last.end)), last.place_end / self.RATE, delta=0.01 + end.error)
        counters = board.fields("counters")
        self.assertEqual(counters["xruns"], "0")
        what = "as recorded" if times else "as told"
        print(f"{type(self).__name__}.{self._testMethodName}: button to the old place's last sample "
              f"{1000 * min(silences):.0f} to {1000 * max(silences):.0f} ms, to the new place's first at full volume "
              f"{1000 * min(sounds):.0f} to {1000 * max(sounds):.0f} ms on the board's clock, {what}; "
              f"in between {1000 * min(gaps):.1f} to {1000 * max(gaps):.1f} ms")

    def pause(self):
        """(the stretch before a pause, the stretch behind it, the recording, when the button went down)."""
        board = self.board
        board.mpd("stop")
        board.sh("sleep 0.3")
        self.begin()
        self.play_from("1 noise.mp3", 3)
        self.play_on(0.7)
        presses = [board.press("play")[0]]
        board.sh("sleep 0.7")
        self.assertEqual(board.status()["state"], "pause")
        kept = board.elapsed()
        presses.append(board.press("play")[0])
        board.sh("sleep 0.2")
        self.play_on(0.7)
        board.mpd("pause 1")
        heard = self.heard()
        found = self.stretches(heard)[-2:]
        self.assertEqual([stretch.item for stretch in found], ["1 noise.mp3"] * 2, found)
        before, behind = found
        # It goes on where it had died away, and that is the place told.
        self.assertAlmostEqual(kept, (behind.place - self.fade) / self.RATE, delta=0.003)
        return before, behind, heard, presses


class Loopback(Skipping):
    """snd-aloop: the kernel copies what a card would play into a recording."""

    MODULES = ("snd-dummy",)

    def begin(self):
        self.end()
        self.recording = f"{self._testMethodName}.raw"
        self.board.record(self.RATE, self.CHANNELS, self.recording)

    def end(self):
        self.board.sh("pkill arecord; while pgrep arecord; do sleep 0.05; done >/dev/null")

    def heard(self, seconds_more=0.4):
        self.board.sh(f"sleep {seconds_more}")
        return self.board.heard(self.recording)

    def frame_times(self):
        return self.board.frame_times(self.RATE)

    def test_two_items_to_the_sample(self):
        speech = sorted(name for name in self.items if name.startswith("9 "))
        for first, second in (("1 noise.mp3", "2 noise.mp3"), tuple(speech[1:3])):
            with self.subTest(first):
                length = len(self.items[first]) // 2
                self.board.mpd(f"seek {self.song(second)} 0")
                self.board.mpd("stop")
                self.begin()
                self.play_from(first, length / self.RATE - 4)
                self.board.until(lambda: self.board.status()["song"] == str(self.song(second)), 30, "the next item")
                self.play_on(2)
                self.board.mpd("pause 1")
                heard = self.heard()
                found = self.stretches(heard)
                self.assertEqual([stretch.item for stretch in found], [first, second], found)
                before, behind = found
                # From the end of the fade on every sample of the one, and directly behind its last the first of the other.
                self.assertAlmostEqual(before.place, length - 4 * self.RATE + self.fade, delta=self.RATE // 500)
                self.assertEqual((before.place_end, behind.start, behind.place), (length, before.end, 0), found)
                self.assertGreater(behind.place_end, 1.9 * self.RATE)
                off = before.off + behind.off
                print(f"Loopback: {before.end - before.start} samples, a joint and {behind.end - behind.start} samples as libmpg123 "
                      f"decodes them on the host, {off} of them off by one")
        # And as the board's own libmpg123 decodes them, each bit; but the first samples of the pause's fade may be off by one, too, and
        # so count as heard.
        by_the_board = self.decoded_by_the_board(second)
        count = behind.end - behind.start - self.fade
        self.assertEqual(heard[2 * behind.start :][: 2 * count], by_the_board[: 2 * count])

    def test_rewinding(self):
        self.skip()

    def test_dropping(self):
        self.restart(cut="drop")
        self.addCleanup(self.restart)
        self.skip(crossing_is_whole=False)

    def test_pause_is_silence(self):
        # The loopback card forgets what it had not copied yet when the player stops it: the last of the queue is not recorded.
        before, behind, heard, presses = self.pause()
        times = self.frame_times()
        rises = behind.start - self.fade - 2
        silent = fading(heard[: 2 * rises], before, self.items)
        self.assertIsInstance(silent, int, silent)
        self.assertLessEqual(silent, before.end + self.fade + 2)
        self.assertFalse(any(heard[2 * silent : 2 * rises]), "a pause is silent")
        lost = (behind.place - 2 * self.fade - before.place_end) / self.RATE
        self.assertGreater(lost, -0.001)
        self.assertLess(lost, 0.025)
        print(f"Loopback: play button to silence {1000 * (times(silent) - presses[0]):.0f} ms, to sound again "
              f"{1000 * (times(rises) - presses[1]):.0f} ms")

    def decoded_by_the_board(self, name):
        self.board.sh(f"nightstand decode '/srv/nightstand/{name}' -o /run/host/decoded.wav", seconds=120)
        with open(os.path.join(self.board.host, "decoded.wav"), "rb") as file:
            return file.read()[44:]

    def test_the_board_decodes_as_the_host(self):
        """libmpg123 has another decoder for each processor: its samples may be off by one, rarely."""
        for name in ("2 noise.mp3", min(name for name in self.items if name.startswith("9 "))):
            data, expected = self.decoded_by_the_board(name), self.items[name]
            self.assertEqual(len(data), len(expected), name)
            off = [abs(x - y) for x, y in zip(samples(data), samples(expected)) if x != y]
            print(f"Loopback: {name} decoded on the board: {len(off)} of {len(data) // 2} samples are off by one from the host's")
            self.assertLessEqual(max(off, default=0), 1, name)
            self.assertLess(len(off), len(data) // 2 // 500, name)

    def test_card_without_sound(self):
        """snd-dummy: nothing to listen to, but the place runs with the clock and jumps by ten seconds."""
        board = self.board
        self.restart(device="plughw:CARD=Dummy")
        self.addCleanup(self.restart, device=board.AUDIO)
        self.play_from("1 noise.mp3", 5)
        for button, seconds in (("forward", 10), ("back", -10), ("forward", 10)):
            before = Clock(board)
            down = board.press(button)[0]
            board.sh("sleep 1.5")
            after = Clock(board)
            jump = after.elapsed(down) - before.elapsed(down)
            self.assertAlmostEqual(jump, seconds, delta=0.03 + before.error + after.error)
        self.assertEqual(board.fields("counters")["xruns"], "0")


class DMA(Skipping):
    """An Intel HDA card as QEMU emulates it: a kernel driver for a card that fetches the queue from memory by
    itself."""

    RATE, CHANNELS, BITS, SPEECH = 48000, 2, "128", False
    DEVICES = ("intel-hda", "hda-output,audiodev=hda,use-timer=off,mixer=off")
    # With its timer, QEMU's codec throws 8192 bytes away now and then.
    ARGUMENTS = ("-audiodev", "wav,id=hda,path=FOLDER/hda.wav,timer-period=2000,out.frequency=48000")
    MODULES = ("snd-hda-intel",)
    AUDIO = {"device": "plughw:CARD=Intel"}

    def begin(self):
        self.began = max(44, os.path.getsize(self.board.path("hda.wav")))

    def heard(self, seconds_more=0.4):
        self.board.sh(f"sleep {seconds_more}")
        with open(self.board.path("hda.wav"), "rb") as file:
            self.assertEqual(struct.unpack_from("<HI", file.read(44), 22), (self.CHANNELS, self.RATE))
            file.seek(self.began - self.began % 4)
            return file.read()

    def test_rewinding(self):
        self.skip()

    def test_dropping(self):
        self.restart(cut="drop")
        self.addCleanup(self.restart)  # what was played before a drop is an estimate; the other tests count samples
        self.skip(crossing_is_whole=False)

    def test_pause_loses_nothing(self):
        before, behind, heard, _ = self.pause()
        self.assertAlmostEqual(behind.place, before.place_end + 2 * self.fade, delta=3, msg=f"{before} → {behind}")
        width = 2 * self.CHANNELS
        silent, rises = before.end + self.fade + 1, behind.start - self.fade - 1
        self.assertGreater(rises, silent)
        self.assertFalse(any(heard[width * silent : width * rises]), "a pause is silent")
        self.assertIsNone(crossing(heard, before, behind, self.items, self.CHANNELS))
        # The fade is there to its end: nowhere a step that the file has not.
        dying = samples(heard[width * (silent - self.fade // 4) : width * silent])
        self.assertTrue(any(dying))


class USB(SoundCase):
    """An emulated USB DAC. QEMU records the packets on its wire."""

    RATE, CHANNELS, BITS, SPEECH = 48000, 2, "128", False
    DEVICES = ("qemu-xhci,id=usb",)
    ARGUMENTS = ("-audiodev", "wav,id=dac,path=FOLDER/dac.wav,out.frequency=48000")
    AUDIO = {"device": "plughw:CARD=Audio"}

    plugs = 0
    wire_path = None  # of the last plug; all tests share the board

    def plug(self):
        USB.plugs += 1
        USB.wire_path = self.board.path(f"usb.{USB.plugs}.pcap")
        self.board.qmp("device_add", driver="usb-audio", id="dac", bus="usb.0", audiodev="dac", pcap=self.wire_path)

    def unplug(self):
        self.board.qmp("device_del", id="dac")

    def wait_told(self):
        board = self.board
        board.until(lambda: "No sound device" in board.glass.text(), 60,
              lambda: f"a word on\n{board.glass}\n{board.status()}, plugged: {self.is_plugged()}; {board.log()[-3000:]}")

    def wire(self, path=None):
        """The audio that went to the DAC since it was plugged in."""
        with open(path or self.wire_path, "rb") as file:
            data = file.read()
        at, audio = 24, []
        while at + 16 <= len(data):
            size, = struct.unpack_from("<I", data, at + 8)
            packet = data[at + 16 : at + 16 + size]
            at += 16 + size
            kind, transfer, endpoint = packet[8:11]
            if kind == ord("S") and transfer == 0 and not endpoint & 0x80:
                audio.append(packet[64:])
        return b"".join(audio)

    def setUp(self):
        self.board.mpd("stop")
        if not self.is_plugged():
            self.plug()
        self.board.until(self.is_plugged, 60, "the DAC")

    def is_plugged(self):
        return "USB-Audio" in self.board.sh("cat /proc/asound/cards")

    def last(self, found, item):
        self.assertTrue(found)
        self.assertEqual(found[-1].item, item, found)
        return found[-1]

    def only(self, found, item):
        self.assertEqual(len(found), 1, found)
        return self.last(found, item)

    def heard_until(self, seconds):
        """Waits until that place of the item was on the wire, and the speaker says so too: the emulated bus stands still now and
        then while the emulator is behind."""
        def there():
            elapsed, wire = self.board.elapsed(), self.wire()
            found = self.stretches(wire[-self.RATE * 2 :])
            return found and found[-1].place_end / self.RATE >= seconds and abs(found[-1].place_end / self.RATE - elapsed) < 0.05
        self.board.until(there, 90, f"{seconds} s on the wire")

    def unplugged_for(self, seconds, item="1 noise.mp3"):
        board = self.board
        self.play_from(item, 5)
        self.heard_until(7)
        first = self.wire_path
        self.unplug()
        self.wait_told()
        self.assertEqual(board.status()["state"], "play")
        kept = board.elapsed()
        before = self.last(self.stretches(self.wire(first)), item)
        board.sh(f"sleep {seconds}", seconds=60 + 4 * seconds)
        self.assertAlmostEqual(board.elapsed(), kept, delta=0.001)  # time stands still
        self.assertFalse(self.is_plugged())
        self.plug()
        plugged = board.now()
        board.until(lambda: board.elapsed() > kept, 60, "playing on")
        began = board.now()
        self.play_on(2)
        told = Clock(board)
        board.mpd("pause 1")
        board.sh("sleep 0.3")
        self.assertNotIn("No sound device", board.glass.text())
        after = self.only(self.stretches(self.wire()), item)
        again = (after.place - self.fade - before.place_end) / self.RATE
        print(f"USB DAC out for {seconds} s: {(before.end - before.start) / self.RATE:.1f} s heard before and "
              f"{(after.end - after.start) / self.RATE:.1f} s after, "
              f"{abs(1000 * again):.0f} ms of them {'lost' if again > 0 else 'twice'}; plugged in to sound {began - plugged:.1f} s")
        self.assertAlmostEqual(kept, before.place_end / self.RATE, delta=0.1)
        # The card is gone a moment before the kernel says so, and until then time goes on.
        self.assertLess(abs(again), 0.1)

    def test_unplugged_in_play(self):
        self.unplugged_for(3)

    def test_unplugged_for_long(self):
        self.unplugged_for(15, "2 noise.mp3")

    def test_unplugged_while_paused(self):
        board, item = self.board, "2 noise.mp3"
        self.play_from(item, 9)
        self.heard_until(10)
        board.mpd("pause 1")
        kept = board.elapsed()
        board.sh("sleep 0.3")
        before = self.last(self.stretches(self.wire()), item)
        self.unplug()
        board.until(lambda: not self.is_plugged(), 30, "unplugged")
        board.sh("sleep 3")
        self.plug()
        board.until(self.is_plugged, 60, "the DAC")
        board.press("play")
        board.until(lambda: board.elapsed() > kept, 60, "playing on")
        self.play_on(1)
        board.mpd("pause 1")
        board.sh("sleep 0.3")
        after = self.only(self.stretches(self.wire()), item)
        self.assertLess(abs(after.place - before.place_end), 0.1 * self.RATE, (before, after))

    def test_plugged_in_after_the_start(self):
        board, item = self.board, "1 noise.mp3"
        self.play_from(item, 20)
        self.heard_until(21)
        board.sh("systemctl stop nightstand")
        before = self.last(self.stretches(self.wire()), item)
        self.unplug()
        board.until(lambda: not self.is_plugged(), 30, "unplugged")
        board.sh("systemctl start nightstand")
        board.wait_ready()
        self.wait_told()
        kept = board.elapsed()
        self.assertAlmostEqual(kept, before.place_end / self.RATE, delta=0.5)
        self.plug()
        board.until(lambda: board.elapsed() > kept, 60, "playing")
        self.play_on(1)
        board.mpd("pause 1")
        board.sh("sleep 0.3")
        after = self.only(self.stretches(self.wire()), item)
        self.assertAlmostEqual(after.place / self.RATE, kept + FADE_SECONDS, delta=0.02)

    def test_control(self):
        """aplay on the same card: the emulation loses nothing on the wire."""
        board, item = self.board, "2 noise.mp3"
        with open(os.path.join(board.host, "control.raw"), "wb") as file:
            file.write(self.items[item][: 2 * self.RATE * 4])
        board.sh("aplay -q -D plughw:CARD=Audio -t raw -f S16_LE -r 48000 -c 2 /run/host/control.raw")
        stretch = self.stretches(self.wire())[-1]
        self.assertEqual((stretch.item, stretch.place_end - stretch.place), (item, 2 * self.RATE))
