# SPDX-License-Identifier: Apache-2.0
"""The package under systemd: the service's rights, its cost against its budget, that it is restarted when it hangs, and
that deploying it again over ssh, removing it and purging it behave."""

import itertools
import os
import re
import socket
import subprocess
import unittest

from machine import TOP, Failed, Machine, package

MEDIA = os.path.join(TOP, "board", "media")
BUDGET = "/usr/share/nightstand/budgets/virtual-aarch64.ini"
PROFILED = 45  # seconds


class Service(unittest.TestCase):
    """One board, with tests from the harmless to the fatal; their names keep them in order."""

    # A deploy over ssh takes the host its time.
    FASTER = 2

    @classmethod
    def setUpClass(cls):
        cls.board = board = Machine(library=MEDIA)
        cls.addClassCleanup(board.close)
        board.load("virtio_net")
        with socket.create_server(("127.0.0.1", 0)) as free:
            cls.port = free.getsockname()[1]
        with socket.create_server(("127.0.0.1", 0)) as free:
            cls.remote = free.getsockname()[1]
        board.on(devices=["virtio-net-pci,netdev=net,romfile="],
                 arguments=["-netdev", f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{cls.port}-:22,"
                             f"hostfwd=tcp:127.0.0.1:{cls.remote}-:6600"])
        board.sh("ip address add 10.0.2.15/24 dev eth0 && ip link set eth0 up && ip link set lo up")
        board.until(lambda: board.status()["playlistlength"] == "3" and "updating_db" not in board.status(), 60, "the library")
        board.mpd("play 0")
        board.until(lambda: board.elapsed() > 6, 60, "playing")
        # From here on one that began to play by itself.
        board.sh("systemctl restart nightstand")
        board.until(lambda: board.status()["state"] == "play" and board.elapsed() > 7, 60, "playing on")

    def show(self, *names):
        lines = self.board.sh("systemctl show nightstand -p " + " -p ".join(names)).splitlines()
        return dict(line.split("=", 1) for line in lines)

    def process(self):
        return self.show("MainPID")["MainPID"]

    def playing(self):
        return self.board.status()["state"] == "play" and self.board.elapsed() > 0

    def locked(self):
        """KiB of memory."""
        return int(self.board.sh(f"sed -n 's/^VmLck:[^0-9]*//p' /proc/{self.process()}/status").split()[0])

    def test_1_rights(self):
        status = self.board.sh(f"cat /proc/{self.process()}/status")
        self.assertEqual(self.board.sh(f"stat -c %U:%G /proc/{self.process()}"), "nightstand:nightstand")
        self.assertRegex(status, r"(?m)^CapEff:\s*0+$")
        self.assertRegex(status, r"(?m)^NoNewPrivs:\s*1$")
        self.assertRegex(status, r"(?m)^Seccomp:\s*2$")
        # Once it has given back what only starting took.
        self.board.until(lambda: self.locked() > 500, what="its memory locked")
        audio = self.board.sh(f"cd /proc/{self.process()}/task && grep -lx audio */comm").split("/")[0]
        # proc(5), stat: fields 40 and 41 are priority and policy; the name in brackets has no blank.
        fields = self.board.sh(f"cat /proc/{self.process()}/task/{audio}/stat").split()
        self.assertEqual(fields[39:41], ["50", "1"], "the audio thread is not SCHED_FIFO 50")
        journal = self.board.sh("journalctl -u nightstand --no-pager -o cat")
        self.assertIn("nightstand: ready", journal)
        self.assertNotIn("warning", journal)

    def test_2_budget(self):
        print(f"profile of {PROFILED} s on the virtual board, trixie:")
        report = self.board.sh(f"nightstand profile --seconds {PROFILED} --budget {BUDGET}", seconds=400)
        print(report)
        for figure in ("CPU share", "memory (PSS)", "major faults", "wake-ups", "decode time p99", "scheduling latency max",
                       "ring fill min", "underruns", "written to disk", "start to first sound"):
            self.assertRegex(report, rf"(?m)^{re.escape(figure)} +[\d.]+")
        # The same budget with one figure too small is exceeded, and named.
        self.board.sh(f"sed 's/^pss_kib = .*/pss_kib = 1/' {BUDGET} >/tmp/small.ini")
        with self.assertRaises(Failed) as over:
            self.board.sh("nightstand profile --seconds 2 --budget /tmp/small.ini", seconds=60)
        self.assertRegex(str(over.exception), r"exit code 1 (?s:.)*over budget: memory \(PSS\)")

    def press_alone(self, button):
        """A press that is no double one with what comes next."""
        self.board.press(button)
        pressed = self.board.now()
        self.board.until(lambda: self.board.now() > pressed + 0.5, what="half a second")

    def test_3_a_press_is_profiled(self):
        # Far from the end, where "forward" would stop.
        self.board.mpd("seekcur 5")
        self.board.mpd("play")
        self.board.until(self.playing, what="playing")
        self.board.sh("nightstand profile --seconds 12 >/tmp/pressed 2>&1 &")
        begun = self.board.now()
        self.board.until(lambda: self.board.now() > begun + 1, what="the profile under way")
        for _ in range(2):
            self.press_alone("play")
            self.board.until(lambda: self.board.status()["state"] == "pause", what="the pause")
            self.press_alone("forward")
            self.press_alone("play")
            self.board.until(self.playing, what="playing on")
        self.board.until(lambda: "new sound p99" in self.board.sh("cat /tmp/pressed"), 60, "the report")
        report = self.board.sh("cat /tmp/pressed")
        print("\n".join(line for line in report.splitlines() if "button" in line))
        self.assertRegex(report, r"(?m)^button to silence p50 +[\d.]+ +ms$")
        self.assertRegex(report, r"(?m)^button to new sound p50 +[\d.]+ +ms$")

    def test_3_b_a_port_for_remotes(self):
        """Nothing listens until it is switched on; then the service manager has the port, and the speaker still no network."""
        board = self.board
        self.assertNotIn(f":{6600:04X} ", board.sh("cat /proc/net/tcp /proc/net/tcp6"))
        board.sh("mkdir -p /etc/avahi/services; systemctl enable nightstand-remote.socket; systemctl restart nightstand", seconds=120)
        board.until(self.playing, 60, "playing")
        self.assertIn("_mpd._tcp", board.sh("cat /etc/avahi/services/nightstand.service"))

        def asked():
            try:
                with socket.create_connection(("127.0.0.1", self.remote), timeout=60) as remote:
                    stream = remote.makefile("rw", newline="\n")
                    greeting = stream.readline()
                    stream.write("status\n")
                    stream.flush()
                    return greeting, list(itertools.takewhile(lambda line: line != "OK\n", stream))
            except OSError:
                return None

        greeting, lines = board.until(asked, 60, "an answer at the port")
        self.assertTrue(greeting.startswith("OK MPD "), greeting)
        self.assertIn("state: play\n", lines)
        # Its own network is empty but for what it was handed.
        self.assertEqual(self.show("PrivateNetwork")["PrivateNetwork"], "yes")
        board.sh("systemctl disable --now nightstand-remote.socket; systemctl restart nightstand", seconds=120)
        board.until(self.playing, 60, "playing")
        self.assertEqual(board.sh("ls /etc/avahi/services").strip(), "")

    def test_3_c_a_process_that_fetches(self):
        """Its socket starts it when something is asked for, as a user of its own."""
        board = self.board
        board.sh("cp /etc/nightstand.conf /tmp/quiet; printf '\\n[network]\\nenabled = yes\\n' >>/etc/nightstand.conf; "
                 "systemctl enable --now nightstand-fetch.socket; systemctl restart nightstand", seconds=120)
        board.until(self.playing, 60, "playing")
        board.mpd('add "http://127.0.0.1:9/owl.mp3"')
        self.assertEqual(board.sh("systemctl is-active nightstand-fetch.service", check=False).strip(), "inactive")
        board.mpd("play 3")
        # This board's packages have no libcurl; with it, no server answers there.
        board.until(lambda: re.search("libcurl4|does not answer", board.status().get("error", "")), 60, "what is wrong")
        process = board.sh("systemctl show -P MainPID nightstand-fetch.service").strip()
        self.assertEqual(board.sh(f"stat -c %U /proc/{process}").strip(), "nightstand-fetch")
        board.mpd("delete 3")
        board.sh("systemctl disable --now nightstand-fetch.socket; systemctl stop nightstand-fetch.service; "
                 "cp /tmp/quiet /etc/nightstand.conf; systemctl restart nightstand", seconds=120)
        board.mpd("play 0")
        board.until(self.playing, 60, "playing")

    def test_3_d_what_a_household_shares_is_carried(self):
        """Acts at the speaker start a process, as a user of its own, any number of times."""
        board = self.board
        account = ("url https://127.0.0.1:9", "key k", "household 01234567-89ab-cdef-0123-456789abcdef", "refresh r")
        board.sh("cd /var/lib/nightstand-sync && (umask 077; printf '%s\\n' " + " ".join(f"'{line}'" for line in account) + " >account) && "
                 "chown nightstand-sync: account && systemctl enable --now nightstand-sync.timer", seconds=120)
        self.assertEqual(board.sh("systemctl is-active nightstand-sync.path").strip(), "active")
        board.mpd("household on")
        for times in (1, 2):
            board.mpd("household went 0 0")
            board.press("favourite")
            # This board's packages have no libcurl; with it, no server answers there.
            board.until(lambda: re.search("libcurl4|does not answer", board.fields("household").get("problem", "")), 60, "what is wrong")
            board.until(lambda: board.sh("systemctl is-active nightstand-sync.service", check=False).strip() == "failed", 60, "its end")
        board.sh("test ! -e /run/nightstand/household")
        self.assertEqual(board.sh("systemctl is-active nightstand-sync.path").strip(), "active")
        journal = board.sh("journalctl -u nightstand-sync --no-pager -o cat")
        self.assertNotIn("no speaker", journal)
        board.mpd("household off")
        board.sh("systemctl disable --now nightstand-sync.timer; systemctl stop nightstand-sync.path; rm /var/lib/nightstand-sync/account; "
                 "systemctl reset-failed nightstand-sync.service")
        board.until(self.playing, 60, "playing")

    def test_4_one_that_hangs_is_started_anew_at_its_place(self):
        board = self.board
        before, process = board.elapsed(), self.process()
        board.sh(f"kill -STOP {process}")
        board.until(lambda: self.process() not in (process, "0") and self.show("ActiveState")["ActiveState"] == "active", 200,
              "another process")
        self.assertEqual(self.show("NRestarts")["NRestarts"], "1")
        board.until(self.playing, 60, "playing")
        # The speaker hung for 20 s. The seconds played since its restart come on top of at most 5 s that are heard again.
        self.assertGreater(board.elapsed(), before - 5)
        self.assertLess(board.elapsed(), before + 15)

    def deploy(self, *arguments):
        """(exit code, what it says)."""
        done = subprocess.run(
            [os.path.join(TOP, "board", "deploy"), "-p", str(self.port), "-i", self.board.path("key"),
             "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "ConnectTimeout=120",
             *arguments, "root@127.0.0.1"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        return done.returncode, done.stdout

    def test_5_deploying_it_again_keeps_place_and_configuration(self):
        board = self.board
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", board.path("key")], check=True)
        with open(board.path("key.pub")) as key, open(os.path.join(board.host, "authorized"), "w") as file:
            file.write(key.read())
        board.sh("mkdir -p /run/sshd /root/.ssh; "
                 "echo 'sshd:x:990:65534::/run/sshd:/usr/sbin/nologin' >>/etc/passwd; cp /run/host/authorized /root/.ssh/authorized_keys; "
                 "ssh-keygen -q -t ed25519 -N '' -f /etc/ssh/ssh_host_ed25519_key; /usr/sbin/sshd -f /dev/null -o StrictModes=no; "
                 "until [ -s /run/sshd.pid ]; do sleep 0.1; done")
        code, said = self.deploy("--package", package("bookworm"))
        self.assertEqual(code, 1, said)
        self.assertRegex(said, r"\(trixie\), arm64\n(?s:.)*\(.*~deb12\) is not for trixie")
        board.sh("echo '# mine' >>/etc/nightstand.conf")
        before, process = board.elapsed(), self.process()
        code, said = self.deploy("--os", "trixie", "--timeout", "200", "--package", package("trixie"))
        self.assertEqual(code, 0, said)
        self.assertIn("  | nightstand: ready", said)
        self.assertRegex(said, r"\nready: .+\n$")
        print(said)
        self.assertNotEqual(self.process(), process)
        board.until(self.playing, 60, "playing")
        self.assertGreater(board.elapsed(), before - 0.5)
        self.assertIn("# mine", board.sh("tail -n 1 /etc/nightstand.conf"))

    def test_6_a_broken_configuration_leaves_no_dark_speaker(self):
        board = self.board
        board.sh("cp /etc/nightstand.conf /tmp/good; echo '[audoi]' >>/etc/nightstand.conf")
        board.sh("systemctl restart nightstand")
        board.until(self.playing, 60, "playing")
        self.assertRegex(board.status()["error"], r"nightstand.conf:\d+: unknown section 'audoi'")
        self.assertNotEqual(board.sh("nightstand check; echo $?").strip().splitlines()[-1], "0")
        self.assertRegex(board.sh("journalctl -u nightstand -p err --no-pager -o cat"), r"nightstand.conf:\d+: unknown section 'audoi'")
        board.sh("cp /tmp/good /etc/nightstand.conf; systemctl restart nightstand")
        board.until(self.playing, 60, "playing")

    def test_7_removing_keeps_the_place_and_purging_does_not(self):
        board = self.board
        board.sh("dpkg -r nightstand", seconds=200)
        self.assertEqual(board.sh("pgrep -x nightstand || true"), "")
        self.assertNotEqual(board.sh("ls /var/lib/nightstand/nightstand.db /etc/nightstand.conf"), "")
        board.sh("dpkg -P nightstand", seconds=200)
        self.assertNotIn("nightstand", board.sh("ls -A /var/lib/nightstand; ls /etc/nightstand.conf 2>/dev/null || true"))
        self.assertIn(".mp3", board.sh("ls /srv/nightstand"), "the audio must stay")
