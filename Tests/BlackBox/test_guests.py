# SPDX-License-Identifier: Apache-2.0
"""The recipes of board/GUESTS.md with the real programs: shairport-sync, squeezelite, snapclient and bluealsa-aplay on the speaker's card.

A card that opens once stands in for the hardware. The test plays the other side of the network: a sender of AirPlay (PulseAudio), a server
of SlimProto, Snapcast's own server, a phone.
"""

import array
import math
import os
import re
import shlex
import shutil
import socket
import struct
import subprocess
import sys
import threading
import time
import unittest

import audio
import harness
from build import NIGHTSTAND, TOP, compiled
from harness import until

RATE = 44100
PAGE = harness.contents(os.path.join(TOP, "board", "GUESTS.md")).decode()


def recipe(heading, begins):
    """The text of the block under a heading of the page, from the line that begins so to the block's end."""
    section = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", section, re.M):
        block = re.sub("^    ", "", block, flags=re.M)
        if re.search("^" + re.escape(begins), block, re.M):
            return block[block.index(begins) :].split("\nEND\n")[0]
    raise AssertionError(f"board/GUESTS.md has no {begins} under {heading}")


def missing(*programs):
    return ", ".join(p for p in programs if not shutil.which(p))


def tone(seconds):
    return array.array("h", (int(9000 * math.sin(i * 0.06)) for i in range(int(seconds * RATE)) for _ in (0, 1)))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class GuestCase(harness.SpeakerCase):
    # The guests' programs and their servers keep the real time.
    FASTER = 1

    def setUp(self):
        super().setUp()
        self.add_noise("book.mp3", 120)
        # The guest's own record of the same card.
        self.guest = self.make_card(lock=f'"{self.path("lock")}"')
        self.card.options["lock"] = self.guest.options["lock"]
        self.card.write_conf()
        with open(self.card.conf, "a") as file:
            file.write(f'pcm.guest {{ type nspaced record "{self.guest.record_path}" lock "{self.path("lock")}" }}\n')
        # As "nightstand" on the PATH of the recipe.
        os.mkdir(self.path("bin"))
        self.program = self.script("nightstand", f'#!/bin/sh\necho "$@" >>{self.path("hooks.log")}\ncommand=$1\nshift\nexec {NIGHTSTAND} "$command" --socket '
                                   f'{shlex.quote(self.settings["console"]["socket"])} "$@"\n')
        self.start()
        self.mpd("play 0")
        self.wait_playing()

    def script(self, name, text):
        path = self.path("bin", name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, 0o755)
        return path

    def run_guest(self, *words, env=None):
        """Starts a program in a group of its own, which ends with the test."""
        with open(self.path(os.path.basename(words[0]) + ".log"), "ab") as log:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                                       env={**os.environ, "ALSA_CONFIG_PATH": self.card.conf, "HOME": self.folder,
                                            "XDG_RUNTIME_DIR": self.folder, "PATH": self.path("bin") + ":" + os.environ["PATH"],
                                            **(env or {})})

        def end():
            try:
                os.killpg(process.pid, 15)
            except ProcessLookupError:
                pass
            process.wait(10)

        self.addCleanup(end)
        return process

    def said(self):
        """The messages of the guest's programs, for a test that failed."""
        logs = (self.path(name) for name in os.listdir(self.folder) if name.endswith(".log"))
        return "\n".join(path + ":\n" + harness.contents(path).decode(errors="replace")[-3000:] for path in logs)

    def sounding(self, card):
        """The stretches of time in which there was sound other than silence."""
        result, rate, width = [], 0, 0
        for entry in card.entries():
            if entry.kind == "H":
                rate, width = entry.a, (entry.b & 0xFF) * (entry.b >> 8)
            elif entry.kind == "A" and any(entry.data):
                first = next(i for i, byte in enumerate(entry.data) if byte) // width
                last = len(entry.data.rstrip(b"\0")) // width
                result.append((entry.seconds + first / rate, entry.seconds + last / rate))
        return result

    def assert_guest_came_and_went(self, begin, heard_seconds):
        """begin: has the guest start. The book pauses, the guest is heard, and the book goes on at its place."""
        self.assertFalse(self.sounding(self.guest))
        begin()
        until(lambda: self.mpd.status()["state"] == "pause", 15, lambda: "the pause " + self.said())
        place, paused = self.mpd.elapsed(), time.monotonic()
        until(lambda: self.card.recorded()[-1].kind == "C", 1, lambda: "the card let go of: " + self.card.recorded()[-1].kind)
        until(lambda: self.sounding(self.guest), 15, lambda: "the guest's sound " + self.said())
        self.assertAlmostEqual(self.mpd.elapsed(), place, delta=0.05)
        until(lambda: self.mpd.status()["state"] == "play", heard_seconds + 25, "the end of the guest")
        self.wait_playing(20)
        until(lambda: self.sounding(self.card)[-1][0] > paused + 0.5, 10, "the book")
        self.assertLess(abs(self.mpd.elapsed() - place), 10)
        guest, book = self.sounding(self.guest), self.sounding(self.card)
        heard = sum(end - start for start, end in guest)
        self.assertGreater(heard, heard_seconds * 0.7)
        # Of the book, nothing from the guest's first sound to its last.
        between = [s for s in book if s[1] > guest[0][0] and s[0] < guest[-1][1]]
        self.assertFalse(between, "two sounds at once")
        resumed = min(start for start, _ in book if start > guest[0][0])
        spent = sum(end - start for start, end in book if end < resumed)
        self.assertGreater(self.mpd.elapsed(), min(place, spent) - 0.1)


class SlimServer(threading.Thread):
    """The side of a Logitech Media Server that sends one stream of PCM to one player."""

    def __init__(self, seconds):
        super().__init__(daemon=True)
        self.seconds, self.go = seconds, threading.Event()
        self.hello = threading.Event()
        self.control, self.web = socket.socket(), socket.socket()
        for listener in (self.control, self.web):
            listener.bind(("127.0.0.1", 0))
            listener.listen(1)
        self.port = self.control.getsockname()[1]
        self.open = [self.control, self.web]
        self.start()

    def read(self, player):
        """Drains what the player tells, so that it never waits."""
        with player.makefile("rb") as file:
            while len(head := file.read(8)) == 8:
                file.read(struct.unpack(">I", head[4:])[0])
                self.hello.set()

    def run(self):
        player, _ = self.control.accept()
        self.open.append(player)
        threading.Thread(target=self.read, args=(player,), daemon=True).start()
        self.go.wait(60)
        def send(operation, body):
            player.sendall(struct.pack(">H", len(body) + 4) + operation + body)

        # audg: full volume, in 1/65536.
        send(b"audg", struct.pack(">IIBBII", 128, 128, 1, 255, 0x10000, 0x10000))
        # strm s: start by itself once 1 KB is there; PCM of 16 bits, 44.1 kHz, two channels, little-endian.
        body = b"s1p1321" + struct.pack(">BBBcBBBIHI", 1, 0, 0, b"0", 0, 0, 0, 0x10000, self.web.getsockname()[1], 0x7F000001)
        send(b"strm", body + b"GET /stream HTTP/1.0\r\n\r\n")
        stream, _ = self.web.accept()
        with stream:
            stream.recv(1000)
            stream.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + tone(self.seconds).tobytes())

    def close(self):
        self.go.set()
        for one in self.open:
            one.close()


class Guests(GuestCase):
    @unittest.skipIf(missing("squeezelite"), "needs squeezelite")
    def test_squeezelite(self):
        server = SlimServer(4)
        self.addCleanup(server.close)
        text = recipe("Squeezebox: squeezelite", "#!/bin/sh")
        for old, new in ("-o hw:0", f"-o guest -s 127.0.0.1:{server.port} -m 02:00:00:00:00:01"), ("-C 5", "-C 2"):
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.run_guest(self.script("squeezelite-guest", text))
        self.assertTrue(server.hello.wait(10))
        self.assert_guest_came_and_went(server.go.set, 4)

    @unittest.skipIf(missing("snapclient", "snapserver"), "needs snapclient and snapserver")
    def test_snapclient(self):
        stream, control = free_port(), free_port()
        os.mkdir(self.path("snapserver"))
        with open(self.path("snapserver.conf"), "w") as file:
            file.write(f"[server]\ndatadir = {self.path('snapserver')}\n[http]\nenabled = false\n"
                       f"[tcp]\nbind_to_address = 127.0.0.1\nport = {control}\n[logging]\nsink = stderr\n"
                       f"[stream]\nbind_to_address = 127.0.0.1\nport = {stream}\n"
                       f"source = pipe://{self.path('pipe')}?name=default&sampleformat={RATE}:16:2&codec=pcm\n")
        self.run_guest("snapserver", "-c", self.path("snapserver.conf"))

        def answers():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", control)) == 0

        until(answers, 10, "snapserver")
        text = recipe("Snapcast: snapclient", "#!/bin/bash")
        for old, new in (("server=snapserver.local", "server=127.0.0.1"), ("/1705", f"/{control}"),
                         ('-h "$server" -s hw:0', f'-h "$server" -p {stream} -s guest')):
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.run_guest(self.script("snapclient-guest", text))

        def feed():
            with open(self.path("pipe"), "wb") as pipe:
                pipe.write(tone(4).tobytes())

        self.assert_guest_came_and_went(threading.Thread(target=feed, daemon=True).start, 4)

    @unittest.skipIf(missing("bluealsa-aplay", "gdbus", "dbus-daemon"), "needs bluez-alsa-utils, libglib2.0-bin and dbus-daemon")
    def test_bluealsa_aplay(self):
        env = self.start_bus()
        phone = subprocess.Popen([sys.executable, os.path.join(os.path.dirname(__file__), "fake-phone.py"), "4"], text=True,
                                 stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, **env})
        self.addCleanup(self.end, phone)
        if phone.stdout.readline() != "ready\n":
            self.skipTest("needs python3-dbus and python3-gi")
        text = recipe("Bluetooth: bluealsa-aplay, a phone that plays here", "#!/bin/sh")
        self.assertIn("--pcm=hw:0", text)
        self.run_guest(self.script("bluealsa-aplay-guest", text.replace("hw:0", "guest")), env=env)
        # Both of its programs are on the bus.
        self.assertEqual(subprocess.run(["gdbus", "wait", "--system", "--timeout", "10", "org.bluez"], env={**os.environ, **env}).returncode, 0)

        def play():
            time.sleep(1)
            phone.stdin.write("play\n")
            phone.stdin.flush()

        self.assert_guest_came_and_went(play, 4)

    @unittest.skipIf(missing("shairport-sync", "pulseaudio", "pacat"), "needs shairport-sync, pulseaudio, pulseaudio-module-raop")
    def test_shairport_sync(self):
        port = free_port()
        text = recipe("AirPlay: shairport-sync", "sessioncontrol = {")
        for old, new in ("/usr/bin/nightstand", self.program), ('"hw:0"', '"guest"'):
            self.assertIn(old, text)
            text = text.replace(old, new)
        with open(self.path("shairport-sync.conf"), "w") as file:
            file.write(f'general = {{ name = "bedside"; port = {port}; udp_port_base = {20000 + port % 20000}; }};\n'
                       'diagnostics = { log_output_to = "stderr"; };\n' + text)
        self.run_guest("shairport-sync", "-c", self.path("shairport-sync.conf"),
                       env={"LD_PRELOAD": compiled("no-avahi.c", "no-avahi.so", "-shared", "-fPIC")})
        server = self.path("pulse.socket")
        self.run_guest("pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes",
                       "-L", f"module-native-protocol-unix socket={server} auth-anonymous=1",
                       "-L", f"module-raop-sink server=[127.0.0.1]:{port} protocol=UDP encryption=none codec=ALAC",
                       "-L", "module-suspend-on-idle timeout=1")
        until(lambda: os.path.exists(server), 10, "PulseAudio")
        with open(self.path("tone.raw"), "wb") as file:
            file.write(tone(4).tobytes())
        self.assert_guest_came_and_went(
            lambda: self.run_guest("pacat", "--raw", "--rate=44100", "--channels=2", self.path("tone.raw"),
                                   env={"PULSE_SERVER": server}), 4)


del GuestCase

if __name__ == "__main__":
    unittest.main()
