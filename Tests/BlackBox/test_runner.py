# SPDX-License-Identifier: Apache-2.0
"""Tests/Shared/run.py itself: a test that is given up takes with it what it has started; a failed test is judged again,
alone, and once."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest

from build import TOP
from harness import until

# One class with a test that starts a child, as a virtual board is one, and hangs; and one without a fault.
TESTS = """
import os, subprocess, time, unittest

class Hangs(unittest.TestCase):
    def test(self):
        child = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "sleep", "1000"])
        # Before it sleeps it would outlive its parent.
        while open(f"/proc/{child.pid}/comm").read() != "sleep\\n":
            time.sleep(0.01)
        with open("FOLDER/child.new", "w") as file:
            file.write(f"{child.pid}")
        os.rename("FOLDER/child.new", "FOLDER/child")
        time.sleep(1000)

class Passes(unittest.TestCase):
    def test(self):
        pass
"""


class GivenUp(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="runner-")
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        with open(os.path.join(self.folder, "test_some.py"), "w") as file:
            file.write(TESTS.replace("FOLDER", self.folder))

    def start(self, *options):
        command = [sys.executable, os.path.join(TOP, "Tests", "Shared", "run.py"), *options, self.folder,
                   os.path.join(self.folder, "results")]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def child(self):
        path = os.path.join(self.folder, "child")
        until(lambda: os.path.exists(path), 60, "the test's own child")
        with open(path) as file:
            return int(file.read())

    def assert_gone(self, child):
        def is_gone():
            try:
                with open(f"/proc/{child}/stat") as file:
                    return file.read().rsplit(")", 1)[1].split()[0] in "ZX"
            except (FileNotFoundError, ProcessLookupError):
                return True
        until(is_gone, 10, f"the end of process {child}")

    def test_a_class_that_takes_too_long(self):
        process = self.start("--class-seconds", "3")
        said = process.communicate(timeout=60)[0]
        self.assert_gone(self.child())
        with open(os.path.join(self.folder, "results")) as file:
            results = sorted(file.read().splitlines())
        self.assertEqual(results, ["failed\ttest_some.Hangs.test: did not end (not done after 3 s)", "passed\ttest_some.Passes.test"], said)

    def test_a_run_that_is_broken_off(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number):
                process = self.start()
                child = self.child()
                process.send_signal(number)
                self.assertEqual(process.wait(30), -number)
                self.assert_gone(child)
                os.unlink(os.path.join(self.folder, "child"))


# Fails as often as it says.
FAILING = """
import os, unittest

class Fails(unittest.TestCase):
    def test(self):
        path = "FOLDER/runs"
        with open(path, "a") as file:
            file.write("x")
        self.assertGreater(os.path.getsize(path), TIMES)

    def test_well(self):
        with open("FOLDER/well", "a") as file:
            file.write("x")
"""


class JudgedAgain(unittest.TestCase):
    def run_it(self, times):
        """(How often each test ran, the results, what was said at last), after those that failed went again."""
        with tempfile.TemporaryDirectory(prefix="runner-") as folder:
            with open(os.path.join(folder, "test_some.py"), "w") as file:
                file.write(FAILING.replace("FOLDER", folder).replace("TIMES", str(times)))
            results = os.path.join(folder, "results")
            for options in [], ["--again"]:
                said = subprocess.run([sys.executable, os.path.join(TOP, "Tests", "Shared", "run.py"), *options, folder, results],
                                      check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120).stdout
            with open(results) as file:
                lines = sorted(line.split(":")[0] for line in file.read().splitlines())
            counts = [os.path.getsize(os.path.join(folder, name)) for name in ("runs", "well")]
            return counts, lines, said

    def test_once(self):
        well, bad = "passed\ttest_some.Fails.test_well", "failed\ttest_some.Fails.test"
        mended = "passed\ttest_some.Fails.test"
        counts, lines, said = self.run_it(1)
        self.assertEqual((counts, lines), ([2, 1], sorted([well, mended])))
        self.assertIn("↻ test_some.Fails.test: passes alone", said)
        counts, lines, said = self.run_it(9)
        self.assertEqual((counts, lines), ([2, 1], sorted([well, bad])), "a second failure is a failure")
        self.assertIn("✘ test_some.Fails.test: fails alone, too", said)
        counts, lines, said = self.run_it(0)
        self.assertEqual((counts, lines, said), ([1, 1], sorted([well, mended]), ""), "there is nothing to do")


if __name__ == "__main__":
    unittest.main()
