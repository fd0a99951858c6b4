# SPDX-License-Identifier: Apache-2.0
"""The real MPD over the same library as a speaker under test, and what must be put aside before their answers can be compared.

The differences by choice, or by necessity, named here once:
* lists come in natural order (2 before 10), MPD's by its own collation: unless a test asks for an order, it compares what is listed
* a file without a title is called by its name, as on the display: MPD leaves it without
* `Added` is MPD 0.24's, and a folder's Last-Modified is not known to the library
* messages may say more behind MPD's own words
* lengths agree in whole seconds: without a Xing header MPD guesses from the bytes, tags included
"""

import os
import re
import shutil
import socket
import subprocess
import time

import audio
import harness

MPD = shutil.which("mpd", path=os.environ.get("PATH", "") + ":/usr/bin:/usr/sbin")
VERSION = "0.23.12"
# Those that the speaker makes itself.
OWN_PLAYLISTS = ["Newest", "Unfinished", "Favourites", "Most played", "Finished"]


def why_not():
    """Why answers cannot be compared here; None where they can."""
    if not MPD:
        return "mpd is not installed (board/install test)"
    shown = subprocess.run([MPD, "--version"], capture_output=True, text=True).stdout.split("\n")[0]
    return None if VERSION in shown else f"the answers are {VERSION}'s, here is {shown}"


class Server:
    """MPD with a folder of its own for all that it writes."""

    def __init__(self, folder, library, *lines):
        self.folder, self.socket = folder, os.path.join(folder, "mpd-socket")
        playlists = os.path.join(folder, "mpd-playlists")
        os.makedirs(playlists, exist_ok=True)
        conf = os.path.join(folder, "mpd.conf")
        with open(conf, "w") as file:
            file.write(f'music_directory "{library}"\nplaylist_directory "{playlists}"\ndb_file "{folder}/mpd-db"\n'
                       f'state_file "{folder}/mpd-state"\nsticker_file "{folder}/mpd-stickers"\nlog_file "{folder}/mpd-log"\n'
                       f'bind_to_address "{self.socket}"\nmetadata_to_use "+comment"\nauto_update "no"\n'
                       # libmpg123 as in the speaker: mad says other sample formats.
                       'decoder {\nplugin "mad"\nenabled "no"\n}\n'
                       'audio_output {\ntype "null"\nname "card"\nmixer_type "software"\n}\n' + "".join(line + "\n" for line in lines))
        self.process = subprocess.Popen([MPD, "--no-daemon", conf], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)

    def connect(self, client, seconds=20):
        """client: a class that is given the socket's path."""
        end = time.monotonic() + seconds
        while True:
            try:
                return client(self.socket)
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise
                time.sleep(0.02)

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


# A library

def tagged(path, base, frames, modified, version=4):
    """An MP3 with these frames of ID3v2 [(name, text)] before the bytes of base."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    bodies = []
    for name, value in frames:
        encoding = 3 if version == 4 else 1
        if name == "COMM":
            bodies.append((name, b"\3eng\0" + value.encode()))
        elif name == "UFID":
            bodies.append((name, b"http://musicbrainz.org\0" + value.encode()))
        else:
            bodies.append((name, audio.text(encoding, value)))
    with open(path, "wb") as file:
        file.write(audio.id3v2(bodies, version) + base)
    os.utime(path, (modified, modified))


def make_library(root):
    """Books and loose files with tags of every kind; each of three seconds."""
    scratch = os.path.join(root, "base.mp3")

    def put(path, frames, modified, version=4):
        # Each sounds different: the memory belongs to the sound, and files of the same sound share it.
        made.append(audio.lame(scratch, audio.sine(3, 22050, 300 + 50 * len(made)), 22050, "-b", "32", "-m", "m"))
        with open(scratch, "rb") as file:
            tagged(path, file.read(), frames, modified, version)
        os.remove(scratch)

    made = []
    nights = [("TPE1", "Ada Reader"), ("TALB", "Nights"), ("TPE2", "Ada & Co"), ("TPOS", "1/2")]
    put(f"{root}/Ada Reader/Nights/01 Lamp.mp3", [
        ("TIT2", "Under the Lamp"), *nights, ("TRCK", "1/3"), ("TDRC", "2019-05-04"), ("TDOR", "1987"), ("TCON", "Audiobook"),
        ("TCOM", "Nina Narrator"), ("TSOC", "Narrator, Nina"), ("TPE3", "Conny Ductor"), ("TPUB", "House of Labels"),
        ("COMM", "a comment"), ("TSOP", "Reader, Ada"), ("TSOA", "Nights 01"), ("TSO2", "Ada and Company"),
        ("TIT1", "Group"), ("MVNM", "Allegro"), ("MVIN", "3/4"),
        ("TXXX", "MusicBrainz Album Id\0album-1"), ("TXXX", "MusicBrainz Album Artist Id\0artist-2"), ("UFID", "track-9")],
        1_700_000_000)
    put(f"{root}/Ada Reader/Nights/02 Moth.mp3", [
        ("TIT2", "The Moth"), ("TPE1", "Ada Reader\0Bob Second"), *nights[1:], ("TRCK", "2/3"), ("TDRC", "2019"),
        ("TCON", "Audiobook\0Fiction"), ("TXXX", "MusicBrainz Artist Id\0aaaa\0bbbb"),
        ("TXXX", "MusicBrainz Release Track Id\0release-7")], 1_700_000_100)
    put(f"{root}/Ada Reader/Nights/10 Wind.mp3", [
        ("TIT2", "wind"), ("TPE1", "Ada Reader"), ("TALB", "Nights"), ("TRCK", "10"), ("TDRC", "2019")], 1_700_000_200, version=3)
    put(f"{root}/Bob/Tale.mp3", [
        ("TIT2", "Tale"), ("TPE1", "Bob Second"), ("TALB", "Tales"), ("TCON", "Fiction"), ("TDRC", "1999"), ("TRCK", "7")],
        1_700_000_000)
    put(f"{root}/Bob/Émile's \"grey\" Lampe.mp3", [
        ("TIT2", "Leçon 1"), ("TPE1", "émile"), ("TALB", "Leçons"), ("TRCK", "3")], 1_600_000_000)
    put(f"{root}/Bob/Deep/er/still.mp3", [("TIT2", "Still"), ("TPE1", "Zed"), ("TPE2", "Zed"), ("TPOS", "2")], 1_600_000_500)
    put(f"{root}/loose.mp3", [("TIT2", "Loose")], 1_650_000_000)
    put(f"{root}/untitled.mp3", [("TPE1", "Zed")], 1_660_000_000)


# Answers

class Answer:
    """The answer to a command: its fields in order, and how it ends."""

    def __init__(self, lines, ack=None):
        self.fields = [tuple(line.split(": ", 1)) if ": " in line else (line, "") for line in lines]
        self.ack = ack

    @property
    def code(self):
        return self.ack.split("]")[0] + "]" if self.ack else "OK"

    @property
    def words(self):
        return self.ack.split("} ", 1)[1] if self.ack else ""

    def blocks(self):
        """Songs, folders and playlists, each with what is said of it."""
        blocks = []
        for key, value in self.fields:
            if key in ("file", "directory", "playlist") or not blocks:
                blocks.append([])
            blocks[-1].append((key, value))
        return blocks

    def comparable(self, keep_order=False):
        blocks = []
        for block in self.blocks():
            kind, name = block[0]
            rest = block[1:]
            if kind == "playlist" and name in OWN_PLAYLISTS:
                continue
            # Folders are not asked for their times, and a playlist has just been written, by each server for itself.
            if kind in ("directory", "playlist"):
                rest = []
            if kind == "file":
                stem = os.path.splitext(os.path.basename(name))[0]
                rest = [(key, value.split(".")[0] if key == "duration" else value) for key, value in rest
                        if key != "Added" and (key, value) != ("Title", stem)]
            blocks.append([(kind, name)] + rest)
        return blocks if keep_order else sorted(blocks)


def ask(client, command, refused):
    """refused: the exception that carries an ACK."""
    try:
        return Answer(client(command))
    except refused as refusal:
        return Answer([], str(refusal))


def settled(words):
    """MPD's words without what only it can say."""
    words = re.sub(r"error in regex at offset.*", "error in regex", words)
    return re.sub(r"failed to open \S*/(\w+):", r"failed to open \1:", re.sub(r"(channel count): .*", r"\1", words))


def difference(theirs, ours, keep_order=False):
    """The differences of ours from MPD's answer; None where nothing is."""
    if theirs.code != ours.code:
        return f"MPD: {theirs.ack or 'OK'}, here: {ours.ack or 'OK'}"
    if theirs.ack:
        return None if ours.words.lower().startswith(settled(theirs.words.lower())) else f"MPD: {theirs.words}, here: {ours.words}"
    a, b = theirs.comparable(keep_order), ours.comparable(keep_order)
    if a == b:
        return None
    missing = [block for block in a if block not in b]
    more = [block for block in b if block not in a]
    if not missing and not more:
        return f"another order: {[block[0] for block in a]} against {[block[0] for block in b]}"
    if [block[0] for block in missing] == [block[0] for block in more]:
        # The same songs: only the answers about them matter.
        missing, more = ([[field for field in one if field not in other] for one, other in zip(*pair)]
                         for pair in ((missing, more), (more, missing)))
        # MPD loses the format of songs that it sorts.
        if not any(missing) and all(fields == [] or [key for key, _ in fields] == ["Format"] for fields in more):
            return None
    return f"MPD: {missing}\n    here: {more}"


class ComparedCase(harness.SpeakerCase):
    """A test that puts the same commands to MPD and to the speaker, over the same library."""

    def setUp(self):
        super().setUp()
        make_library(self.library)
        self.server = Server(self.folder, self.library)
        self.addCleanup(self.server.end)
        self.start()
        self.theirs = self.server.connect(harness.MPD)
        self.addCleanup(self.theirs.close)
        self.theirs("update")
        harness.until(lambda: "updating_db" not in self.theirs.status(), 20, "MPD's scan")
        # Lengths that no tag tells are counted behind the scan.
        harness.until(lambda: self.mpd("listallinfo").count("duration: 3.000") == 8 or
              sum(line.startswith("duration: ") for line in self.mpd("listallinfo")) == 8, 20, "lengths of all songs")

    def compare(self, *commands, keep_order=False):
        """All that differs, in one failure."""
        differences = []
        for command in commands:
            theirs = ask(self.theirs, command, harness.MPD.Refused)
            ours = ask(self.mpd, command, harness.MPD.Refused)
            found = difference(theirs, ours, keep_order)
            if found:
                differences.append(f"{command}\n    {found}")
        if differences:
            self.fail(f"{len(differences)} of {len(commands)} answers differ\n" + "\n".join(differences))
