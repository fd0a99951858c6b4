# SPDX-License-Identifier: Apache-2.0
"""board/image --base on an image that is laid out as Raspberry Pi OS is, with a real Debian in it, of this machine's own kind."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest

from build import TOP

DISK = "deadbeef"
BOOT_MIB, ROOT_MIB = 40, 160
# As pi-gen writes them (stage1/00-boot-files, stage1/01-sys-tweaks).
CMDLINE = f"console=serial0,115200 console=tty1 root=PARTUUID={DISK}-02 rootfstype=ext4 fsck.repair=yes rootwait resize\n"
CONFIG = "dtparam=audio=on\nauto_initramfs=1\n\n[pi5]\ndtoverlay=nospi10\n\n[all]\n"
FSTAB = f"proc /proc proc defaults 0 0\nPARTUUID={DISK}-01 /boot/firmware vfat defaults 0 2\nPARTUUID={DISK}-02 / ext4 defaults,noatime 0 1\n"


def run(*words, **more):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more).stdout


@unittest.skipUnless(os.geteuid() == 0 and all(shutil.which(name) for name in ("mmdebstrap", "debugfs", "mcopy", "sfdisk", "mkfs.vfat")), "needs root and mmdebstrap")
class Base(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="base-")
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = scratch.name
        cls.architecture = run("dpkg", "--print-architecture").decode().strip()
        # The parts that a root must keep: the accounts with root's rights, links, and capabilities.
        with open(cls.path("setup"), "w", encoding="utf-8") as file:
            file.write(f"""set -e
                mkdir -p "$1/boot/firmware" "$1/etc/cloud/cloud.cfg.d"
                printf '%s' '{FSTAB}' >"$1/etc/fstab"
                printf '127.0.0.1 localhost\\n127.0.1.1 raspberrypi\\n' >"$1/etc/hosts"
                # Unpacked, and not set up: a package needs no more here.
                cp "$1/usr/share/base-passwd/passwd.master" "$1/etc/passwd"
                cp "$1/usr/share/base-passwd/group.master" "$1/etc/group"
                chroot "$1" useradd --create-home --uid 1000 pi
                mkdir "$1/etc/a folder" && echo old >"$1/etc/a folder/gone file"
                ln "$1/bin/su" "$1/bin/su-linked"
                setcap cap_net_raw+ep "$1/bin/sleep"
                rm -rf "$1/var/cache/apt" """)
        packed = [f"--dpkgopt=path-exclude=/usr/share/{name}/*" for name in ("locale", "man", "doc", "info", "zoneinfo")]
        try:
            run("mmdebstrap", "--quiet", "--variant=extract", "--include=apt,ca-certificates,dash,coreutils,util-linux,passwd,base-passwd,grep,sed,tar,gzip,libc-bin,debianutils,diffutils,findutils",
                "--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr", *packed, "bookworm", cls.path("root.tar"))
        except subprocess.CalledProcessError as error:
            raise unittest.SkipTest(f"no mirror: {error.stderr.decode()[-300:]}")
        os.mkdir(cls.path("root"))
        run("tar", "-x", "--xattrs", "--xattrs-include=*", "-C", cls.path("root"), "-f", cls.path("root.tar"))
        os.remove(cls.path("root/etc/apt/sources.list"))  # this package needs no other
        run("sh", cls.path("setup"), cls.path("root"))
        run("mke2fs", "-q", "-t", "ext4", "-L", "rootfs", "-O", "^huge_file", "-d", cls.path("root"), cls.path("rootfs"), f"{ROOT_MIB}M")
        shutil.rmtree(cls.path("root"))
        with open(cls.path("bootfs"), "wb") as file:
            file.truncate(BOOT_MIB << 20)
        run("mkfs.vfat", "-F", "32", "-s", "1", "-n", "bootfs", cls.path("bootfs"))
        for name, text in (("cmdline.txt", CMDLINE), ("config.txt", CONFIG)):
            run("mcopy", "-i", cls.path("bootfs"), "-", f"::{name}", input=text.encode())
        with open(cls.path("base.img"), "wb") as file:
            file.truncate((8 + BOOT_MIB + ROOT_MIB) << 20)
        run("sfdisk", "-q", cls.path("base.img"), input=(
            f"label: dos\nlabel-id: 0x{DISK}\nunit: sectors\nstart=16384, size={BOOT_MIB * 2048}, type=c\n"
            f"start={16384 + BOOT_MIB * 2048}, size={ROOT_MIB * 2048}, type=83\n").encode())
        for name, at in (("bootfs", 8), ("rootfs", 8 + BOOT_MIB)):
            run("dd", f"if={cls.path(name)}", f"of={cls.path('base.img')}", "bs=1M", f"seek={at}", "conv=notrunc,sparse")
        run("xz", "-0", "-T2", cls.path("base.img"))

        # A package small enough to be made here. It changes a folder, a file, a link and owners, and removes a file.
        package = cls.path("package")
        os.makedirs(package + "/DEBIAN")
        os.makedirs(package + "/usr/share/night stand")
        for name, text in (("DEBIAN/control", f"Package: nightstand\nVersion: 1\nArchitecture: {cls.architecture}\nMaintainer: no one <a@example.org>\nDescription: test\n"),
                           ("DEBIAN/postinst", "#!/bin/sh\nset -e\nrm -r '/etc/a folder'\nchown 1000:7 '/usr/share/night stand/a file'\n"
                            "chmod 4711 '/usr/share/night stand/a file'\n"),
                           ("usr/share/night stand/a file", "new\n")):
            with open(f"{package}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        os.chmod(package + "/DEBIAN/postinst", 0o755)
        os.symlink("a file", package + "/usr/share/night stand/link")
        run("dpkg-deb", "--build", "--root-owner-group", package, cls.path("nightstand.deb"))
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", cls.path("key"))
        with open(cls.path("wifi.conf"), "w", encoding="utf-8") as file:
            file.write('country=DE\nnetwork={\n\tssid="Home; sweet"\n\t#psk="a \\ b"\n\tpsk=' + "7" * 64 + "\n}\n")

    @classmethod
    def path(cls, name):
        return os.path.join(cls.folder, name)

    def make(self, base, out):
        done = subprocess.run(
            [os.path.join(TOP, "board/image"), self.path(out), "--base", self.path(base), "--host", "bedside", "--package", self.path("nightstand.deb"),
             "--configuration", os.path.join(TOP, "board/boards/hifiberry-dac.conf"), "--ssh-key", self.path("key.pub"), "--wifi", self.path("wifi.conf")],
            capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr.decode()[-3000:])
        table = run("sfdisk", "--dump", self.path(out)).decode()
        self.assertIn(f"label-id: 0x{DISK}", table)
        (boot, _), (root, size) = [(int(start) * 512, int(size) * 512) for start, size in re.findall(r"start= *(\d+), size= *(\d+)", table)]
        self.boot = f"{self.path(out)}@@{boot}"
        run("dd", f"if={self.path(out)}", f"of={self.path('rootfs')}", "bs=1M", "iflag=skip_bytes,count_bytes", f"skip={root}", f"count={size}", "conv=sparse")
        run("e2fsck", "-fn", self.path("rootfs"))
        self.root_at, self.root_size = root, size

    def boot_file(self, name):
        return run("mtype", "-i", self.boot, f"::{name}").decode()

    def debugfs(self, command):
        return run("debugfs", "-R", command, self.path("rootfs")).decode()

    def status(self, path):
        """Mode, owner, group and number of links."""
        text = self.debugfs(f'stat "{path}"')
        return tuple(re.search(pattern, text)[1] for pattern in (r"Mode: +(\d+)", r"User: +(\d+)", r"Group: +(\d+)", r"Links: (\d+)"))

    def test_what_the_maker_wants_is_put_in_and_all_else_stays(self):
        self.make("base.img.xz", "one.img")
        self.assertEqual(self.debugfs('cat "/usr/share/night stand/a file"'), "new\n")
        self.assertEqual(self.status("/usr/share/night stand/a file"), ("04711", "1000", "7", "1"))
        self.assertIn('"a file"', self.debugfs('stat "/usr/share/night stand/link"'))
        self.assertNotIn("a folder", self.debugfs("ls /etc"))
        self.assertIn("Package: nightstand", self.debugfs("cat /var/lib/dpkg/status"))
        # What was there.
        self.assertEqual(self.status("/usr/bin/su"), ("04755", "0", "0", "2"))
        self.assertEqual(self.status("/tmp"), ("01777", "0", "0", self.status("/tmp")[3]))
        self.assertIn("security.capability", self.debugfs("ea_list /usr/bin/sleep"))
        self.assertEqual(self.debugfs("cat /etc/fstab"), FSTAB)
        for path in ("/usr/sbin/policy-rc.d", "/nightstand.deb", "/etc/apt/apt.conf.d/99nightstand-image"):
            self.assertNotIn("Inode", self.debugfs(f"stat {path}"))
        # The requested values.
        self.assertEqual(self.debugfs("cat /etc/hostname"), "bedside\n")
        self.assertEqual(self.debugfs("cat /etc/hosts"), "127.0.0.1 localhost\n127.0.1.1\tbedside\n")
        self.assertIn("device = plughw:CARD=sndrpihifiberry", self.debugfs("cat /etc/nightstand.conf"))
        with open(self.path("key.pub"), encoding="utf-8") as file:
            self.assertEqual(self.debugfs("cat /home/pi/.ssh/authorized_keys"), file.read())
        self.assertEqual(self.status("/home/pi/.ssh/authorized_keys"), ("0600", "1000", "100", "1"))
        profile = self.debugfs("cat /etc/NetworkManager/system-connections/nightstand.nmconnection")
        self.assertIn(f"ssid={''.join(f'{one};' for one in b'Home; sweet')}\n", profile)
        self.assertIn(f"psk={'7' * 64}\n", profile)
        self.assertEqual(self.status("/etc/NetworkManager/system-connections/nightstand.nmconnection"), ("0600", "0", "0", "1"))
        self.assertIn("1 - The Lamp Who Counted.mp3", self.debugfs('ls "/srv/nightstand/The Lamp Who Was Afraid"'))
        self.assertEqual(self.boot_file("cmdline.txt"), CMDLINE.strip() + " cfg80211.ieee80211_regdom=DE\n")
        config = self.boot_file("config.txt")
        self.assertTrue(config.startswith(CONFIG.strip()), config)
        self.assertIn("[all]\ndtparam=audio=off\ndtoverlay=hifiberry-dac\ndtoverlay=hd44780-i2c-lcd,addr=0x27,display_width=16,display_height=2\n", config)

        # Done once more, it is the same.
        self.make("one.img", "two.img")
        self.assertEqual((self.boot_file("config.txt"), self.boot_file("cmdline.txt")), (config, CMDLINE.strip() + " cfg80211.ieee80211_regdom=DE\n"))
        self.assertEqual(self.debugfs("cat /etc/hosts"), "127.0.0.1 localhost\n127.0.1.1\tbedside\n")
        self.assertEqual((self.status("/usr/bin/su"), self.debugfs('cat "/usr/share/night stand/a file"')), (("04755", "0", "0", "2"), "new\n"))

    def test_what_is_no_such_image_is_refused(self):
        with open(self.path("none.img"), "wb") as file:
            file.truncate(4 << 20)
        run("sfdisk", "-q", self.path("none.img"), input=b"label: gpt\nsize=2048\n")
        done = subprocess.run([os.path.join(TOP, "board/image"), self.path("out.img"), "--base", self.path("none.img"), "--package", self.path("nightstand.deb")], capture_output=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"expected a FAT partition and one of Linux, in an MBR", done.stderr)
        self.assertFalse(os.path.exists(self.path("out.img")))


if __name__ == "__main__":
    unittest.main()
