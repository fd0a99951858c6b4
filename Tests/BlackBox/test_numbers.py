# SPDX-License-Identifier: Apache-2.0
"""Sums, products and shifts of what strangers write: a plain operator traps where it goes over, and that ends the process. The modules that
read files, feeds and messages use those of Core/StrangersNumbers.swift, or hold a number to bounds before they reckon with it.

This goes by the text. A number is a stranger's from where it is read (`READ`) until it is compared with something; meanwhile nothing plain is
done with it. A place that is right all the same gives its reason in a comment on the line before, which begins with
"No overflow:"."""

import glob
import os
import re
import unittest

from build import TOP

MODULES = ("Media", "Transcript", "Fetching", "Streams", "Playlists", "Console", "Wire", "Display", "Configuration", "Household", "Bridge", "Subcommands")

# A call that yields a number of more than 16 bits from a stranger.
READ = r"(?:\b\w+\.)*\b(?:(?:integer|unsigned)(?!\([^()]*, (?:in|atMost):)|thousandths|milliseconds(?!\(since)|time|bigEndian(?:32|64)?|littleEndian(?:32|64)?|number|wideNumber|synchsafe|plain|whole|load)\((?:[^()]|\([^()]*\))*\)"
PLAIN = r"(?<![&*+<.])(?:\*=?|\+=?|<<=?)(?=\s)"
NARROW = r"\bU?Int(?:8|16|32)?\(\s*"
FUNCTION = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|private|fileprivate|internal|static|final|mutating|override|borrowing)\s+)*(?:func|init|subscript|var)\b")

RULES = (
    # A number in digits grows with each of them.
    (re.compile(r"\b(\w+(?:\.\w+)*) = \1 \* \d+ \+ "), "digits: appendingSaturated(digit:)"),
    # An Int has 32 bits on some boards: four bytes are a number below zero.
    (re.compile(r"\b(\w+(?:\.\w+)*) = \1 << \d+ \| Int\(|\breduce\(0(?: as Int)?\) \{ \$0 << \d+ \| Int\("), "bytes into an Int: into an unsigned number of their width"),
    (re.compile(rf"{READ}\)? {PLAIN}|{PLAIN} {READ}"), "a plain operator on what was just read"),
    (re.compile(rf"{NARROW}(?:try )?{READ}(?: \?\? \d+)?\)"), "a conversion that traps of what was just read"),
)


# Nanoseconds, and what is left of them, have 64 bits: on some boards an Int ends after 2 seconds of them, 35 minutes of microseconds, or 25
# days of milliseconds.
TIME = re.compile(r"(?<!\w)Int\((?!clamping:|truncatingIfNeeded:)[^\n]*\b(?:\w*[nN]anoseconds|milliseconds\(since:)")


def plain_text(line):
    """Without strings and comments."""
    return re.sub(r"//.*", "", re.sub(r'"(?:\\.|[^"\\])*"', '""', line))


def faults(lines):
    """(number of the line, what is wrong with it) of a file."""
    found, strangers, fits = [], set(), False
    for number, line in enumerate(lines, 1):
        if re.match(r"\s*// No overflow: \w", line):
            fits = True
            continue
        text = plain_text(line)
        if not text.strip():
            continue
        if FUNCTION.match(text) and not re.match(r"\s{8,}(?:var|let)\b", text):
            strangers = set()
        wrong = [words for rule, words in RULES if rule.search(text) and not re.search(rf"\bU?Int64\({READ}\) (?:\*|\+|<<)", text)]
        for name in strangers:
            beside = rf"(?<![\w.(]){name} {PLAIN}|{PLAIN} {name}\b(?![(.])"
            if re.search(beside, text):
                wrong.append(f"a plain operator on {name}, which is a stranger's")
            if re.search(rf"{NARROW}{name}\)", text) and not bounded(name, text):
                wrong.append(f"a conversion of {name} that traps, which is a stranger's")
        if wrong and not fits:
            found += [(number, words) for words in dict.fromkeys(wrong)]
        strangers = {name for name in strangers if not bounded(name, text)}
        for name, value in re.findall(r"(?:\b(?:let|var)|^) *(?:self\.)?(\w+)(?:: [\w?]+)? = ([^{]*)", text):
            if re.search(READ, value) and not re.search(r"\bmin\(|\bclamping:", value) and not bounded(name, text.replace(" = ", "  ")):
                strangers.add(name)
        fits = False
    return found


def bounded(name, text):
    return bool(re.search(rf"\b{name}\b(?: [<>]=? | [=!]= )|(?: [<>]=? | [=!]= ){name}\b|contains\({name}\)|\bmin\([^)]*\b{name}\b", text))


class Lint(unittest.TestCase):
    def test_nothing_plain_is_done_with_a_strangers_number(self):
        found, files = [], 0
        for module in MODULES:
            for path in sorted(glob.glob(os.path.join(TOP, "Sources", module, "**", "*.swift"), recursive=True)):
                files += 1
                with open(path, encoding="utf-8") as file:
                    lines = file.read().splitlines()
                found += [f"{os.path.relpath(path, TOP)}:{number}: {words}: {lines[number - 1].strip()}" for number, words in faults(lines)]
        self.assertGreater(files, 100)
        self.assertEqual(found, [])


    def test_no_moment_is_an_int(self):
        found, files = [], 0
        for path in sorted(glob.glob(os.path.join(TOP, "Sources", "**", "*.swift"), recursive=True)):
            files += 1
            with open(path, encoding="utf-8") as file:
                found += [f"{os.path.relpath(path, TOP)}:{number}: {line.strip()}" for number, line in enumerate(file, 1)
                          if TIME.search(plain_text(line))]
        self.assertGreater(files, 500)
        self.assertEqual(found, [])


class Planted(unittest.TestCase):
    """The findings of the lint, and the places that it lets pass."""

    WRONG = (
        "number = number * 10 + Int64(byte - 0x30)",
        "for byte in bytes.prefix(4) { count = count << 8 | Int(byte) }",
        "let size = head.reduce(0) { $0 << 8 | Int($1) }",
        "let end = start + bytes.bigEndian32(at: 4)",
        "let end = bytes.littleEndian32(at: 4) * 2",
        "let status = Int(ResponseHead.number(words[1]) ?? 0)",
        "let size = Int(bytes.number(at: 0))",
        "guard let count = lines.number(value) else { return nil }\n    at += count",
        "let count = bytes.bigEndian32(at: 0)\n    let bits = count << 3",
        "let count = bytes.bigEndian32(at: 0)\n    let size = Int(count)",
        "let held = page.pointee.held.load(ordering: .relaxed)\n    return place + held",
        "length = try window.number(at: 8)\n    end = start + length",
        "let first = try Argument.integer(words[0])\n    let end = current + first",
    )
    RIGHT = (
        "number = number.appendingSaturated(digit: byte)",
        "for byte in bytes.prefix(4) { count = count << 8 | UInt32(byte) }",
        "let end = start.addingSaturated(bytes.bigEndian32(at: 4))",
        "let both = UInt64(bytes.bigEndian32(at: 0)) << 32 | UInt64(bytes.bigEndian32(at: 4))",
        "let status = Int(clamping: ResponseHead.number(words[1]) ?? 0)",
        "guard let count = lines.number(value), count < 100 else { return nil }\n    at += count",
        "let count = bytes.bigEndian32(at: 0)\n    if count > 100 { return nil }\n    let size = Int(count)",
        "let held = min(256, page.pointee.held.load(ordering: .relaxed))\n    return place + held",
        "let change = try Argument.integer(words[0], in: -100...100)\n    set(volume + change)",
        "// No overflow: the sum of 16 bits.\n    let end = start + bytes.bigEndian32(at: 4)",
        'let words = "1 + number(2) * 3"',
        "let count = bytes.bigEndian32(at: 0)\n}\nfunc other() {\n    at += count",
    )

    def found(self, body):
        return faults(("func sample() {\n    " + body + "\n}").splitlines())

    def test_faults_are_found(self):
        for body in self.WRONG:
            with self.subTest(body):
                self.assertNotEqual(self.found(body), [])

    def test_moments_are_found(self):
        for line in ("let now = Int(timers.now.nanoseconds / 1000)", "Int(max(0, (due.nanoseconds - now) / 1_000_000))",
                     "return Int(now.milliseconds(since: start))"):
            self.assertTrue(TIME.search(line), line)
        for line in ("Int(clamping: timers.now.nanoseconds / 1000)", "Int64(now.nanoseconds)", "UInt64(truncatingIfNeeded: now.nanoseconds)"):
            self.assertFalse(TIME.search(line), line)

    def test_what_is_right_passes(self):
        for body in self.RIGHT:
            with self.subTest(body):
                self.assertEqual(self.found(body), [])
