# SPDX-License-Identifier: Apache-2.0
"""The cost of the process that draws, on a file that stands for a panel of 800x480."""

import ctypes
import os
import random
import re
import statistics
import subprocess
import time

from build import NIGHTSTAND, compiled
from fakespeaker import FakeSpeaker
from harness import contents, until
from inputs import TouchPanel, preload

WIDTH, HEIGHT = 800, 480
# The panel's file is written sixteen rows at a time.
WRITES = HEIGHT // 16


def jpeg(width, height, seed=7, quality=85):
    """A baseline JPEG, 4:2:0, of soft colours with as much grain as makes one of 3000x3000 1.7 MB, by libturbojpeg."""
    library = ctypes.CDLL("libturbojpeg.so.0")
    random_ = random.Random(seed)
    grain = bytes(random_.randrange(140) for _ in range(8191))
    rows = bytearray()
    for y in range(height):
        row = bytearray(width * 3)
        red = bytes((x * 200 // width + 20) for x in range(width))
        row[0::3] = red
        row[1::3] = bytes([y * 180 // height + 30]) * width
        row[2::3] = (grain * (width // len(grain) + 2))[y * 37 % len(grain):][:width]
        rows += row
    out, size = ctypes.POINTER(ctypes.c_ubyte)(), ctypes.c_ulong(0)
    library.tjInitCompress.restype = ctypes.c_void_p
    handle = ctypes.c_void_p(library.tjInitCompress())
    failed = library.tjCompress2(handle, (ctypes.c_ubyte * len(rows)).from_buffer(rows), width, 0, height, 0, ctypes.byref(out),
                                 ctypes.byref(size), 2, quality, 0)
    assert failed == 0
    data = bytes(ctypes.cast(out, ctypes.POINTER(ctypes.c_ubyte * size.value)).contents)
    library.tjFree(out)
    library.tjDestroy(handle)
    return data


class Screen:
    """One running process that draws, for a speaker with a given socket."""

    def __init__(self, bench, socket, *, command=(NIGHTSTAND,), env=None, settings=None):
        self.panel, self.log = bench.path(f"panel-{time.monotonic_ns()}"), bench.path("screen.log")
        conf = bench.path("screen.conf")
        values = {"enabled": "yes", "theme": "light", "dim_seconds": 0, **(settings or {})}
        with open(conf, "w") as file:
            file.write("[night]\nhours = never\n[screen]\n" + "".join(f"{name} = {value}\n" for name, value in values.items()))
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*command, "screen", "--config", conf, "--panel", self.panel, "--size", f"{WIDTH}x{HEIGHT}", "--socket", socket],
                stderr=log, stdout=log, stdin=subprocess.DEVNULL,
                env=dict(os.environ, XDG_CACHE_HOME=bench.path("screen-cache"), **(env or {})))
        bench.addCleanup(self.end)

    def end(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(60)

    def shown(self):
        return contents(self.panel) if os.path.exists(self.panel) else b""

    def is_still(self, seconds=1.5):
        """It has drawn something, and nothing more for so long."""
        def once():
            before = self.shown()
            time.sleep(seconds)
            return any(before) and before == self.shown()
        until(once, 240, "a still picture")

    def switches(self):
        """Voluntary context switches, all threads: each is a wait that ended in a wake-up."""
        total = 0
        for task in os.listdir(f"/proc/{self.process.pid}/task"):
            with open(f"/proc/{self.process.pid}/task/{task}/status") as file:
                total += int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", file.read(), re.M).group(1))
        return total

    def pss(self):
        return pss(self.process.pid)

    def peak(self):
        """The most that was ever in memory, in KB."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"^VmHWM:\s+(\d+) kB", file.read(), re.M).group(1))


def pss(pid):
    with open(f"/proc/{pid}/smaps_rollup") as file:
        return int(re.search(r"^Pss:\s+(\d+) kB", file.read(), re.M).group(1))


class Counted(Screen):
    """The same under valgrind, on a clock that goes slower, so that no frame is left out."""

    SLOWER = 16

    def __init__(self, bench, socket, vectors, *, options=(), slower=SLOWER, env=None, preloads=(), **others):
        self.counts = bench.path(f"counts-{time.monotonic_ns()}")
        clock = compiled("slow-clock.c", "slow-clock.so", "-shared", "-fPIC", "-ldl")
        slow = {"LD_PRELOAD": " ".join((clock, *preloads)), "SLOW_CLOCK": str(slower), **(env or {})}
        super().__init__(bench, socket, command=("valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={self.counts}",
                                                 *options, NIGHTSTAND), env={**vectors, **slow}, **others)

    def end(self):
        # Ended politely it would write its figures, which takes a while.
        self.process.kill()
        self.process.wait()

    def control(self, *arguments):
        subprocess.run(["callgrind_control", *arguments, str(self.process.pid)], check=True, stdout=subprocess.DEVNULL, timeout=60)

    def dumped(self, number=1):
        dump = f"{self.counts}.{number}"
        until(lambda: os.path.exists(dump) and b"totals:" in contents(dump), 60, "the figures")
        return int(re.search(rb"^totals: (\d+)", contents(dump), re.M).group(1))

    def parts(self):
        """Of a run with combined dumps: instructions of each."""
        if not os.path.exists(self.counts):
            return []
        with open(self.counts) as file:
            return [int(line.split()[1]) for line in file if line.startswith("totals:")]


WRITING = ("--combine-dumps=yes", "--dump-before=*pwrite*")


def frames(parts):
    """Instructions of each whole picture, by what was counted between its writes."""
    return [sum(parts[n:n + WRITES]) for n in range(0, len(parts) - WRITES + 1, WRITES)]


def first(bench, row, million, vectors):
    """From exec until the first picture is with the panel: the player, of a speaker that is there."""
    # So slow that the picture waits for the speaker under valgrind, too.
    speaker = FakeSpeaker(bench.path("fake"), slower=400)
    screen = Counted(bench, bench.path("fake"), vectors, options=WRITING, slower=400)
    until(lambda: len(screen.parts()) >= WRITES, 240, "a picture")
    count, asked = frames(screen.parts())[0], speaker.asked
    screen.end()
    speaker.close()
    row("screen: exec to the player, no cover, instructions", "≤ 16 M", million(count), count <= 16e6,
        "" if asked else "it was Boot: the speaker was not asked yet")
    alone = Counted(bench, bench.path("nobody"), vectors, options=WRITING)
    until(lambda: len(alone.parts()) >= WRITES, 240, "a picture")
    row("screen: the same without a speaker: Boot", "≤ 16 M", million(frames(alone.parts())[0]), frames(alone.parts())[0] <= 16e6)
    alone.end()


def fade(bench, row, million, vectors):
    """Play, pressed on a player at rest: the picture by which that is seen, and those that follow."""
    speaker = FakeSpeaker(bench.path("fake"), picture=jpeg(600, 600), slower=Counted.SLOWER)
    screen = Counted(bench, bench.path("fake"), vectors, options=("--combine-dumps=yes", "--dump-before=epoll_wait"))
    until(lambda: any(screen.shown()), 240, "a picture")
    screen.is_still(3 * Counted.SLOWER)
    before = len(screen.parts())
    speaker.set(state="play")
    time.sleep(1.5 * Counted.SLOWER)
    turns = [n for n in screen.parts()[before:] if n > 500_000]
    screen.end()
    speaker.close()
    row("screen: play at rest, to the next picture, instructions", "≤ 5 M", million(turns[0]), turns[0] <= 5e6,
        "; ".join(million(n) for n in turns[1:5]) + " for each that follows")


def crossing(bench, row, million, vectors):
    """All of the screen: Boot gives way to the player."""
    path = bench.path("late")
    # By turns of the loop: counted between the writes of a picture, frames are so slow that the fade is over after two.
    screen = Counted(bench, path, vectors, options=("--combine-dumps=yes", "--dump-before=epoll_wait"))
    until(lambda: any(screen.shown()), 240, "a picture")
    screen.is_still(Counted.SLOWER)
    before = len(screen.parts())
    speaker = FakeSpeaker(path, slower=Counted.SLOWER)
    # The speaker is looked for now and then only, by the slow clock.
    until(lambda: speaker.asked, 240, "a question")
    screen.is_still(2 * Counted.SLOWER)
    turns = [n for n in screen.parts()[before:] if n > WIDTH * HEIGHT]
    # The first of them draws the player, and the last its own picture over both.
    each = statistics.median(turns[1:-1]) / WIDTH / HEIGHT
    screen.end()
    speaker.close()
    row("screen: a picture of a full-screen cross-fade, instructions a pixel", "≤ 6", f"{each:.2f}", each <= 6,
        f"the panel's copy included; {len(turns)} pictures")


def scroll(bench, row, million, vectors):
    """A finger that drags the library, a step in each picture."""
    inputs = bench.path("input")
    os.mkdir(inputs)
    touch = TouchPanel(os.path.join(inputs, "event0-touch"), WIDTH, HEIGHT, Counted.SLOWER)
    speaker = FakeSpeaker(bench.path("fake"), picture=jpeg(600, 600), slower=Counted.SLOWER,
                          books=[f"The Wind in the Willows, Volume {n}" for n in range(60)])
    screen = Counted(bench, bench.path("fake"), vectors, options=("--combine-dumps=yes", "--dump-before=epoll_wait"),
                     env={"FAKE_INPUT": inputs}, preloads=[preload()])
    until(lambda: any(screen.shown()), 240, "a picture")
    screen.is_still(2 * Counted.SLOWER)
    player = screen.shown()
    # The first of the rail.
    touch.down(34, 38)
    time.sleep(1)
    touch.up()
    until(lambda: screen.shown() != player, 240, "the library")
    screen.is_still(2 * Counted.SLOWER)
    touch.down(WIDTH / 2, HEIGHT - 120)
    time.sleep(1)
    before, still = len(screen.parts()), screen.shown()
    for step in range(1, 31):
        touch.move(WIDTH / 2, HEIGHT - 120 - 8 * step)
        time.sleep(0.7)
    turns = [n for n in screen.parts()[before:] if n > WIDTH * HEIGHT // 4]
    assert screen.shown() != still, "nothing was scrolled"
    screen.end()
    speaker.close()
    touch.close()
    # The first of them are of before it was known to be a drag.
    each = statistics.median(turns[3:]) / WIDTH / HEIGHT
    row("screen: a picture of scrolling the library, instructions a pixel", "≤ 4", f"{each:.2f}", each <= 4,
        f"the panel's copy included; {len(turns)} pictures")


def playing(bench, row, million, vectors):
    """Eleven seconds: two sentences, eleven ticks. Without motion after as many sentences as have most letters in them, which are drawn
    once and kept; there is no frame that could be left out, so that the clock need not go as slowly."""
    for what, settings, bar, before, slower in (("", {}, 2.5e6, 8, Counted.SLOWER),
                                                (", reduced motion", {"reduce_motion": "yes"}, 0.25e6, 45, 4)):
        speaker = FakeSpeaker(bench.path("fake"), picture=jpeg(600, 600), slower=slower)
        speaker.set(elapsed=110.5)
        screen = Counted(bench, bench.path("fake"), vectors, settings=settings, slower=slower)
        until(lambda: any(screen.shown()), 240, "a picture")
        screen.is_still(3 * slower)
        speaker.set(state="play")
        time.sleep(before * slower)
        screen.control("-z")
        time.sleep(11 * slower)
        screen.control("-d")
        count = screen.dumped() / 11
        screen.end()
        speaker.close()
        row(f"screen: playing{what}, instructions a second", f"≤ {bar / 1e6} M", million(count), count <= bar)


def wakes(bench, row):
    bench.add_noise("a.mp3", 120)
    bench.start()
    socket = bench.settings["console"]["socket"]
    bench.mpd("play")
    for what, state, settings, bar in (("playing", "pause 0", {}, 1.5), ("paused", "pause 1", {}, 0.05),
                                       ("dark, playing", "pause 0", {"dim_seconds": 1, "off_seconds": 2}, 0)):
        screen = Screen(bench, socket, settings=settings)
        bench.mpd("seekcur 0")
        bench.mpd(state)
        time.sleep(6)
        before = screen.switches()
        time.sleep(40)
        rate = (screen.switches() - before) / 40
        screen.end()
        row(f"screen: wake-ups a second, {what}", f"≤ {bar}", f"{rate:.2f}", rate <= bar)


STORY = "".join(f"[{n // 10:02}:{n % 10 * 6:02}.00]{text}\n" for n, text in enumerate(
    text for _ in range(9) for text in ("Spring was moving in the air above and in the earth below and around him.",
                                        "It was small wonder, then, that he flung down his brush on the floor.")))


def tree(bench):
    """[(label, hint, (x, y, width, height))] of what stands on the panel, as the screen itself tells it."""
    found = []
    for line in bench.mpd("screen tree"):
        name, value = line.split(": ", 1)
        if name == "element":
            found.append({})
        found[-1][name] = value
    return [(element.get("label", ""), element.get("hint", ""), tuple(map(int, element["frame"].split()))) for element in found]


def changing(elements):
    """The places of title, times and transcript on a wide player."""
    frames = {label: frame for label, hint, frame in elements if hint != "plays from here"}
    sentences = [frame for _, hint, frame in elements if hint == "plays from here"]
    bar, back, forward, pause = frames["Progress"], frames["Back"], frames["Forward"], frames["Pause"]
    # The knob and its shadow go a little beyond the bar; digits stand at both ends of the row of the buttons.
    around = 16
    return [frames["Title"], *sentences, (bar[0] - around, bar[1], bar[2] + 2 * around, bar[3]),
            (bar[0] - around, pause[1], back[0] - bar[0] + around, pause[3]),
            (forward[0] + forward[2], pause[1], bar[0] + bar[2] + around - forward[0] - forward[2], pause[3])]


def following(bench, row, million, vectors):
    """The next chapter of a book in files: the changes on the way there, beside its title, its times and its words."""
    os.mkdir(os.path.join(bench.library, "willows"))
    for number, title in enumerate(("The River Bank", "The Open Road", "The Wild Wood"), 1):
        name = f"willows/{number:02}"
        bench.add_noise(name + ".mp3", 240, 22050, "-b", "64", "--add-id3v2", "--tt", title, "--tl", "The Wind in the Willows",
                        "--ta", "Kenneth Grahame", "--tn", str(number), seed=number)
        with open(os.path.join(bench.library, name + ".lrc"), "w") as file:
            file.write(STORY)
    with open(os.path.join(bench.library, "willows", "cover.jpg"), "wb") as file:
        file.write(jpeg(600, 600))
    bench.start()
    bench.mpd("play 0")
    bench.mpd("seekcur 60")
    bench.wait_playing()
    screen = Screen(bench, bench.settings["console"]["socket"])
    until(lambda: any(screen.shown()), 60, "a picture")
    time.sleep(6)
    before, places = screen.shown(), changing(tree(bench))
    bench.mpd("next")
    changed, end = set(), time.monotonic() + 4
    while time.monotonic() < end:
        now = screen.shown()
        # A row that is as it was need not be looked through.
        for y in range(HEIGHT):
            old, new = (picture[y * WIDTH * 4:(y + 1) * WIDTH * 4] for picture in (before, now))
            if old != new:
                changed |= {(x, y) for x in range(WIDTH) if old[4 * x:4 * x + 4] != new[4 * x:4 * x + 4]}
        time.sleep(0.05)
    places += changing(tree(bench))
    screen.end()
    assert len(changed) > 1000, "nothing changed"
    beside = [(x, y) for x, y in changed if not any(a <= x < a + w and b <= y < b + h for a, b, w, h in places)]
    row("screen: next within a book, pixels that change beside title, times and words", "0", str(len(beside)), not beside,
        f"{len(changed)} of {WIDTH * HEIGHT} in all" + (f"; first at {min(beside)}, last at {max(beside)}" if beside else ""))


def memory(bench, row, million, vectors):
    """Beside a speaker that plays, with cover and transcript."""
    titles = ("The Wind in the Willows", "الأمير الصغير والثعلب", "红楼梦：第一回", "🌙 Good Night 👨‍👩‍👧")
    for index, title in enumerate(titles):
        bench.add_noise(f"{index}.mp3", 120, 22050, "-b", "64", "--add-id3v2", "--tt", title, seed=index)
        with open(os.path.join(bench.library, f"{index}.lrc"), "w") as file:
            file.write(STORY)
    with open(os.path.join(bench.library, "cover.jpg"), "wb") as file:
        file.write(jpeg(1200, 1200))
    bench.start()
    bench.mpd("play 0")
    bench.wait_playing()
    screen = Screen(bench, bench.settings["console"]["socket"])

    def both():
        time.sleep(7)
        looks = []
        for _ in range(9):
            looks.append((screen.pss() + bench.pss(), screen.pss(), bench.pss()))
            time.sleep(0.7)
        return sorted(looks)[4]

    total, own, speaker = both()
    row("screen: PSS of speaker and screen, player with cover and transcript", "≤ 10 MB", f"{total / 1024:.2f} MB", total <= 10240,
        f"{own / 1024:.2f} and {speaker / 1024:.2f}")
    before, most = screen.pss(), 0
    for state in ("pause 1", "pause 0", "pause 1", "pause 0"):
        bench.mpd(state)
        end = time.monotonic() + 0.8
        while time.monotonic() < end:
            most = max(most, screen.pss())
    row("screen: more in a cross-fade", "≤ 3.2 MB", f"{(most - before) / 1024:.2f} MB", most - before <= 3.2 * 1024)
    for index in (1, 2, 3, 0):
        bench.mpd(f"play {index}")
        time.sleep(5)
    bench.mpd("play 3")
    total, own, speaker = both()
    row("screen: the same after Arabic, Chinese and emoji titles", "≤ 13 MB", f"{total / 1024:.2f} MB", total <= 13 * 1024,
        f"{own / 1024:.2f} and {speaker / 1024:.2f}")


def artwork(bench, row, million, vectors):
    """A large baseline JPEG as the player needs it: the work of the thread that reads pictures, which has nothing else
    to do."""
    data = jpeg(3000, 3000)
    speaker = FakeSpeaker(bench.path("fake"), picture=data, slower=Counted.SLOWER)
    screen = Counted(bench, bench.path("fake"), vectors, options=("--separate-threads=yes",))
    # Much longer than the picture takes, without which it is still, too.
    screen.is_still(3 * Counted.SLOWER)
    screen.control("-d")
    dump = f"{screen.counts}.1-02"
    until(lambda: os.path.exists(dump) and b"totals:" in contents(dump), 60, "the figures")
    count = int(re.search(rb"^totals: (\d+)", contents(dump), re.M).group(1))
    screen.end()
    speaker.close()
    row("screen: a 3000x3000 JPEG to the player's size, instructions", "≤ 150 M", million(count), count <= 150e6)
    peaks = {}
    for side in (3000, 336):
        speaker = FakeSpeaker(bench.path("fake"), picture=jpeg(side, side))
        screen = Screen(bench, bench.path("fake"))
        screen.is_still(4)
        peaks[side] = screen.peak()
        screen.end()
        speaker.close()
    # Of a process that has drawn the player before and after: the file's own bytes are in it.
    more = peaks[3000] - peaks[336]
    row("screen: the same: memory at its most, beyond one of 336x336", "≤ +1.5 MB", f"{more / 1024:+.2f} MB", more <= 1.5 * 1024,
        f"{peaks[3000] / 1024:.2f} and {peaks[336] / 1024:.2f} MB")


def beside(bench, row, million, vectors):
    """The speaker itself, with a screen beside it and without one."""
    bench.add_noise("a.mp3", 300)
    with open(os.path.join(bench.library, "cover.jpg"), "wb") as file:
        file.write(jpeg(600, 600))
    found = {}
    for what in ("none", "screen"):
        if what == "screen":
            bench.settings["screen"] = {"enabled": "yes"}
        bench.start()
        bench.mpd("play")
        bench.wait_playing()
        screen = Screen(bench, bench.settings["console"]["socket"]) if what == "screen" else None
        time.sleep(9)
        if screen:
            # It shares pages with the speaker: measured without it, as it was left.
            screen.end()
            time.sleep(1)
        looks = [bench.pss() for _ in range(7) if not time.sleep(0.7)]
        with open(f"/proc/{bench.process.pid}/maps") as file:
            libraries = set(re.findall(r"/lib/\S+", file.read()))
        found[what] = min(looks), libraries
        bench.end()
    more = found["screen"][0] - found["none"][0]
    row("screen: the speaker's own PSS, with a screen over without", "≤ +150 KB", f"{more:+} KB", more <= 150)
    others = found["screen"][1] - found["none"][1]
    row("screen: the speaker's libraries", "none more", ", ".join(sorted(others)) or "none more", not others)


PARTS = {"first": first, "fade": fade, "crossing": crossing, "scroll": scroll, "next": following, "playing": playing,
         "wakes": lambda b, row, *_: wakes(b, row), "memory": memory, "artwork": artwork, "beside": beside}


def measure(bench_of, row, million, vectors, wanted=()):
    for name in wanted or PARTS:
        bench_of(lambda bench: PARTS[name](bench, row, million, vectors))
