# SPDX-License-Identifier: Apache-2.0
"""The package under the units that ship, sandbox and all, on a systemd in a container over this machine's own files:
README's promises about the service hold there. Tests with the kernel's drivers run on the virtual board."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import test_package
from build import TOP
from harness import until

UNITS = ("nightstand-remote.socket", "nightstand-fetch.socket", "nightstand-screen.service", "nightstand-sync.timer",
         "nightstand-bridge.service", "nightstand-headphones.service")


class Container:
    """A booted copy of this machine. Its writes are in memory; a power cut is the end of its first process."""

    def __init__(self, folder):
        self.folder, self.process = folder, None
        test_package.run("mount", "-t", "tmpfs", "tmpfs", folder)
        for name in ("upper", "work", "root"):
            os.mkdir(os.path.join(folder, name))
        self.root = os.path.join(folder, "root")
        self.mount()
        for unit in ("nginx.service", "icecast2.service", "mosquitto.service", "apt-daily.timer", "apt-daily-upgrade.timer", "man-db.timer"):
            path = f"{self.root}/etc/systemd/system/{unit}"
            if not os.path.lexists(path):
                os.symlink("/dev/null", path)
        # Else maintainer scripts start nothing.
        with open(f"{self.root}/usr/sbin/policy-rc.d", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexit 0\n")
        os.chmod(f"{self.root}/usr/sbin/policy-rc.d", 0o755)

    def mount(self):
        test_package.run("mount", "-t", "overlay", "overlay", "-o",
                         f"lowerdir=/,upperdir={self.folder}/upper,workdir={self.folder}/work", self.root)

    def boot(self):
        with open(os.path.join(self.folder, "log"), "ab") as log:
            self.process = subprocess.Popen(
                ["systemd-nspawn", "--quiet", "--register=no", "--keep-unit", "--private-network", "--machine=shipped",
                 "--system-call-filter=adjtimex clock_adjtime", "--capability=CAP_SYS_TIME", "--directory", self.root, "--boot"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        until(self.leader, 30, "a container")
        until(lambda: self.sh("systemctl is-system-running", check=False).strip() in ("running", "degraded"), 60, self.log)

    def log(self):
        with open(os.path.join(self.folder, "log"), encoding="utf-8", errors="replace") as file:
            return file.read()[-3000:]

    def leader(self):
        """Its first process, or None."""
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children", encoding="utf-8") as file:
            children = file.read().split()
        return children[0] if children else None

    def sh(self, script, check=True):
        return test_package.run("nsenter", "-t", self.leader(), "-m", "-p", "-i", "-u", "-n", "-w", "sh", "-c", script, check=check)

    def cut(self):
        os.kill(int(self.leader()), signal.SIGKILL)
        self.process.wait(30)

    def close(self):
        if self.process and self.process.poll() is None:
            self.cut()
        subprocess.run(["umount", self.root], stderr=subprocess.DEVNULL)
        subprocess.run(["umount", self.folder], stderr=subprocess.DEVNULL)


class Shipped(unittest.TestCase):
    """One container; the tests' names keep them in order, and the last takes the package away."""

    NEEDS_SHIPPED = TAKES_LONG = True

    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0 or not shutil.which("systemd-nspawn"):
            raise unittest.SkipTest("needs root, and systemd-nspawn")
        scratch = tempfile.TemporaryDirectory(prefix="shipped-", dir="/var/tmp", ignore_cleanup_errors=True)
        cls.addClassCleanup(scratch.cleanup)
        cls.box = box = Container(scratch.name)
        cls.addClassCleanup(box.close)
        shutil.copy(test_package.made_package("host"), f"{box.root}/root/nightstand.deb")
        shutil.copytree(os.path.join(TOP, "board", "media"), f"{box.root}/root/media")
        box.boot()
        # A drop-in for the tests' card alone: all else is as it ships.
        box.sh("printf 'pcm.bed { type null }\\n' >/etc/asound.conf")
        box.sh("dpkg --force-confdef --install /root/nightstand.deb")
        # The card alone is another than the one that ships.
        box.sh("cp /root/media/* /srv/nightstand/ && sed -i 's/^#device = default$/device = null/' /etc/nightstand.conf")
        cls.restart()

    @classmethod
    def restart(cls):
        cls.box.sh("systemctl restart nightstand")
        cls.ready()

    @classmethod
    def ready(cls):
        until(lambda: "state: " in cls.ask("status") and "updating_db" not in cls.ask("status"), 30, lambda: cls.journal())

    @classmethod
    def journal(cls):
        return cls.box.sh("journalctl -b -u nightstand --no-pager -o cat", check=False)

    @classmethod
    def ask(cls, command, user=None):
        """The answer to a command of a client that is this user, and of the group that the socket lets in."""
        who = f"setpriv --reuid {user} --regid {user} --groups nightstand " if user else ""
        perl = ('use IO::Socket::UNIX; $s = IO::Socket::UNIX->new(Peer => "/run/nightstand/socket") or exit 1; <$s>; print $s "$ARGV[0]\\n"; '
                'while (<$s>) { print; last if /^(OK|ACK)/ }')
        return cls.box.sh(f"{who}perl -e '{perl}' '{command}'", check=False)

    def fields(self, command):
        return dict(line.split(": ", 1) for line in self.ask(command).splitlines() if ": " in line)

    def test_1_what_it_learns_of_the_board(self):
        counters = self.fields("counters")
        boot = self.box.sh("cat /proc/sys/kernel/random/boot_id").strip().replace("-", "")
        self.assertEqual(counters["boot"], boot, self.journal())
        # As a process outside of any sandbox sees it.
        known = self.box.sh("python3 -c 'import ctypes; b = ctypes.create_string_buffer(512); "
                            "print(ctypes.CDLL(None).adjtimex(b) not in (-1, 5))'").strip() == "True"
        chip = self.box.sh("cat /sys/class/rtc/rtc0/hctosys", check=False).strip() == "1"
        self.assertEqual(counters["clock_known"], str(int(known or chip)), self.journal())
        self.assertNotIn("adjtimex", self.journal())

    def test_2_rights_go_by_the_user(self):
        for user, allowed, refused in (
                ("nightstand-sync", ("household", "journal 0", "merge {}"), ("backup /tmp/x", "play", "setvol 5", "status", "forget 0", "clear")),
                ("nightstand-bridge", ("status", "setvol 60", "announce hello"), ("backup /tmp/x", "household", "buttons", "forget 0")),
                ("nightstand-headphones", ("headphones", "subscribe headphones"), ("backup /tmp/x", "household", "buttons", "forget 0")),
                ("nightstand-guest", ("interrupt begin", "interrupt end"), ("backup /tmp/x", "household", "buttons", "forget 0")),
                ("nightstand-screen", ("household", "status", "setvol 60", "buttons"), ("backup /tmp/x", "forget 0"))):
            for command in allowed:
                self.assertRegex(self.ask(command, user), r"(?m)^(OK$|ACK (?!\[4@))", f"{user}: {command}")
            for command in refused:
                self.assertIn("ACK [4@0]", self.ask(command, user), f"{user}: {command}")

    def test_3_silence_after_a_power_cut(self):
        box = self.box
        box.sh("sed -i 's/^#after_power_cut = .*/after_power_cut = pause/' /etc/nightstand.conf")
        self.restart()
        self.ask("play 0")
        until(lambda: self.fields("status")["state"] == "play", 10, self.journal)
        # Only the program begins anew: it plays on.
        box.sh("systemctl kill --kill-whom=main -s KILL nightstand")
        time.sleep(1.5)
        self.ready()
        self.assertEqual(self.fields("status")["state"], "play", self.journal())
        box.cut()
        box.boot()
        self.ready()
        self.assertEqual(self.fields("status")["state"], "pause", self.journal())

    def test_4_a_speaker_that_restarts_does_not_end_the_household(self):
        box = self.box
        box.sh("mkdir -p /var/lib/nightstand-sync && touch /var/lib/nightstand-sync/account && systemctl start nightstand-sync.timer")
        box.sh("systemctl stop nightstand && mkdir -p /run/nightstand && touch /run/nightstand/household; sleep 3")
        self.assertEqual(box.sh("systemctl is-active nightstand-sync.path", check=False).strip(), "active")
        box.sh("rm -rf /run/nightstand/household; systemctl start nightstand")
        box.sh("systemctl stop nightstand-sync.timer")
        self.assertEqual(box.sh("systemctl is-active nightstand-sync.path", check=False).strip(), "inactive")
        self.ready()

    def test_9_purge_leaves_nothing(self):
        box = self.box
        box.sh(f"systemctl enable {' '.join(UNITS)}")
        box.sh("dpkg --purge nightstand")
        self.assertEqual(box.sh("find /etc/systemd /var/lib/systemd/deb-systemd-helper-enabled -name '*nightstand*'", check=False), "")
        left = box.sh("ls -d /var/lib/nightstand* /var/cache/nightstand* /run/nightstand* /etc/nightstand* /etc/avahi/services/nightstand*",
                      check=False)
        self.assertNotRegex(left, r"(?m)^/")


if __name__ == "__main__":
    unittest.main()
