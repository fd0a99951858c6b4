# SPDX-License-Identifier: Apache-2.0
"""Spoken words are found and played from, sentences are kept, and the speaker's whole memory is copied and restored
during playback."""

import json
import os
import shutil
import subprocess
import unittest

from harness import NIGHTSTAND, SpeakerCase, contents, until


def subtitles(*texts):
    """A sentence every four seconds."""
    def time(seconds):
        return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"

    return "".join(f"{n + 1}\n{time(4 * n)},000 --> {time(4 * n + 3)},500\n{text}\n\n" for n, text in enumerate(texts))


class WordsCase(SpeakerCase):
    def setUp(self):
        super().setUp()
        self.add_noise("a lamp.mp3", 40)
        self.add_noise("b moth.mp3", 40)
        self.write("a lamp.srt", "The old lamp.", "It gives an ÉLAN of light.", "A red fox came by.", "The end of the lamp.")
        self.write("b moth.vtt", "A moth flies.", "The fox is red.")

    def write(self, name, *texts):
        text = subtitles(*texts)
        if name.endswith(".vtt"):
            text = "WEBVTT\n\n" + text.replace(",", ".")
        with open(os.path.join(self.library, name), "w") as file:
            file.write(text)

    def say(self, words):
        """(file, start, text) of each sentence."""
        hits, hit = [], {}
        for line in self.mpd("say " + words):
            name, _, value = line.partition(": ")
            hit[name] = value
            if name == "text":
                hits.append((hit["file"], float(hit["start"]), value))
        return hits

    def indexed(self):
        until(lambda: len(self.say("the")) >= 3, 30, "the words to be found")

    def run_command(self, *arguments, code=0):
        done = subprocess.run([NIGHTSTAND, *arguments, "--config", self.write_settings()], capture_output=True, timeout=60,
                              env=dict(os.environ, TMPDIR=self.folder))
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr.decode()


class Saying(WordsCase):
    def test_what_is_said_is_found_and_played_from(self):
        self.start()
        self.indexed()
        self.assertEqual(self.say("elan"), [("a lamp.mp3", 4.0, "It gives an ÉLAN of light.")])
        self.assertEqual(self.say('"red fox"'), [("a lamp.mp3", 8.0, "A red fox came by.")])
        self.assertEqual(sorted(self.say("fo* RED")), [("a lamp.mp3", 8.0, "A red fox came by."), ("b moth.mp3", 4.0, "The fox is red.")])
        self.assertEqual(self.say("nobody"), [])
        self.assertEqual([line for line in self.mpd("find \"(said 'moth')\"") if line.startswith("file: ")], ["file: b moth.mp3"])
        self.mpd("say fox is")
        self.mpd("sayplay")
        self.wait_playing()
        self.assertIn("file: b moth.mp3", self.mpd("currentsong"))
        self.assertTrue(4 <= self.mpd.elapsed() < 8, self.mpd.elapsed())

    def test_a_transcript_that_changes_is_found_as_it_is(self):
        self.start()
        self.indexed()
        self.write("a lamp.srt", "Nothing but wolves.")
        until(lambda: self.say("wolves"), 30, "the new words")
        self.assertEqual(self.say("lamp"), [])
        os.remove(os.path.join(self.library, "b moth.mp3"))
        until(lambda: not self.say("moth"), 30, "the item to be away")

    def test_the_index_is_a_cache_and_made_again(self):
        self.start()
        self.indexed()
        index = self.path("state", "spoken.db")
        self.kill()
        self.assertTrue(os.path.getsize(index))
        for damage in ("garbled", "gone"):
            for name in (index, index + "-wal"):
                if not os.path.exists(name):
                    continue
                if damage == "gone":
                    os.remove(name)
                    continue
                with open(name, "r+b") as file:
                    file.seek(40)
                    file.write(os.urandom(max(0, os.path.getsize(name) - 40)))
            self.start()
            self.indexed()
            self.assertEqual(self.say("elan"), [("a lamp.mp3", 4.0, "It gives an ÉLAN of light.")])
            self.assertNotIn("warning", self.log())
            self.kill()

    def test_a_sentence_is_kept_over_a_renaming(self):
        self.start()
        self.indexed()
        self.mpd("say \"an elan\"")
        self.mpd("sayplay")
        self.mpd("bookmark add")
        os.rename(os.path.join(self.library, "a lamp.mp3"), os.path.join(self.library, "z lamp.mp3"))
        until(lambda: "file: z lamp.mp3" in self.mpd("bookmark list"), 30, "the new name")
        listed = self.mpd("bookmark list")
        self.assertIn("text: It gives an ÉLAN of light.", listed)
        self.assertIn("start: 4.000", listed)


class Keeping(WordsCase):
    def keep(self):
        self.mpd("favourite add \"b moth.mp3\"")
        self.mpd("play 0")
        self.wait_playing()
        self.mpd("bookmark add")

    def test_favourites_go_to_another_speaker_and_back(self):
        self.start()
        self.keep()
        path = self.path("kept \"it\".json")
        self.run_command("favourites", "export", path)
        kept = json.loads(contents(path))["kept"]
        self.assertEqual([entry["kind"] for entry in kept], ["favourite", "bookmark"])
        self.assertTrue(kept[0]["path"].endswith("b moth.mp3"))
        self.mpd("favourite remove \"b moth.mp3\"")
        self.assertIn("1 added, 1 there already", self.run_command("favourites", "import", path))
        self.assertTrue(any("b moth" in line for line in self.mpd("favourite list")))
        with open(path, "r+b") as file:
            file.truncate(40)
        self.assertIn("not JSON", self.run_command("favourites", "import", path, code=1))
        self.end()
        # At rest.
        self.run_command("favourites", "export", path)
        self.assertEqual(len(json.loads(contents(path))["kept"]), 2)

    def test_a_backup_is_restored_while_it_plays(self):
        self.start()
        self.indexed()
        self.keep()
        path = self.path("backup \udcff.db")
        self.run_command("backup", path)
        self.mpd("favourite remove \"b moth.mp3\"")
        self.mpd("bookmark remove")
        self.mpd("clear")
        self.mpd("add \"a lamp.mp3\"")
        self.mpd("play 0")
        self.wait_playing()
        before = self.mpd.elapsed()
        damaged = self.path("damaged.db")
        shutil.copy(path, damaged)
        with open(damaged, "r+b") as file:
            file.truncate(os.path.getsize(path) // 2)
        self.assertIn("damaged", self.run_command("restore", damaged, code=1))
        with open(damaged, "wb") as file:
            file.write(b"no database" * 1000)
        self.assertIn("no backup", self.run_command("restore", damaged, code=1))
        self.assertEqual(self.mpd("favourite list"), [])
        self.run_command("restore", path)
        status = self.mpd.status()
        self.assertEqual(status["state"], "play")
        self.assertEqual(status["playlistlength"], "2")
        self.assertIn("file: a lamp.mp3", self.mpd("currentsong"))
        self.assertGreaterEqual(self.mpd.elapsed(), before)
        self.assertTrue(any("b moth" in line for line in self.mpd("favourite list")))
        self.assertTrue(self.mpd("bookmark list"))
        self.assertTrue(self.say("lamp"))
        self.assertNotIn("damaged", self.log())
        self.assertEqual([name for name in os.listdir(self.path("state")) if name.split(".")[-1] in ("restored", "copy")], [])
        # And it is what is there after a restart.
        self.kill()
        self.start()
        self.assertEqual(self.mpd.status()["playlistlength"], "2")
        self.assertTrue(any("b moth" in line for line in self.mpd("favourite list")))
        self.end()
        # At rest.
        os.remove(self.path("state", "nightstand.db"))
        self.run_command("restore", path)
        self.start()
        self.assertTrue(any("b moth" in line for line in self.mpd("favourite list")))


if __name__ == "__main__":
    unittest.main()
