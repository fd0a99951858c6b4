"""Runs the Python tests of a folder, a process for each class and a few at a time: most of them wait for clocks.

    run.py [OPTION…] FOLDER RESULTS [NAME…]      RESULTS: a file that gets a line of passed, failed or skipped for every test

The tests find the modules of this folder, where this program lies, and those of their own.

A test that fails while the host stands still is judged by a second run, once all the others are done: what a host that gives
nobody its processors does to sound and to times says nothing of the speaker. What fails on a host that goes on has failed.
"""

import argparse
import concurrent.futures
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
import unittest
from contextlib import suppress

prctl, PR_SET_PDEATHSIG = ctypes.CDLL(None).prctl, 1


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


running = set()  # each the leader of a process group


def kill(process):
    """With all that it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def give_up(number, _):
    for process in list(running):
        kill(process)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)


class HostWatch:
    """Sees when a processor of the host stands still, for everybody: a guest that its host does not run, or threads that nothing
    comes in between. A thread on each processor sleeps for a moment and looks how late it wakes up."""

    MOMENT = 0.01  # seconds

    def __init__(self, least):
        self.least, self.stops = least, []  # seconds; (when it stood still, for how long)
        for processor in os.sched_getaffinity(0):
            threading.Thread(target=self.look, args=[processor], daemon=True).start()

    def look(self, processor):
        os.sched_setaffinity(0, {processor})  # of this thread alone
        while True:
            before = time.monotonic()
            time.sleep(self.MOMENT)
            late = time.monotonic() - before - self.MOMENT
            if late > self.least:
                self.stops.append((before, late))

    def longest(self, since):
        """Seconds."""
        return max((late for before, late in list(self.stops) if before + late >= since), default=0)


def run_class(options, name, tests):
    """A class in a process of its own: (when it began, its lines, its output)."""
    began = time.monotonic()
    command = [sys.executable, os.path.abspath(__file__), *(["--figures"] if options.figures else []), "--class", name, options.folder]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", start_new_session=True)
    running.add(process)
    try:
        output, end = process.communicate(timeout=options.class_seconds)[0], f"exit code {process.returncode}"
    except subprocess.TimeoutExpired:
        end = f"not done after {options.class_seconds} s"
        kill(process)
        output = process.communicate()[0]
    running.discard(process)
    lines = [line[1:] for line in output.splitlines() if line.startswith("\x01")]
    text = "\n".join(line for line in output.splitlines() if not line.startswith("\x01"))
    ended = {line.split("\t", 1)[1].split(": ", 1)[0] for line in lines}
    if not any(name == e or e.startswith(f"setUpClass ({name}") for e in ended):
        lines += [f"failed\t{test}: did not end ({end})" for test in tests if test not in ended and not any(
            e.startswith("setUpClass") for e in ended)]
    return began, lines, text


def run_all(options):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, give_up)
    classes = {}
    for test in suites(unittest.defaultTestLoader.discover(options.folder, "test_*.py")):
        name = identity(test)
        if not options.names or any(word in name for word in options.names):
            classes.setdefault(name if options.names else name.rsplit(".", 1)[0], []).append(name)
    if not classes:
        print(f"no test of {options.folder} is named {' or '.join(options.names)}")
    watch = HostWatch(options.again_after / 1000) if options.again_after else None
    again = []  # tests

    def tell(name, began, lines, output):
        failed = [line for line in lines if line.startswith("failed")]
        passed = sum(line.startswith("passed") for line in lines)
        print(f"{'✘' if failed else '✔'} {name}: {passed} passed, {len(failed)} failed ({time.monotonic() - began:.0f} s)")
        if (failed or options.figures) and output.strip():
            print(output)
        still = watch.longest(began) if failed and watch else 0
        if still:
            print(f"↻ what failed of it goes again at the end: meanwhile the host stood still for {still * 1000:.0f} ms")
            tests = [line.split("\t", 1)[1].split(": ", 1)[0] for line in failed]
            again.extend(test if test in classes[name] else name for test in tests)  # or what the whole class stands on
        file.write("".join(line + "\n" for line in lines if not still or line not in failed))
        sys.stdout.flush()

    with open(options.results, "w") as file:
        with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
            jobs = {pool.submit(run_class, options, name, tests): name for name, tests in classes.items()}
            for job in concurrent.futures.as_completed(jobs):
                tell(jobs[job], *job.result())
        watch = None
        for name in again:
            tell(name, *run_class(options, name, classes.get(name, [name])))


def run_one(options):
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    unittest.defaultTestLoader.loadTestsFromName(options.one_class).run(Lines())
    if options.figures:
        times = os.times()
        print(f"{sum(times[:4]):.0f} s of processor time")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--at-once", type=int, default=6, help="as many classes run at a time")
    parser.add_argument("--class-seconds", type=int, default=400, help="a class that takes longer hangs")
    parser.add_argument("--again-after", type=int, default=0, metavar="MILLISECONDS",
                        help="what fails while the host stands still for longer goes again at the end; 0 for never")
    parser.add_argument("--figures", action="store_true", help="print what tests that pass have printed")
    parser.add_argument("--class", dest="one_class", help=argparse.SUPPRESS)
    parser.add_argument("folder")
    parser.add_argument("results", nargs="?")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    sys.path.insert(0, options.folder)
    if options.one_class:
        run_one(options)
    else:
        run_all(options)


if __name__ == "__main__":
    main()
