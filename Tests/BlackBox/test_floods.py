# SPDX-License-Identifier: Apache-2.0
"""A client that writes without end is slowed, and harms no other: the log is folded in under it, and nothing is lost or
left."""

import json
import os
import socket
import subprocess
import time
import unittest

from build import NIGHTSTAND
from harness import SpeakerCase, contents, until


class Floods(SpeakerCase):
    IMPORTED = 20_000
    CHANGES = 200_000

    def setUp(self):
        super().setUp()
        self.add_noise("a.mp3", 5)
        self.card = self.make_card(record=None, control=None)

    def database_bytes(self):
        return os.path.getsize(self.path("state", "nightstand.db"))

    def favourites(self, *arguments):
        done = subprocess.run([NIGHTSTAND, "favourites", *arguments, "--socket", self.settings["console"]["socket"]],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def test_twenty_thousand_favourites_at_once(self):
        self.start()
        self.mpd('favourite add "a.mp3"')
        path = self.path("kept.json")
        self.favourites("export", path)
        kept = json.loads(contents(path))
        model = kept["kept"][0]
        kept["kept"] = [{**model, "path": f"b/{number}.mp3", "hash": f"{number + 1:016x}"} for number in range(self.IMPORTED)]
        with open(path, "w") as file:
            json.dump(kept, file)
        began = time.monotonic()
        self.assertIn(f"{self.IMPORTED} added", self.favourites("import", path))
        print(f"{self.IMPORTED} in {time.monotonic() - began:.1f} s; {model}; {self.database_bytes() >> 10} KB")
        self.assertNotIn("cannot save", self.log())

    def test_a_guest_who_adds_and_removes_without_end(self):
        self.start()
        self.mpd("update")
        self.mpd.status()
        before = self.database_bytes()
        with socket.socket(socket.AF_UNIX) as guest:
            guest.connect(self.settings["console"]["socket"])
            guest.settimeout(60)
            answers = guest.makefile("rb")
            self.assertTrue(answers.readline().startswith(b"OK MPD"))
            began = time.monotonic()
            for _ in range(self.CHANGES // 1000):
                guest.sendall(b'favourite add "a.mp3"\nfavourite remove "a.mp3"\n' * 500)
                for _ in range(1000):
                    self.assertEqual(answers.readline(), b"OK\n")
            print(f"{self.CHANGES} in {time.monotonic() - began:.1f} s; {before >> 10} to {self.database_bytes() >> 10} KB")
        self.assertNotIn("cannot save", self.log())
        self.assertNotIn("error", self.mpd.status())
        until(lambda: self.database_bytes() - before < 1 << 20 and self.log_bytes() < 8 << 20, 20, "a log that is folded in")

    def test_addresses_that_nobody_kept_are_forgotten(self):
        self.settings["network"] = {"enabled": "yes", "cache": self.path("cache"), "socket": self.path("fetch")}
        self.start()
        songs = lambda: int(self.mpd.fields("stats")["songs"])
        kept = "http://127.0.0.1:9/queued.mp3"
        self.mpd(f'addid "{kept}"')
        for number in range(250):
            self.mpd(f'addid "http://127.0.0.1:9/{number}.mp3"')
        self.assertGreater(songs(), 250)
        length = int(self.mpd.status()["playlistlength"])
        self.mpd(f"delete {length - 250}:")
        # The newest stays, so that its number is never given again.
        until(lambda: songs() == 3, 10, songs)
        self.assertIn(f"file: {kept}", self.mpd("playlistinfo"))

    def log_bytes(self):
        return os.path.getsize(self.path("state", "nightstand.db-wal"))


if __name__ == "__main__":
    unittest.main()
