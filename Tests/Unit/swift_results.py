"""Reads the event stream of `swift test` and prints a line of passed, failed or skipped for every test function.

    swift_results.py EVENTS.json EXIT-CODE
    swift_results.py --again RESULTS       those that failed, by RESULTS, each alone; RESULTS is brought up to date

A test that began or was announced and never ended (its process crashed) has failed; so has a run that failed without saying why.
"""

import io
import json
import os
import re
import subprocess
import sys
import tempfile


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


def verdicts(path, code):
    with open(path, encoding="utf-8", errors="replace") if os.path.exists(path) else io.StringIO() as lines:
        return list(results(lines, code))


def again(path):
    with open(path) as file:
        before = file.read().splitlines()
    after = []
    for line in before:
        name = line.split("\t", 1)[1].split(": ", 1)[0]
        if not line.startswith("failed\t") or name.startswith("swift test"):
            after.append(line)
            continue
        with tempfile.TemporaryDirectory() as folder:
            events = os.path.join(folder, "events.json")
            run = subprocess.run(["swift", "test", "--skip-build", "--filter", "^" + re.escape(name), "--event-stream-output-path", events,
                                  "--event-stream-version", "0"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
            found = verdicts(events, run.returncode)
        if found and all(verdict != "failed" for verdict, _ in found):
            print(f"↻ {name}: passes alone")
            after.append(f"passed\t{name}")
        else:
            print(f"✘ {name}: fails alone, too\n" + "\n".join(run.stdout.splitlines()[-40:]))
            after.append(line)
    with open(path, "w") as file:
        file.write("".join(line + "\n" for line in after))


if __name__ == "__main__":
    if sys.argv[1] == "--again":
        again(sys.argv[2])
    else:
        for verdict, name in verdicts(sys.argv[1], int(sys.argv[2])):
            print(f"{verdict}\t{name}")
