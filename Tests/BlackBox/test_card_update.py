# SPDX-License-Identifier: Apache-2.0
"""board/image.d/update on the files of a card: only what the key has signed is made the version to try."""

import functools
import hashlib
import http.server
import io
import os
import shutil
import subprocess
import tarfile
import tempfile
import threading
import unittest

from build import TOP

CONFIG = "# A slot.\nos_prefix=a/\n"


@unittest.skipUnless(shutil.which("gpg") and shutil.which("gpgv"), "needs gpg and gpgv")
class Updates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="card-")
        cls.addClassCleanup(scratch.cleanup)
        cls.keys = scratch.name
        cls.gpg("--passphrase", "", "--quick-generate-key", "card@nightstand.invalid", "ed25519", "sign", "never")
        cls.addClassCleanup(subprocess.run, ["gpgconf", "--homedir", cls.keys, "--kill", "all"])
        cls.ring = cls.gpg("--export")

    @classmethod
    def gpg(cls, *words, data=b""):
        return subprocess.run(["gpg", "--homedir", cls.keys, "--batch", "--quiet", *words], input=data, capture_output=True, check=True).stdout

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="card-")
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        for name, text in (("boot/a/cmdline.txt", "quiet nightstand.slot=2\n"), ("boot/config.txt", CONFIG), ("boot/tryboot.txt", CONFIG),
                           ("cmdline", "from=the-firmware quiet nightstand.slot=2\n"), ("disk3", "old"), ("drop", "")):
            self.write(name, text)
        with open(self.path("ring"), "wb") as file:
            file.write(self.ring)
        # The test supplies the card's own places; the commands that mount do nothing.
        with open(os.path.join(TOP, "board/image.d/update")) as file:
            script = file.read()
        for old, new in (("/boot/firmware", "boot"), ("/run/nightstand-update", "work"), ("/usr/share/keyrings/nightstand.gpg", "ring"),
                         ("/proc/cmdline", "cmdline"), ("/proc/sys/vm/drop_caches", "drop"), ("sticks=/srv/nightstand", "sticks"),
                         ("/usr/share/nightstand/version", "version"), ("/usr/share/nightstand/story.mp3", "story"),
                         ("/state/update", "state")):
            self.assertIn(old, script)
            script = script.replace(old, "sticks=" * old.startswith("sticks=") + self.path(new))
        os.mkdir(self.path("bin"))
        for name, text in (("update", script), ("bin/mount", "#!/bin/sh\n"), ("bin/findmnt", f"#!/bin/sh\necho {self.path('disk5')}\n"),
                           ("bin/nightstand", f"#!/bin/sh\ncat {self.path('status')}\n[ $1 != decode ] || {{ [ ! -e {self.path('is-broken')} ] && grep -q whole \"$2\"; }}\n"),
                           ("bin/systemctl", f"#!/bin/sh\necho \"$*\" >>{self.path('restarts')}\n")):
            with open(self.path(name), "w") as file:
                file.write(text)
            os.chmod(self.path(name), 0o755)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w") as file:
            file.write(text)

    def text(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def pack(self, path, *members):
        """Writes an update with these members: (name, bytes)."""
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as archive:
            for name, data in members:
                info = tarfile.TarInfo(name)
                info.size = len(data)
                archive.addfile(info, io.BytesIO(data))

    def run_update(self, *words):
        """Exit code of the program."""
        environment = dict(os.environ, PATH=self.path("bin") + ":" + os.environ["PATH"])
        return subprocess.run([self.path("update"), *words], env=environment, capture_output=True).returncode

    def update(self, *members):
        self.pack(self.path("card.update"), *members)
        return self.run_update(self.path("card.update"))

    def night(self, state="pause"):
        """Restarts that the timer asked for, after a night in which the speaker is so."""
        self.write("status", f"volume: 40\nstate: {state}\n")
        self.assertEqual(self.run_update("night"), 0)
        return self.text("restarts").splitlines() if os.path.exists(self.path("restarts")) else []

    def signed(self, *files):
        """A manifest of files, and its signature."""
        manifest = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in files).encode()
        return [("manifest", manifest), ("manifest.sig", self.gpg("--detach-sign", data=manifest))]

    KERNEL, ROOT = ("boot/vmlinuz", b"kernel"), ("root.sqfs", b"system")

    def test_what_is_signed_is_tried_next(self):
        self.assertEqual(self.update(*self.signed(self.KERNEL, self.ROOT), self.KERNEL, self.ROOT), 0)
        self.assertEqual((self.text("disk3"), self.text("boot/b/vmlinuz")), ("system", "kernel"))
        self.assertEqual(self.text("boot/tryboot.txt"), CONFIG.replace("=a", "=b"))
        self.assertEqual(self.text("boot/config.txt"), CONFIG)
        # The cmdline has nothing that the firmware adds at each start.
        self.assertEqual(self.text("boot/b/cmdline.txt"), "quiet nightstand.slot=3\n")
        self.assertEqual(self.text("boot/b/try.txt"), "quiet nightstand.slot=3 nightstand.try\n")

    def test_what_decodes_is_kept(self):
        self.write("cmdline", "nightstand.slot=3 nightstand.try\n")
        self.write("story", "whole")
        self.write("sticks/._story.mp3", "damaged")
        self.write("status", "")
        self.write("version", "2\n")
        self.write("is-broken", "")
        self.assertEqual((self.run_update("healthy"), self.text("boot/config.txt")), (1, CONFIG))
        os.remove(self.path("is-broken"))
        self.assertEqual((self.run_update("healthy"), self.text("boot/config.txt")), (0, CONFIG.replace("=a", "=b")))

    def test_a_stick_updates_at_night(self):
        self.assertEqual(self.night(), [])
        self.pack(self.path("sticks/BLUE/nightstand.update"), *self.signed(self.KERNEL, self.ROOT), self.KERNEL, self.ROOT)
        # It is written, and waits for the end of the story.
        self.assertEqual(self.night("play"), [])
        self.assertEqual((self.text("disk3"), self.text("boot/tryboot.txt")), ("system", CONFIG.replace("=a", "=b")))
        self.assertEqual(self.night(), ['reboot --reboot-argument=0 tryboot'])
        # The same stick is nothing new, with any result; another version is.
        self.assertEqual(len(self.night()), 1)
        self.assertEqual(self.run_update(), 1)
        newer = ("root.sqfs", b"newer!")
        self.pack(self.path("sticks/BLUE/nightstand.update"), *self.signed(self.KERNEL, newer), self.KERNEL, newer)
        self.assertEqual(len(self.night()), 2)
        self.assertEqual(self.text("disk3"), "newer!")

    def test_an_address_updates_at_night(self):
        folder = self.path("server")
        self.pack(os.path.join(folder, "bedside.update"), *self.signed(self.KERNEL, self.ROOT), self.KERNEL, self.ROOT)
        handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=folder)
        handler.func.log_message = lambda *_: None
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        self.write("boot/update", f"http://127.0.0.1:{server.server_port}/bedside.update\r\n")
        self.assertEqual(len(self.night()), 1)
        self.assertEqual((self.text("disk3"), self.text("boot/tryboot.txt")), ("system", CONFIG.replace("=a", "=b")))
        self.assertEqual(len(self.night()), 1)
        os.utime(os.path.join(folder, "bedside.update"), (1, 1))
        self.assertEqual(len(self.night()), 2)

    def test_what_is_not_signed_is_refused(self):
        good, evil = self.signed(self.KERNEL, self.ROOT), ("root.sqfs", b"sistem")
        for words, members in (
            ("no list", [self.KERNEL, self.ROOT]),
            ("another's signature", [self.signed(evil)[0], good[1], self.KERNEL, self.ROOT]),
            ("another system", [*good, self.KERNEL, evil]),
            ("another list behind the signed one", [*good, self.signed(self.KERNEL, evil)[0], self.KERNEL, evil]),
            ("a way out of the folder", [*good, self.KERNEL, ("boot/../../escaped", b"x"), self.ROOT]),
            ("no system", [*good, self.KERNEL]),
        ):
            with self.subTest(words):
                self.assertEqual(self.update(*members), 1)
                self.assertEqual((self.text("boot/tryboot.txt"), self.text("boot/config.txt")), (CONFIG, CONFIG))
                self.assertFalse(os.path.exists(self.path("escaped")) or os.path.exists(self.path("boot/escaped")))


if __name__ == "__main__":
    unittest.main()
