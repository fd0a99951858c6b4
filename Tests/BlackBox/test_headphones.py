# SPDX-License-Identifier: Apache-2.0
"""`nightstand headphones` with the real bluetoothctl, and the sound through bluez-alsa's real plugin of ALSA. BlueZ, bluealsa and a pair of
headphones are played by fake-headphones.py on a bus of their own: no radio."""

import os
import shutil
import subprocess
import sys
import time
import unittest

import test_voice
from harness import MPD, SpeakerCase, until
from inputs import KEY, Device, preload

CONFIGURATION = "/etc/alsa/conf.d/20-bluealsa.conf"
ADDRESS = "02:00:00:00:00:01"
RATE = 44100
DELAY = 0.2


class BluetoothCase(SpeakerCase):
    FASTER = 1

    def setUp(self):
        super().setUp()
        if not shutil.which("bluetoothctl") or not shutil.which("dbus-daemon") or not os.path.exists(CONFIGURATION):
            self.skipTest("needs bluez, bluez-alsa-utils and dbus-daemon")
        with open(self.card.conf, "a") as file:
            file.write(f"defaults.namehint.extended off\n<{CONFIGURATION}>\n")
        self.env = self.start_bus()
        self.record = self.path("headphones.raw")
        self.calls_path = self.path("calls")
        with open(self.calls_path, "wb") as calls:
            self.world = subprocess.Popen([sys.executable, os.path.join(os.path.dirname(__file__), "fake-headphones.py"), self.record],
                                          text=True, stdin=subprocess.PIPE, stdout=calls, stderr=calls, env={**os.environ, **self.env})
        self.addCleanup(self.end, self.world)
        until(lambda: self.calls() or self.world.poll() is not None, 10, "the fake BlueZ")
        if "ready" not in self.calls():
            self.skipTest("needs python3-dbus and python3-gi: " + " ".join(self.calls()))
        self.settings["bluetooth"] = {"enabled": "yes"}
        self.add_noise("book.mp3", 120)

    def calls(self):
        with open(self.calls_path) as file:
            return file.read().splitlines()

    def tell(self, word):
        self.world.stdin.write(word + "\n")
        self.world.stdin.flush()

    def join(self):
        """Starts the process that drives bluetoothctl."""
        with open(self.path("headphones.log"), "ab") as log:
            self.keeper = self.spawn("--config", self.write_settings(), "headphones", stdout=log, stderr=log, env=self.env)
        until(lambda: self.mpd("headphones"), 10, self.said)

    def said(self):
        with open(self.path("headphones.log")) as file:
            return f"{file.read()} {self.mpd('headphones')} {self.calls()} {self.log()}"

    def state(self):
        return self.mpd.fields("headphones").get("state")

    def wait_state(self, state, seconds=10):
        until(lambda: self.state() == state, seconds, lambda: f"{state}: {self.said()}")

    def pair(self):
        self.mpd("headphones scan")
        self.wait_state("found")
        self.mpd(f"headphones pair {ADDRESS}")
        self.wait_state("connected")

    def outputs(self):
        lines = self.mpd("outputs")
        names = [line[12:] for line in lines if line.startswith("outputname: ")]
        return dict(zip(names, (line[-1] == "1" for line in lines if line.startswith("outputenabled: "))))

    def heard_bytes(self):
        return os.path.getsize(self.record) if os.path.exists(self.record) else 0

    def wait_heard(self, seconds=10):
        size = self.heard_bytes()
        until(lambda: self.heard_bytes() > size + RATE, seconds, lambda: "sound in the headphones " + self.said())


class Headphones(BluetoothCase):
    def setUp(self):
        super().setUp()
        self.start(env=self.env)

    def test_they_take_the_sound_and_pause_it_when_they_go(self):
        self.join()
        self.pair()
        self.assertIn("set Trusted 1", self.calls())
        self.assertEqual(self.outputs(), {"paced": False, "Quiet Ears": True})
        # A volume of their own.
        self.assertEqual(self.mpd.status()["volume"], "30")
        self.mpd("setvol 45")
        self.mpd("play 0")
        self.wait_heard()
        self.assertFalse(self.card.heard())
        self.tell("off")
        until(lambda: self.mpd.status()["state"] == "pause", 5, self.said)
        until(lambda: self.outputs() == {"paced": True}, 5, self.said)
        self.assertEqual(self.mpd.status()["volume"], "100")
        place = self.mpd.elapsed()
        self.mpd("pause 0")
        until(self.card.heard, 10, "the card")
        self.assertAlmostEqual(self.mpd.elapsed(), place, delta=1)
        # Switched on they take it from the card, which plays on there.
        began = time.monotonic()
        self.tell("on")
        self.wait_heard()
        self.assertLess(time.monotonic() - began, 5)
        self.assertEqual((self.mpd.status()["state"], self.mpd.status()["volume"]), ("play", "45"))
        until(lambda: self.card.recorded()[-1].kind == "C", 2, "the closed card")
        self.mpd("disableoutput 1")
        until(lambda: self.card.recorded()[-1].kind != "C", 5, "the card")
        self.assertEqual(self.outputs(), {"paced": True, "Quiet Ears": False})
        self.mpd("enableoutput 1")
        self.wait_heard()
        # The volume is kept over a restart, of both.
        self.end()
        self.start(env=self.env)
        self.wait_state("connected")
        self.assertEqual(self.mpd.status()["volume"], "45")
        self.mpd(f"headphones forget {ADDRESS}")
        until(lambda: self.outputs() == {"paced": True}, 5, self.said)
        self.assertIsNone(self.state())

    def test_the_position_is_that_of_the_ear(self):
        self.join()
        self.pair()
        self.mpd("play 0")
        self.wait_heard()
        until(lambda: self.mpd.elapsed() > 3, 10, "three seconds")
        worst = []
        for _ in range(20):
            before = self.heard_bytes()
            place = self.mpd.elapsed()
            given = (before + self.heard_bytes()) / 2 / 4 / RATE
            worst.append(given - DELAY - place)
            time.sleep(0.1)
        worst.sort()
        self.assertLess(abs(worst[len(worst) // 2]), 0.05, worst)

    def test_a_refusal_is_told_and_one_who_comes_later_is_known(self):
        # Without the service the speaker asks nothing.
        with self.assertRaises(MPD.Refused):
            self.mpd("headphones scan")
        self.assertFalse(self.mpd("headphones"))
        self.join()
        self.tell("refuse")
        self.mpd("headphones scan")
        self.wait_state("found")
        self.mpd(f"headphones pair {ADDRESS}")
        self.wait_state("failed")
        self.assertEqual(self.outputs(), {"paced": True})
        for wrong in ("headphones pair x", f"headphones eat {ADDRESS}", "headphones are"):
            with self.assertRaises(MPD.Refused):
                self.mpd(wrong)

    def test_off_as_it_ships(self):
        self.settings["bluetooth"]["enabled"] = "no"
        with open(self.path("headphones.log"), "ab") as log:
            process = self.spawn("--config", self.write_settings(), "headphones", stdout=log, stderr=log, env=self.env)
        self.assertEqual(process.wait(10), 78)


class Daemon(SpeakerCase):
    """bluez-alsa's own mock daemon, from its source: `./configure --enable-test`, `make -C test bluealsa-mock`, and its path in
    BLUEALSA_MOCK. It has a bus of its own, and encodes SBC as for a device."""

    FASTER = 1

    def test_its_device_plays_in_time_and_goes(self):
        mock = os.environ.get("BLUEALSA_MOCK") or shutil.which("bluealsa-mock")
        if not mock or not os.path.exists(CONFIGURATION):
            self.skipTest("needs bluez-alsa-utils, and bluealsa-mock from its source")
        with open(self.card.conf, "a") as file:
            file.write(f"defaults.namehint.extended off\n<{CONFIGURATION}>\n")
        said = self.path("mock")
        with open(said, "wb") as log:
            daemon = subprocess.Popen([mock, "--a2dp-source", "--timeout=60"], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder)
        self.addCleanup(self.end, daemon)

        def words():
            with open(said) as file:
                return dict(line.split("=", 1) for line in file.read().splitlines() if "=" in line)

        until(lambda: words().get("BLUEALSA_PCM_READY"), 10, "the daemon")
        self.settings["audio"]["device"] = "bluealsa:DEV=12:34:56:78:9A:BC,PROFILE=a2dp"
        self.add_noise("book.mp3", 120)
        self.start(env={"DBUS_SYSTEM_BUS_ADDRESS": words()["DBUS_SYSTEM_BUS_ADDRESS"]})

        def elapsed():
            return float(dict(line.split(": ", 1) for line in self.mpd("status"))["elapsed"])

        self.mpd("play")
        until(lambda: elapsed() > 1, 20, self.log)
        began, start = elapsed(), time.monotonic()
        until(lambda: elapsed() > began + 4, 20, self.log)
        self.assertAlmostEqual(elapsed() - began, time.monotonic() - start, delta=0.3)
        daemon.kill()
        until(lambda: "error" in self.mpd.status(), 10, self.log)
        place = elapsed()
        self.assertLess(place, began + time.monotonic() - start + 0.3)


class ByEar(BluetoothCase, test_voice.Voice.__base__):
    FASTER = 1
    KEYS = {"play": 59, "back": 60, "forward": 61}

    def test_paired_by_three_buttons_and_by_ear(self):
        self.settings["buttons"] = {"play": "input:KEY_F1 | input:KEY_PLAYCD | input:KEY_PAUSECD", "back": "input:KEY_F2",
                                    "forward": "input:KEY_F3", "next": "input:KEY_NEXTSONG"}
        self.add_noise("other.mp3", 120)
        os.mkdir(self.path("inputs"))
        self.keys = Device(os.path.join(self.path("inputs"), "event0-keys"))
        self.addCleanup(self.keys.close)
        self.start(env={**self.env, "FAKE_INPUT": self.path("inputs"), "LD_PRELOAD": preload()})
        self.join()
        began = time.monotonic()
        self.go("Headphones")
        self.press("play", "New headphones")
        self.press("play", "Quiet Ears")
        self.press("play", "Quiet Ears connected")
        self.assertLess(time.monotonic() - began, 60)
        self.assertEqual(self.outputs(), {"paced": False, "Quiet Ears": True})
        until(self.heard_bytes, 10, lambda: "a word in the headphones " + self.said())
        # Their buttons are an input device, with the keys that BlueZ gives it.
        for code, state in ((200, "play"), (201, "pause"), (200, "play")):
            # Not a double press.
            time.sleep(1)
            self.tap(code)
            until(lambda: self.mpd.status()["state"] == state, 5, lambda: f"{state} {self.said()}")
        self.tap(163)
        until(lambda: self.mpd.status()["song"] == "1", 5, lambda: f"the next {self.mpd.status()} {self.said()}")
        # And away again.
        self.mpd("menu open")
        for _ in range(30):
            if self.mpd.fields("menu").get("entry") == "Headphones":
                break
            self.mpd("menu next")
        self.mpd("menu choose")
        self.assertEqual(self.mpd.fields("menu").get("entry"), "Quiet Ears")
        self.mpd("menu choose")
        self.mpd("menu next")
        self.assertEqual(self.mpd.fields("menu").get("entry"), "Forget")
        self.mpd("menu choose")
        until(lambda: self.outputs() == {"paced": True}, 10, self.said)

    def press(self, name, says="", seconds=0.06):
        """Presses, and waits until the program that speaks was given a sentence."""
        mark = len(self.spoken())
        self.tap(self.KEYS[name], seconds)
        until(lambda: says.lower() in self.spoken()[mark:], 20, lambda: f"'{says}' in '{self.spoken()[mark:]}' {self.said()}")

    def tap(self, code, seconds=0.06):
        self.keys.send((KEY, code, 1))
        time.sleep(seconds)
        self.keys.send((KEY, code, 0))

    def spoken(self):
        return "\n".join(self.runs())

    def go(self, wanted):
        self.press("play", seconds=1.7)
        for _ in range(20):
            time.sleep(0.5)
            if self.mpd.fields("menu").get("entry") == wanted:
                return
            self.press("forward")
        self.fail(f"no {wanted} in the menu: {self.spoken()}")


del BluetoothCase

if __name__ == "__main__":
    unittest.main()
