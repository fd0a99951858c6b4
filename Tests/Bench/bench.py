# SPDX-License-Identifier: Apache-2.0
"""Measures what the shipped binary costs and how soon it answers. See board/bench."""

import array
import contextlib
import itertools
import os
import random
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
import audio
import formats
import household
import large_library
import screen
import streams
from build import NIGHTSTAND, compiled, reference_decoder
from harness import MPD, SpeakerCase, contents, samples, until

CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "nightstand")
RATE = 22050
LARGE = 50_000
rows = []


def row(figure, bar, measured, good, note=""):
    rows.append((figure, bar, measured, "ok" if good else "MISSED", note))
    print(f"  {figure}: {measured}", file=sys.stderr, flush=True)


def million(count):
    return f"{count / 1e6:.2f} M"


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


# valgrind counts `rep movsb` by the byte: copying and clearing are done in vectors instead.
NEVER = 1_000_000_000
VECTORS = {"GLIBC_TUNABLES": f"glibc.cpu.x86_rep_movsb_threshold={NEVER}:glibc.cpu.x86_rep_stosb_threshold={NEVER}"}


def instructions(*command, env=os.environ, stdin=subprocess.DEVNULL):
    """User instructions of a command, all its threads."""
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command], env=dict(env, **VECTORS),
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=stdin, text=True, timeout=1200)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if not found:
        raise SystemExit(f"bench: {' '.join(command)} counted nothing: {done.stderr}")
    return int(found.group(1))


def speech():
    """The story as one stretch of samples."""
    data = b""
    folder = os.path.join(TOP, "board", "media")
    with tempfile.TemporaryDirectory() as scratch:
        for name in sorted(os.listdir(folder)):
            if name.endswith(".mp3"):
                raw = os.path.join(scratch, "raw")
                subprocess.run([reference_decoder(), os.path.join(folder, name), raw], check=True, stdout=subprocess.DEVNULL)
                data += contents(raw)
    return samples(data)


def cached(name, make):
    os.makedirs(CACHE, exist_ok=True)
    path = os.path.join(CACHE, name)
    if not os.path.exists(path):
        make(path + ".new")
        os.rename(path + ".new", path)
    return path


def long_file(path):
    audio.lame(path, speech(), RATE, "-V", "4", "-m", "m", "--resample", "22.05")


def ten_hours(path):
    """Ten hours of variable bit rate without Xing header, of about 290 MB. The same stretch again and again: its first frame
    takes nothing from the bit reservoir, so it may follow anything."""
    block = path + ".block"
    audio.lame(block, speech(), RATE, "-V", "0", "-t", "-m", "m", "-b", "48", "--resample", "22.05")
    data = contents(block)
    os.unlink(block)
    assert data[4] == 0, "the first frame of a block needs bits of the one before"  # main_data_begin of MPEG 2
    # 16-bit words, so that every block ends with a whole frame
    seconds = len(samples_of(data)) / RATE
    with open(path, "wb") as file:
        for _ in range(round(36_000 / seconds)):
            file.write(data)


def samples_of(data):
    with tempfile.TemporaryDirectory() as scratch:
        with open(f"{scratch}/a.mp3", "wb") as file:
            file.write(data)
        subprocess.run([reference_decoder(), f"{scratch}/a.mp3", f"{scratch}/raw"], check=True, stdout=subprocess.DEVNULL)
        return samples(contents(f"{scratch}/raw"))


class Bench(SpeakerCase):
    """Not a test: a speaker to measure."""

    def alone(self, *files, **card):
        """A library of these files."""
        for path in files:
            os.symlink(path, os.path.join(self.library, os.path.basename(path)))
        self.card = self.make_card(**card)

    def switches(self):
        """Voluntary context switches, all threads: each is a wait that ended in a wake-up."""
        total = 0
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            status = open(f"/proc/{self.process.pid}/task/{task}/status").read()
            total += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", status, re.M).group(1))
        return total

    def scan(self):
        """Starts the speaker and waits until it has looked through a large library."""
        self.start(wait=False)
        self.mpd = self.connect()
        self.mpd.socket.settimeout(600)
        until(lambda: "updating_db" not in self.mpd.status(), 1200, "the library scan")

    def counted_scan(self):
        """Instructions from exec to the end of a scan, all threads."""
        counts = self.path("counts")
        self.command = ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={counts}", NIGHTSTAND]
        self.start(env=VECTORS, wait=False)
        deadline = time.monotonic() + 60
        while not os.path.exists(self.settings["console"]["socket"]) and time.monotonic() < deadline:
            time.sleep(0.1)
        self.mpd = self.connect()
        self.mpd.socket.settimeout(600)
        until(lambda: self.is_scanned(), 3000, "the library scan")
        self.mpd.close()
        self.end()
        with open(counts) as file:
            return sum(int(line.split()[1]) for line in file if line.startswith("totals:"))

    def is_scanned(self):
        # A question costs, too: seldom asked.
        time.sleep(2)
        return "updating_db" not in self.mpd.status()

    def settled_pss(self):
        """Some seconds after everything has come to rest, which gives back what only starting and scanning took."""
        self.mpd.close()
        looks = []
        for _ in range(5):
            time.sleep(2)
            looks.append(self.pss())
        return min(looks)

    def pss(self):
        return int(re.search(r"^Pss:\s+(\d+) kB", open(f"/proc/{self.process.pid}/smaps_rollup").read(), re.M).group(1))


def with_speaker(measure):
    bench = Bench()
    bench.setUp()
    try:
        measure(bench)
    finally:
        bench.doCleanups()


def decode():
    path = cached("long.mp3", long_file)
    reference, ours = instructions(reference_decoder(), path), instructions(NIGHTSTAND, "decode", path)
    row("instructions of nightstand decode over bare libmpg123", "≤ 1.05", f"{ours / reference:.3f}", ours / reference <= 1.05,
        f"{million(ours)} over {million(reference)}")


def speed():
    """The cost of playing a second of speech (44.1 kHz, mono) faster or slower, beside libsonic."""
    seconds, rate = 30, 2 * RATE
    half = speech()[:seconds * RATE]
    # Between two samples stands their mean.
    whole = array.array("h", (sample for a, b in zip(half, half[1:] + half[-1:]) for sample in (a, (a + b) // 2)))
    sonic = compiled("sonic-speed.c", "sonic-speed", "-lsonic")
    with tempfile.TemporaryDirectory() as scratch:
        wav, raw = os.path.join(scratch, "speech.wav"), os.path.join(scratch, "speech.raw")
        audio.write_wav(wav, whole, rate)
        with open(raw, "wb") as file:
            whole.tofile(file)

        def ours(value):
            return instructions(NIGHTSTAND, "decode", "--speed", value, wav)

        def theirs(value):
            with open(raw, "rb") as file:
                return instructions(sonic, str(rate), value, stdin=file)

        plain = ours("1")
        took = {value: ours(value) - plain for value in ("0.5", "0.75", "1.05", "1.5", "2", "2.5", "3")}
        beside = theirs("1.5") - theirs("1")
    row("speed 1.5 over libsonic, instructions", "≤ 0.50", f"{took['1.5'] / beside:.2f}", took["1.5"] <= 0.5 * beside,
        f"{million(took['1.5'])} over {million(beside)} for {seconds} s")
    most = max(took, key=took.get)
    row("any speed, instructions a source second", "≤ 10 M", million(took[most] / seconds), took[most] <= 10e6 * seconds,
        f"at {most}; " + ", ".join(f"{value}: {million(count / seconds)}" for value, count in took.items()))


def silences():
    """The cost of looking for silences and shortening them."""
    seconds = 30
    with tempfile.TemporaryDirectory() as scratch:
        wav = os.path.join(scratch, "speech.wav")
        audio.write_wav(wav, speech()[:seconds * RATE], RATE)
        plain = instructions(NIGHTSTAND, "decode", wav)
        took = instructions(NIGHTSTAND, "decode", "--silences", "shorter", wav) - plain
    row("shorter silences, instructions a source second", "≤ 10 M", million(took / seconds), took <= 10e6 * seconds, "22,050 Hz, mono")


def decode_others():
    with tempfile.TemporaryDirectory() as scratch:
        formats.decoding(scratch, instructions, NIGHTSTAND, row)


def play_others():
    formats.first_sound(with_speaker, first_sound, row)


def places():
    with tempfile.TemporaryDirectory() as scratch:
        formats.places(scratch, NIGHTSTAND, row)


def book(bench):
    formats.resume(bench, cached("ten-hours.m4b", formats.ten_hours), first_sound, row)


def stream():
    with_speaker(lambda bench: streams.first_sound(bench, row, million, VECTORS))
    with_speaker(lambda bench: streams.memory(bench, row))
    with_speaker(lambda bench: streams.asked_twice(bench, row))
    with_speaker(lambda bench: streams.segments(bench, row, million, VECTORS))


def size():
    bytes_ = os.path.getsize(NIGHTSTAND)
    row("stripped binary", "≤ 1,250 KB", f"{bytes_ / 1024:.0f} KB", bytes_ <= 1250 * 1024)


def everything(bench):
    """A speaker with all configured: LCD, serial console, socket, database; the story with its transcripts."""
    import pty
    import threading
    import tty
    folder = os.path.join(TOP, "board", "media")
    bench.alone(*(os.path.join(folder, name) for name in sorted(os.listdir(folder))), record=None, control=None)
    master, slave = pty.openpty()
    tty.setraw(slave)
    lcd = bench.path("lcd")
    os.mkfifo(lcd)
    glass = os.open(lcd, os.O_RDWR)
    threading.Thread(target=lambda: [None for _ in iter(lambda: os.read(glass, 4096), b"")], daemon=True).start()
    bench.settings["lcd"] = {"device": lcd}
    bench.settings["console"]["serial"] = os.ttyname(slave)
    bench.settings["audio"]["priority"] = 50
    if os.path.exists("/dev/gpiochip0"):
        bench.settings["buttons"] = {"play": "gpiochip0:0", "back": "gpiochip0:1", "forward": "gpiochip0:2"}


def playing(bench):
    """PSS and wake-ups with everything configured."""
    everything(bench)
    bench.start()
    bench.mpd("play")
    bench.wait_playing()
    bench.mpd.close()
    time.sleep(6)
    before, began = bench.switches(), time.monotonic()
    time.sleep(30)
    wakes = (bench.switches() - before) / (time.monotonic() - began)
    # For some milliseconds of each save SQLite's code is there, too.
    looks = []
    for _ in range(11):
        looks.append(bench.pss())
        time.sleep(0.7)
    pss = statistics.median(looks)
    note = f"{min(looks) / 1024:.2f} to {max(looks) / 1024:.2f} in {len(looks)} looks"
    row("PSS while playing with LCD, consoles, SQLite", "≤ 2.53 MB", f"{pss / 1024:.2f} MB", pss <= 2.53 * 1024,
        note if "buttons" in bench.settings else note + "; no GPIO here: libgpiod loaded, no line open")
    row("wake-ups a second while playing, all threads", "≤ 4.0", f"{wakes:.1f}", wakes < 4.05)


def second(bench):
    """The cost of playing beyond decoding: the transcript, the LCD, saving, and all else that a speaker does
    meanwhile."""
    everything(bench)
    counts = bench.path("counts")
    bench.command = ["valgrind", "-q", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={counts}", NIGHTSTAND]
    bench.start(env=VECTORS, wait=False)

    def connected():
        # The file is there a moment before the process listens at it.
        with contextlib.suppress(OSError):
            return MPD(bench.settings["console"]["socket"], 600)

    client = until(connected, 120, "the console")
    until(lambda: "updating_db" not in client.status(), 120, "the library scan")
    client("play 0")

    def elapsed():
        return float(client.status().get("elapsed", 0))

    def control(*arguments):
        subprocess.run(["callgrind_control", *arguments, str(bench.process.pid)], check=True, stdout=subprocess.DEVNULL, timeout=60)

    until(lambda: elapsed() > 6, 60, "the first seconds")
    control("-i", "on")
    began = elapsed()
    time.sleep(24)
    ended = elapsed()
    control("-i", "off")
    control("-d")
    until(lambda: os.path.exists(counts + ".1") and "totals:" in open(counts + ".1").read(), 30, "the figures")
    spent = int(re.search(r"^totals: (\d+)", open(counts + ".1").read(), re.M).group(1)) / (ended - began)
    first = client.fields("playlistinfo 0")
    path = os.path.join(bench.library, first["file"])
    bare = instructions(reference_decoder(), path) / float(first["duration"])
    client.close()
    bench.kill()
    row("a second of playing with everything, instructions over bare libmpg123", "≤ 1.05", f"{spent / bare:.3f}", spent <= 1.05 * bare,
        f"{million(spent)} over {million(bare)}, {ended - began:.1f} s of 22,050 Hz, mono")


def start(bench):
    bench.alone(os.path.join(TOP, "board", "media", sorted(os.listdir(os.path.join(TOP, "board", "media")))[0]))
    bench.start()
    bench.mpd("play")
    bench.wait_playing()
    bench.end()
    count = first_sound(bench)[0]
    row("instructions from exec to the first PCM written", "≤ 10 M", million(count), count <= 10e6)


def first_sound(bench, before=lambda: None):
    """Starts a speaker that was playing when it was stopped: (instructions to the first PCM, bytes read until then, that PCM).
    Twice; `before` each."""
    before()
    config = bench.write_settings()
    bench.card = bench.make_card(last=1)
    # As under a service manager: the pending writes of a killed speaker are on the disk.
    environment = dict(os.environ, ALSA_CONFIG_PATH=bench.card.conf, RUNTIME_DIRECTORY=bench.folder)
    subprocess.run([NIGHTSTAND, "--config", config], env=environment, stderr=subprocess.DEVNULL, timeout=120)
    entries = bench.card.entries()
    read = int(re.search(rb"rchar: (\d+)", [e.data for e in entries if e.kind == "I"][0]).group(1))
    first = [e.data for e in entries if e.kind == "T"][0]
    before()
    return instructions(NIGHTSTAND, "--config", config, env=environment), read, first


def resume(bench):
    path = cached("ten-hours.mp3", ten_hours)
    bench.alone(path)
    began = time.monotonic()
    bench.start()

    def duration():
        return float(bench.mpd.fields("playlistinfo 0").get("duration", 0))

    until(lambda: duration() > 35_000, 300, "the duration of the 10-hour file")
    known = time.monotonic() - began
    bench.mpd("play 0")
    place = 9 * 3600 + 59 * 60
    bench.mpd(f"seekcur {place}")
    until(lambda: bench.mpd.elapsed() > place + 0.2, 60, "playing there")
    time.sleep(0.5)
    bench.end()
    count, read, _ = first_sound(bench)
    row("resume at 9 h 59 min of 10 h of VBR without Xing header: instructions to the first PCM", "≤ 25 M", million(count),
        count <= 25e6, f"true duration known after {known:.1f} s the first time")
    row("the same: bytes read", "≤ 2 MB", f"{read / 1e6:.2f} MB", read <= 2e6, f"file of {os.path.getsize(path) / 1e6:.0f} MB")
    # And the place is right: the heard frames are those that libmpg123 decodes there from the start.
    bench.card = bench.make_card()
    bench.start()
    until(lambda: len(bench.card.heard()) > 2 * RATE, 20, "a second of sound")
    elapsed, played = bench.mpd.elapsed(), bench.card.heard()
    bench.end()
    elapsed, heard = elapsed - len(played) / 2 / RATE + 1, samples(played[4000:12000])
    start_sample = int((elapsed - 4) * RATE)
    raw = bench.path("raw")
    subprocess.run(["timeout", "60", reference_decoder(), path, raw, str(start_sample)], stdout=subprocess.DEVNULL)
    reference = contents(raw)
    at = reference.find(heard.tobytes()[:256])
    off = None if at < 0 else (start_sample + at // 2 - 2000) / RATE - (elapsed - 1)
    row("the same: heard where it says it is", "± 0.1 s", "nowhere" if off is None else f"{off:+.3f} s", off is not None and abs(off) < 0.1)


def latency(cut):
    def measure(bench):
        path = cached("long.mp3", long_file)
        reference = samples(decoded(path)).tobytes()
        bench.alone(path, **({"fetch": 64} if cut == "rewind" else {}))
        bench.settings["audio"].update(cut=cut, priority=50)
        bench.start()
        bench.mpd("play 0")
        bench.wait_playing()
        bench.mpd("seekcur 10")
        pauses, skips = [], []
        for n in range(100):
            time.sleep(0.05 + n % 7 * 0.01)
            pressed = time.monotonic()
            bench.mpd("pause 1")
            time.sleep(0.08)
            last = 0.0
            for entry in bench.card.entries()[-400:]:
                if entry.kind == "A" and entry.seconds + len(entry.data) / 2 / RATE > pressed and any(entry.data):
                    loud = max(i for i, s in enumerate(samples(entry.data)) if s)
                    last = max(last, entry.seconds + loud / RATE - pressed)
            pauses.append(last)
            bench.mpd("pause 0")
            time.sleep(0.03)
        for n in range(100):
            time.sleep(0.04 + n % 7 * 0.01)
            target = 20 + (n * 37 % 180) + 0.123
            pressed = time.monotonic()
            bench.mpd(f"seekcur {target}")
            time.sleep(0.1)
            place = round(target * RATE) * 2
            near = reference[place : place + 2 * RATE]
            first = [e.seconds for e in bench.card.entries()[-400:] if e.kind == "T" and e.seconds > pressed
                     and near.find(e.data[-128:]) >= 0]
            skips.append(first[0] - pressed if first else 9.0)
        for name, values, bar in (("pause pressed → last non-silent frame heard", pauses, 30),
                                  ("skip pressed → first frame of the new place handed to ALSA", skips, 60)):
            p99 = percentile(values, 0.99) * 1000
            row(f"{name}, p99, {cut}", f"≤ {bar} ms", f"{p99:.1f} ms", p99 <= bar, f"p50 {percentile(values, 0.5) * 1000:.1f} ms")
        entries = bench.card.entries()
        if any(e.kind == "U" for e in entries):
            row("underruns meanwhile", "0", str(sum(e.kind == "U" for e in entries)), False)

    return measure


def longest_turn(bench, begin, turns, seconds=600, is_done=lambda: True, is_ready=lambda: True):
    """The instructions that the control thread of a running speaker spends between two looks at what has happened: once is_ready(), from
    begin() on, for so many turns of its loop, and until is_done()."""
    counts = bench.path("counts")
    bench.command = ["valgrind", "-q", "--tool=callgrind", "--instr-atstart=no", "--combine-dumps=yes", "--dump-before=epoll_wait",
                     "--separate-threads=yes", f"--callgrind-out-file={counts}", NIGHTSTAND]
    bench.start(env=VECTORS)
    until(is_ready, seconds, "a speaker that has begun")
    subprocess.run(["callgrind_control", "-i", "on", str(bench.process.pid)], check=True, stdout=subprocess.DEVNULL, timeout=60)
    clients = begin()

    def looked():
        with open(counts) as file:
            figures = [line.split()[1] for line in file if line.startswith(("thread:", "totals:"))]
        return [int(total) for thread, total in zip(figures[::2], figures[1::2]) if thread == "1"]

    until(lambda: is_done() and os.path.exists(counts) and len(looked()) >= turns, seconds, "so many turns")
    found = looked()
    for client in clients:
        client.close()
    bench.kill()
    return found


def listing(bench):
    """20 clients ask for all of a library of 50,000, each in another way."""
    large_library.make(bench.library, LARGE)
    bench.scan()
    bench.end()

    def ask():
        clients = [MPD(bench.settings["console"]["socket"], 600) for _ in range(20)]
        for number, client in enumerate(clients):
            client.socket.sendall([
                b"playlistinfo\n", b"listallinfo\n", b"listall\n", b"search any lamp\n", b"find base \"shelf 123\"\n",
                b"list title\n", b"count any lamp\n", b"search title CHAPTER sort -Title\n", b"plchangesposid 0\n",
                b"command_list_begin\n" + b"playlistinfo\n" * 8000 + b"command_list_end\n"][number % 10])
            threading.Thread(target=drain, args=(client,), daemon=True).start()
        return clients

    def drain(client):
        try:
            while client.socket.recv(1 << 20):
                pass
        except OSError:
            pass

    counts = longest_turn(bench, ask, 1000)
    most = max(counts)
    row("20 clients list 50,000 items: longest without a look at the buttons, instructions", "≤ 20 M", million(most), most <= 20e6,
        f"{len(counts)} turns, {million(sum(counts) / len(counts))} on average")


def queue(bench):
    """The edits of all of a queue of 50,000. Each goes on with the queue that the one before left."""
    large_library.make(bench.library, LARGE)
    bench.scan()
    bench.end()
    for name, *commands in [("first edit", "swap 0 1"), ("random, prio", "random 1", "prio 5 0:40000", "prio 0 0:30000"),
                            ("shuffle", "shuffle"), ("clear", "clear")]:

        def ask():
            client = MPD(bench.settings["console"]["socket"], 600)
            threading.Thread(target=edit, args=(client,), daemon=True).start()
            return [client]

        def edit(client):
            try:
                for command in commands:
                    client(command)
                while True:
                    # Slowly: the speaker writes rows on while it is idle.
                    time.sleep(0.03)
                    client("ping")
            except (OSError, ValueError):
                pass

        counts = longest_turn(bench, ask, 125)
        row(f"{name} in a queue of 50,000: longest turn, instructions", "≤ 20 M", million(max(counts)), max(counts) <= 20e6,
            f"{million(sum(counts))} in all")


def menu(bench):
    """The menu's longest list, gone through as by a button that is held: from its beginning to its end."""
    large_library.make(bench.library, LARGE)
    bench.scan()
    bench.end()
    database = sqlite3.connect(os.path.join(bench.settings["state"]["path"], "nightstand.db"))
    with database:
        database.execute("""INSERT OR IGNORE INTO fact(kind, key, value, time, device, name, content)
            SELECT 'favourite', printf('%016x-%d', hash, audioBytes), '{"added":0}', 0, 0, '', id FROM content""")
    database.close()
    places = []

    def ask():
        client = MPD(bench.settings["console"]["socket"], 600)
        threading.Thread(target=go, args=(client,), daemon=True).start()
        return [client]

    def go(client):
        try:
            client("menu open")
            while client.fields("menu next")["entry"] != "Favorites":
                pass
            client("menu choose")
            while True:
                time.sleep(0.15)
                places.append(int(client.fields("menu next")["place"]))
        except (OSError, ValueError, KeyError):
            pass

    # The look through the folder at the start has turns of its own.
    counts = longest_turn(bench, ask, 400, is_ready=lambda: "updating_db" not in MPD(bench.settings["console"]["socket"], 600).fields("status"))
    row("a step in a list of 50,000 of the menu: longest turn, instructions", "≤ 2 M", million(max(counts)), max(counts) <= 2e6,
        f"{len(places)} steps, up to the {max(places):,}th entry, the opening included; the longest {', '.join(million(count) for count in sorted(counts)[-6:])}")


def of_a_household():
    benches = []

    def another():
        benches.append(Bench())
        benches[-1].setUp()
        return benches[-1]

    try:
        household.at_rest(another, row)
    finally:
        for bench in benches:
            bench.doCleanups()
    with_speaker(lambda bench: household.turns(bench, longest_turn, row, million))


def scan(bench):
    """The cost of looking through a large library: first, and again with nothing changed; and its effect on memory."""
    new = 1000
    large_library.make(bench.library, LARGE)
    bench.scan()
    large = bench.settled_pss()
    bench.end()
    again = bench.counted_scan()
    large_library.make(bench.library, new, first=LARGE)
    first = bench.counted_scan()
    small = Bench()
    small.setUp()
    try:
        large_library.make(small.library, 3)
        small.start()
        pss = small.settled_pss()
        small.end()
        none = small.counted_scan()
    finally:
        small.doCleanups()
    each = (first - again) / new
    row("a scan that finds new files among 50,000: instructions for each", "≤ 2 M", million(each), each <= 2e6)
    each = (again - none) / LARGE
    row("rescan of 50,000 files with nothing changed: instructions for each", "≤ 60,000", f"{each:,.0f}", each <= 60_000)
    growth = large - pss
    row("PSS with 50,000 items over that with 3", "≤ 3 MB", f"{growth / 1024:.2f} MB", growth <= 3 * 1024,
        f"{large / 1024:.2f} MB, the queue is the whole library")


def sentences(seed=7):
    """Sentences of words of a vocabulary, the first ones by far the most frequent, without end; and the vocabulary."""
    random_ = random.Random(seed)
    letters = "eeeeeeeeeeeetttttttttaaaaaaaaooooooooiiiiiiinnnnnnnsssssshhhhhhrrrrrrddddllllcccuuummmwwffggyyppbbvk"
    words = {}
    while len(words) < 40_000:
        length = min(14, 2 + int(abs(random_.gauss(0, 1)) * 1.2 + len(words) ** 0.17))
        words["".join(random_.choice(letters) for _ in range(length))] = None
    words = list(words)
    sums = list(itertools.accumulate(1 / (rank + 2.7) for rank in range(len(words))))

    def endless():
        while True:
            yield " ".join(random_.choices(words, cum_weights=sums, k=max(2, int(random_.gauss(11, 4))))).capitalize() + "."

    return endless(), words


def query(bench):
    """Words in 1,000 hours of transcript: 600,000 sentences."""
    texts, words = sentences()
    noise = cached("second.mp3", lambda path: audio.lame(path, audio.noise(1, 22050, 1), 22050, "-b", "32"))
    begin, said = contents(noise)[:-8], 0
    for item in range(1000):
        folder = f"{bench.library}/book {item // 50:02}"
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/{item:04}.mp3", "wb") as file:
            file.write(begin + item.to_bytes(8, "big"))
        with open(f"{folder}/{item:04}.lrc", "w") as file:
            for number in range(600):
                text = next(texts)
                said += len(text)
                file.write(f"[{number // 10:02}:{number % 10 * 6:02}.00]{text}\n")
    bench.start()
    until(lambda: bench.mpd(f"count \"(said '{words[0][0]}*')\"")[0] == "songs: 1000", 1800, "all to be taken in")
    bench.end()
    kept = os.path.getsize(bench.path("state", "spoken.db"))
    row("index and sentences of 1,000 hours, bytes for each of text", "≤ 3.2", f"{kept / said:.2f}", kept <= 3.2 * said)
    bench.start()
    client = MPD(bench.settings["console"]["socket"], 60)
    until(lambda: "updating: 1" not in client("say " + words[0]), 600, "the index to be looked through")
    questions = {
        "a frequent word": words[0], "a rare word": words[30_000], "a beginning of one letter": words[0][:1] + "*",
        "a beginning of three letters": words[50][:3] + "*", "two words": f"{words[0]} {words[300]}",
        "a phrase": f'"{words[0]} {words[3]}"',
    }
    for what, asked in questions.items():
        client("say " + asked)
        began = time.perf_counter()
        client("say " + asked)
        spent = 1000 * (time.perf_counter() - began)
        row(f"{what} in 1,000 hours: first ten sentences, milliseconds", "≤ 20", f"{spent:.1f}", spent <= 20)
    client.close()
    bench.kill()


def decoded(path):
    with tempfile.TemporaryDirectory() as scratch:
        raw = os.path.join(scratch, "raw")
        subprocess.run([reference_decoder(), path, raw], check=True, stdout=subprocess.DEVNULL)
        return contents(raw)


def main(wanted):
    measures = {
        "size": size, "decode": decode, "speed": speed, "playing": lambda: with_speaker(playing), "second": lambda: with_speaker(second), "start": lambda: with_speaker(start),
        "resume": lambda: with_speaker(resume), "listing": lambda: with_speaker(listing), "query": lambda: with_speaker(query), "queue": lambda: with_speaker(queue), "menu": lambda: with_speaker(menu), "scan": lambda: with_speaker(scan), "drop": lambda: with_speaker(latency("drop")),
        "rewind": lambda: with_speaker(latency("rewind")), "formats": decode_others, "others": play_others, "places": places, "silences": silences,
        "streams": stream, "household": of_a_household, "book": lambda: with_speaker(book),
        **{f"screen-{part}": lambda part=part: screen.measure(with_speaker, row, million, VECTORS, [part])
           for part in screen.PARTS},
        "screen": lambda: screen.measure(with_speaker, row, million, VECTORS),
    }
    unknown = set(wanted) - set(measures)
    if unknown:
        raise SystemExit(f"bench: unknown figure {', '.join(sorted(unknown))}, expected {', '.join(measures)}")
    # The parts of the screen's are measured together.
    for name in wanted or [name for name in measures if not name.startswith("screen-")]:
        try:
            measures[name]()
        except AssertionError as error:
            row(name, "", "failed", False, str(error))
    widths = [max(len(r[i]) for r in rows + [("figure", "bar", "measured", "verdict", "")]) for i in range(4)]
    for r in [("figure", "bar", "measured", "verdict", ""), tuple("-" * w for w in widths) + ("",)] + rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(r, widths)) + ("  " + r[4] if r[4] else ""))
    return 0 if all(r[3] == "ok" for r in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
