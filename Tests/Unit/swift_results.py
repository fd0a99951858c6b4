"""Reads the event stream of `swift test` and prints a line of passed, failed or skipped for every test function.

    swift_results.py EVENTS.json EXIT-CODE

A test that began or was announced and never ended (its process crashed) has failed; so has a run that failed without saying why.
"""

import json
import os
import sys


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


if __name__ == "__main__":
    path, code = sys.argv[1], int(sys.argv[2])
    lines = open(path, encoding="utf-8", errors="replace") if os.path.exists(path) else []
    for verdict, name in results(lines, code):
        print(f"{verdict}\t{name}")
