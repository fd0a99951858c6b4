# SPDX-License-Identifier: Apache-2.0
"""The console: MPD's protocol on a Unix socket, a prompt on a serial line, and everything that may come down a wire."""

import os
import pty
import random
import re
import select
import signal
import socket
import subprocess
import termios
import threading
import time
import tty

import large_library
import mpd_commands
from build import NIGHTSTAND, TOP
from harness import MPD, SpeakerCase, contents, until


class Socket(SpeakerCase):
    def setUp(self):
        super().setUp()
        for name in "ab":
            self.add_noise(f"{name}.mp3", 30, 16000, "-b", "32", "--tt", f"Tale {name}", "--ta", "Teller")
        self.start()

    def raw(self):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(self.settings["console"]["socket"])
        connection.settimeout(5)
        self.addCleanup(connection.close)
        return connection, connection.makefile("rb")

    def test_greeting(self):
        self.assertEqual(self.mpd.greeting, "OK MPD 0.23.5\n")

    def test_refusals_have_the_protocols_form(self):
        for command, expected in (
            ("frobnicate", r'^ACK \[5@0\] \{\} unknown command "frobnicate"$'),
            ("seekcur", r"^ACK \[2@0\] \{seekcur\} .+"),
            ("seekcur x", r"^ACK \[2@0\] \{seekcur\} .+"),
            ("play 99", r"^ACK \[2@0\] \{play\} .+"),
            ("add nothing.mp3", r"^ACK \[50@0\] \{add\} .+"),
            ('add "half', r"^ACK \[\d+@0\] \{.*\} .+"),
        ):
            with self.subTest(command), self.assertRaisesRegex(MPD.Refused, expected):
                self.mpd(command)
        self.mpd("ping")

    def test_command_list_stops_at_the_refusal(self):
        with self.assertRaisesRegex(MPD.Refused, r"^ACK \[5@1\] \{\} unknown command"):
            self.mpd("command_list_begin\nsetvol 50\nfrobnicate\nsetvol 60\ncommand_list_end")
        self.assertEqual(self.mpd.status()["volume"], "50")
        self.assertEqual(self.mpd("command_list_ok_begin\nping\nping\ncommand_list_end"), ["list_OK", "list_OK"])

    def test_the_manual_and_the_README_say_what_help_says(self):
        """Both have the commands that MPD has not, or that do more here, as the table in CommandTable.swift tells of them.
        NIGHTSTAND_DOCUMENTS=write writes them anew."""
        announced = [line.split(": ")[1] for line in self.mpd("commands")]
        manual, table = [".Bl -tag -width Ds"], ["| command | |", "|---|---|"]
        for command in (name for name in announced if name not in set(mpd_commands.PROBES) - {"subscribe", "unsubscribe"}):
            lines = self.mpd("help " + command)
            usage = [line for line in lines if not line.startswith(" ")]
            text = " ".join(line.strip() for line in lines[len(usage):])
            # A sentence a line, and none that begins as a request of roff does.
            manual += [".It Ic " + line for line in usage] + [re.sub(r"([.:;]) (?=[A-Z])", r"\1\n", text)]
            told = [f"`{line}`" for line in usage] + [text]
            table.append("| {} | {} |".format(*(part.replace("|", "\\|") for part in ("<br>".join(told[:-1]), told[-1]))))
        self.assertGreater(len(table), 30)
        for path, text, first, last in (
            ("board/package.d/nightstand.1", "\n".join([*manual, ".El"]), "Besides MPD's there are\n", "\n.Pp\n.Ic quit"),
            ("Sources/Console/README.md", "\n".join(table), "Besides MPD's there are\n\n", "\n\nand some fields"),
        ):
            page = contents(os.path.join(TOP, path)).decode()
            head, rest = page.split(first, 1)
            found, tail = rest.split(last, 1)
            if os.environ.get("NIGHTSTAND_DOCUMENTS") == "write":
                with open(os.path.join(TOP, path), "w", encoding="utf-8") as file:
                    file.write(head + first + text + last + tail)
            else:
                self.assertEqual(found, text, path)

    def test_every_command_announced_is_known(self):
        announced = [line.split(": ")[1] for line in self.mpd("commands")]
        for needed in ("status", "currentsong", "play", "pause", "stop", "next", "previous", "seek", "seekid", "seekcur", "setvol",
                       "volume", "playlistinfo", "playlistid", "add", "clear", "lsinfo", "listall", "update", "stats", "outputs",
                       "commands", "ping", "close", "idle", "help", "favourite", "transcript", "counters"):
            self.assertIn(needed, announced)
        for command in set(announced) - {"idle", "noidle", "close"}:
            with self.subTest(command):
                mpd = self.connect()
                try:
                    mpd(command)
                except MPD.Refused as refusal:
                    self.assertNotIn("unknown command", str(refusal))
                mpd.close()

    def test_queue(self):
        self.mpd("clear")
        self.assertEqual(self.mpd.status()["playlistlength"], "0")
        self.mpd("add b.mp3")
        self.mpd("add a.mp3")
        self.assertEqual([line for line in self.mpd("playlistinfo") if line.startswith("Title")], ["Title: Tale b", "Title: Tale a"])
        self.assertIn("file: a.mp3", self.mpd("listall"))
        self.mpd("play")
        self.wait_playing()
        self.assertEqual(self.mpd.fields("currentsong")["Artist"], "Teller")

    def test_idle(self):
        other = self.connect()
        time.sleep(0.3)
        self.mpd.send("idle")  # all that the start has changed
        time.sleep(0.1)
        self.mpd.send("noidle")
        self.mpd.answer()
        self.mpd.send("idle player")
        other("setvol 40")
        time.sleep(0.1)
        self.assertFalse(select.select([self.mpd.socket], [], [], 0)[0], "told of what it did not ask for")
        other("play")
        self.assertEqual(self.mpd.answer(), ["changed: player"])
        self.assertEqual(self.mpd("idle mixer"), ["changed: mixer"])  # what happened meanwhile is kept
        self.mpd.send("idle")
        time.sleep(0.05)
        self.mpd.send("noidle")
        self.mpd.answer()
        self.mpd("ping")

    def test_one_change_is_told_once(self):
        # The length of an item is a change, too, once it has been counted.
        for song in (1, 0):
            self.mpd(f"play {song}")
            until(lambda: self.mpd.status().get("duration"), 20, "its duration")
        self.wait_playing()
        other = self.connect()
        other.send("idle player")
        other.send("noidle")
        other.answer()
        for command in "next", "seekcur 5", "pause 1", "pause 0", "previous":
            other.send("idle player")
            self.mpd(command)
            told = [other.answer()]
            # Until what was asked for is heard, and somewhat longer.
            place = self.mpd.elapsed()
            if command != "pause 1":
                until(lambda: self.mpd.elapsed() > place + 0.5, 10, "sound")
            other.send("idle player")
            other.send("noidle")
            self.assertEqual(told + [other.answer()], [["changed: player"], []], command)

    def test_real_mpc(self):
        def mpc(*arguments):
            done = subprocess.run(["mpc", f"--host={self.settings['console']['socket']}", *arguments],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=10)
            self.assertEqual(done.returncode, 0, done.stdout)
            return done.stdout

        self.assertIn("Teller - Tale a", mpc("play"))
        self.assertIn("[playing] #1/2", mpc("status"))
        self.assertIn("[paused]", mpc("pause"))
        until(lambda: self.mpd.status().get("duration"), 20, "the duration, which no tag tells")
        self.assertIn("0:20/0:30", mpc("seek", "20"))
        self.assertIn("0:15/0:30", mpc("seek", "-5"))
        self.assertIn("#2/2", mpc("next"))
        self.assertIn("#1/2", mpc("prev"))
        self.assertIn("volume: 60%", mpc("volume", "60"))
        self.assertIn("volume: 65%", mpc("volume", "+5"))
        self.assertEqual(mpc("playlist").splitlines(), ["Teller - Tale a", "Teller - Tale b"])
        self.assertEqual(mpc("listall").splitlines(), ["a.mp3", "b.mp3"])
        self.assertEqual(mpc("ls").splitlines(), ["a.mp3", "b.mp3", "Newest", "Unfinished", "Favourites", "Most played", "Finished"])
        self.assertIn("Songs:", mpc("stats"))
        self.assertIn("Output 1", mpc("outputs"))
        mpc("update", "--wait")
        mpc("clear")
        mpc("add", "a.mp3")
        self.assertEqual(mpc("playlist").splitlines(), ["Teller - Tale a"])
        self.assertNotIn("[playing]", mpc("stop"))
        self.assertIn("0.23.5", mpc("version"))

    def test_overlong_line(self):
        connection, file = self.raw()
        file.readline()
        for size in (5000, 100_000, 3_000_000):
            connection2, file2 = self.raw()
            file2.readline()
            try:
                connection2.sendall(b"play " + b"x" * size + b"\n")
                answer = file2.readline()
            except (BrokenPipeError, ConnectionResetError):
                answer = b""
            self.assertTrue(answer == b"" or answer.startswith(b"ACK "), answer[:100])
        connection.sendall(b"ping\n")
        self.assertEqual(file.readline(), b"OK\n")

    def test_rubbish(self):
        draw = random.Random(1)
        for _ in range(40):
            connection, file = self.raw()
            try:
                connection.sendall(draw.randbytes(draw.randrange(1, 20_000)))
                if draw.random() < 0.5:
                    connection.shutdown(socket.SHUT_WR)
            except (BrokenPipeError, ConnectionResetError):
                pass
            connection.close()
        words = [b"play", b"seekcur", b"command_list_begin", b"command_list_end", b"idle", b"noidle", b'"', b"\\", b"\0", b"-1",
                 b"99999999999999999999", b"1e400", b"\xff\xfe", b"\r", b"favourite", b"add", b"list", b"status", b"4:", b":"]
        for _ in range(100):
            connection, file = self.raw()
            lines = [b" ".join(draw.choice(words) for _ in range(draw.randrange(1, 5))) for _ in range(draw.randrange(1, 30))]
            connection.sendall(b"\n".join(lines) + b"\n")
            connection.close()
        self.assertEqual(self.connect().greeting, "OK MPD 0.23.5\n")
        self.assertEqual(self.process.poll(), None)

    def test_half_a_command(self):
        connection, file = self.raw()
        file.readline()
        connection.sendall(b"pi")
        self.mpd("ping")
        connection.sendall(b"ng\nping\npi")
        self.assertEqual((file.readline(), file.readline()), (b"OK\n", b"OK\n"))
        connection.close()
        self.mpd("ping")

    def test_a_hundred_idle_clients(self):
        clients = [self.connect() for _ in range(100)]
        for client in clients:
            client.send("idle player")
        self.mpd("play")
        self.wait_playing()
        for client in clients:
            self.assertIn("changed: player", client.answer())
        before = time.monotonic()
        self.mpd("status")
        self.assertLess(time.monotonic() - before, 0.2)
        for client in clients:
            client.send("idle")
        for client in clients:
            client.close()
        self.mpd("pause")
        self.assertEqual(self.mpd.status()["state"], "pause")

    def test_client_that_never_reads(self):
        def resident():
            return int(re.search(r"VmRSS:\s+(\d+)", contents(f"/proc/{self.process.pid}/status").decode()).group(1))

        self.mpd("playlistinfo")
        at_first = resident()
        connection, _ = self.raw()
        connection.setblocking(False)
        sent = 0
        try:
            while sent < 3_000_000:
                sent += connection.send(b"playlistinfo\n" * 1000)
        except (BlockingIOError, BrokenPipeError, ConnectionResetError):
            pass
        before = time.monotonic()
        self.mpd("status")
        self.assertLess(time.monotonic() - before, 0.5)
        self.assertLess(resident() - at_first, 2_000, "kB held for a client that never reads")

    def test_socket_of_a_dead_process_is_taken_over(self):
        self.kill()
        self.assertTrue(os.path.exists(self.settings["console"]["socket"]))
        self.start()
        self.mpd("ping")

    def test_counters(self):
        self.mpd("play")
        self.wait_playing()
        time.sleep(1.5)
        counters = self.counters()
        for name in ("xruns", "decode_us_p50", "decode_us_p99", "decode_us_max", "wakeups", "ring_fill_bytes", "pss_kib"):
            self.assertIn(name, counters)
        self.assertEqual(counters["xruns"], "0")
        self.assertLessEqual(float(counters["decode_us_p50"]), float(counters["decode_us_max"]))
        self.assertGreater(int(counters["pss_kib"]), 500)

    def test_console_command(self):
        done = subprocess.run([NIGHTSTAND, "console", "--socket", self.settings["console"]["socket"]],
                              input="status\nfrobnicate\n", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=10)
        self.assertIn("volume: 100", done.stdout)
        self.assertIn("unknown command", done.stdout + done.stderr)

    def test_console_command_without_a_speaker(self):
        done = subprocess.run([NIGHTSTAND, "console", "--socket", self.path("nowhere")], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=10)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^nightstand: .*nowhere.*\n$")

class Followers(SpeakerCase):
    """Clients that keep a picture of the queue, and names that are not plain text."""

    def setUp(self):
        super().setUp()
        self.add_noise("a.mp3", 5, 16000, "-b", "32", "--tt", "Tale a", "--ta", "Teller", "--tl", "Nights")
        os.mkdir(f"{self.library}/shelf")
        for n in range(6):
            self.add_noise(f"shelf/{n}.mp3", 1, 16000, "-b", "32", "--tt", f"Chapter {n}", "--ta", "Reader")
        self.start()

    def queue(self):
        """(file, Id) of all entries."""
        files, entries = [], []
        for line in self.mpd("playlistinfo"):
            key, value = line.split(": ", 1)
            if key == "file":
                files.append(value)
            elif key == "Id":
                entries.append((files[-1], value))
        return entries

    def test_a_client_that_follows_the_version_sees_every_edit(self):
        follower = self.connect()
        status = follower.status()
        version, known = status["playlist"], [id for _, id in self.queue()]
        draw = random.Random(7)
        for step in range(60):
            length = len(known)
            edits = ["add a.mp3", "add shelf", f"addid a.mp3 {draw.randint(0, length)}", 'findadd artist "Reader"']
            if length:
                edits += ["clear"]
                start = draw.randrange(length)
                edits += [f"delete {start}:{draw.randint(start + 1, length)}", f"deleteid {draw.choice(known)}"] * 3
            edit = draw.choice(edits)
            self.mpd(edit)
            status = follower.status()
            self.assertNotEqual(status["playlist"], version, f"step {step}: {edit}")
            length = int(status["playlistlength"])
            known = known[:length] + [None] * (length - len(known))
            changes = follower(f"plchangesposid {version}")
            for position, identity in zip(changes[::2], changes[1::2]):
                known[int(position.removeprefix("cpos: "))] = identity.removeprefix("Id: ")
            version = status["playlist"]
            self.assertEqual(known, [id for _, id in self.queue()], f"step {step}: {edit}")
            self.assertEqual(follower(f"plchanges {version}"), [])

    def test_positions_with_a_sign_are_from_the_current_song(self):
        self.mpd("clear")
        self.mpd("add shelf")
        with self.assertRaisesRegex(MPD.Refused, r"^ACK \[55@0\] \{addid\} No current song"):
            self.mpd("clear")
            self.mpd("addid a.mp3 +0")
        self.mpd("add shelf")
        self.mpd("play 2")
        self.mpd("addid a.mp3 +0")
        self.assertEqual([file for file, _ in self.queue()][2:4], ["shelf/2.mp3", "a.mp3"])
        self.mpd("addid a.mp3 -0")
        self.assertEqual([file for file, _ in self.queue()][2:5], ["a.mp3", "shelf/2.mp3", "a.mp3"])
        with self.assertRaisesRegex(MPD.Refused, r"^ACK \[2@0\] \{addid\} Number too large: \+99"):
            self.mpd("addid a.mp3 +99")

    def test_only_folders_of_the_library_are_looked_through(self):
        outside = self.path("outside")
        os.mkdir(outside)
        os.link(f"{self.library}/a.mp3", f"{outside}/stranger.mp3")
        for folder in (outside, "/", "/proc", "../outside", self.library + "-not"):
            with self.subTest(folder):
                try:
                    self.mpd(f'update "{folder}"')
                except MPD.Refused:
                    continue
                self.assertEqual(folder, "/", "not refused")  # MPD's "/" is the library
        self.mpd('update "shelf"')
        until(lambda: "updating_db" not in self.mpd.status(), 10, "the scan")
        self.assertNotIn("stranger", "\n".join(self.mpd("listall")))

    def test_an_artist_stands_in_for_the_album_artist_when_asked_for(self):
        self.assertIn("file: a.mp3", self.mpd("find albumartist Teller"))
        self.assertFalse([line for line in self.mpd("find albumartist Teller") if line.startswith("AlbumArtist: ")])

    def test_playlists_that_the_speaker_makes_are_always_there(self):
        names = [line.removeprefix("playlist: ") for line in self.mpd("listplaylists") if line.startswith("playlist: ")]
        self.assertEqual(names, ["Newest", "Unfinished", "Favourites", "Most played", "Finished"])

    def test_filters(self):
        def files(command):
            return [line.removeprefix("file: ") for line in self.mpd(command) if line.startswith("file: ")]

        self.assertEqual(files('find title "Chapter 3"'), ["shelf/3.mp3"])
        self.assertEqual(files('search title "CHAPTER"'), [f"shelf/{n}.mp3" for n in range(6)])
        self.assertEqual(files("find \"((artist == 'Reader') AND (title != 'Chapter 3'))\" window 2:4"), ["shelf/2.mp3", "shelf/4.mp3"])
        self.assertEqual(files('find base shelf sort -Title window 0:2'), ["shelf/5.mp3", "shelf/4.mp3"])
        self.assertEqual(files("find \"(!(artist == 'Reader'))\""), ["a.mp3"])
        self.assertEqual(files('find file shelf/1.mp3'), ["shelf/1.mp3"])
        self.assertEqual(self.mpd("list artist"), ["Artist: Reader", "Artist: Teller"])
        self.assertEqual(self.mpd("list album artist Teller"), ["Album: Nights"])
        self.assertEqual(self.mpd("count artist Reader")[0], "songs: 6")
        self.assertEqual(self.mpd("lsinfo")[0], "directory: shelf")
        self.assertEqual(files("listall shelf"), [f"shelf/{n}.mp3" for n in range(6)])
        self.mpd("clear")
        self.mpd("searchadd title \"chapter\" window 1:3")
        self.assertEqual([file for file, _ in self.queue()], ["shelf/1.mp3", "shelf/2.mp3"])


class OneCommand(SpeakerCase):
    def test_a_report_names_nobody(self):
        """Facts that help to help, in 60 lines, and no title, no file, no address."""
        self.add_noise("My Secret Diary.mp3", 5)
        self.start()
        self.mpd("play")
        self.wait_playing()
        told = subprocess.run([NIGHTSTAND, "report", "--config", self.write_settings()], capture_output=True, text=True, timeout=20)
        self.assertEqual(told.returncode, 0, told.stderr)
        lines = told.stdout.splitlines()
        self.assertLessEqual(len(lines), 60)
        for words in ("nightstand ", "board: ", "system: ", "kernel: ", "card: ", "configuration: 0 mistakes", "state: play", "xruns: "):
            self.assertTrue(any(line.startswith(words) for line in lines), (words, told.stdout))
        for name in ("Secret", self.library, self.folder):
            self.assertNotIn(name, told.stdout)
        self.end()
        told = subprocess.run([NIGHTSTAND, "report", "--config", self.write_settings()], capture_output=True, text=True, timeout=20)
        self.assertIn("speaker: does not answer", told.stdout)

    # Lines that the speaker logs, with names in them, and what may remain.
    JOURNAL = (("warning: It's My Secret: Part 2: not fetched ahead: the server said 404", "warning: …: the server said 404"),
               ("warning: My Secret/a b.mp3: ended the speaker (signal 11); it is passed over", "warning: …: ended the speaker (signal 11); it is passed over"),
               ("warning: the transcript of My Secret was not read: the disk does not answer", "warning: …: the disk does not answer"),
               ("screen: ended while it read or drew the picture of My Secret/a.jpg, which is passed over", "screen: …"),
               ("nothing of the text is heard in /srv/nightstand/My Secret/a b", "nothing of the text is heard in …"),
               ("warning: cannot read 'My Secret: it's' at all", "warning: …: '…' at all"),
               ("console: wrong passwords again and again from 192.168.1.77, fe80::77", "console: wrong passwords again and again from … …"),
               ("bridge: no broker at secret.example:1883: refused", "bridge: …: refused"),
               ("bridge: no way to secret.example", "bridge: …"),
               ("headphones: AA:BB:CC:DD:EE:FF is away", "headphones: … is away"),
               ("LCD /dev/lcd: Input/output error; trying again", "LCD /dev/lcd: Input/output error; trying again"))

    def test_a_journal_names_nobody(self):
        with open(self.path("journal"), "w", encoding="utf-8") as file:
            file.write("".join(f"nightstand: {logged}\n" for logged, _ in self.JOURNAL))
        with open(self.path("journalctl"), "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\ncat {self.path('journal')}\n")
        os.chmod(self.path("journalctl"), 0o755)
        told = subprocess.run([NIGHTSTAND, "report", "--config", self.write_settings()], capture_output=True, text=True, timeout=20,
                              env=dict(os.environ, PATH=self.folder + ":" + os.environ["PATH"]))
        lines = re.findall("(?m)^journal: (.*)$", told.stdout)
        self.assertEqual(lines, ["nightstand: " + kept for _, kept in self.JOURNAL])

    def run_words(self, *words, stdin=subprocess.DEVNULL):
        return subprocess.run([NIGHTSTAND, *words], stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=20)

    def test_one_command_and_its_answer(self):
        os.makedirs(os.path.join(self.library, "Moby Dick"))
        self.add_noise("Moby Dick/one.mp3", 60, 16000, "-b", "32")
        self.add_noise("Moby Dick/two.mp3", 60, 16000, "-b", "32", seed=2)
        with open(os.path.join(self.library, "Moby Dick", "notes.txt"), "w") as file:
            file.write("call me")
        self.start()
        at = ("--socket", self.settings["console"]["socket"])
        told = self.run_words("console", *at, "listfiles", "Moby Dick").stdout
        self.assertRegex(told, r"file: notes.txt\nsize: 7\nLast-Modified: ")
        self.assertEqual(told.count("file: "), 3)
        done = self.run_words("console", *at, "find", "file", "Moby Dick/two.mp3")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("file: Moby Dick/two.mp3\n", done.stdout)
        done = self.run_words("console", *at, "frobnicate")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("unknown command", done.stderr)
        for words in (["book", "play", "moby"], ["seek", "+0:30"], ["seek", "-0:01"], ["sleep", "20"], ["volume", "40"]):
            done = self.run_words(words[0], *at, *words[1:])
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""), words)
        status = self.mpd.status()
        self.assertEqual((status["state"], status["volume"], status["title"]), ("play", "40", "one"))
        self.assertGreaterEqual(float(status["elapsed"]), 28)
        self.assertLess(float(status["sleep"]), 1201)
        self.mpd("seek 1 20")
        self.mpd("pause 1")
        self.mpd("clear")
        self.mpd("add \"Moby Dick\"")
        self.assertEqual(self.run_words("book", *at, "play", "MOBY DICK").returncode, 0)
        until(lambda: self.mpd.status()["title"] == "two", 10, self.mpd.status)
        self.assertGreaterEqual(float(self.mpd.status()["elapsed"]), 19)
        self.assertEqual(self.run_words("book", *at, "play", "ick").stderr.count("Which book? Moby Dick"), 1)
        self.assertEqual(self.run_words("pause", "--socket", self.path("nowhere")).returncode, 1)

    def test_help_and_standard_output(self):
        self.assertTrue(self.run_words("help").stdout.startswith("usage: nightstand"))
        self.add_noise("a.mp3", 5, 16000, "-b", "32")
        self.start()
        self.mpd("favourite add a.mp3")
        at = ("--socket", self.settings["console"]["socket"])
        done = self.run_words("favourites", *at, "export", "-")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("a.mp3", done.stdout)
        self.assertFalse(os.path.exists("-"))


class Names(SpeakerCase):
    def test_any_name_comes_back_as_it_went_out(self):
        names = [b"tab\there.mp3", b"latin\xe9.mp3", b"esc\x1b[2J.mp3", b"quote\"back\\slash.mp3", b"line\nfeed.mp3", b"del\x7f.mp3",
                 b"  spaces .mp3", b"\xef\x9e\xa9.mp3", b"\xef\x9c\x8a.mp3", b"fold\xe9r\t/in it.mp3", "中文 é.mp3".encode()]
        self.add_noise("a.mp3", 5, 16000, "-b", "32")
        library = os.fsencode(self.library)
        for number, name in enumerate(names):
            os.makedirs(os.path.dirname(os.path.join(library, name)), exist_ok=True)
            self.add_noise("a.mp3", 1, 16000, "-b", "32", seed=number)
            os.rename(library + b"/a.mp3", os.path.join(library, name))
        self.start()
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(self.settings["console"]["socket"])
        connection.settimeout(5)
        self.addCleanup(connection.close)
        file = connection.makefile("rb")
        file.readline()

        def ask(command):
            connection.sendall(command + b"\n")
            lines = []
            while True:
                line = file.readline().removesuffix(b"\n")
                if line == b"OK":
                    return lines
                self.assertFalse(line.startswith(b"ACK "), (command, line))
                lines.append(line)

        def spelled(name):
            """As programs get it: a byte that is no UTF-8 as U+F700 and the byte, and so the characters that look like
            that."""
            held = name.decode(errors="surrogateescape")
            held = "".join("".join(chr(0xF700 + byte) for byte in c.encode()) if "\uf700" <= c <= "\uf7ff"
                           else chr(0xF700 + (ord(c) & 0xFF)) if "\udc80" <= c <= "\udcff" else c for c in held)
            return held.replace("\n", "\uf70a").encode()

        def quoted(name):
            return b'"' + name.replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'

        told = [line.removeprefix(b"file: ") for line in ask(b"listall") if line.startswith(b"file: ")]
        self.assertEqual(set(told), {spelled(name) for name in names})
        self.assertEqual(len(told), len(names))
        ask(b"clear")
        for name in told:
            with self.subTest(name):
                ask(b"clear")
                ask(b"add " + quoted(name))
                self.assertIn(b"file: " + name, ask(b"playlistinfo"))
                self.assertEqual([line for line in ask(b"find file " + quoted(name)) if line.startswith(b"file: ")], [b"file: " + name])
                ask(b"play")
                self.assertIn(b"file: " + name, ask(b"currentsong"))
                self.assertFalse([line for line in ask(b"status") if line.startswith(b"error")])
        self.assertTrue(ask(b"lsinfo " + quoted(spelled(b"fold\xe9r\t"))))
        # A client may also name a file by its bytes.
        self.assertTrue(ask(b"lsinfo " + quoted(b"fold\xe9r\t")))


class LargeLibrary(SpeakerCase):
    """10,000 items; NIGHTSTAND_LARGE=50000 for more, as the bench has them."""

    FASTER = 1
    TAKES_LONG = True

    COUNT = int(os.environ.get("NIGHTSTAND_LARGE", 10_000))

    def setUp(self):
        super().setUp()
        large_library.make(self.library, self.COUNT)
        self.add_noise("0 first.mp3", 30, 16000, "-b", "32")
        self.settings["audio"]["priority"] = 50  # as on a board, where it may: else whoever is as busy comes in between
        self.start(wait=False)
        self.mpd = self.connect()
        self.mpd.socket.settimeout(60)

        def is_ready():
            status = self.mpd.status()
            return "updating_db" not in status and status["playlistlength"] == str(self.COUNT + 1)

        # On a host that is busy with other things.
        until(is_ready, 600, "the whole library in the queue")

    def mpc(self, *arguments):
        return subprocess.Popen(["mpc", f"--host={self.settings['console']['socket']}", *arguments],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=dict(os.environ, MPC_TIMEOUT="120", LC_ALL="C.UTF-8"))

    def test_many_items(self):
        # One scan for both.
        self.all_of_it_is_told_while_others_are_answered()
        self.clients_of_every_kind_get_their_whole_answers()

    def all_of_it_is_told_while_others_are_answered(self):
        self.mpd("play 0")
        self.wait_playing()
        listing, queue = self.mpc("listall"), self.mpc("playlist")
        other, waits, listed = self.connect(), [], {}

        def read(name, process):
            listed[name] = process.stdout.read().splitlines()

        readers = [threading.Thread(target=read, args=pair) for pair in (("listall", listing), ("playlist", queue))]
        for reader in readers:
            reader.start()
        while any(reader.is_alive() for reader in readers):
            before = time.monotonic()
            other(f"setvol {50 + len(waits) % 10}")
            waits.append(time.monotonic() - before)
        self.assertEqual((listing.wait(), queue.wait()), (0, 0))
        listing.stdout.close()
        queue.stdout.close()
        self.assertEqual(len(listed["listall"]), self.COUNT + 1)
        self.assertEqual(listed["listall"][-1], b"0 first.mp3")
        self.assertEqual(listed["listall"][-2].decode(), f"shelf {(self.COUNT - 1) // 100:03}/Chapter {self.COUNT - 1:05}.mp3")
        self.assertEqual(len(listed["playlist"]), self.COUNT + 1)
        # By the clock of a host that has other things to do; the bench counts instructions.
        self.assertGreater(len(waits), 20)
        self.assertLess(sorted(waits)[len(waits) * 9 // 10], 0.3)
        self.assertEqual(self.mpd.status()["state"], "play")
        self.assertEqual(self.counters()["xruns"], "0")

    def clients_of_every_kind_get_their_whole_answers(self):
        per_folder = 100
        counts = {
            "playlistinfo": (b"\nId: ", self.COUNT + 1), "listallinfo": (b"file: ", self.COUNT + 1),
            'search title "chapter 0004"': (b"file: ", 10), 'find artist "Reader 7"': (b"file: ", 1000),
            'find base "shelf 042"': (b"file: ", per_folder), "list artist": (b"Artist: ", self.COUNT // 1000 + 1),
            "list title": (b"Title: ", self.COUNT + 1), "lsinfo": (b"directory: ", self.COUNT // per_folder),
            "plchangesposid 0": (b"cpos: ", self.COUNT + 1), "count artist \"Reader 7\"": (b"songs: 1000\n", 1),
            "search title CHAPTER sort -Title window 0:10": (b"file: ", 10),
        }
        clients = []
        for command in counts:
            client = self.connect()
            client.socket.settimeout(120)
            client.send(command)
            clients.append(client)
        answers = {}

        def read(command, client):
            data = bytearray()
            while not data.endswith(b"\nOK\n") and data != b"OK\n":
                more = client.socket.recv(1 << 20)
                if not more:
                    break
                data += more
            answers[command] = bytes(data)

        readers = [threading.Thread(target=read, args=pair) for pair in zip(counts, clients)]
        for reader in readers:
            reader.start()
        for reader in readers:
            reader.join()
        for command, (part, count) in counts.items():
            with self.subTest(command):
                self.assertTrue(answers[command].endswith(b"\nOK\n"), answers[command][-100:])
                self.assertEqual(answers[command].count(part), count)
        resident = int(re.search(r"VmRSS:\s+(\d+)", contents(f"/proc/{self.process.pid}/status").decode()).group(1))
        self.assertLess(resident, 40_000, "kB")


class Transcripts(SpeakerCase):
    def test_current_and_neighbours(self):
        self.add_noise("a.mp3", 30, 16000, "-b", "32")
        with open(f"{self.library}/a.srt", "w") as file:
            for n in range(8):
                file.write(f"{n + 1}\n00:00:{n * 3:02},000 --> 00:00:{n * 3 + 2:02},500\nSentence {n}.\n\n")
        self.start()
        self.mpd("play")
        self.mpd("pause 1")
        until(self.transcript, 20, "the transcript, which nothing waits for")
        for place, current in ((0.1, "0"), (3.0, "1"), (5.499, "1"), (5.5, None), (5.9, None), (6.0, "2"), (23.4, "7"), (25, None)):
            self.mpd(f"seekcur {place}")
            lines = self.mpd("transcript")
            fields = dict(line.split(": ", 1) for line in lines)
            self.assertEqual(fields.get("current"), current, f"at {place} s")
            if current:
                text = [line for line in lines if line.startswith(f"segment: {current} ")]
                start = int(current) * 3
                self.assertEqual(text, [f"segment: {current} {start}.000-{start + 2}.500 Sentence {current}."])


class Typed(SpeakerCase):
    def test_a_person_edits_lines(self):
        self.add_noise("a.mp3", 30, 16000, "-b", "32")
        self.start()
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        self.addCleanup(os.close, slave)
        before = termios.tcgetattr(slave)

        def begin():
            nonlocal typing
            command = [*self.command, "console", "--socket", self.settings["console"]["socket"]]
            typing = subprocess.Popen(command, stdin=slave, stdout=slave)
            self.addCleanup(typing.kill)
            enter(b"", then="> ")

        typing, told = None, ""

        def enter(keys, *, then):
            nonlocal told
            os.write(master, keys)
            told, end = "", time.monotonic() + 5
            while not told.endswith(then):
                self.assertTrue(select.select([master], [], [], max(0, end - time.monotonic()))[0], told)
                told += os.read(master, 4096).decode()
            return told

        begin()
        self.assertIn(subprocess.check_output([*self.command, "--version"], text=True).strip() + "\r\n", told)
        enter(b"setvol 99\x7f\x7f42\r", then="OK\r\nnightstand> ")
        self.assertEqual(self.mpd.status()["volume"], "42")
        # Tab completes, Ctrl-C drops what is typed, and the last line comes back with the arrow.
        enter(b"kil\t\x03", then="^C\r\nnightstand> ")
        self.mpd("setvol 7")
        enter(b"\x1b[A\r", then="OK\r\nnightstand> ")
        self.assertEqual(self.mpd.status()["volume"], "42")
        os.write(master, b"\x04")
        self.assertEqual(typing.wait(5), 0)
        self.assertEqual(termios.tcgetattr(slave), before)

        begin()
        self.assertNotEqual(termios.tcgetattr(slave), before)
        typing.terminate()
        self.assertEqual(typing.wait(5), -signal.SIGTERM)
        self.assertEqual(termios.tcgetattr(slave), before)

        begin()
        self.process.kill()
        self.assertEqual(typing.wait(5), 1)
        self.assertEqual(termios.tcgetattr(slave), before)


class Serial(SpeakerCase):
    """A person at a serial line."""

    def setUp(self):
        super().setUp()
        self.add_noise("a.mp3", 30, 16000, "-b", "32")
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        self.addCleanup(os.close, self.master)
        self.addCleanup(os.close, slave)
        self.settings["console"].update(serial=os.ttyname(slave), baud=115200)
        self.slave = slave
        self.start()

    def read(self, until_text, seconds=5):
        text, end = "", time.monotonic() + seconds
        while until_text not in text:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.master], [], [], left)[0]:
                self.fail(f"'{until_text}' did not come, but {text!r}")
            text += os.read(self.master, 4096).decode(errors="replace")
        return text

    def test_prompt_help_and_commands(self):
        os.write(self.master, b"\r")
        prompt = self.read("> ").splitlines()[-1][-2:]
        self.assertEqual(prompt, "> ")
        os.write(self.master, b"help\r")
        self.assertIn("seekcur", self.read("transcript "))
        os.write(self.master, b"play\r")
        self.read("> ")
        self.wait_playing()
        os.write(self.master, b"status\r")
        self.assertIn("state: play", self.read("state: play"))
        os.write(self.master, b"frobnicate\r")
        self.assertIn("frobnicate", self.read("unknown command"))

    def test_line_editing(self):
        os.write(self.master, b"\r")
        self.read("> ")
        os.write(self.master, b"setvol 99\x7f\x7f42\r")
        self.read("> ")
        until(lambda: self.mpd.status()["volume"] == "42", 3, "the edited command")

    def test_speed_is_set(self):
        speed = termios.tcgetattr(self.slave)[5]
        self.assertEqual(speed, termios.B115200)

    def test_rubbish(self):
        draw = random.Random(2)
        for _ in range(20):
            os.write(self.master, draw.randbytes(500).replace(b"\x03", b"").replace(b"\x04", b""))
            select.select([self.master], [], [], 0.02)[0] and os.read(self.master, 65536)
        os.write(self.master, b"\x15\r")
        time.sleep(0.3)
        while select.select([self.master], [], [], 0.2)[0]:
            os.read(self.master, 65536)
        os.write(self.master, b"ping\r")
        self.read("> ")
        self.assertEqual(self.process.poll(), None)

    def test_line_that_nobody_reads(self):
        """The terminal server has stopped reading: the speaker plays on."""
        for _ in range(200):
            if not select.select([], [self.master], [], 0.05)[1]:
                break
            os.write(self.master, b"help\r" * 20)
        self.mpd("play")
        self.wait_playing()
        before = time.monotonic()
        self.mpd("status")
        self.assertLess(time.monotonic() - before, 0.5)
