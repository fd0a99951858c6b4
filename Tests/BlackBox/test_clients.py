# SPDX-License-Identifier: Apache-2.0
"""The remotes that people own, unmodified: those that run here as they are, the others by the commands that they begin with."""

import contextlib
import importlib.util
import os
import re
import shutil
import subprocess
import time
import unittest

import harness
import real_mpd
from harness import MPD, SpeakerCase, until


class OverTheSameLibrary(SpeakerCase):
    def setUp(self):
        super().setUp()
        real_mpd.make_library(self.library)
        self.start()
        self.socket = self.settings["console"]["socket"]

    def fill(self):
        for command in ("clear", 'add "Bob"', 'add "Ada Reader"'):
            self.mpd(command)


class Beginnings(OverTheSameLibrary):
    """The first commands of clients for phones and the web, from their sources, and the answers that each needs to go
    on."""

    def asks(self, command, *needs):
        """needs: keys that must stand in the answer."""
        answer = self.mpd(command)
        keys = {line.split(": ")[0] for line in answer}
        for need in needs:
            self.assertIn(need, keys, f"{command}: {answer}")
        return answer

    def test_malp(self):
        """M.A.L.P.: asks what there is before it asks for it; tags that it does not show are switched off; windows of answers."""
        self.fill()
        commands = {line.split(": ")[1] for line in self.asks("commands", "command")}
        wanted = {"list", "listallinfo", "idle", "searchadd", "searchaddpl", "playlistinfo", "seekcur", "sticker", "tagtypes", "albumart",
                  "readpicture", "listpartitions", "toggleoutput", "getvol", "prioid", "playlistfind", "crossfade"}
        self.assertEqual(wanted - commands, set())
        self.asks("tagtypes", "tagtype")
        for command in ("tagtypes clear", "tagtypes enable Artist Album AlbumArtist Title Track Disc Date MUSICBRAINZ_ALBUMID "
                        "MUSICBRAINZ_ARTISTID MUSICBRAINZ_TRACKID AlbumArtistSort ArtistSort"):
            self.mpd(command)
        self.asks("status", "volume", "repeat", "random", "single", "consume", "playlist", "playlistlength", "state")
        self.asks("stats", "artists", "albums", "songs", "playtime", "db_playtime", "db_update")
        self.asks("list albumartist group MUSICBRAINZ_ALBUMARTISTID", "AlbumArtist", "MUSICBRAINZ_ALBUMARTISTID")
        self.asks("list album group MUSICBRAINZ_ALBUMID group albumartist group date", "Album", "MUSICBRAINZ_ALBUMID", "AlbumArtist")
        self.asks("playlistinfo 0:3", "file", "Title", "Pos", "Id")
        self.asks('find "((AlbumArtist == \\"Ada & Co\\") AND (Album == \\"Nights\\"))" sort Track window 0:100', "file", "Track")
        self.asks("listpartitions", "partition")

    def test_mympd(self):
        """myMPD: everything in one list, pictures in large pieces, filters with sort and window."""
        self.mpd("binarylimit 65536")
        self.asks("commands", "command")
        self.mpd("tagtypes all")
        self.asks("tagtypes", "tagtype")
        self.asks("urlhandlers", "handler")
        self.asks("outputs", "outputid", "outputname", "outputenabled", "plugin")
        self.asks("listpartitions", "partition")
        self.mpd("subscribe mympd")
        self.mpd("replay_gain_status")
        self.asks("find \"((Title contains '') AND (base 'Bob'))\" sort Title window 0:50", "file", "Title")
        self.asks("search \"((any contains 'lamp'))\" sort -Last-Modified window 0:100", "file")
        self.asks('list Album "((AlbumArtist contains \'a\'))" group AlbumArtist', "Album", "AlbumArtist")
        self.asks("count \"((Album == 'Nights') AND (AlbumArtist == 'Ada & Co'))\" group Disc", "Disc", "songs", "playtime")
        for kind in ("sticker", "playlist", "song"):
            with contextlib.suppress(MPD.Refused):
                self.mpd(f"sticker list {kind} loose.mp3")

    def test_cantata(self):
        """Cantata: after each song it asks how loud songs are made; lists of changes; the whole library at once."""
        self.fill()
        self.asks("replay_gain_status", "replay_gain_mode")
        self.asks("commands", "command")
        self.asks("urlhandlers", "handler")
        self.asks("tagtypes", "tagtype")
        self.asks("stats", "uptime", "db_update")
        self.asks("lsinfo", "directory", "file")
        self.asks("listallinfo", "file", "Title", "Time", "AlbumArtist", "Disc")
        self.mpd("listplaylists")
        version = self.mpd.status()["playlist"]
        self.mpd("delete 0")
        self.asks(f"plchangesposid {version}", "cpos", "Id")
        self.asks("currentsong")
        self.assertEqual(self.mpd.fields("replay_gain_status")["replay_gain_mode"], "off")

    def test_mpdroid(self):
        """MPDroid: albums with their artists, the old forms of list."""
        self.asks("list album group artist", "Album", "Artist")
        self.asks("list album group albumartist", "Album", "AlbumArtist")
        self.asks('list album artist "Ada Reader"', "Album")
        self.asks('list "album" "Ada Reader"', "Album")
        self.asks("list albumartist", "AlbumArtist")
        self.asks('find album "Nights" albumartist "Ada & Co"', "file", "Track", "Disc")
        self.asks("list date album Nights", "Date")

    def test_libmpdclient(self):
        """The fields that mpd_run_status and mpd_send_list_queue_meta need; numbers that it reads as numbers."""
        self.fill()
        self.mpd("play 0")
        self.wait_playing()
        self.mpd("pause 1")
        status = self.mpd.status()
        for key in ("repeat", "random", "consume", "playlist", "playlistlength", "song", "songid"):
            self.assertRegex(status[key], r"^\d+$", key)
        self.assertRegex(status["single"], r"^(0|1|oneshot)$")
        self.assertRegex(status["audio"], r"^\d+:\d+:\d+$")
        self.assertRegex(status["elapsed"], r"^\d+\.\d{3}$")
        self.assertRegex(status["time"], r"^\d+:\d+$")
        for line in self.mpd("playlistinfo"):
            key, value = line.split(": ", 1)
            if key in ("Last-Modified", "Added"):
                self.assertRegex(value, r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
            elif key == "Format":
                self.assertRegex(value, r"^\d+:\d+:\d+$")
            elif key in ("Time", "Pos", "Id"):
                self.assertRegex(value, r"^\d+$")


@unittest.skipUnless(shutil.which("tmux"), "tmux is not installed (board/install test)")
class Terminal(OverTheSameLibrary):
    """Clients that draw on a terminal, their keys pressed and their screens read."""

    def run_client(self, *command):
        if not shutil.which(command[0]):
            self.skipTest(f"{command[0]} is not installed (board/install test)")
        self.tmux_socket = self.path("tmux")
        environment = dict(os.environ, HOME=self.folder, TERM="xterm-256color", LC_ALL="C.UTF-8")
        for name in ("TMUX", "MPD_HOST", "MPD_PORT"):
            environment.pop(name, None)
        subprocess.run(["tmux", "-S", self.tmux_socket, "-f", "/dev/null", "new-session", "-d", "-s", "client", "-x", "120", "-y", "30",
                        *command], env=environment, check=True)
        self.addCleanup(self.tmux, "kill-server")

    def tmux(self, *arguments):
        return subprocess.run(["tmux", "-S", self.tmux_socket, *arguments], capture_output=True, text=True).stdout

    def screen(self):
        return self.tmux("capture-pane", "-p", "-t", "client")

    def shows(self, *texts, seconds=15):
        until(lambda: all(text in self.screen() for text in texts), seconds, lambda: f"{texts} on\n{self.screen()}")

    def press(self, *keys):
        self.tmux("send-keys", "-t", "client", *keys)

    def state(self, state):
        until(lambda: self.mpd.status()["state"] == state, 10, f"state {state}")

    def commands_a_second(self):
        """The load of the speaker: processor time, in ticks."""
        def ticks():
            with open(f"/proc/{self.process.pid}/stat") as file:
                fields = file.read().rsplit(") ", 1)[1].split()
            return int(fields[11]) + int(fields[12])
        before = ticks()
        time.sleep(2)
        return ticks() - before

    def test_ncmpcpp(self):
        self.fill()
        self.run_client("ncmpcpp", "-h", self.socket, "-c", "/dev/null")
        self.shows("Playlist (6 items", "Tale", "The Moth", "Under the Lamp")
        self.press("Enter")
        self.state("play")
        self.press("p")
        self.state("pause")
        self.press(">")
        until(lambda: self.mpd.status().get("song") == "1", 10, "the next song")
        self.press("2")
        self.shows("Browse", "[Ada Reader]", "[Bob]", "Loose")
        self.press("4")
        self.shows("Media library", "Artists", "Ada Reader", "Bob Second")
        # The client froze here for good: it asks again without end for refused playlists.
        self.press("5")
        self.shows("Playlist editor")
        self.assertLess(self.commands_a_second(), 40)
        self.press("3")
        self.shows("Search engine", "Artist", "Title")
        self.press("1")
        self.shows("Playlist (6 items")
        self.press("c")  # clears the queue, and asks first
        time.sleep(0.3)
        self.press("y")
        until(lambda: self.mpd.status()["playlistlength"] == "0", 10, "an empty queue")
        self.shows("Playlist")

    def test_ncmpc(self):
        self.fill()
        self.run_client("ncmpc", f"--host={self.socket}")
        self.shows("Bob Second - Tale", "The Moth")
        self.press("Enter")
        self.state("play")
        self.press("P")
        self.state("pause")
        self.press("3")
        self.shows("[Ada Reader]", "[Bob]", "Loose")
        self.press("4")
        self.shows("[Ada Reader]", "[Bob Second]", "[Zed]")
        self.press("5")
        self.shows("Search", "Advanced")
        self.press("8")
        self.shows("Outputs", "paced")
        self.press("2")
        self.shows("Bob Second - Tale")


@unittest.skipIf(real_mpd.why_not(), real_mpd.why_not())
@unittest.skipUnless(shutil.which("mpc"), "mpc is not installed (board/install test)")
class Mpc(real_mpd.ComparedCase):
    """Every subcommand of mpc that makes sense, run against both: its text, and its exit code."""

    #: In this order, each upon what those before have left.
    RUNS = """
        version | clear | add Bob/Tale.mp3 | add loose.mp3 | insert Bob/Deep/er/still.mp3 | add nowhere | playlist | -f %file% playlist
        add Bob/Deep/er/still.mp3 | move 1 3 | -f %file% playlist | del 2 | -f %file% playlist | del 99 | current | queued
        ls | ls Bob | ls nowhere | listall | listall Bob | lsplaylists | save evening | lsplaylists | -f %file% playlist evening
        clear | load evening | -f %file% playlist | load nowhere | rm evening | rm evening | lsplaylists
        search title lamp | search any zed | searchadd title wind | find artist Zed | find title tale | findadd title Tale
        -f %file% playlist | list artist | list album | list album artist Zed | list genre | list nothing
        search (artist == "Zed") | find ((artist=="Ada Reader")AND(title=="wind"))
        -q repeat on | -q random on | -q random off | -q single once | -q single off | -q consume on | -q consume off | -q repeat off
        crossfade 0 | crossfade | mixrampdb | mixrampdelay | replaygain | replaygain off | replaygain nonsense
        volume 30 | volume +5 | volume | volume -100 | -q prio 5 1 | -q prio 300 1 | -q shuffle | -q crop
        outputs-count | enable 99 | disable 99 | toggleoutput 99 | outputset 1 foo=bar | clearerror
        sticker loose.mp3 set rating 5 | sticker loose.mp3 get rating | sticker loose.mp3 list | sticker "" find rating
        sticker loose.mp3 delete rating | sticker loose.mp3 get rating | sticker nowhere.mp3 get rating
        channels | sendmessage nobody hello | listneighbors | mount | unmount x | albumart loose.mp3 | readpicture loose.mp3
        albumart nowhere.mp3 | clear | add Bob | -q play 99 | searchplay nothingatall | nonsense
    """

    def both(self, arguments):
        results = []
        for socket in (self.server.socket, self.settings["console"]["socket"]):
            environment = dict(os.environ, MPD_HOST=socket, LC_ALL="C.UTF-8")
            done = subprocess.run(["mpc", *arguments], env=environment, capture_output=True, text=True, timeout=20, stdin=subprocess.DEVNULL)
            results.append((done.returncode, self.settled(done.stdout), self.settled(done.stderr)))
        return results

    @staticmethod
    def settled(text):
        """Without what is each one's own: the order of folders, messages behind MPD's words, how loud it is."""
        lines = [re.sub(r"^((?:MPD error|error adding [^:]*): [^:(]*).*|volume:.*", r"\1", line).strip() for line in text.splitlines()]
        return sorted(line for line in lines if line and line not in real_mpd.OWN_PLAYLISTS)

    def test_every_subcommand(self):
        differences, count = [], 0
        for run in re.split(r"[|\n]", self.RUNS):
            if not run.strip() or run.strip() == "outputs-count":
                continue
            count += 1
            arguments = ["" if word == '""' else word for word in run.strip().split(" ")]
            if "(" in run:
                # A filter is one argument.
                word, expression = run.strip().split(" ", 1)
                arguments = [word, expression]
            theirs, ours = self.both(arguments)
            if theirs != ours:
                differences.append(f"mpc {run.strip()}\n    MPD: {theirs}\n    here: {ours}")
        print(f"{count - len(differences)} of {count} runs of mpc are the same", flush=True)
        if differences:
            self.fail(f"{len(differences)} of {count} runs differ\n" + "\n".join(differences))


@unittest.skipIf(real_mpd.why_not(), real_mpd.why_not())
@unittest.skipUnless(importlib.util.find_spec("mpd"), "python3-mpd is not installed (board/install test)")
class PythonClient(real_mpd.ComparedCase):
    """python-mpd2's methods: both answers have the same shape in each client, titles apart, which here are never
    missing."""

    CALLS = [
        ("clear",), ("add", "Bob/Tale.mp3"), ("addid", "loose.mp3"), ("add", "untitled.mp3"), ("status",), ("stats",), ("currentsong",),
        ("playlistinfo",), ("playlistinfo", "0:2"), ("playlistid",), ("playlistfind", "title", "Tale"), ("playlistsearch", "title", "ta"),
        ("playlist",), ("plchanges", 0), ("plchangesposid", 0), ("play", 0), ("pause", 1), ("status",), ("currentsong",),
        ("seekcur", 1), ("seek", 0, 1), ("next",), ("previous",), ("pause", 1), ("stop",), ("setvol", 30), ("volume", 5),
        ("random", 1), ("random", 0), ("repeat", 1), ("repeat", 0), ("single", 1), ("single", 0), ("consume", 1), ("consume", 0),
        ("crossfade", 0), ("mixrampdb", 0), ("mixrampdelay", 1), ("replay_gain_mode", "off"), ("replay_gain_status",),
        ("move", 0, 1), ("swap", 0, 1), ("shuffle",), ("prio", 5, 0), ("delete", 0),
        ("find", "title", "Tale"), ("find", "(artist == 'Zed')"), ("search", "any", "lamp"), ("findadd", "title", "Still"),
        ("searchadd", "any", "lamp"), ("searchaddpl", "one", "any", "lamp"), ("list", "artist"), ("list", "album", "group", "artist"),
        ("list", "album", "artist", "Zed"), ("count", "artist", "Zed"), ("count", "group", "artist"), ("lsinfo",), ("lsinfo", "Bob"),
        ("listall",), ("listallinfo",), ("listfiles", "Bob"), ("readcomments", "loose.mp3"), ("listplaylists",), ("listplaylist", "one"),
        ("listplaylistinfo", "one"), ("playlistadd", "one", "loose.mp3"), ("playlistmove", "one", 0, 1), ("playlistdelete", "one", 0),
        ("load", "one"), ("playlistclear", "one"), ("rename", "one", "two"), ("rm", "two"), ("save", "three"), ("rm", "three"),
        ("sticker_set", "song", "loose.mp3", "a", "b"), ("sticker_get", "song", "loose.mp3", "a"), ("sticker_list", "song", "loose.mp3"),
        ("sticker_find", "song", "", "a"), ("sticker_delete", "song", "loose.mp3", "a"), ("outputs",), ("enableoutput", 0),
        ("disableoutput", 9), ("toggleoutput", 9), ("commands",), ("tagtypes",), ("urlhandlers",),
        ("config",), ("ping",), ("clearerror",), ("password", "x"), ("subscribe", "here"), ("channels",), ("sendmessage", "here", "x"),
        ("readmessages",), ("unsubscribe", "here"), ("listmounts",), ("mount", "x", "y"), ("listneighbors",), ("partition", "default"),
        ("listpartitions",), ("newpartition", ""), ("delpartition", "x"), ("moveoutput", "x"), ("update", "../x"), ("rescan", "../x"),
        ("addtagid", 99999, "title", "x"), ("cleartagid", 99999), ("deleteid", 99999), ("moveid", 99999, 0), ("swapid", 1, 99999),
        ("prioid", 1, 99999), ("rangeid", 99999, "1:2"), ("seekid", 99999, 1), ("playid", 99999), ("albumart", "nowhere.mp3"),
        ("readpicture", "nowhere.mp3"), ("nonsense",),
    ]

    def client(self, path):
        import mpd

        client = mpd.MPDClient()
        client.timeout = 20
        client.connect(path)
        self.addCleanup(client.disconnect)
        return client

    @classmethod
    def shape(cls, value, of=""):
        """The shape of an answer, without the values."""
        if isinstance(value, dict):
            own = ("Added", "added", "bitrate", "audio", "error", "updating_db", "nextsong", "nextsongid", "mixrampdb", "mixrampdelay",
                   "attribute", "pictures", "playlist_directory", "pcre", "speed", "week", "hours", "xruns")
            return {key: cls.shape(part, of) for key, part in sorted(value.items()) if key.lower() not in own
                    and not (key == "last-modified" and "directory" in value) and key != "title"}
        if isinstance(value, list):
            shapes = []
            for part in value:
                shape = cls.shape(part, of)
                if shape not in shapes:
                    shapes.append(shape)
            return sorted(map(str, shapes)) if of != "list" else shapes
        return type(value).__name__

    def call(self, client, name, *arguments):
        try:
            return self.shape(getattr(client, name)(*map(str, arguments)), name)
        except Exception as error:  # noqa: BLE001 - whatever the module makes of a refusal
            return f"{type(error).__name__}: {re.sub(r'} .*', '}', str(error))}"

    def test_the_whole_table(self):
        ours, theirs = self.client(self.settings["console"]["socket"]), self.client(self.server.socket)
        differences = []
        for name, *arguments in self.CALLS:
            a, b = self.call(theirs, name, *arguments), self.call(ours, name, *arguments)
            if a != b:
                differences.append(f"{name}{tuple(arguments)}\n    MPD: {a}\n    here: {b}")
        print(f"{len(self.CALLS) - len(differences)} of {len(self.CALLS)} calls have the same shape", flush=True)
        if differences:
            self.fail(f"{len(differences)} of {len(self.CALLS)} calls differ\n" + "\n".join(differences))


if __name__ == "__main__":
    unittest.main()
