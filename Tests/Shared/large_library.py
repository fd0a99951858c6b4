"""A library of tens of thousands of items, made in a second: files of nothing but a size and a time, and a database as the first
release wrote it that knows them, so that a scan has nothing to look into."""

import os
import sqlite3

MODIFIED = 1_700_000_000

# The first release's tables: never changed, since they have shipped.
SCHEMA = """
CREATE TABLE item(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, audioBytes INTEGER NOT NULL, path TEXT NOT NULL,
  pathKey BLOB NOT NULL, fileBytes INTEGER NOT NULL, fileModified INTEGER NOT NULL, title TEXT NOT NULL, titleKey BLOB NOT NULL,
  artist TEXT NOT NULL, album TEXT NOT NULL, duration INTEGER CHECK(duration >= 0), transcript TEXT, artwork TEXT,
  added INTEGER NOT NULL, isPresent INTEGER NOT NULL CHECK(isPresent IN (0, 1)), UNIQUE(hash, audioBytes)) STRICT;
CREATE INDEX itemPath ON item(path);
CREATE INDEX itemOrder ON item(isPresent, pathKey, path);
CREATE TABLE progress(item INTEGER PRIMARY KEY, milliseconds INTEGER NOT NULL CHECK(milliseconds >= 0), saved INTEGER NOT NULL,
  playCount INTEGER NOT NULL CHECK(playCount >= 0), played INTEGER) STRICT;
CREATE TABLE favourite(sequence INTEGER PRIMARY KEY, item INTEGER NOT NULL UNIQUE, added INTEGER NOT NULL) STRICT;
CREATE TABLE frameIndex(item INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
CREATE TABLE speaker(id INTEGER PRIMARY KEY CHECK(id = 1), song INTEGER, isPlaying INTEGER NOT NULL CHECK(isPlaying IN (0, 1)),
  volume INTEGER NOT NULL CHECK(volume BETWEEN 0 AND 100), nextSong INTEGER NOT NULL,
  queueIsLibrary INTEGER NOT NULL CHECK(queueIsLibrary IN (0, 1))) STRICT;
CREATE TABLE queue(id INTEGER PRIMARY KEY CHECK(id = 1), entries BLOB NOT NULL) STRICT;
CREATE VIRTUAL TABLE itemText USING fts5(title, artist, album, path, columnsize = 0,
  tokenize = 'unicode61 remove_diacritics 2');
PRAGMA user_version = 1;
"""


def natural_key(text):
    """What the library sorts by, of ASCII."""
    key, digits = bytearray(), bytearray()
    for byte in text.lower().encode() + b"\0":
        if 0x30 <= byte <= 0x39:
            digits.append(byte)
            continue
        if digits:
            number = digits.lstrip(b"0")
            key += b"0" + bytes([len(number)]) + number
            digits.clear()
        key.append(1 if byte == 0x2F else byte)
    return bytes(key[:-1])


def make(state_folder, library, count, a_folder=100):
    """Files shelf NNN/Chapter NNNNN.mp3, so many a folder. Call before the speaker's first start."""
    os.makedirs(state_folder, exist_ok=True)
    database = sqlite3.connect(f"{state_folder}/nightstand.db")
    database.executescript(SCHEMA)
    rows = []
    for n in range(count):
        folder = f"{library}/shelf {n // a_folder:03}"
        if n % a_folder == 0:
            os.makedirs(folder)
        path = f"{folder}/Chapter {n:05}.mp3"
        with open(path, "wb") as file:
            file.truncate(4096)
        os.utime(path, (MODIFIED, MODIFIED))
        title = f"Chapter {n:05} of a story that is told at night"
        rows.append((n + 1, n * 7919 + 1, 4096, path, natural_key(path), 4096, MODIFIED, title, natural_key(title),
                     f"Reader {n // 1000}", f"Shelf {n // a_folder}", 600_000 + n, MODIFIED, 1))
    database.executemany(
        "INSERT INTO item(id, hash, audioBytes, path, pathKey, fileBytes, fileModified, title, titleKey, artist, album, duration,"
        " added, isPresent) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    database.execute("INSERT INTO progress SELECT id, 0, 0, 0, NULL FROM item")
    database.commit()
    database.close()
