# SPDX-License-Identifier: Apache-2.0
"""Remotes over the network: the port that a service manager holds, passwords, and what may come along a network."""

import os
import re
import socket
import subprocess
import time
import unittest

from harness import SpeakerCase, contents, until


class Remote(SpeakerCase):
    def setUp(self):
        super().setUp()
        for name in "abc":
            self.add_noise(f"{name}.mp3", 120, 16000, "-b", "32")
        self.opened = []

    def tearDown(self):
        for connection in self.opened:
            connection.close()
        super().tearDown()

    def passwords(self, text):
        path = self.path("passwords")
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, 0o600)
        self.settings["console"]["password"] = path

    def start_with_port(self, *before):
        """Starts the speaker as a service manager does that holds a port, both families, behind other words of a command."""
        with socket.socket(socket.AF_INET6) as holder:
            holder.bind(("::", 0))
            holder.listen(64)
            self.port = holder.getsockname()[1]
            self.log_path = self.path("log")
            # The descriptor is 3, and the process named is the one that becomes the speaker.
            script = f'exec 3<&{holder.fileno()}; LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"'
            with open(self.log_path, "ab") as log:
                environment = dict(os.environ, ALSA_CONFIG_PATH=self.card.conf, LC_ALL="C.UTF-8", HOME=self.folder)
                self.process = subprocess.Popen([*before, "bash", "-c", script, "-", *self.command, "--config", self.write_settings()],
                                                env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                pass_fds=[holder.fileno()])
        self.addCleanup(self.end, self.process)
        self.mpd = self.connect()
        until(lambda: "updating_db" not in self.mpd.status(), 20, "the library scan")

    def remote(self, host="127.0.0.1"):
        connection = socket.create_connection((host, self.port), 10)
        self.opened.append(connection)
        return connection

    def ask(self, connection, command):
        """The answer's last line."""
        connection.sendall(command.encode() + b"\n")
        return self.answer(connection)

    def answer(self, connection):
        data = b""
        while not re.search(rb"^(OK|ACK .*)\n\Z", data, re.MULTILINE):
            part = connection.recv(65536)
            if not part:
                return "closed"
            data += part
        return data.decode(errors="replace").splitlines()[-1]

    def greeted(self, host="127.0.0.1"):
        connection = self.remote(host)
        data = b""
        while not data.endswith(b"\n"):
            data += connection.recv(100)
        self.assertTrue(data.startswith(b"OK MPD "), data)
        return connection

    def memory(self):
        """The process's own memory, in kB: its heap, its stacks, its data. Its code comes and goes with what it
        does."""
        return int(re.search(r"Anonymous:\s+(\d+)", contents(f"/proc/{self.process.pid}/smaps_rollup").decode()).group(1))

    def test_a_port_that_is_held_serves_a_speaker_without_network(self):
        if subprocess.run(["unshare", "--net", "true"], stderr=subprocess.DEVNULL).returncode != 0:
            self.skipTest("no network namespaces here")
        self.start_with_port("unshare", "--net")
        self.assertNotEqual(os.readlink(f"/proc/{self.process.pid}/ns/net"), os.readlink("/proc/self/ns/net"))
        for host in ("127.0.0.1", "::1"):
            connection = self.greeted(host)
            self.assertEqual(self.ask(connection, "play"), "OK")
            self.assertEqual(self.ask(connection, "status"), "OK")
        self.wait_playing()

    def test_without_a_password_the_network_may_what_a_remote_needs(self):
        self.start_with_port()
        phone = self.greeted()
        self.assertEqual(self.ask(phone, "setvol 30"), "OK")
        for command in ("restore begin", "backup", "forget", "kill", "buttons take"):
            self.assertRegex(self.ask(phone, command), r"^ACK \[4@0\]")
        page = self.greeted()
        page.sendall(b"POST / HTTP/1.1\r\nHost: bedside:6600\r\nContent-Type: text/plain\r\n\r\nsetvol 77\nclear\n")
        # Closed with what it sent still unread, or read.
        try:
            self.assertEqual(page.recv(100), b"")
        except ConnectionResetError:
            pass
        self.assertEqual(self.mpd.status()["volume"], "30")
        self.assertEqual(self.mpd.status()["playlistlength"], "3")

    def test_a_file_of_passwords_that_all_may_read_is_warned_of(self):
        self.passwords("home\n")
        os.chmod(self.path("passwords"), 0o644)
        self.start_with_port()
        self.assertEqual(self.log().count("everybody on this board may read the passwords"), 1)

    def test_passwords(self):
        self.passwords("# who may what\nguest@read\nhome@read,add,control\nboss@all@read,add,control,admin\n")
        self.start_with_port()
        for host in ("127.0.0.1", "::1"):
            connection = self.greeted(host)
            self.assertEqual(self.ask(connection, "status"), 'ACK [4@0] {status} you don\'t have permission for "status"')
            self.assertEqual(self.ask(connection, "password guest"), "OK")
            self.assertEqual(self.ask(connection, "status"), "OK")
            self.assertEqual(self.ask(connection, "play"), 'ACK [4@0] {play} you don\'t have permission for "play"')
            self.assertEqual(self.ask(connection, "password boss@all"), "OK")
            self.assertEqual(self.ask(connection, "play"), "OK")
        self.assertEqual(self.mpd("notcommands"), ["command: kill"])
        thief, began = self.greeted(), time.monotonic()
        for _ in range(4):
            self.assertEqual(self.ask(thief, "password secret-guess"), "ACK [3@0] {password} incorrect password")
        self.assertGreater(time.monotonic() - began, 0.25 + 0.5 + 1)
        for word in ("guest", "boss", "secret-guess"):
            self.assertNotIn(word, self.log())

    def test_a_file_of_passwords_that_cannot_be_read_lets_nobody_in(self):
        self.settings["console"]["password"] = self.path("nowhere")
        self.start_with_port()
        self.assertIn("nobody is let in over the network", self.log())
        with self.assertRaises(OSError):
            self.greeted()
        self.assertIn("state", self.mpd.status())

    def test_a_port_of_its_own(self):
        with socket.socket() as holder:
            holder.bind(("127.0.0.1", 0))
            holder.listen(1)
            self.port = holder.getsockname()[1]
            self.settings["console"]["listen"] = f"127.0.0.1:{self.port}"
            self.start()
            until(lambda: f"listen at 127.0.0.1:{self.port}: Address already in use" in self.log(), what=self.log)
        until(lambda: f"listens at 127.0.0.1:{self.port}" in self.log(), 20, self.log)
        self.assertEqual(self.ask(self.greeted(), "status"), "OK")

    def test_whatever_comes_the_sound_goes_on_and_memory_stays(self):
        self.passwords("home\n")
        self.start_with_port()
        self.mpd("play")
        self.wait_playing()
        home = self.greeted()
        self.assertEqual(self.ask(home, "password home"), "OK")
        self.assertEqual(self.ask(home, "listallinfo"), "OK")
        time.sleep(3.5)  # until what starting took is given back
        before = self.memory()
        most = before
        listing = b"command_list_begin\n" + b"ping\n" * 40_000
        for flood in range(3):
            peers = []
            for number in range(200):
                try:
                    peer = self.remote("127.0.0.1" if number % 2 else "::1")
                except OSError:
                    continue
                peer.setblocking(False)
                peers.append(peer)
                word = [b"x" * 1_000_000, listing, os.urandom(20_000), b"ping\n" * 40_000, b"password x\n" * 200, b"pin", b""][number % 7]
                try:
                    peer.send(word)
                except OSError:
                    pass
            for _ in range(5):
                for peer in peers:
                    try:
                        peer.send(b"p")
                    except OSError:
                        pass
                most = max(most, self.memory())
            self.assertEqual(self.ask(home, "status"), "OK", "who has given a password is not pushed out")
            self.assertEqual(self.mpd.status()["state"], "play")
            for peer in peers:
                peer.close()
        until(lambda: self.ask(home, "ping") == "OK", what="an answer")
        time.sleep(1)
        after = self.memory()
        print(f"memory with 200 hostile clients: {before} kB before, {most} at most, {after} after")
        self.assertLess(most - before, 1024)
        self.assertLess(after - before, 1024)
        self.assertEqual(self.counters()["xruns"], "0")


if __name__ == "__main__":
    unittest.main()
