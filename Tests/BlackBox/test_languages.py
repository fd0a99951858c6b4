# SPDX-License-Identifier: Apache-2.0
"""Words in people's languages: all that the source says is in each of them, fits, and reaches glass, voice and panel."""

import glob
import importlib.util
import os
import re
import subprocess
import tempfile
import unicodedata
import unittest

from build import NIGHTSTAND, TOP
from harness import SpeakerCase, until
from screens import Glass

SPEC = importlib.util.spec_from_file_location("words", os.path.join(TOP, "board/build.d/words.py"))
words = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(words)

LANGUAGES = ["de", "es", "fr", "it", "nl", "pl", "pt"]
# Those of one glance at two rows of sixteen characters.
NOTICES = ("Sources/Display/Words.swift", "Sources/Foundations/Core/Trouble.swift")
# The folders with texts that people see and hear.
FOLDERS = ("Scenes", "ScreenProcess", "Display", "Speaker")
# Files with words for makers, for programs, or of letters.
FOR_OTHERS = {
    "Gallery.swift": "draws pictures for makers",
    "LineLog.swift": "a log",
    "ScreenDrawing.swift": "answers at the command line",
    "ScreenSubcommand.swift": "answers at the command line",
    "ListText.swift": "names of the console's fields",
    "Element.swift": "the console's tree of a screen",
    "Transliteration.swift": "letters",
    "LibraryBackup.swift": "answers of the console", "LibraryRestore.swift": "answers of the console",
    "Podcasts.swift": "answers of the console", "PodcastKeeping.swift": "the journal, and names of files",
    "FeedAdapter.swift": "names of files", "ServiceReports.swift": "the service manager",
    "Leveling.swift": "the journal", "Streaming.swift": "the journal", "Alarms.swift": "the journal",
    "ButtonUse.swift": "names of gestures", "ScreenFonts.swift": "what is wrong with a file of makers",
    "CharlcdEncoder.swift": "what the kernel's driver is told",
}
# Calls that tell the journal, on the line or the one before.
TOLD = re.compile(r"\b(Log\.\w+|warn|misused|environmentVariable|Worker\(name|key:)")
# A command for the console, and what one is asked about.
COMMAND = re.compile(r" ?(setting|next|previous|add|addid|alarm|any|haptic|household|sort|ascii|book|books|buttons|clear|database|favourite|find|finished|letters|list\w*|load|menu|play\w*|pause|refresh|rm|say|screen|"
                     r"screenstate|search|seek\w*|setvol|sleep|speed|subscribe|volume|albumart|readpicture|update)\b(?!:)|(on|off) $")
OTHERS = {
    "Nightstand": "the product's name", "Nightstand ": "the product's name", "Id": "a field of the console's",
    "it is too large": "the journal", "it is no JPEG or PNG that can be read": "the journal", "what is played": "the journal",
}


def entries(path):
    """(context, text, plural), [translations], flags of each in a .po file, the head left out."""
    with open(path, encoding="utf-8") as file:
        blocks = file.read().strip().split("\n\n")
    for block in blocks[1:]:
        values, name = {}, None
        for line in block.split("\n"):
            if line.startswith("#"):
                values["flags"] = values.get("flags", "") + line
                continue
            found = re.match(r'(?:(\w+(?:\[\d\])?) )?"(.*)"$', line)
            name = found[1] or name
            values[name] = values.get(name, "") + found[2].replace('\\"', '"').replace("\\\\", "\\")
        yield ((values.get("msgctxt", ""), values["msgid"], values.get("msgid_plural", "")),
               [value for key, value in sorted(values.items()) if key.startswith("msgstr")], values.get("flags", ""))


def signs(text):
    return sorted(re.findall(r"%[12]", text))


def rows(text, width=16):
    """Returns the number of rows of a text on a character LCD, broken at blanks; none where a word is longer than
    one."""
    plain = text.replace("ß", "ss").replace("…", "...").replace("\u00a0", " ")
    count, room = 1, width + 1
    for word in plain.split(" "):
        if len(word) > width:
            return None
        if len(word) + 1 > room:
            count, room = count + 1, width + 1
        room -= len(word) + 1
    return count


class Translations(unittest.TestCase):
    def setUp(self):
        self.keys = words.keys()

    def test_every_word_is_in_every_language(self):
        with open(os.path.join(TOP, "board/words/nightstand.pot"), encoding="utf-8") as file:
            self.assertEqual(file.read(), words.template(), "board/build.d/words.py pot")
        self.assertEqual(words.languages(), LANGUAGES)
        for language in LANGUAGES:
            there = {}
            for key, texts, flags in entries(os.path.join(TOP, f"board/words/{language}.po")):
                there[key] = texts
                with self.subTest(language=language, key=key):
                    self.assertNotIn("fuzzy", flags)
                    self.assertFalse(flags.startswith("#~"), "no longer used")
                    self.assertEqual(len(texts), (3 if language == "pl" else 2) if key[2] else 1)
                    for text in texts:
                        self.assertTrue(text.strip() or key[0].startswith("sign"), "empty")
                        self.assertEqual(signs(text), signs(key[1]), text)
                        self.assertEqual(text, unicodedata.normalize("NFC", text))
            with self.subTest(language=language):
                self.assertEqual(sorted(there), sorted(self.keys))

    def test_notices_fit_two_rows(self):
        files = {key: files for key, files in self.keys.items() if any(file in NOTICES for file in files)}
        self.assertGreater(len(files), 35)
        for language in LANGUAGES:
            for key, texts, _ in entries(os.path.join(TOP, f"board/words/{language}.po")):
                for text in texts if key in files else ():
                    with self.subTest(language=language, text=text):
                        self.assertIn(rows(text.replace("%1", "0,4")), (1, 2))

    def test_what_a_knob_or_press_shows_is_short(self):
        """Menu headings beside "12/345", and lists' own words in one row."""
        short = [key for key, files in self.keys.items() if "Sources/Model/MenuStatus.swift" in files]
        self.assertGreater(len(short), 10)
        for language in LANGUAGES:
            for key, texts, _ in entries(os.path.join(TOP, f"board/words/{language}.po")):
                if key in short:
                    with self.subTest(language=language, text=texts[0]):
                        self.assertLessEqual(len(texts[0]), 15)

    def test_no_word_for_people_stands_elsewhere(self):
        there = {os.path.basename(path) for folder in FOLDERS for path in glob.glob(os.path.join(TOP, "Sources", folder, "*.swift"))}
        self.assertLessEqual(set(FOR_OTHERS), there)
        for folder in FOLDERS:
            for path in sorted(glob.glob(os.path.join(TOP, "Sources", folder, "*.swift"))):
                if os.path.basename(path) in FOR_OTHERS:
                    continue
                with open(path, encoding="utf-8") as file:
                    source = file.read()
                # A call may continue several lines down: translated texts go first.
                plain = re.sub(r'\btranslated\(\s*' + words.LITERAL + r'(,\s*(plural|as):\s*' + words.LITERAL + ")?", "translated(", source)
                before = ""
                for number, line in enumerate(plain.split("\n"), 1):
                    code = re.sub(r"//.*", "", line)
                    told = TOLD.search(code) or TOLD.search(before)
                    before = code
                    for text in re.findall(words.LITERAL, code):
                        bare = re.sub(r"\\\([^()]*(\([^()]*\)[^()]*)*\)", "", text)
                        if told or text in OTHERS or COMMAND.match(text) or not re.search(r"[A-Z][a-z]+( |$)|[a-z]+ [a-z]|^, [a-z]|[a-z] $", bare):
                            continue
                        with self.subTest(file=os.path.relpath(path, TOP), line=number, text=text):
                            self.fail("it is not translated")


def compiled(case):
    """A folder with all languages, as the package has it."""
    folder = tempfile.TemporaryDirectory(prefix="nightstand-words-")
    case.addCleanup(folder.cleanup)
    words.compile_into(folder.name)
    return folder.name


class OnTheGlass(Glass):
    def begin(self, language, env=None, **settings):
        self.item("a", 60, "Fuchs")
        self.settings["people"] = {"language": language, "words": compiled(self)}
        self.settings.update(settings)
        self.start(env=env)
        self.mpd("play")
        self.wait_playing()

    def test_german(self):
        # The language of a shell does not matter.
        self.begin("de", env={"LANGUAGE": "fr:en"})
        self.mpd("favourite add")
        self.shows("Zu Favoriten")
        self.mpd("speed 1.25")
        self.shows("Tempo 1,25")
        self.mpd("sleep 30")
        self.shows("Schlaf: 30 min")
        self.mpd("menu open")
        self.shows("Men")
        until(lambda: self.mpd.fields("menu next")["entry"] == "Schlaftimer", 5, "the sleep timer in the menu")
        self.shows("Schlaftimer")
        self.mpd("menu leave")
        # The console's own words, and the journal, are English.
        with self.assertRaisesRegex(self.mpd.Refused, "Expected open, next"):
            self.mpd("menu up")
        self.assertNotIn("no words", self.log())

    def test_a_language_of_a_country_and_one_without_words(self):
        self.begin("de_AT")
        self.mpd("favourite add")
        self.shows("Zu Favoriten")

    def test_an_unknown_language_is_english(self):
        self.begin("xx")
        self.mpd("favourite add")
        self.shows("Added to")
        self.assertEqual(self.log().count("no words in 'xx'"), 1)

    def test_another_is_chosen(self):
        self.begin("")
        entry = lambda: self.mpd.fields("menu next").get("entry")
        self.mpd("menu open")
        until(lambda: entry() == "Language", 5, "the languages in the menu")
        self.mpd("menu choose")
        self.assertEqual(self.mpd.fields("menu")["entry"], "English")
        until(lambda: self.mpd.fields("menu previous")["entry"] == "Deutsch", 5, "German")
        self.mpd("menu choose")
        until(lambda: self.mpd.fields("screenstate 0").get("language") == "de", 5, "German spoken")
        self.mpd("favourite add")
        self.shows("Zu Favoriten")
        self.assertIn("words: Deutsch", self.mpd("setting"))
        # It is remembered, and another can be chosen at once.
        self.end()
        self.start()
        self.mpd("favourite remove")
        self.shows("Aus Favoriten")
        # Panels are told of it.
        panel = self.connect()
        panel.send("idle options")
        for language, text in (("pl", "ulubionych"), ("fr", "favoris"), ("de", "Zu Favoriten"), ("en", "Added to")):
            self.mpd(f"setting language {language}")
            until(lambda: self.mpd.fields("screenstate 0")["language"] == language, 5, language)
            self.mpd("favourite add")
            self.shows(text)
            self.mpd("favourite remove")
        self.assertEqual(panel.answer(), ["changed: options"])
        with self.assertRaisesRegex(self.mpd.Refused, "de, en, es, fr, it, nl, pl, pt"):
            self.mpd("setting language xx")

    def test_polish_letters_are_spelled(self):
        self.begin("pl")
        self.mpd("favourite add")
        self.shows("Dodano do")
        self.shows("ulubionych")
        self.mpd("sleep 15")
        self.mpd("sleep off")
        self.mpd("menu open")
        self.shows("Menu")


class Spoken(SpeakerCase):
    FASTER = 2
    PROGRAM = """#!/bin/sh
echo "$(cat) $*" >> "$(dirname "$0")/spoken"
head -c 4000 /dev/urandom
"""

    def begin(self, language):
        self.add_noise("a.mp3", 60)
        program = self.path("espeak-of-ours")
        with open(program, "w") as file:
            file.write(self.PROGRAM)
        os.chmod(program, 0o755)
        self.settings["people"] = {"language": language, "words": compiled(self)}
        self.settings["voice"] = {"enabled": "yes", "command": os.path.basename(program), "cache": ""}
        self.start(env={"PATH": self.folder + ":" + os.environ["PATH"]})
        self.mpd("play")
        self.wait_playing()

    def spoken(self):
        try:
            with open(self.path("spoken"), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return ""

    def says(self, *texts):
        until(lambda: all(text in self.spoken() for text in texts), 20, lambda: f"{texts} in {self.spoken()!r}; {self.log()}")

    def test_german(self):
        self.begin("de_AT")
        self.mpd("pause 1")
        self.says("Angehalten. -v de\n")
        self.mpd("sleep 61")
        self.says("Schlaftimer 1 Stunde 1 Minute.")
        self.mpd("menu open")
        self.says("Menü.")
        until(lambda: self.mpd.fields("menu next")["entry"] == "Tempo", 5, "the speeds in the menu")
        self.mpd("menu choose")
        until(lambda: self.mpd.fields("menu next")["entry"] == "1,5x", 5, "a speed in the menu")
        self.says("1,5-fach.")
        self.mpd("menu choose")
        self.says("Tempo 1,5-fach.")

    def test_a_title_is_spoken_in_its_own_language(self):
        for number, (title, language) in enumerate((("Wind & Weather", "eng"), ("Der Wind", "ger"), ("Le vent", "French"), ("Vento", ""))):
            os.makedirs(f"{self.library}/{number}")
            for part in (1, 2):
                self.add_noise(f"{number}/{part}.mp3", 30, 22050, "-b", "32", "--tl", title, "--tt", title,
                               *(["--tv", "TLAN=" + language] if language else []), seed=number + 10 * part)
        self.begin("de")
        until(lambda: sum(line.startswith("duration: ") for line in self.mpd("listallinfo")) == 9, 20, "the length of each")
        entry = self.mpd.fields("menu open")["entry"]
        while entry != "Bücher":
            entry = self.mpd.fields("menu next")["entry"]
        self.mpd("menu choose")
        for _ in range(3):
            spoken = self.spoken()
            self.mpd("menu next")
            until(lambda: self.spoken() != spoken, 10, "the next one")
        self.says('<voice xml:lang="fr">Le vent</voice>, 1 Minute. -v de -m\n', "Vento, 1 Minute. -v de\n",
                  '<voice xml:lang="en">Wind &amp; Weather</voice>, 1 Minute. -v de -m\n')
        self.mpd("menu previous")
        self.mpd("menu choose")
        self.says("Vento. -v de\n")

    def test_the_voice_goes_with_another(self):
        self.begin("")
        self.mpd("pause 1")
        self.says("Paused. \n")
        self.mpd("setting language es")
        until(lambda: self.mpd.fields("screenstate 0")["language"] == "es", 5, "Spanish")
        self.mpd("sleep 22")
        self.says("22 minutos. -v es\n")

    def test_polish_has_three_forms(self):
        self.begin("pl")
        for minutes, expected in ((62, "1 godzina 2 minuty"), (125, "2 godziny 5 minut"), (301, "5 godzin 1 minuta"), (22, "22 minuty"), (12, "12 minut")):
            self.mpd(f"sleep {minutes}")
            self.says(expected)


class OnThePanel(unittest.TestCase):
    STATE = """state: pause
title: Der Lampenmann
elapsed: 60
duration: 12120
speed: 1.25
sleep: 1800
clock: 6:05
date: 2026-05-21
list: books
book: a
Title: Emma
heard: 5
duration: 9
"""

    def tree(self, screen, language="de", size="240x240"):
        with tempfile.TemporaryDirectory() as folder:
            names = [os.path.join(folder, name) for name in ("conf", "state", "out.png")]
            with open(names[0], "w") as file:
                file.write(f"[people]\nlanguage = {language}\nwords = {compiled(self)}\n")
            with open(names[1], "w") as file:
                file.write(self.STATE)
            done = subprocess.run([NIGHTSTAND, "--config", names[0], "screen", "--png", names[2], "--screen", screen, "--state", names[1], "--tree",
                                   "--size", size], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_english_opens_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = os.path.join(folder, "trace")
            subprocess.run(["strace", "-f", "-o", trace, "-e", "trace=openat,access", NIGHTSTAND, "screen", "--png", os.path.join(folder, "out.png"),
                            "--screen", "settings"], check=True, timeout=60, env=dict(os.environ, LANGUAGE="de", LC_ALL="de_DE.UTF-8"))
            with open(trace, encoding="utf-8", errors="replace") as file:
                self.assertNotRegex(file.read(), r"nightstand/locale|\.mo\"|LC_MESSAGES|locale-archive")

    def test_german(self):
        for screen, expected in (("player", ["Zurück", "10 Sekunden", "Spielen", "von 3:22:00"]), ("library", ["Bibliothek", "Favoriten", "55 Prozent gehört"]),
                                 ("standby", ["21. Mai", "Schlaf: 30 min"]), ("empty", ["Noch keine Favoriten"]),
                                 ("error", ["Der Lautsprecher ist nicht da"])):
            with self.subTest(screen):
                there = self.tree(screen)
                for text in expected:
                    self.assertIn(text, there)
        # With less room the date gives way.
        self.assertIn("21 de mayo", self.tree("standby", "es", "480x320"))
