"""What the speaker's state disk remembers, read without the speaker: by e2fsck, debugfs and SQLite."""

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

    song: the current item's file name, or None. position: its seconds, as saved. favourites: file names. items: how
    many are known.
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
            database.execute("INSERT INTO itemText(itemText) VALUES('integrity-check')")
            paths = {item: os.path.basename(path) for item, path in database.execute("SELECT id, path FROM item")}
            self.items = len(paths)
            self.favourites = {paths[item] for item, in database.execute("SELECT item FROM favourite")}
            row = database.execute("SELECT song, isPlaying, volume FROM speaker").fetchone()
            entries = database.execute("SELECT entries FROM queue").fetchone()
            if row and row[0] is not None and entries:
                item = dict(queue(entries[0]))[row[0]]
                progress = database.execute("SELECT milliseconds FROM progress WHERE item = ?", (item,)).fetchone()
                self.song, self.position = paths[item], progress[0] / 1000 if progress else 0.0
            if row:
                self.is_playing, self.volume = bool(row[1]), row[2]


def queue(data):
    """(song, item) of each entry: their differences to those before, zigzag, in LEB128."""
    numbers, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            numbers.append(value >> 1 ^ -(value & 1))
            value = shift = 0
    song = item = 0
    for song_difference, item_difference in zip(numbers[::2], numbers[1::2]):
        song, item = song + song_difference, item + item_difference
        yield song, item
