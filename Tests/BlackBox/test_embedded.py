# SPDX-License-Identifier: Apache-2.0
"""The functions that the compiler left out of the Embedded build without a word."""

import collections
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

from build import TOP

BUILD = os.path.join(TOP, ".build", "embedded-host")
BINARY = os.path.join(BUILD, "nightstand")  # with its symbols


class Code(unittest.TestCase):
    NEEDS_SHIPPED = True

    def test_every_method_of_ours_has_code(self):
        """A method of a protocol's extension that is called on `any P` is compiled to a call of swift_deletedMethodError, which ends the
        program; the ordinary build runs it. @inline(__always) gives it code. The standard library's own are never reached."""
        said = subprocess.run(["objdump", "-d", "--no-show-raw-insn", BINARY], stdout=subprocess.PIPE, text=True, check=True).stdout
        without = set()
        # The linker makes one function of those that are alike: the name may be another's that has no code.
        for function, body in re.findall(r"^[0-9a-f]+ <(.*)>:\n((?:.+\n)*)", said, re.M):
            if "<swift_deletedMethodError>" in body and body.count("\n") < 8 and re.match(r"\$e\d", function):  # of a module of ours
                without.add(function)
        self.assertIn("<swift_deletedMethodError>", said)
        self.assertEqual(without, set())


class Proof(unittest.TestCase):
    """Each module is compiled to be checked alone: the compiler's proof that the audio thread waits for nothing is made there."""

    NEEDS_SHIPPED = True

    def checked(self, line=""):
        """The compiler's words about the module Audio, as the build compiles it, with a line more in its thread's
        loop."""
        with open(os.path.join(BUILD, "Audio.command"), encoding="utf-8") as file:
            command = shlex.split(file.read())
        loop, = [word for word in command if word.endswith("/AudioLoop.swift")]
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(TOP, loop), encoding="utf-8") as file:
                changed, count = re.subn(r"(mutating func run\(\) \{\n)", rf"\1{line}\n", file.read())
            self.assertEqual(count, 1)
            command[command.index(loop)] = copy = os.path.join(folder, "AudioLoop.swift")
            with open(copy, "w", encoding="utf-8") as file:
                file.write(changed + "\nprivate let late = [getpid()]\n")
            command[command.index("-emit-module-path") + 1] = os.path.join(folder, "Audio.swiftmodule")
            return subprocess.run(command, cwd=TOP, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True).stdout

    def test_a_lock_or_an_allocation_in_the_audio_thread_is_refused(self):
        self.assertEqual(self.checked(), "")
        self.assertRegex(self.checked("if late.count == 9 { return }"), "error: .*lock")
        self.assertRegex(self.checked("if Array(repeating: 1, count: 9).count == 8 { return }"), "error: .*(lock|allocat)")


class Globals(unittest.TestCase):
    """The first reader makes a global that the compiler cannot lay out as data. The Embedded runtime's swift_once is
    safe for
    that: compare and exchange decides the maker, and it is released and acquired. But every other reader spins
    meanwhile, so that a thread of high priority could burn its time while one of low priority has no turn to make
    it."""

    NEEDS_SHIPPED = True

    # The globals that their first reader makes, by the compiler's names, and the reason that no thread ever spins for them.
    MADE_LATE = {
        r"_swift_stdlib_Hashing_parameters": "the event loop makes it, before there is a thread that hashes",
        r"4Core7CommandO8ControlsE5names": "read at the start, by the only thread",
        r"5Posix9InterludeC3key": "a worker makes it on the control thread, before its own threads begin",
        r"6SQLite8DatabaseC12isConfigured": "only control opens databases",
        r"7Display5GlyphV3all": "only control draws",
        r"8Controls9InputCodeV4keys": "read at the start with the configuration, by the only thread",
        r"4Wire6Base64O7letters": "only control has sessions",
        r"7Console10PeerOriginV9elsewhere": "only control has sessions",
        r"7Library8TagIndexO13withFallbacks": "only control has the library",
    }

    @classmethod
    def setUpClass(cls):
        def said(*command):
            return subprocess.run([*command, BINARY], stdout=subprocess.PIPE, text=True, check=True).stdout

        code = said("objdump", "-d", "--no-show-raw-insn")
        ends = {at: int(at, 16) + int(size, 16) for at, size in re.findall(r"^([0-9a-f]+) ([0-9a-f]+) ", said("nm", "-S"), re.M)}
        # A function without a symbol follows one with a symbol, and is known by its distance from there.
        called = {int(at, 16): name for at, name in re.findall(r"\t(?:call|jmp) +([0-9a-f]+) <([^>]+\+0x[0-9a-f]+)>", code)}
        cls.code = collections.defaultdict(str)
        for at, symbol, body in re.findall(r"^([0-9a-f]+) <(.*)>:\n((?:.+\n)*)", code, re.M):
            name = symbol
            for line in body.splitlines(keepends=True):
                here = int(line.partition(":")[0], 16)
                if here >= ends.get(at, sys.maxsize):
                    name = called.get(here, "" if name == symbol else name)
                if name:
                    cls.code[name] += line

    def reached(self, root, but=r"^$"):
        """The functions that those of this name call, directly or not, as far as the calls name a function, and not through `but`."""
        found, new = set(), [name for name in self.code if re.search(root, name)]
        self.assertNotEqual(new, [], root)
        while new:
            name = new.pop()
            if name not in found and not re.search(but, name):
                found.add(name)
                new += re.findall(r"\t(?:call|jmp) +[0-9a-f]+ <([^>]+)>", self.code.get(name, ""))
        return found

    def test_what_is_made_late_is_known(self):
        late = [name for name in self.code if name.endswith("_WZ")]
        self.assertTrue(late)
        self.assertEqual([name for name in late if not any(re.search(known, name) for known in self.MADE_LATE)], [])
        # A switch over many strings makes its table with the first of them.
        switches = [name for name, body in self.code.items() if re.search(r"call .*<\$es30_findStringSwitchCaseWithCache", body)]
        self.assertEqual([name for name in switches if not name.startswith("$e7Console")], [])

    def test_hashing_is_made_ready_with_the_loop(self):
        # An empty dictionary, as a property begins with, takes no seed, though its code could.
        self.assertIn("swift_once", self.reached(r"^\$e5Posix9EventLoopCACy.*fc$", but="dictionaryLiteral"))

    def test_audio_allocates_nothing_and_asks_for_nothing_that_is_made_late(self):
        reached = self.reached(r"^\$e5Audio0A6ThreadC5start.*cfU_$")
        self.assertIn("snd_pcm_writei@plt", reached)
        self.assertNotIn("swift_once", reached)
        self.assertNotIn("swift_slowAlloc", reached)

    def test_audio_runs_nothing_that_is_given_back(self):
        """Seldom code is let go of while it plays (ResidentMemory): the audio thread's code would have to be read from
        the disk again."""
        said = subprocess.run(["nm", "--defined-only", BINARY], stdout=subprocess.PIPE, text=True, check=True).stdout
        address = {name: int(at, 16) for at, name in re.findall(r"^([0-9a-f]+) \S (.*)$", said, re.M)}
        seldom = [*range(address["ns_seldom_code_start"], address["ns_seldom_code_end"]),
                  *range(address["ns_rare_code_start"], address["ns_rare_code_end"])]
        self.assertGreater(len(seldom), 200_000)
        seldom = set(seldom)
        self.assertTrue(any(address[name] in seldom for name in address if name.startswith("$e7Console7Session")))
        reached = [name for name in self.reached(r"^\$e5Audio0A6ThreadC5start.*cfU_$") if name in address]
        self.assertGreater(len(reached), 100)
        self.assertEqual([name for name in reached if address[name] in seldom], [])


if __name__ == "__main__":
    unittest.main()
