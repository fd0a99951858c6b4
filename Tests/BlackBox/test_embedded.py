"""What the compiler left out of the Embedded build without a word."""

import os
import re
import subprocess
import unittest

from build import TOP

BINARY = os.path.join(TOP, ".build", "embedded-host", "release", "nightstand")  # with its symbols


class Code(unittest.TestCase):
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


if __name__ == "__main__":
    unittest.main()
