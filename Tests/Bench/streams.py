"""What playing from a network costs, in the speaker and in the process that fetches, beside playing from a disk."""

import os
import re
import subprocess
import time

import fileserver
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
    address = server.add("/b.mp3", data)
    bench.card = bench.make_card(last=1)
    program, counts = bench.command, []
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    network = bench.settings["network"]
    # By itself: what a program under valgrind starts of itself would be valgrind.
    fetch = [*valgrind, *program, "fetch", "--socket", network["socket"], "--cache", network["cache"]]
    with open(bench.path("fetching"), "wb") as file:
        fetching = subprocess.Popen(fileserver.trusting(bench.path("trusted"), fetch, ours), env=dict(os.environ, **vectors),
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
    for log in (bench.log_path, bench.path("fetching")):
        counts.append(int(re.search(rb"Collected : (\d+)", contents(log)).group(1)))
    row("https address to first sound, instructions of both processes", "≤ 80 M", million(sum(counts)), sum(counts) <= 80e6,
        " and ".join(million(count) for count in counts))


def memory(bench, row):
    """While a file of two minutes is fetched over https in as long, and played; and what was written for it."""
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
