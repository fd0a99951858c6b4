# SPDX-License-Identifier: Apache-2.0
"""Runs `swift test` on what is built, and writes a line of passed, failed or skipped for every test function.

    swift_results.py RESULTS LOG           all of them; LOG gets what they print
    swift_results.py --again RESULTS       those that failed, by RESULTS, each alone; RESULTS is brought up to date

A test that began or was announced and never ended (its process crashed, or it hung) has failed; so has a run that failed without saying
why. Exits with the code of `swift test`.
"""

import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import threading


def results(lines, code):
    tests, ends, names = [], {}, {}
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue  # cut off by a crash
        payload = record["payload"]
        if record["kind"] == "test" and payload["kind"] == "function":
            tests.append(payload["id"])
            names[payload["id"]] = payload["id"].rsplit("/", 1)[0]
        elif record["kind"] == "event" and payload.get("testID") in names:
            test, kind = payload["testID"], payload["kind"]
            reason = "; ".join(payload.get("_comments") or [])
            if kind in ("testSkipped", "testCancelled"):
                ends[test] = ("skipped", reason)
            elif kind == "testEnded" and test not in ends:
                failed = any(message["symbol"] == "fail" for message in payload["messages"])
                ends[test] = ("failed" if failed else "passed", "")
    for test in tests:
        verdict, reason = ends.get(test, ("failed", "did not end"))
        yield verdict, names[test] + (f": {reason}" if reason else "")
    if not tests:
        yield "failed", f"swift test: no test ran, exit code {code}"
    elif code and not any(verdict == "failed" for verdict, _ in ends.values()) and len(ends) == len(tests):
        yield "failed", f"swift test: exit code {code} although no test failed"


@contextlib.contextmanager
def environment():
    """The tests' environment, with a temporary folder of their own that goes with them. It is in memory where there is room: thousands of
    power cuts are played there, and a disk is asked to write each."""
    parent = None
    with contextlib.suppress(OSError):
        room = os.statvfs("/dev/shm")
        if room.f_bavail * room.f_frsize > 4 << 30:
            parent = "/dev/shm"
    with tempfile.TemporaryDirectory(prefix="units-", dir=parent, ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o1777)  # some tests become another user
        yield dict(os.environ, TMPDIR=folder)


def run(*options, seconds):
    """(its exit code, what it printed, the verdicts). After so many seconds, all that it has started is ended."""
    with tempfile.TemporaryDirectory() as folder, environment() as variables:
        events = os.path.join(folder, "events.json")
        command = ["swift", "test", "--skip-build", *options, "--event-stream-output-path", events, "--event-stream-version", "0"]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors="replace", start_new_session=True, env=variables)
        # The tests' process makes a group of its own, but no session.
        watch = threading.Timer(seconds, lambda: subprocess.run(["pkill", "-KILL", "-s", str(process.pid)]))
        watch.start()
        output = process.communicate()[0]
        watch.cancel()
        lines = []
        if os.path.exists(events):
            with open(events, encoding="utf-8", errors="replace") as file:
                lines = file.readlines()
        return process.returncode, output, list(results(lines, process.returncode))


def again(path):
    with open(path) as file:
        before = file.read().splitlines()
    after = []
    for line in before:
        name = line.split("\t", 1)[1].split(": ", 1)[0]
        if not line.startswith("failed\t") or name.startswith("swift test"):
            after.append(line)
            continue
        _, output, found = run("--filter", "^" + re.escape(name), seconds=300)
        if found and all(verdict != "failed" for verdict, _ in found):
            print(f"↻ {name}: passes alone")
            after.append(f"passed\t{name}")
        else:
            print(f"✘ {name}: fails alone, too\n" + "\n".join(output.splitlines()[-40:]))
            after.append(line)
    with open(path, "w") as file:
        file.write("".join(line + "\n" for line in after))


def main():
    if sys.argv[1] == "--again":
        again(sys.argv[2])
        return 0
    code, output, found = run(seconds=1800)
    with open(sys.argv[1], "w") as file:
        file.write("".join(f"{verdict}\t{name}\n" for verdict, name in found))
    with open(sys.argv[2], "w") as file:
        file.write(output)
    return code


if __name__ == "__main__":
    sys.exit(main())
