# SPDX-License-Identifier: Apache-2.0
"""Runs the Python tests of a folder, a process for each class and a few at a time: most of them wait for clocks.

    run.py [OPTION…] FOLDER RESULTS [NAME…]      RESULTS: a file that gets a line of passed, failed or skipped for every test

The tests find the modules of this folder, where this program lies, and those of their own.

A class may say three things of itself:
    FASTER = 4            its clock runs four times as fast, for all of its processes (fast-clock.c)
    NEEDS_SHIPPED = True  it asks for what only the shipped program shows; left out by --unshipped
    TAKES_LONG = True     it takes long; left out by --quick

--again runs the tests that failed according to RESULTS once more, each alone and by the host's own clock: the effects
of a busy host on sound and times say nothing about the speaker. A test that passes then has passed, and a line with ↻
says so;
a test that fails twice has failed.
"""

import argparse
import concurrent.futures
import ctypes
import os
import signal
import subprocess
import sys
import time
import unittest
from contextlib import suppress

from build import compiled

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


def clock(factor):
    """The environment of a class with a clock that runs so many times as fast."""
    if factor == 1:
        return dict(os.environ)
    shim = compiled("fast-clock.c", "fast-clock.so", "-shared", "-fPIC", "-ldl")
    return dict(os.environ, FAST_CLOCK=str(factor), FAST_CLOCK_ORIGIN=f"{time.monotonic_ns()}:{time.time_ns()}", LD_PRELOAD=shim)


def run_class(options, name, tests, factor=1):
    """A class in a process of its own: (its seconds, by the clock and of processor time; its lines, its output)."""
    began = time.monotonic()
    command = [sys.executable, os.path.abspath(__file__), "--class", name, options.folder]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               errors="replace", start_new_session=True, env=clock(factor))
    running.add(process)
    try:
        output, end = process.communicate(timeout=options.class_seconds)[0], f"exit code {process.returncode}"
    except subprocess.TimeoutExpired:
        end = f"not done after {options.class_seconds} s"
        kill(process)
        output = process.communicate()[0]
    running.discard(process)
    lines = [line[1:] for line in output.splitlines() if line.startswith("\x01")]
    text = "\n".join(line for line in output.splitlines() if not line.startswith(("\x01", "\x02")))
    processor = next((line[1:] for line in output.splitlines() if line.startswith("\x02")), "unknown")
    seconds = f"{time.monotonic() - began:.0f} s, {processor} of processor"
    ended = {line.split("\t", 1)[1].split(": ", 1)[0] for line in lines}
    if not any(name == e or e.startswith(f"setUpClass ({name}") for e in ended):
        lines += [f"failed\t{test}: did not end ({end})" for test in tests if test not in ended and not any(
            e.startswith("setUpClass") for e in ended)]
    return seconds, lines, text


def run_all(options):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, give_up)
    classes, factors, left_out = {}, {}, {}
    for test in suites(unittest.defaultTestLoader.discover(options.folder, "test_*.py")):
        name = identity(test)
        if options.names and not any(word in name for word in options.names):
            continue
        if options.unshipped and getattr(test, "NEEDS_SHIPPED", False):
            left_out[name.rsplit(".", 1)[0]] = "asks for the shipped program"
        elif options.quick and getattr(test, "TAKES_LONG", False):
            left_out[name.rsplit(".", 1)[0]] = "takes long"
        else:
            group = name.rsplit(".", 1)[0]
            if options.names and not any(word in group for word in options.names):
                group = name
            classes.setdefault(group, []).append(name)
            factors[group] = 1 if options.slow else getattr(test, "FASTER", 1)
    if not classes and not left_out:
        print(f"no test of {options.folder} is named {' or '.join(options.names)}")

    def tell(name, seconds, lines, output):
        failed = [line for line in lines if line.startswith("failed")]
        passed = sum(line.startswith("passed") for line in lines)
        print(f"{'✘' if failed else '✔'} {name}: {passed} passed, {len(failed)} failed ({seconds})")
        if (failed or options.figures) and output.strip():
            print(output)
        file.write("".join(line + "\n" for line in lines))
        sys.stdout.flush()

    # It ends with this process, however that ends.
    load = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", sys.executable, "-c", "while True: pass"]) if options.beside_load else None
    with open(options.results, "w") as file:
        for name, reason in left_out.items():
            file.write(f"skipped\t{name}: {reason}\n")
        with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
            jobs = {pool.submit(run_class, options, name, tests, factors[name]): name
                    for _ in range(options.times) for name, tests in classes.items()}
            for job in concurrent.futures.as_completed(jobs):
                tell(jobs[job], *job.result())
    if load:
        load.kill()
        load.wait()


def test_of(line):
    """The test of a line of failed; the class, where what it stands on failed."""
    name = line.split("\t", 1)[1].split(": ", 1)[0]
    return name.split("(", 1)[1].rstrip(")") if name.startswith("setUpClass") else name


def run_again(options):
    """Each test that failed in an earlier run, alone. A test that passes now has passed."""
    with open(options.results) as file:
        before = file.read().splitlines()
    after = []
    for line in before:
        if not line.startswith("failed\t") or (options.names and not any(word in line for word in options.names)):
            after.append(line)
            continue
        _, lines, output = run_class(options, test_of(line), [test_of(line)])
        if lines and not any(line.startswith("failed") for line in lines):
            print(f"↻ {test_of(line)}: passes alone", flush=True)
            after += lines
        else:
            print(f"✘ {test_of(line)}: fails alone, too\n{output}", flush=True)
            after.append(line)
    with open(options.results, "w") as file:
        file.write("".join(line + "\n" for line in after))


def run_one(options):
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    unittest.defaultTestLoader.loadTestsFromName(options.one_class).run(Lines())
    print(f"\x02{sum(os.times()[:4]):.0f} s")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--at-once", type=int, default=6, help="as many classes run at a time")
    parser.add_argument("--class-seconds", type=int, default=400, help="a class that takes longer hangs")
    parser.add_argument("--again", action="store_true", help="the tests that failed, by RESULTS, each alone; RESULTS is brought up to date")
    parser.add_argument("--slow", action="store_true", help="each class by the host's own clock")
    parser.add_argument("--quick", action="store_true", help="without the classes that take long")
    parser.add_argument("--unshipped", action="store_true", help="NIGHTSTAND is no shipped program: without the classes that ask for it")
    parser.add_argument("--times", type=int, default=1, help="each so many times")
    parser.add_argument("--beside-load", action="store_true", help="beside a process that keeps a core busy")
    parser.add_argument("--figures", action="store_true", help="print what tests that pass have printed")
    parser.add_argument("--class", dest="one_class", help=argparse.SUPPRESS)
    parser.add_argument("folder")
    parser.add_argument("results", nargs="?")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    sys.path.insert(0, options.folder)
    if options.one_class:
        run_one(options)
    elif options.again:
        run_again(options)
    else:
        run_all(options)


if __name__ == "__main__":
    main()
