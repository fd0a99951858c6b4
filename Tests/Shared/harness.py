# SPDX-License-Identifier: Apache-2.0
"""A speaker under test: the Embedded binary with a folder, a configuration, a sound card and a console of its own."""

import array
import math
import os
import signal
import socket
import struct
import subprocess
import tempfile
import time
import typing
import unittest

import audio
from build import NIGHTSTAND, compiled, kept, paced_card, preloads, reference_decoder


def contents(path):
    with open(path, "rb") as file:
        return file.read()


class Entry:
    """One line of the card's record. seconds: CLOCK_MONOTONIC, which is Python's time.monotonic()."""

    __slots__ = ("kind", "seconds", "a", "b", "data")

    def __init__(self, kind, nanoseconds, a, b, data):
        self.kind, self.seconds, self.a, self.b, self.data = kind, nanoseconds / 1e9, a, b, data


class Card:
    """A sound card paced by the clock, see paced/nspaced.c."""

    def __init__(self, folder, plugin, **options):
        self.folder, self.plugin, self.options = folder, plugin, options
        self.record_path = os.path.join(folder, "record")
        self.control_path = os.path.join(folder, "control")
        with open(self.control_path, "wb") as file:
            file.write(bytes(4096))
        os.mkfifo(self.control_path + ".wake")
        self.conf = os.path.join(folder, "asound.conf")
        self.write_conf()

    def write_conf(self):
        fields = {"record": f'"{self.record_path}"', "control": f'"{self.control_path}"', **self.options}
        fields = "\n".join(f"    {key} {value}" for key, value in fields.items() if value is not None)
        with open(self.conf, "w") as file:
            file.write(f'pcm_type.nspaced {{ lib "{self.plugin}" }}\n'
                       f"pcm.paced {{\n    type nspaced\n{fields}\n}}\n"
                       "pcm.null { type null }\n"
                       f'pcm.tofile {{ type file slave.pcm null file "{self.folder}/file.raw" format raw }}\n')

    def control(self, gone=0, suspended=0, stalled=0):
        with open(self.control_path, "r+b") as file:
            file.write(struct.pack("iii", gone, suspended, stalled))
        wake = os.open(self.control_path + ".wake", os.O_RDWR | os.O_NONBLOCK)
        os.write(wake, b"!")
        time.sleep(0.002)  # so that a reader is there before the pipe's last writer goes
        os.close(wake)

    def recorded(self):
        if not os.path.exists(self.record_path):
            return []
        data = contents(self.record_path)
        entries, at = [], 0
        while at + 32 <= len(data):
            kind, size, when, a, b = struct.unpack_from("IIqqq", data, at)
            entries.append(Entry(chr(kind), when, a, b, data[at + 32 : at + 32 + size]))
            at += 32 + size
        return entries

    def entries(self):
        entries = self.recorded()
        return entries + self.since_last(entries)

    def since_last(self, entries):
        """The samples that the card has played since the last call: it consumes only when the test looks at it. That
        changes nothing of the sound, since the writer always looks at the buffer first."""
        queue, began, fetched, rate, width = bytearray(), None, 0, 0, 0
        for entry in entries:
            if entry.kind == "H":
                rate, width = entry.a, (entry.b & 0xFF) * (entry.b >> 8)
            elif entry.kind == "R":
                queue, began, fetched = bytearray(), None, 0
            elif entry.kind == "T":
                queue[entry.a * width :] = entry.data
            elif entry.kind == "S":
                began = entry.seconds
            elif entry.kind == "A":
                fetched = entry.a + entry.b
                began = entry.seconds - entry.a / rate  # a stall moves it
            elif entry.kind in "XCGZUP":
                began = None
        if began is None:
            return []
        now = int((time.monotonic() - began) * rate)
        data = bytes(queue[fetched * width : now * width])
        return [Entry("A", (began + fetched / rate) * 1e9, fetched, len(data) // width, data)] if data else []

    def heard(self, since=0.0):
        """All that was heard since a time, one after the other."""
        heard, rate, width = [], 0, 0
        for entry in self.entries():
            if entry.kind == "H":
                rate, width = entry.a, (entry.b & 0xFF) * (entry.b >> 8)
            elif entry.kind == "A":
                heard.append(entry.data[max(0, math.ceil((since - entry.seconds) * rate)) * width :])
        return b"".join(heard)

    def count(self, kind):
        return sum(e.kind == kind for e in self.entries())

    def format(self):
        """(rate, channels, bytes of a sample) of the last opening."""
        last = [e for e in self.entries() if e.kind == "H"][-1]
        return last.a, last.b & 0xFF, last.b >> 8


class MPD:
    """A client of the console, speaking MPD's protocol."""

    class Refused(Exception):
        pass

    def __init__(self, path, timeout=10):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(timeout)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")
        self.greeting = self.file.readline().decode()

    def __call__(self, command):
        """The lines of the answer, or Refused."""
        self.send(command)
        return self.answer()

    def send(self, command):
        self.socket.sendall(command.encode() + b"\n")

    def answer(self):
        lines = []
        while True:
            line = self.file.readline()
            if not line:
                raise ConnectionError("the speaker closed the connection")
            line = line.decode("utf-8", "surrogateescape").rstrip("\n")
            if line == "OK":
                return lines
            if line.startswith("ACK "):
                raise MPD.Refused(line)
            lines.append(line)

    def fields(self, command):
        return dict(line.split(": ", 1) for line in self(command))

    def status(self):
        return self.fields("status")

    def elapsed(self):
        return float(self.status().get("elapsed", "nan"))

    def close(self):
        self.file.close()
        self.socket.close()


class Look(typing.NamedTuple):
    """The reported place, in seconds, and the times of the question and the answer: a busy host may make the question
    wait."""

    before: float
    after: float
    place: float


def until(condition, seconds=10, what="the condition"):
    """Waits until condition() is true and returns its value."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"{what() if callable(what) else what} did not come true in {seconds} s")
        time.sleep(0.01)


def remove(folder):
    """Removes a folder in which a program that the speaker had started may still be writing its last line."""
    for attempt in range(20):
        try:
            return folder.cleanup()
        except OSError:
            if attempt == 19:
                raise
            time.sleep(0.1)


class SpeakerCase(unittest.TestCase):
    """A test with a folder, a library, a card and any number of runs of the speaker over them."""

    # Chosen by runs beside a busy core: a bound in a fast class is a bound on as many times the host's own delay.
    FASTER = 4
    command = [NIGHTSTAND]

    @classmethod
    def plugin(cls):
        return paced_card()

    @classmethod
    def reference(cls):
        return [reference_decoder()]

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="nightstand-")
        self.addCleanup(remove, scratch)
        self.folder = scratch.name
        self.library = self.path("library")
        os.mkdir(self.library)
        self.card = self.make_card()
        self.process = None
        self.settings = {
            "audio": {"device": "paced", "buffer_ms": 2000, "priority": 0},
            "library": {"path": self.library},
            "state": {"path": self.path("state")},
            "console": {"socket": self.path("socket")},
        }

    def make_card(self, **options):
        # In memory where there is such a place: a card does not wait for a disk to take down what it has played.
        memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        folder = tempfile.TemporaryDirectory(prefix="nightstand-card-", dir=memory)
        self.addCleanup(folder.cleanup)
        return Card(folder.name, self.plugin(), **options)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    # The library

    def add_noise(self, name, seconds, rate=22050, *options, seed=None, channels=1):
        """An item of noise; returns what libmpg123 makes of it."""
        path = os.path.join(self.library, name)
        samples = audio.noise(seconds, rate, seed or name, channels)
        options = options or ("-b", "64")
        audio.lame(path, samples, rate, "--resample", str(rate / 1000), *options, channels=channels)
        return self.decoded(path)

    def decoded(self, path):
        def decode(raw):
            subprocess.run([*self.reference(), path, raw], check=True, stdout=subprocess.DEVNULL)

        return contents(kept(decode, self.reference(), os.stat(self.reference()[-1]).st_mtime_ns, contents(path)))

    # The process

    def write_settings(self):
        path = self.path("nightstand.conf")
        with open(path, "w") as file:
            for section, keys in self.settings.items():
                file.write(f"[{section}]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items()))
        return path

    def spawn(self, *arguments, env=None, **options):
        environment = dict(os.environ, ALSA_CONFIG_PATH=self.card.conf, LC_ALL="C.UTF-8",
                           HOME=self.folder, XDG_RUNTIME_DIR=self.folder, XDG_STATE_HOME=self.path("xdg-state"), **(env or {}))
        if env and "LD_PRELOAD" in env:
            environment["LD_PRELOAD"] = preloads(env["LD_PRELOAD"])
        options.setdefault("stdin", subprocess.DEVNULL)
        process = subprocess.Popen([*self.command, *arguments], env=environment, **options)
        self.addCleanup(self.end, process)
        return process

    def start(self, *, env=None, wait=True):
        """Starts the speaker and waits until its console answers and it has looked through the library."""
        self.log_path = self.path("log")
        with open(self.log_path, "ab") as log:
            self.process = self.spawn("--config", self.write_settings(), env=env, stdout=log, stderr=log)
        if wait:
            self.mpd = self.connect()
            until(lambda: "updating_db" not in self.mpd.status(), 20, "the library scan")
        return self.process

    def slow_disk(self, flag):
        """An environment for start(): reading from the library waits while the file flag exists."""
        return {"LD_PRELOAD": compiled("slow-disk.c", "slow-disk.so", "-shared", "-fPIC", "-ldl"),
                "SLOW_DISK_PREFIX": self.library, "SLOW_DISK_WHILE": flag}

    def connect(self):
        path = self.settings["console"]["socket"]
        deadline = time.monotonic() + 10
        while True:
            try:
                mpd = MPD(path)
                break
            except OSError:
                if self.process.poll() is not None:
                    raise AssertionError(f"the speaker ended with {self.process.returncode}: {self.log()}")
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        self.addCleanup(mpd.close)
        return mpd

    def log(self):
        return contents(self.log_path).decode(errors="replace")

    def start_bus(self):
        """Starts a D-Bus of the test's own. Returns the environment in which it is the system's."""
        address = "unix:path=" + self.path("bus")
        with open(self.path("bus.conf"), "w") as file:
            file.write('<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" '
                       '"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd"><busconfig><type>system</type>'
                       f'<listen>{address}</listen><policy context="default"><allow send_destination="*" eavesdrop="true"/>'
                       '<allow eavesdrop="true"/><allow own="*"/><allow user="*"/></policy></busconfig>')
        bus = subprocess.Popen(["dbus-daemon", "--config-file=" + self.path("bus.conf"), "--nofork"], stdin=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
        self.addCleanup(self.end, bus)
        until(lambda: os.path.exists(self.path("bus")), 10, "the bus")
        return {"DBUS_SYSTEM_BUS_ADDRESS": address}

    def end(self, process=None):
        process = process or self.process
        if process.poll() is None:
            process.send_signal(signal.SIGCONT)
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                raise AssertionError("the speaker did not end within 10 s of SIGTERM")
        for stream in (process.stdout, process.stderr, process.stdin):
            if stream:
                stream.close()
        return process.returncode

    def kill(self):
        self.process.kill()
        self.process.wait()

    def wait_playing(self, seconds=10):
        """Waits until the card plays."""
        until(lambda: self.mpd.status()["state"] == "play" and float(self.mpd.status()["elapsed"]) > 0, seconds, "playing")

    # What it tells

    def look(self):
        """The place, and between which times it was told."""
        before = time.monotonic()
        place = self.mpd.elapsed()
        return Look(before, time.monotonic(), place)

    def assert_went_on(self, first, second, more=0, within=0.05, msg=None):
        """From one look to the other the place went on by the time that passed, and by `more` seconds."""
        went = second.place - first.place - more
        self.assertGreater(went, second.before - first.after - within, msg)
        self.assertLess(went, second.after - first.before + within, msg)

    def transcript(self):
        """The answer to `transcript`; None while that is read."""
        try:
            return self.mpd("transcript")
        except MPD.Refused as refusal:
            if "is being read" in str(refusal):
                return None
            raise

    def counters(self):
        return self.mpd.fields("counters")

    # What was heard

    def find(self, heard, reference):
        """The byte place in reference of a stretch of heard, which must be found whole. A sample may be off by one: libmpg123's
        own rounding after a seek depends on where its synthesis window stood."""
        for probe in range(0, len(heard) - 127, 128):
            place = reference.find(heard[probe : probe + 128]) - probe
            if place >= -len(heard) and place + probe >= 0:
                break
        else:
            self.fail(f"{len(heard)} heard bytes are nowhere in the reference")
        self.assertGreaterEqual(place, 0)
        for i, (a, b) in enumerate(zip(samples(heard), samples(reference[place : place + len(heard)]))):
            if abs(a - b) > 1:
                self.fail(f"sample {i} of {len(heard) // 2} heard is {a}, not {b}")
        return place

    def assert_heard(self, heard, expected, fade_frames, what="heard"):
        """heard is expected, the fade at its start apart, with silence behind it."""
        skip = 2 * fade_frames
        self.assertGreaterEqual(len(heard), len(expected), f"{what}: heard too little")
        if heard[skip : len(expected)] != expected[skip:]:
            first = next(i for i in range(skip, len(expected)) if heard[i] != expected[i])
            count = sum(a != b for a, b in zip(samples(heard), samples(expected)))
            self.fail(f"{what}: differs in {count} samples from byte {first} of {len(expected)} on, "
                      f"{samples(heard[first:first + 12]).tolist()} not {samples(expected[first:first + 12]).tolist()}")
        self.assertFalse(any(heard[len(expected) :]), f"{what}: something sounds behind the end")


def samples(data):
    result = array.array("h")
    result.frombytes(data[: len(data) & ~1])
    return result


def sample(data, byte):
    return int.from_bytes(data[byte : byte + 2], "little", signed=True)


def largest_step(data):
    """The largest difference between one sample and the next."""
    values = samples(data)
    return max((abs(b - a) for a, b in zip(values, values[1:])), default=0)
