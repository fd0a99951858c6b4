# SPDX-License-Identifier: Apache-2.0
"""The cost of playing from a network, in the speaker and in the process that fetches, beside playing from a disk."""

import os
import re
import subprocess
import time

import audio
import fileserver
import hls
from harness import contents, until


def children(process):
    return [int(n) for n in contents(f"/proc/{process}/task/{process}/children").split()]


def pss(process):
    return int(re.search(rb"^Pss:\s+(\d+) kB", contents(f"/proc/{process}/smaps_rollup"), re.M).group(1))


def configure(bench):
    bench.settings["network"] = {"enabled": "yes", "cache": bench.path("cache"), "socket": bench.path("fetch")}
    bench.add_noise("a.mp3", 120)
    return contents(os.path.join(bench.library, "a.mp3"))


def first_sound(bench, row, million, vectors):
    """From both programs' exec to the first frame at the card, all threads."""
    data = configure(bench)
    certificate = bench.path("server.pem")
    ours = fileserver.make_certificate(certificate)
    server = fileserver.Server(certificate)
    bench.addCleanup(server.close)
    counts = until_sound(bench, server, server.add("/b.mp3", data), vectors, ours)
    row("https address to first sound, instructions of both processes", "≤ 80 M", million(sum(counts)), sum(counts) <= 80e6,
        " and ".join(million(count) for count in counts))


def until_sound(bench, server, address, vectors, *trusted):
    """Instructions of the speaker and of what fetches for it, from exec to the first sound of an address: an empty library, and a database that is there."""
    os.unlink(os.path.join(bench.library, "a.mp3"))
    bench.start()
    bench.end()
    bench.card = bench.make_card(last=1)
    program, counts = bench.command, []
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    network = bench.settings["network"]
    # Started by the test: a child of a program under valgrind would run under valgrind, too.
    fetch = [*valgrind, *program, "fetch", "--socket", network["socket"], "--cache", network["cache"]]
    with open(bench.path("fetching"), "wb") as file:
        fetching = subprocess.Popen(fileserver.trusting(bench.path("trusted"), fetch, *trusted), env=dict(os.environ, **vectors),
                                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=file)
    bench.addCleanup(fetching.kill)
    until(lambda: os.path.exists(network["socket"]), 60, "the process that fetches")
    bench.command = [*valgrind, *program]
    bench.start(env=vectors)
    bench.mpd(f'add "{address}"')
    bench.mpd.send("play")
    bench.process.wait(300)
    fetching.terminate()
    fetching.wait(60)
    assert any(page.requests for page in server.pages.values()), "nothing was fetched"
    for log in (bench.log_path, bench.path("fetching")):
        counts.append(int(re.search(rb"Collected : (\d+)", contents(log)).group(1)))
    return counts


def segments(bench, row, million, vectors):
    """A playlist of qualities, that of the one chosen, and its first segments."""
    configure(bench)
    server = fileserver.Server()
    bench.addCleanup(server.close)
    sound = audio.noise(40, 22_050, 5)
    renditions = [hls.Rendition(bench.folder, sound, "mp3", kilobits, 76) for kilobits in (24, 64)]
    for rendition in renditions:
        rendition.serve(server, str(rendition.kilobits))
    master = hls.master(*((str(rendition.kilobits), rendition) for rendition in renditions))
    address = server.add("/all.m3u8", master, type="application/vnd.apple.mpegurl", tag=None)
    counts = until_sound(bench, server, address, vectors)
    row("address of HLS to first sound, instructions of both processes", "≤ 80 M", million(sum(counts)), sum(counts) <= 80e6,
        " and ".join(million(count) for count in counts))


def asked_twice(bench, row):
    """A server that tells no tag hangs up once in mid-file."""
    data = configure(bench)
    server = fileserver.Server()
    bench.addCleanup(server.close)
    address = server.add("/b.mp3", data, tag=None, cut=len(data) // 2, times=1, hangs_up=True)
    bench.start()
    bench.mpd(f'add "{address}"')
    page, folder = server.pages["/b.mp3"], bench.path("cache")
    bench.mpd("play 0")

    def is_whole():
        names = os.listdir(folder) if os.path.isdir(folder) else []
        return any(b"whole 1" in contents(os.path.join(folder, name)) for name in names if name.endswith(".map"))

    until(is_whole, 90, "the whole file")
    twice = page.sent - len(data)
    row("bytes asked for twice after a cut, of a server without tags", "≤ 64 KB", f"{twice / 1024:.1f} KB", 0 <= twice <= 64 * 1024)


def memory(bench, row):
    """While a file of two minutes is fetched over https in as long, and played; and the bytes written for it."""
    data = configure(bench)
    certificate = bench.path("server.pem")
    bench.command = fileserver.trusting(bench.path("trusted"), bench.command, fileserver.make_certificate(certificate))
    server = fileserver.Server(certificate)
    bench.addCleanup(server.close)
    address = server.add("/b.mp3", data, rate=len(data) // 60)
    bench.start()
    speaker = bench.process.pid
    bench.mpd("play")
    bench.wait_playing()
    # Until what starting took is given back.
    time.sleep(10)
    before = pss(speaker)
    bench.mpd("clear")
    bench.mpd(f'add "{address}"')
    bench.mpd("play")
    bench.wait_playing()
    time.sleep(12)
    streaming, (fetching,) = pss(speaker), children(speaker)
    theirs = pss(fetching)
    row("PSS of the speaker while streaming, beyond playing from disk", "≤ 0.6 MB", f"{(streaming - before) / 1024:.2f} MB",
        streaming - before <= 0.6 * 1024)
    row("PSS of both processes while streaming https", "≤ 12 MB", f"{(streaming + theirs) / 1024:.2f} MB",
        streaming + theirs <= 12 * 1024, f"the speaker's {streaming / 1024:.2f}, the other's {theirs / 1024:.2f}")
    folder = bench.path("cache")

    def is_whole():
        return any(b"whole 1" in contents(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(".map"))

    until(is_whole, 90, "the whole file")
    wrote = int(re.search(rb"^wchar: (\d+)", contents(f"/proc/{fetching}/io"), re.M).group(1))
    row("bytes written per byte fetched", "≤ 1.02", f"{wrote / len(data):.3f}", wrote <= 1.02 * len(data))
