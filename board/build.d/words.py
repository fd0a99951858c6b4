#!/usr/bin/python3 -I
# SPDX-License-Identifier: Apache-2.0
"""Words in people's languages: the source's texts, and board/words has their translations.

    words.py pot            writes board/words/nightstand.pot, and has what is new or gone in each board/words/LANGUAGE.po (gettext's msgmerge)
    words.py mo FOLDER      compiles them into FOLDER/LANGUAGE/LC_MESSAGES, as [people] words names it (gettext's msgfmt)

A key is what stands in translated("…"), as a literal. A text below that function, in Core, says so in its comment: "is
the key of a
translation"; then all literals of that property are.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORDS = os.path.join(TOP, "board", "words")
# What makes a locale of a folder of words; it is of the package libc-bin, which every system has.
LOCALE = "/usr/lib/locale/C.utf8/LC_MESSAGES/SYS_LC_MESSAGES"
LITERAL = r'"((?:[^"\\\n]|\\.)*)"'
CALL = re.compile(rf"\btranslated\(\s*{LITERAL}(?:,\s*(plural|as):\s*{LITERAL})?")
MARKED = re.compile(r"is the key of a translation\.\n(.*?)\n    \}\n", re.DOTALL)


def unescaped(literal):
    """The text of a Swift literal."""
    return re.sub(r"\\u\{(\w+)\}", lambda found: chr(int(found[1], 16)), literal).replace('\\"', '"').replace("\\\\", "\\")


def keys():
    """(context, text, plural) of each, in the order of the source, with the files that have it. No context, no plural: ""."""
    found = {}
    for path in sorted(glob.glob(os.path.join(TOP, "Sources", "**", "*.swift"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            source = file.read()
        code = re.sub(r"^\s*//.*$", "", source, flags=re.MULTILINE)
        here = [(unescaped(context) if kind == "as" else "", unescaped(text), unescaped(context) if kind == "plural" else "")
                for text, kind, context in CALL.findall(code)]
        here += [("", unescaped(text), "") for body in MARKED.findall(source) for text in re.findall(LITERAL, body)]
        for key in here:
            files = found.setdefault(key, [])
            name = os.path.relpath(path, TOP)
            if name not in files:
                files.append(name)
    return found


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def template():
    """nightstand.pot."""
    lines = ['msgid ""', 'msgstr ""', '"Content-Type: text/plain; charset=UTF-8\\n"', '"Content-Transfer-Encoding: 8bit\\n"', ""]
    for (context, text, plural), files in keys().items():
        lines += ["#: " + " ".join(files)]
        lines += ["msgctxt " + quoted(context)] if context else []
        lines += ["msgid " + quoted(text)]
        lines += ["msgid_plural " + quoted(plural), 'msgstr[0] ""', 'msgstr[1] ""'] if plural else ['msgstr ""']
        lines += [""]
    return "\n".join(lines)


def languages():
    return sorted(os.path.basename(path)[:-3] for path in glob.glob(os.path.join(WORDS, "*.po")))


def program(name):
    path = shutil.which(name)
    if not path:
        sys.exit(f"words.py: no {name}: install the package gettext")
    return path


def write_template():
    pot = os.path.join(WORDS, "nightstand.pot")
    with open(pot, "w", encoding="utf-8") as file:
        file.write(template())
    for language in languages():
        subprocess.run([program("msgmerge"), "--quiet", "--update", "--backup=none", "--no-fuzzy-matching", "--no-wrap", "--no-location",
                        os.path.join(WORDS, language + ".po"), pot], check=True)


def compile_into(folder):
    for language in languages():
        room = os.path.join(folder, language, "LC_MESSAGES")
        os.makedirs(room, exist_ok=True)
        subprocess.run([program("msgfmt"), "--check", "-o", os.path.join(room, "nightstand.mo"), os.path.join(WORDS, language + ".po")],
                       check=True)
        link = os.path.join(room, os.path.basename(LOCALE))
        if not os.path.islink(link):
            os.symlink(LOCALE, link)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["pot"]: write_template()
        case ["mo", folder]: compile_into(folder)
        case _: sys.exit(__doc__)
