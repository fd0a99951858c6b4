"""Runs the black-box tests, a process for each class and a few at a time: most of them wait for clocks.

    run.py RESULTS [NAME…]      RESULTS: a file that gets a line of passed, failed or skipped for every test
"""

import concurrent.futures
import io
import os
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
AT_ONCE = 6
CLASS_SECONDS = 400  # a class that takes longer hangs
SHOWS_FIGURES = False  # what a test that passes has printed


def suites(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from suites(test)
        else:
            yield test


def identity(test):
    return test.id().removeprefix("__main__.")


class Lines(unittest.TestResult):
    """Prints a line for each test as it ends, so that what ended before a crash is known."""

    def report(self, verdict, test, reason=""):
        print(f"\x01{verdict}\t{identity(test)}" + (f": {reason}" if reason else ""), flush=True)

    def startTest(self, test):
        super().startTest(test)
        self.bad = False

    def addSuccess(self, test):
        if not self.bad:
            self.report("passed", test)

    def fail(self, test, error):
        print(self._exc_info_to_string(error, test), flush=True)
        self.bad = True
        self.report("failed", test)

    def addError(self, test, error):
        self.fail(test, error)

    def addFailure(self, test, error):
        self.fail(test, error)

    def addSubTest(self, test, subtest, error):
        if error:
            print(f"in {subtest}", flush=True)
            if not self.bad:
                self.fail(test, error)
            else:
                print(self._exc_info_to_string(error, test), flush=True)

    def addSkip(self, test, reason):
        self.report("skipped", test, reason)


def run_class(name, tests):
    """A class in a process of its own: (seconds, its lines, its output)."""
    began = time.monotonic()
    try:
        done = subprocess.run(
            [sys.executable, os.path.join(HERE, "run.py"), "--class", name],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=CLASS_SECONDS, text=True, errors="replace",
        )
        output, end = done.stdout, f"exit code {done.returncode}"
    except subprocess.TimeoutExpired as error:
        output, end = (error.stdout or b"").decode(errors="replace"), f"not done after {CLASS_SECONDS} s"
    lines = [line[1:] for line in output.splitlines() if line.startswith("\x01")]
    text = "\n".join(line for line in output.splitlines() if not line.startswith("\x01"))
    ended = {line.split("\t", 1)[1].split(": ", 1)[0] for line in lines}
    if not any(name == e or e.startswith(f"setUpClass ({name}") for e in ended):
        lines += [f"failed\t{test}: did not end ({end})" for test in tests if test not in ended and not any(
            e.startswith("setUpClass") for e in ended)]
    return time.monotonic() - began, lines, text


def main(results, wanted):
    classes = {}
    for test in suites(unittest.defaultTestLoader.discover(HERE, "test_*.py")):
        name = identity(test)
        if not wanted or any(word in name for word in wanted):
            classes.setdefault(name if wanted else name.rsplit(".", 1)[0], []).append(name)
    if not classes:
        print(f"no black-box test is named {' or '.join(wanted)}")
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool, open(results, "w") as file:
        jobs = {pool.submit(run_class, name, tests): name for name, tests in classes.items()}
        for job in concurrent.futures.as_completed(jobs):
            seconds, lines, output = job.result()
            failed = [line for line in lines if line.startswith("failed")]
            passed = sum(line.startswith("passed") for line in lines)
            print(f"{'✘' if failed else '✔'} {jobs[job]}: {passed} passed, {len(failed)} failed ({seconds:.0f} s)")
            if (failed or SHOWS_FIGURES) and output.strip():
                print(output)
            sys.stdout.flush()
            file.write("".join(line + "\n" for line in lines))


def start():
    sys.path.insert(0, HERE)
    if sys.argv[1] == "--class":
        unittest.defaultTestLoader.loadTestsFromName(sys.argv[2]).run(Lines())
        if SHOWS_FIGURES:
            times = os.times()
            print(f"{sum(times[:4]):.0f} s of processor time")
    else:
        main(sys.argv[1], sys.argv[2:])


if __name__ == "__main__":
    start()
