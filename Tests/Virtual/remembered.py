# SPDX-License-Identifier: Apache-2.0
"""The memory on the speaker's state disk, read without the speaker: by e2fsck, debugfs and SQLite."""

import glob
import os
import sqlite3
import subprocess
import tempfile
from contextlib import closing


class Damaged(AssertionError):
    """The file system or the database is not whole."""


def checked(command, allowed, what):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if done.returncode not in allowed:
        raise Damaged(f"{what}, {' '.join(command[:2])} says {done.returncode}: {done.stdout}")


class Remembered:
    """Of a disk that is not in use. The disk itself stays as it is.

    song: the current item's file name, or None. position: its seconds, as saved. favourites: file names. items: the
    known ones.
    """

    def __init__(self, disk):
        self.song = self.position = self.volume = None
        self.favourites, self.items, self.is_playing = set(), 0, False
        with tempfile.TemporaryDirectory() as folder:
            copy, tree = os.path.join(folder, "disk"), os.path.join(folder, "tree")
            subprocess.run(["cp", "--sparse=always", disk, copy], check=True)
            # The journal is replayed as at a boot; after that nothing at all may be wrong.
            checked(["/sbin/e2fsck", "-p", copy], (0, 1), "the journal cannot be replayed")
            checked(["/sbin/e2fsck", "-fn", copy], (0,), "the file system is damaged")
            os.mkdir(tree)
            subprocess.run(["/sbin/debugfs", "-R", f"rdump / {tree}", copy], check=True, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
            aside = glob.glob(f"{tree}/*.damaged*")
            if aside:
                raise Damaged(f"the speaker found its database damaged: {aside}")
            path = os.path.join(tree, "nightstand.db")
            if os.path.exists(path) and os.path.getsize(path):
                self.read(path)

    def read(self, path):
        with closing(sqlite3.connect(path)) as database:
            verdict = database.execute("PRAGMA integrity_check").fetchall()
            if verdict != [("ok",)]:
                raise Damaged(f"the database: {verdict}")
            if database.execute("PRAGMA user_version").fetchone() == (0,):
                return  # the power went before it was made
            items = database.execute("SELECT id, content, path FROM item").fetchall()
            paths = {item: os.path.basename(path) for item, _, path in items}
            contents = {item: content for item, content, _ in items}
            favourites = {content for content, in database.execute(
                "SELECT content FROM fact WHERE kind = 'favourite' AND value IS NOT NULL")}
            self.items = len(paths)
            self.favourites = {paths[item] for item in paths if contents[item] in favourites}
            row = database.execute("SELECT song, item, isPlaying, volume, queueIsLibrary FROM speaker").fetchone()
            if not row:
                return
            song, item, self.is_playing, self.volume, is_library = row[0], row[1], bool(row[2]), row[3], row[4]
            if item is None:
                return
            entry = database.execute("SELECT item FROM queueEntry WHERE song = ?", (song,)).fetchone()
            if not is_library and entry != (item,):
                raise Damaged(f"the current song {song} is item {item}, and in the queue {entry}")
            place = database.execute("SELECT milliseconds FROM workPlace WHERE file = ?", (contents[item],)).fetchone()
            self.song, self.position = paths[item], place[0] / 1000 if place else 0.0
