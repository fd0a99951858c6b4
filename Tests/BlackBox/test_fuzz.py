# SPDX-License-Identifier: Apache-2.0
"""The work on strangers' bytes, in Embedded Swift as it ships: small files of each kind, right in all their parts, with
one or two of
their numbers at an edge. The unit tests' writers make them (the ordinary build), and a program of the shipping modules goes through some
thousands of them, for boards of 32 bits; board/fuzz does a million. Recordings/found keeps each finding.

Left out, and saying so, where the program was not built: board/test builds the program of 32 bits (board/build --fuzz
armhf), board/fuzz --width host the one for this machine, whose 64 bits the unit tests have as well."""

import glob
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import test_armhf as armhf
from build import NIGHTSTAND, TOP

QEMU = shutil.which("qemu-arm") or shutil.which("qemu-arm-static")
TESTS = os.path.join(TOP, ".build", "debug", "nightstandPackageTests.xctest")
FILTER = "FieldFuzzTests|StrangersFuzzTests|FuzzTests/numbersOfAnySize"


def program(width):
    """The words that start it; none where it was not built."""
    path = os.path.join(TOP, ".build", "board", width, "fuzz")
    if not os.path.exists(path) or width == "armhf" and not QEMU:
        return None
    return [QEMU, "-L", "/usr/arm-linux-gnueabihf", path] if width == "armhf" else [path]


class Widths(unittest.TestCase):
    NEEDS_SHIPPED = TAKES_LONG = True

    @classmethod
    def setUpClass(cls):
        if not os.path.exists(TESTS):
            raise unittest.SkipTest("swift build --build-tests has not been run")
        cls.scratch = tempfile.TemporaryDirectory(prefix="fuzz-")
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.seeds = os.path.join(cls.scratch.name, "seeds")
        os.mkdir(cls.seeds)
        subprocess.run(["swift", "test", "--skip-build", "--filter", FILTER], cwd=TOP, env=dict(os.environ, NIGHTSTAND_FUZZ_SEEDS=cls.seeds),
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300, check=True)

    def work(self, width, *words, cases=1, seed=1):
        command = program(width)
        if command is None:
            self.skipTest(f"board/build --fuzz {width} has not been run")
        trace = tempfile.mkdtemp(dir=self.scratch.name)
        environment = dict(os.environ, NIGHTSTAND_FUZZ_CASES=str(cases), NIGHTSTAND_FUZZ_SEED=str(seed), NIGHTSTAND_FUZZ_TRACE=trace)
        done = subprocess.run([*command, *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900)
        return done, trace

    def all_pass(self, width, bits, cases):
        files = sorted(glob.glob(os.path.join(self.seeds, "*")))
        self.assertGreater(len(files), 40)
        done, trace = self.work(width, *files, cases=cases)
        held = [open(path, encoding="utf-8").read() for path in glob.glob(os.path.join(trace, "*"))]
        self.assertEqual((done.returncode, held), (0, []), done.stdout)
        print(done.stdout.strip())
        self.assertEqual(done.stdout, f"{cases * len(files)} files, an Int of {bits} bits\n")

    def test_some_thousands_for_this_machine(self):
        self.all_pass("host", 64, 100)

    def test_some_thousands_with_32_bits(self):
        self.all_pass("armhf", 32, 50)

    def found(self, width, bits):
        files = sorted(glob.glob(os.path.join(TOP, "Tests", "Recordings", "found", "*")))
        self.assertGreaterEqual(len(files), 3)
        done, _ = self.work(width, "--once", *files)
        self.assertEqual((done.returncode, done.stdout), (0, f"{len(files)} files, an Int of {bits} bits\n"))

    def test_what_was_found_for_this_machine(self):
        self.found("host", 64)

    def test_what_was_found_with_32_bits(self):
        self.found("armhf", 32)

    def test_a_trap_is_seen_and_says_of_what(self):
        """A fault of the test's own: a program that ends so leaves the name and the seed in hand, and its code says so."""
        liar = os.path.join(self.scratch.name, "liar")
        with open(liar, "wb") as file:
            # Its one field lies behind its end.
            file.write(b"media plain\nbig 100 8\n\nshort")
        done, _ = self.work("armhf", liar)
        self.assertNotIn(done.returncode, (0, 1, 2))
        with open(liar, "wb") as file:
            file.write(b"nonsense plain\nbig 0 1\n\nshort")
        done, trace = self.work("armhf", liar, seed=7)
        self.assertEqual(done.returncode, 1)
        self.assertIn("liar, seed 7", done.stdout)
        with open(os.path.join(trace, "liar"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "liar, seed 7\n")

    def test_the_shipped_program_decodes_or_refuses(self):
        """The same files, one by one, through the program itself: it decodes what is there, or says in words why it does not."""
        seeds = [path for path in sorted(glob.glob(os.path.join(self.seeds, "*"))) if open(path, "rb").read().startswith(b"media ")]
        self.assertGreater(len(seeds), 15)
        commands = [("this machine", [NIGHTSTAND], 12)]
        commands += [(release.name, release.command(release.nightstand), 4) for release in armhf.RELEASES]
        for name, command, rounds in commands:
            outcomes = {0: 0, 1: 0}
            for seed in range(1, rounds + 1):
                done, trace = self.work("armhf", *seeds, seed=seed)
                self.assertEqual(done.returncode, 0, done.stdout)
                for path in sorted(glob.glob(os.path.join(trace, "*.bytes"))):
                    with self.subTest(program=name, file=f"{os.path.basename(path)}, seed {seed}"):
                        said = subprocess.run([*command, "decode", path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=120)
                        self.assertIn(said.returncode, outcomes)
                        outcomes[said.returncode] += 1
                        if said.returncode:
                            self.assertTrue(re.search(r"\w+ \w+", said.stderr), "no words")
            print(f"{name}: {outcomes[0]} decoded, {outcomes[1]} refused")
            self.assertGreater(min(outcomes.values()), 0)
