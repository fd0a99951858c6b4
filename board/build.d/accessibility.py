#!/usr/bin/python3 -I
# SPDX-License-Identifier: Apache-2.0
"""Makes board/ACCESSIBILITY.md of board/accessibility.yaml, the conformance report by EN 301 549 in OpenACR's format.

    accessibility.py             writes the page
    accessibility.py --check     exits with 1 if the page is another
"""

import os
import re
import sys

BOARD = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCE, PAGE = os.path.join(BOARD, "accessibility.yaml"), os.path.join(BOARD, "ACCESSIBILITY.md")
LEVELS = {"supports": "supports", "partially-supports": "**partially supports**", "does-not-support": "**does not support**",
          "not-applicable": "does not apply"}
TESTS = re.compile(r" Tests(?: of the rest)?: (`.*`)\.$")


def read(text):
    """Reads the part of YAML that the report uses: maps and lists by indentation, plain or quoted words, folded texts (>-)."""
    lines = [(len(line) - len(line.lstrip()), line.strip()) for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]

    def value(at, indent):
        return many(at, indent) if lines[at][1].startswith("- ") else pairs(at, indent)

    def many(at, indent):
        found = []
        while at < len(lines) and lines[at][0] == indent and lines[at][1].startswith("- "):
            lines[at] = (indent + 2, lines[at][1][2:])
            item, at = pairs(at, indent + 2)
            found.append(item)
        return found, at

    def pairs(at, indent):
        found = {}
        while at < len(lines) and lines[at][0] == indent and not lines[at][1].startswith("- "):
            match = re.fullmatch(r"(\w+):(?: (.+))?", lines[at][1])
            if not match or match[1] in found:
                raise ValueError(f"not read: {lines[at][1]}")
            at += 1
            if match[2] is None:
                found[match[1]], at = value(at, lines[at][0])
            elif match[2] == ">-":
                words = []
                while at < len(lines) and lines[at][0] > indent:
                    words.append(lines[at][1])
                    at += 1
                found[match[1]] = " ".join(words)
            else:
                found[match[1]] = match[2].strip('"')
        return found, at

    report, at = pairs(0, 0)
    if at != len(lines):
        raise ValueError(f"not read: {lines[at][1]}")
    return report


def rows(report):
    """Yields (chapter, number, title, level, note, names of tests) of each clause."""
    for chapter in report["chapters"].values():
        for criterion in chapter["criteria"]:
            adherence = criterion["components"][0]["adherence"]
            tests = TESTS.search(adherence["notes"])
            yield (chapter["title"], criterion["num"], criterion["title"], adherence["level"],
                   TESTS.sub("", adherence["notes"]), re.findall(r"`([^`]+)`", tests[1]) if tests else [])


def page(report):
    found = list(rows(report))
    count = {level: sum(row[3] == level for row in found) for level in LEVELS}
    applicable = len(found) - count["not-applicable"]
    missing = [row for row in found if row[3] in ("partially-supports", "does-not-support")]
    lines = [
        "# Accessibility",
        "",
        f"{report['notes']}",
        "",
        f"{report['evaluation_methods_used']}",
        "",
        f"Of {applicable} clauses that apply, Nightstand supports {count['supports']}, supports {count['partially-supports']} in part, and does "
        f"not support {count['does-not-support']}. {count['not-applicable']} clauses do not apply.",
        "",
        "## What is missing",
        "",
        *(f"* {number} {title}: {note}" for _, number, title, _, note, _ in missing),
    ]
    chapter = None
    for row in found:
        if row[0] != chapter:
            chapter = row[0]
            lines += ["", f"## {chapter}", "", "| clause | about | Nightstand | how | tests |", "|---|---|---|---|---|"]
        lines.append("| {} | {} | {} | {} | {} |".format(row[1], row[2], LEVELS[row[3]], row[4], ", ".join(f"`{test}`" for test in row[5])))
    lines += [
        "",
        "## The source of this page",
        "",
        f"`board/build.d/accessibility.py` makes this page of [accessibility.yaml](accessibility.yaml) (OpenACR, {report['report_date']}). The titles are",
        "our own words. The standard itself is EN 301 549 V3.2.1 of ETSI. A name with a dot is a test of `Tests/BlackBox`, of `Tests/Virtual` where",
        "that stands before it, or of `Tests/Unit`. `test_documents` fails if one of them is gone.",
    ]
    return "\n".join(lines) + "\n"


def main():
    with open(SOURCE, encoding="utf-8") as file:
        made = page(read(file.read()))
    if "--check" not in sys.argv:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(made)
        return
    with open(PAGE, encoding="utf-8") as file:
        if file.read() != made:
            sys.exit("board/ACCESSIBILITY.md is another: run board/build.d/accessibility.py")


if __name__ == "__main__":
    main()
