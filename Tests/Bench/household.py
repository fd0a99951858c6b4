# SPDX-License-Identifier: Apache-2.0
"""The cost of belonging to a household: a speaker that has nothing to tell, and one that gives and takes all at
once."""

import collections
import json
import os
import sqlite3
import threading
import time

import large_library
from harness import MPD, until

RECORDS = 5000


def records(keys, device, changed=1_750_000_000):
    """A favourite and a place for each key, as another device has them."""
    for number, key in enumerate(keys):
        record = {"key": key, "time": f"{(changed + number) * 1000 << 16:016x}", "device": f"{device:016x}", "name": f"Night {number}"}
        yield json.dumps({"kind": "favourite", **record, "value": {"added": changed + number}})
        yield json.dumps({"kind": "place", **record,
                          "value": {"milliseconds": 50, "saved": changed + number, "finished": False}})


def merge(client, lines):
    """As a carrier does it: a hundred at a time. The number of each result."""
    merged = collections.Counter()
    for first in range(0, len(lines), 100):
        quoted = ['merge "' + line.replace("\\", "\\\\").replace('"', '\\"') + '"' for line in lines[first : first + 100]]
        merged.update(line.removeprefix("merged: ") for line in client("\n".join(["command_list_begin", *quoted, "command_list_end"])))
    return ", ".join(f"{count} {word}" for word, count in merged.items())


def journal(client, since=0):
    """(How many records there are behind a revision, the last one's revision)."""
    count = 0
    while True:
        revisions = [int(line[10:]) for line in client(f"journal {since}") if line.startswith("revision: ")]
        count += len(revisions)
        since = revisions[-1] if revisions else since
        if len(revisions) < 500:
            return count, since


def at_rest(make_bench, row):
    """Two speakers beside each other, of which one is of a household: the same favourites on both, and all has been told."""
    benches = []
    for is_shared in (False, True):
        bench = make_bench()
        large_library.make(bench.library, 200)
        bench.start()
        for item in range(100):
            file = bench.mpd.fields(f"playlistinfo {item}")["file"]
            bench.mpd(f'favourite add "{file}"')
        if is_shared:
            bench.mpd("household on")
            count, last = journal(bench.mpd)
            assert count == 100, f"{count} records"
            bench.mpd(f'household sent {last} "somewhere 1"')
        # As after a night: memory that only starting and saving took has been returned.
        bench.end()
        bench.start()
        bench.mpd.close()
        benches.append(bench)

    def switches():
        return [bench.switches() for bench in benches]

    def is_quiet():
        before = switches()
        time.sleep(10)
        return switches() == before

    until(is_quiet, 120, "the end of what starting takes")
    before = switches()
    time.sleep(60)
    plain, shared = (after - count for after, count in zip(switches(), before))
    looks = []
    for _ in range(5):
        looks.append([bench.pss() for bench in benches])
        time.sleep(2)
    pss = [min(look[n] for look in looks) for n in range(2)]
    row("PSS at rest with a household over that without", "≤ 20 KB", f"{pss[1] - pss[0]} KB", pss[1] - pss[0] <= 20,
        f"{pss[1]} and {pss[0]} KB")
    row("wake-ups in a minute at rest with a household over those without", "≤ 0", str(shared - plain), shared <= plain,
        f"{shared} and {plain}")


def turns(bench, longest_turn, row, million):
    """All that a household has, at once: half of it of audio that is here."""
    large_library.make(bench.library, RECORDS // 4)
    bench.scan()
    bench.end()
    database = sqlite3.connect(os.path.join(bench.settings["state"]["path"], "nightstand.db"))
    here = [f"{hash & (1 << 64) - 1:016x}-{size}" for hash, size in database.execute(
        "SELECT hash, audioBytes FROM content JOIN item ON item.content = content.id ORDER BY item.id")]
    database.close()
    lines = list(records(here + [f"{number:016x}-5000" for number in range(RECORDS // 2 - len(here))], 0xBEE))
    assert len(lines) == RECORDS
    for name, begin in (
            ("come by merge", lambda client: merge(client, lines)),
            ("go by journal, as of one that joins", lambda client: f"{journal(client)[0]} told")):
        found = []

        def ask():
            client = MPD(bench.settings["console"]["socket"], 600)
            threading.Thread(target=go, args=(client,), daemon=True).start()
            return [client]

        def go(client):
            try:
                client("household off")
                client("household on")
                found.append(begin(client))
                while True:
                    # Deferred work is done while the speaker is idle.
                    time.sleep(0.03)
                    client("ping")
            except (OSError, ValueError):
                pass

        counts = longest_turn(bench, ask, 100, is_done=lambda: found)
        most = max(counts)
        row(f"{RECORDS:,} records {name}: longest turn, instructions", "≤ 20 M", million(most), most <= 20e6,
            f"{million(sum(counts))} in {len(counts)} turns; {found[0]}")
