# SPDX-License-Identifier: Apache-2.0
"""A household's speakers share their memory: only this test carries the lines of a journal to and fro."""

import json
import os
import sqlite3
import subprocess
import unittest

from harness import MPD, SpeakerCase, until


class Household(SpeakerCase):
    """The second speaker has a library and a database of its own."""

    # The test sees a playlist's change by its file's time, which the kernel sets.
    FASTER = 1

    def setUp(self):
        super().setUp()
        for name in ("a lamp.mp3", "b moth.mp3", "c fox.mp3"):
            self.add_noise(name, 60)

    def journal(self, speaker, since=0):
        """(revision, record) of each, in pages as a program asks for them."""
        found = []
        while True:
            lines = speaker.mpd(f"journal {found[-1][0] if found else since} 2")
            revisions = [int(line.split(": ")[1]) for line in lines if line.startswith("revision: ")]
            records = [line.split(": ", 1)[1] for line in lines if line.startswith("record: ")]
            found += zip(revisions, records)
            if len(records) < 2:
                return found

    def merge(self, speaker, records):
        """The result of each; in one list, as a program would."""
        quoted = ['merge "' + record.replace("\\", "\\\\").replace('"', '\\"') + '"' for record in records]
        if not quoted:
            return []
        return [line.split(": ")[1] for line in speaker.mpd("\n".join(["command_list_begin", *quoted, "command_list_end"]))]

    def carry(self, one, other):
        return self.merge(other, [record for _, record in self.journal(one)])

    def contents(self, speaker):
        return sorted(record for _, record in self.journal(speaker))

    def state(self, speaker):
        return dict(line.split(": ", 1) for line in speaker.mpd("household"))


class Alone(Household):
    def test_a_speaker_of_its_own_has_nothing_of_it(self):
        self.start()
        self.mpd("favourite add \"a lamp.mp3\"")
        self.assertEqual(self.mpd("household"), ["household: off"])
        for command in ("journal 0", "household renumber", "household sent 3", "household maybe", "journal -1", "journal x"):
            with self.assertRaises(MPD.Refused):
                self.mpd(command)
        self.assertEqual(self.mpd("merge \"no record\""), ["merged: refused"])
        self.end()
        database = sqlite3.connect(self.path("state", "nightstand.db"))
        self.assertEqual(database.execute("SELECT count(*) FROM household").fetchone(), (0,))
        self.assertEqual(database.execute("SELECT kind, device FROM fact").fetchall(), [("favourite", 0)])
        self.assertEqual(database.execute("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'").fetchone(), (0,))

    def test_what_it_remembers_is_told_and_stays(self):
        self.start()
        self.mpd("favourite add \"a lamp.mp3\"")
        self.mpd("household on")
        self.mpd("household sent 7 \"over there\"")
        (revision, record), = self.journal(self)
        record = json.loads(record)
        self.assertEqual((record["kind"], record["name"]), ("favourite", "a lamp"))
        self.assertRegex(record["key"], "^[0-9a-f]{16}-[0-9]+$")
        self.assertEqual(list(record), ["kind", "key", "value", "time", "device", "name"])
        state = self.state(self)
        self.assertEqual((state["household"], state["revision"], state["sent"], state["cursor"]),
                         ("on", str(revision), "7", "over there"))
        self.assertEqual(record["device"], state["device"])
        # Killed as soon as it is said, it is there.
        self.mpd("favourite remove \"a lamp.mp3\"")
        self.mpd("ping")
        self.kill()
        self.start()
        (_, record), = self.journal(self, revision)
        self.assertIsNone(json.loads(record)["value"])
        self.assertEqual(self.state(self)["device"], state["device"])
        self.mpd("household renumber")
        self.assertNotEqual(self.state(self)["device"], state["device"])
        self.mpd("favourite add \"b moth.mp3\"")
        self.mpd("household off")
        self.assertIn("file: b moth.mp3", self.mpd("favourite list"))


class Two(Household):
    def setUp(self):
        super().setUp()
        self.other = self.another()

    def another(self):
        """A speaker beside this one, which has one file by another name, and one less."""
        class Other(Household):
            def runTest(self):
                pass
        other = Other()
        SpeakerCase.setUp(other)
        self.addCleanup(other.doCleanups)
        self.addCleanup(other.tearDown)
        for name, its in (("a lamp.mp3", "lamp, renamed.mp3"), ("b moth.mp3", "b moth.mp3")):
            with open(os.path.join(self.library, name), "rb") as source:
                with open(os.path.join(other.library, its), "wb") as target:
                    target.write(source.read())
        return other

    def test_playlists(self):
        other = self.other
        for speaker in (self, other):
            speaker.start()
            os.makedirs(speaker.path("state", "playlists"), exist_ok=True)
            # There before the speaker is of a household, written by a person.
            with open(os.path.join(speaker.path("state", "playlists"), "By hand.m3u"), "w") as file:
                file.write("b moth.mp3\n")
            past = 1_750_000_000 + (speaker is self)
            os.utime(file.name, (past, past))
        with open(os.path.join(self.path("state", "playlists"), "By hand.m3u"), "a") as file:
            file.write("#EXTM3U\na lamp.mp3\n")
        os.utime(file.name, (1_750_000_001, 1_750_000_001))
        self.mpd('playlistadd Evening "c fox.mp3"')
        self.mpd('playlistadd Evening "a lamp.mp3"')
        self.mpd("household on")
        other.mpd("household on")
        entries = lambda speaker, name: [line[6:] for line in speaker.mpd(f'listplaylist "{name}"')]

        def carry(one, to, name, expected):
            """Until it is so there; files are read and written when the disk has time."""
            def came():
                self.carry(one, to)
                try:
                    return entries(to, name) == expected
                except MPD.Refused:
                    return expected is None
            until(came, 10, lambda: f"{name} as {expected}, {to.log()}")

        carry(self, other, "Evening", ["lamp, renamed.mp3"])
        carry(self, other, "By hand", ["b moth.mp3", "lamp, renamed.mp3"])
        self.assertEqual(entries(self, "By hand"), ["b moth.mp3", "a lamp.mp3"])
        # Entries that are absent here survive an edit here.
        other.mpd('playlistadd Evening "b moth.mp3"')
        carry(other, self, "Evening", ["c fox.mp3", "a lamp.mp3", "b moth.mp3"])
        # A client is told.
        waiting = self.connect()
        waiting.send("idle stored_playlist")
        other.mpd("playlistdelete Evening 0")
        carry(other, self, "Evening", ["c fox.mp3", "b moth.mp3"])
        self.assertEqual(waiting.answer(), ["changed: stored_playlist"])
        # Its audio comes later.
        with open(os.path.join(self.library, "c fox.mp3"), "rb") as source, open(os.path.join(other.library, "fox.mp3"), "wb") as target:
            target.write(source.read())
        other.mpd("update")
        until(lambda: "file: fox.mp3" in other.mpd("listall"), 10, "the fox")
        carry(self, other, "Evening", ["fox.mp3", "b moth.mp3"])
        # Called otherwise, and taken away.
        other.mpd("rename Evening Night")
        carry(other, self, "Night", ["c fox.mp3", "b moth.mp3"])
        carry(other, self, "Evening", None)
        self.mpd("rm Night")
        carry(self, other, "Night", None)
        self.assertEqual(self.contents(self), self.contents(other))
        # An absent folder removes nothing from anyone.
        os.rename(self.path("state", "playlists"), self.path("state", "playlists.away"))
        self.mpd("household off")
        self.mpd("household on")
        self.carry(self, other)
        self.assertEqual(entries(other, "By hand"), ["b moth.mp3", "lamp, renamed.mp3"])

    def test_they_come_to_the_same_end(self):
        other = self.other
        self.start()
        other.start()
        self.mpd("household on")
        other.mpd("household on")
        self.mpd("favourite add \"b moth.mp3\"")
        self.mpd("favourite add \"c fox.mp3\"")
        other.mpd("favourite add \"lamp, renamed.mp3\"")
        self.mpd("play 0")
        self.wait_playing()
        self.mpd("seekcur 20")
        until(lambda: self.mpd.elapsed() > 20, 10, "the place")
        self.mpd("bookmark add")
        self.mpd("pause 1")
        until(lambda: not self.mpd.status().get("state") == "play", 5, "the pause")
        # One of them is killed in the middle.
        lines = [record for _, record in self.journal(self)]
        self.merge(other, lines[:2])
        other.kill()
        other.start()
        self.assertIn("added", self.merge(other, lines))
        self.carry(other, self)
        self.assertEqual(self.contents(self), self.contents(other))
        self.assertEqual({json.loads(record)["kind"] for record in self.contents(self)}, {"favourite", "bookmark", "place"})
        self.assertEqual([line for line in other.mpd("favourite list") if line.startswith("file: ")],
                         ["file: lamp, renamed.mp3", "file: b moth.mp3"][::-1])
        self.assertEqual([line for line in other.mpd("bookmark list") if line.startswith("file: ")],
                         ["file: lamp, renamed.mp3"])
        self.assertEqual(other.mpd("household absent"), ["absent: c fox"])
        # Nothing goes to and fro any more.
        self.assertEqual(set(self.carry(self, other)), {"same"})
        # It goes on there where it stopped here.
        other.mpd("clear")
        other.mpd("add \"lamp, renamed.mp3\"")
        other.mpd("play 0")
        other.wait_playing()
        self.assertGreater(other.mpd.elapsed(), 19)
        # And back, but not while it is being heard at a place that was chosen.
        other.mpd("seekcur 40")
        other.mpd("pause 1")
        place = [record for _, record in self.journal(other) if json.loads(record)["kind"] == "place"]
        self.mpd("play")
        self.wait_playing()
        self.mpd("seekcur 21")
        self.assertIn("later", self.merge(self, place))
        self.mpd("stop")
        # A removal on one device reaches the others, and an idle client is told.
        other.mpd("favourite remove \"lamp, renamed.mp3\"")
        self.carry(other, self)
        self.assertNotIn("file: a lamp.mp3", self.mpd("favourite list"))


if __name__ == "__main__":
    unittest.main()
