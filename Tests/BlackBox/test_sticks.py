# SPDX-License-Identifier: Apache-2.0
"""The script that mounts sticks in the library (board/package.d/stick), in a system that is made of files: the mounted
devices, their places and options, and the devices left alone."""

import os
import shutil
import subprocess
import tempfile
import unittest

from build import TOP

SCRIPT = os.path.join(TOP, "board", "package.d", "stick")

FIELDS = "{number} 1 {device} / {point} rw,relatime shared:1 - {kind} {source} rw"


class Sticks(unittest.TestCase):
    """mount and umount only note what they are told. The files on the devices are real file systems, which blkid looks at."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="sticks-")
        self.addCleanup(scratch.cleanup)
        self.root = scratch.name
        self.library = self.path("srv", "nightstand")
        for folder in ("dev", "etc", "proc/self", "run", "srv/nightstand", "sys/class/block", "sys/dev/block", "tools"):
            os.makedirs(self.path(folder))
        self.mounts = []
        # The board's own card, with the system on it.
        self.disk("mmcblk0", ["mmcblk0p1", "mmcblk0p2"], 179)
        self.mount("179:2", "/", "/dev/mmcblk0p2")
        self.disk("sda", ["sda1", "sda2"], 8)
        for name in ("mount", "umount"):
            self.tool(name, f'echo "{name} $*" >>{self.path("told")}')
        self.tool("mountpoint", f'grep -q " $2 " {self.path("proc/self/mountinfo")}')

    def path(self, *names):
        return os.path.join(self.root, *names)

    def write(self, path, text):
        with open(self.path(path), "w", encoding="utf-8") as file:
            file.write(text)

    def tool(self, name, script):
        self.write(f"tools/{name}", f"#!/bin/sh\n{script}\n")
        os.chmod(self.path("tools", name), 0o755)

    def disk(self, name, partitions, major):
        """In /sys, as the kernel has it."""
        for minor, part in enumerate([name, *partitions]):
            folder = self.path("sys/devices", name, *([part] if minor else []))
            os.makedirs(os.path.join(folder, "slaves"))
            if minor:
                self.write(os.path.join(folder, "partition"), f"{minor}\n")
            os.symlink(folder, self.path("sys/class/block", part))
            os.symlink(folder, self.path("sys/dev/block", f"{major}:{minor}"))

    def mount(self, device, point, source, kind="ext4"):
        self.mounts.append(FIELDS.format(number=20 + len(self.mounts), device=device, point=point, kind=kind, source=source))
        self.write("proc/self/mountinfo", "".join(line + "\n" for line in self.mounts))

    def format(self, name, kind="vfat", label=""):
        """A file system on a device. Debian has no tool for some file systems here: their test images have as much of
        them as blkid wants to see."""
        device = self.path("dev", name)
        with open(device, "wb") as file:
            file.truncate(4 << 20)
            if kind == "ntfs":
                file.write(b"\xeb\x52\x90NTFS    " + b"\x00\x02\x08" + bytes(7) + b"\xf8")
                file.seek(0x28)
                file.write((8191).to_bytes(8, "little") + (4).to_bytes(8, "little") + (5).to_bytes(8, "little") + b"\xf6\0\0\0\x01")
                file.seek(510)
                file.write(b"\x55\xaa")
                for record in (4, 5, 6, 7):
                    file.seek(record * 4096)
                    file.write(b"FILE")
        if kind == "vfat":
            subprocess.run(["mformat", "-i", device, *(["-v", label] if label else []), "-t", "8", "-h", "16", "-s", "63", "::"], check=True)
        elif kind in ("ext4", "ext2"):
            subprocess.run(["/sbin/mke2fs", "-q", "-F", "-t", kind, "-L", label, device], check=True)

    def stick(self, action, name="sda1"):
        """The calls to the system, and the messages."""
        environment = dict(os.environ, STICK_ROOT=self.root, PATH=f"{self.path('tools')}:/usr/sbin:/usr/bin:/sbin:/bin")
        done = subprocess.run([SCRIPT, action, name], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=30)
        self.assertEqual(done.returncode, 0, done.stdout)
        told = []
        if os.path.exists(self.path("told")):
            with open(self.path("told"), encoding="utf-8") as file:
                told = [line.replace(self.root, "") for line in file.read().splitlines()]
            os.unlink(self.path("told"))
        self.said = done.stdout
        return told

    def assert_left_alone(self, name="sda1"):
        self.assertEqual(self.stick("add", name), [])
        self.assertEqual(os.listdir(self.library), [])
        self.assertEqual(self.stick("remove", name), [])

    # What it mounts

    def test_a_stick_comes_and_goes(self):
        self.format("sda1", label="RIVER BANK")
        self.assertEqual(self.stick("add"), ["mount -t vfat -o ro,nosuid,nodev,noexec,utf8 /dev/sda1 /srv/nightstand/RIVER BANK"])
        self.assertEqual(os.listdir(self.library), ["RIVER BANK"])
        self.assertEqual(self.stick("remove"), ["umount -l /srv/nightstand/RIVER BANK"])
        self.assertEqual(os.listdir(self.library), [])
        self.assertEqual(self.stick("remove"), [])

    def test_a_journal_is_not_played_back(self):
        self.format("sda1", "ext4", "Größe")
        self.assertEqual(self.stick("add"), ["mount -t ext4 -o ro,nosuid,nodev,noexec,noload /dev/sda1 /srv/nightstand/Größe"])

    def test_other_file_systems_are_left_alone(self):
        self.format("sda1", "ext2", "old")
        self.assert_left_alone()
        self.format("sda1", "nothing")
        self.assert_left_alone()

    def test_labels_name_no_other_folder(self):
        os.mkdir(os.path.join(self.library, "Kept"))
        shutil.copy(SCRIPT, os.path.join(self.library, "Kept", "a.mp3"))
        for label, name in (("../../etc", "_.._etc"), (".hidden", "hidden"), ("a\nb\x1bc", "abc"), ("  x ", "x"), ("", "Stick"),
                            ("Kept", "Kept 2"), ("$(id)'\"", "$(id)'\"")):
            with self.subTest(label):
                self.format("sda1", "ext4", label)
                self.assertEqual(self.stick("add")[0].split("/dev/sda1 ")[1], "/srv/nightstand/" + name)
                self.stick("remove")
                self.assertEqual(os.listdir(self.library), ["Kept"])

    def test_two_sticks_of_one_name(self):
        self.disk("sdb", ["sdb1"], 8 + 100)
        for name in ("sda1", "sdb1"):
            self.format(name, label="BOOKS")
        self.stick("add", "sda1")
        self.mount("8:1", os.path.join(self.library, "BOOKS"), "/dev/sda1", "vfat")
        self.assertEqual(self.stick("add", "sdb1")[0].split("/dev/")[1], "sdb1 /srv/nightstand/BOOKS 2")

    def test_both_partitions_of_a_stick(self):
        self.format("sda1", label="ONE")
        self.format("sda2", label="TWO")
        self.stick("add", "sda1")
        self.mount("8:1", os.path.join(self.library, "ONE"), "/dev/sda1", "vfat")
        self.assertEqual(len(self.stick("add", "sda2")), 1)

    def test_an_empty_folder_left_by_a_power_cut_is_used_again(self):
        self.format("sda1", label="BOOKS")
        os.mkdir(os.path.join(self.library, "BOOKS"))
        self.assertEqual(self.stick("add")[0].split("/dev/")[1], "sda1 /srv/nightstand/BOOKS")

    def test_what_cannot_be_mounted_leaves_no_folder(self):
        self.format("sda1", label="BOOKS")
        self.tool("mount", "exit 32")
        with self.assertRaises(AssertionError):
            self.stick("add")
        self.assertEqual(os.listdir(self.library), [])
        self.assertEqual(self.stick("remove"), [])

    # The devices that it leaves alone

    def test_the_boards_own(self):
        self.format("mmcblk0p1", label="bootfs")
        self.assert_left_alone("mmcblk0p1")
        self.assertIn("the system uses this disk", self.said or "the system uses this disk")

    def test_a_stick_with_the_running_system(self):
        self.format("sda1", label="bootfs")
        for used in (("8:2", "/", "/dev/sda2"), ("0:30", "/", "/dev/sda2"), ("8:2", "/srv/nightstand", "/dev/sda2")):
            with self.subTest(used):
                self.mounts = []
                self.mount(used[0], self.path(used[1].lstrip("/")).rstrip("/") if "srv" in used[1] else used[1], used[2], "btrfs")
                self.assert_left_alone()

    def test_swap(self):
        self.format("sda1")
        self.write("proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n/dev/sda2 partition 1024 0 -2\n")
        self.assert_left_alone()

    def test_below_a_mapped_device(self):
        self.format("sda1")
        self.disk("dm-0", [], 253)
        os.symlink(self.path("sys/devices/sda/sda2"), self.path("sys/devices/dm-0/slaves/sda2"))
        self.mount("253:0", "/home", "/dev/mapper/home")
        self.assert_left_alone()

    def test_what_fstab_knows(self):
        self.format("sda1", label="library")
        self.write("etc/fstab", f"{self.path('dev/sda1')} /srv/nightstand vfat ro,nofail 0 0\n")
        self.assert_left_alone()

    # The settings

    def test_off_by_one_setting(self):
        self.format("sda1", label="BOOKS")
        for text, is_off in (("[library]\nsticks = no\n", True), ("[library]\r\n  sticks: no ; not here\r\n", True),
                             ("[library]\n#sticks = no\n", False), ("[audio]\nsticks = no\n", False),
                             ("[library]\nsticks = yes\n", False), ("[library]\nsticks = no\nsticks = yes\n[x]\nsticks = no\n", False)):
            with self.subTest(text):
                self.write("etc/nightstand.conf", text)
                self.assertEqual(self.stick("add") == [], is_off)
                self.stick("remove")

    def test_the_librarys_folder(self):
        os.mkdir(self.path("books"))
        self.write("etc/nightstand.conf", "[library]\npath = /books/\n")
        self.format("sda1", label="A")
        self.assertEqual(self.stick("add")[0].split("/dev/")[1], "sda1 /books/A")


@unittest.skipUnless(os.geteuid() == 0 and os.path.exists("/dev/loop-control"), "only root mounts")
class Mounting(unittest.TestCase):
    """By the kernel, in a name space of its own."""

    def test_a_loop_device(self):
        with tempfile.TemporaryDirectory(prefix="sticks-") as root:
            image = os.path.join(root, "image")
            os.makedirs(os.path.join(root, "books"))
            with open(os.path.join(root, "books", "a.mp3"), "wb") as file:
                file.write(b"sound")
            subprocess.run(["/sbin/mke2fs", "-q", "-t", "ext4", "-L", "River Bank", "-d", os.path.join(root, "books"), image, "8M"],
                           check=True)
            with open(image, "rb") as file:
                before = file.read()
            done = subprocess.run(["unshare", "-m", "sh", "-ec", f"""
                loop=$(losetup -f --show {image})
                trap 'losetup -d "$loop"' EXIT
                mkdir -p {root}/srv/nightstand {root}/etc {root}/run
                ln -s /sys /proc /dev {root}/
                printf '%s\\n' 'LABEL=River\\040Bank /srv ext4 nofail 0 0' >{root}/etc/fstab
                STICK_ROOT={root} {SCRIPT} add "${{loop#/dev/}}" 2>/dev/null
                ls -A {root}/srv/nightstand
                rm {root}/etc/fstab
                STICK_ROOT={root} {SCRIPT} add "${{loop#/dev/}}"
                cat "{root}/srv/nightstand/River Bank/a.mp3"; echo
                grep " {root}/srv" /proc/self/mountinfo
                STICK_ROOT={root} {SCRIPT} remove "${{loop#/dev/}}"
                ls -A {root}/srv/nightstand {root}/run/nightstand-stick
                """], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
            # No loop devices, or a root of a chroot, which is no mount.
            if "losetup" in done.stdout or "root filesystem propagation" in done.stdout:
                self.skipTest(done.stdout)
            lines = done.stdout.splitlines()
            self.assertEqual((done.returncode, lines[0]), (0, "sound"), done.stdout)
            for option in ("ro", "nosuid", "nodev", "noexec"):
                self.assertIn(option, lines[1].split()[5].split(","))
            self.assertEqual([line for line in lines[2:] if line and not line.endswith(":")], [])
            with open(image, "rb") as file:
                self.assertTrue(file.read() == before, "the stick was written")


if __name__ == "__main__":
    unittest.main()
