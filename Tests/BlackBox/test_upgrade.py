# SPDX-License-Identifier: Apache-2.0
"""From the last release to this one, as it goes on a speaker: both packages are installed by dpkg, and this program reads what that one has
left. That program is not compiled again: board/record has recorded its package, without the program, and what it wrote in this very
test."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile

import test_package
from build import TOP
from harness import MPD, until

RELEASE = os.path.join(TOP, "Tests", "Recordings", "release")
# The last release's whole package, where its recording is made.
RECORDED = os.environ.get("NIGHTSTAND_RECORD")

CONFIGURATION = """# mine
[audio]
device = null
[gestures]
play.double = next
"""


def without_program(package, like, out):
    """Writes a package that does all that one does but for its program, with the architecture and the dependencies of another."""
    with tempfile.TemporaryDirectory(prefix="release-") as folder:
        root = os.path.join(folder, "root")
        test_package.run("dpkg-deb", "--raw-extract", package, root)
        with open(f"{root}/usr/bin/nightstand", "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n")
        control = test_package.text(f"{root}/DEBIAN/control")
        for name in ("Architecture", "Depends"):
            control = re.sub(rf"^{name}: .*", f"{name}: {test_package.field(like, name)}", control, flags=re.M)
        with open(f"{root}/DEBIAN/control", "w", encoding="utf-8") as file:
            file.write(control)
        test_package.run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, out)


class Upgrading(test_package.SmallSystem):
    @classmethod
    def setUpClass(cls):
        if RECORDED:
            cls.MORE = [part.split()[0] for part in test_package.field(RECORDED, "Depends").split(", ") if part.startswith("lib")]
        super().setUpClass()

    def setUp(self):
        super().setUp()
        # A socket's path may have 107 bytes.
        short = tempfile.TemporaryDirectory(prefix="run-")
        self.addCleanup(short.cleanup)
        self.socket = os.path.join(short.name, "run", "socket")
        os.makedirs(self.path("/run/nightstand"))
        os.symlink(self.path("/run/nightstand"), os.path.join(short.name, "run"))
        os.makedirs(self.path("/var/lib/nightstand"), exist_ok=True)
        self.process = None

    def install(self, package):
        shutil.copy(package, self.path("/tmp/nightstand.deb"))
        return self.there("dpkg", "--force-confdef", "--force-confold", "--install", "/tmp/nightstand.deb")

    def start(self):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8"}
        with open(self.path("/tmp/log"), "ab") as log:
            self.process = subprocess.Popen([*self.ENTER, self.root, "/usr/bin/nightstand"], env=environment,
                                            stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.addCleanup(self.end)
        until(lambda: os.path.exists(self.socket) and self.answers(), 30, lambda: "a speaker: " + test_package.text(self.path("/tmp/log")))
        until(lambda: "updating_db" not in self.mpd.status(), 30, "the library")

    def answers(self):
        try:
            self.mpd = MPD(self.socket)
            self.addCleanup(self.mpd.close)
            return True
        except OSError:
            return False

    def end(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.assertEqual(self.process.wait(20), 0)

    def files(self, command):
        return [line[6:] for line in self.mpd(command) if line.startswith("file: ")]

    def play_to(self, song, seconds):
        """Plays the item from there for a moment; returns where it stands then."""
        self.mpd(f"play {song}")
        self.mpd(f"seekcur {seconds}")
        until(lambda: self.mpd.elapsed() > seconds + 0.3, 20, "playing")
        self.mpd("pause 1")
        return self.mpd.elapsed()

    def record(self):
        """The memory of the last release's program, and the demands on the next one."""
        self.install(RECORDED)
        self.start()
        until(lambda: self.mpd.status()["playlistlength"] == "3", 30, "three items")
        queue = self.files("playlistinfo")
        self.mpd("setvol 43")
        for name in (queue[2], queue[0]):
            self.mpd(f'favourite add "{name}"')
        second = self.play_to(1, 20)
        first = self.play_to(0, 33.5)
        self.mpd("delete 2")
        told = {"first": first, "second": second, "favourites": self.files("favourite list"), "queue": self.files("playlistinfo"),
                "duration": self.mpd.fields("playlistinfo 1")["duration"]}
        self.end()
        os.makedirs(RELEASE, exist_ok=True)
        without_program(RECORDED, RECORDED, os.path.join(RELEASE, "package.deb"))
        test_package.run("tar", "-C", self.path("/var/lib/nightstand"), "-cJf", os.path.join(RELEASE, "state.tar.xz"), ".")
        with open(os.path.join(RELEASE, "told.json"), "w", encoding="utf-8") as file:
            json.dump(told, file, indent=1)

    def test_places_favourites_queue_and_configuration_survive(self):
        last = self.path("/tmp/last.deb")
        if not RECORDED:
            without_program(os.path.join(RELEASE, "package.deb"), self.package, last)
            self.install(last)
        media = os.path.join(TOP, "board", "media")
        os.makedirs(self.path("/srv/nightstand"), exist_ok=True)
        for name in os.listdir(media):
            shutil.copy(os.path.join(media, name), self.path("/srv/nightstand/"))
        self.write("/etc/nightstand.conf", CONFIGURATION)
        if RECORDED:
            return self.record()
        test_package.run("tar", "-C", self.path("/var/lib/nightstand"), "-xJf", os.path.join(RELEASE, "state.tar.xz"))
        with open(os.path.join(RELEASE, "told.json"), encoding="utf-8") as file:
            told = json.load(file)
        first, second, queue, favourites, duration = (told[name] for name in ("first", "second", "queue", "favourites", "duration"))
        self.assertEqual(len(favourites), 2)

        self.install(self.package)
        self.assertEqual(test_package.text(self.path("/etc/nightstand.conf")), CONFIGURATION)
        for again in range(2):  # and what it has made of the database, it can read
            self.start()
            status = self.mpd.status()
            log = test_package.text(self.path("/tmp/log"))
            self.assertEqual((status["state"], status["song"], status["volume"]), ("pause", "0", "43"), log)
            self.assertAlmostEqual(self.mpd.elapsed(), first, delta=0.05)
            self.assertEqual(self.files("playlistinfo"), queue)
            self.assertEqual(self.files("favourite list"), favourites)
            self.assertEqual(self.mpd.fields("playlistinfo 1")["duration"], duration)
            if again:
                # The other item's place is kept too.
                self.mpd("play 1")
                until(lambda: self.mpd.elapsed() > second, 20, "playing on")
                self.assertLess(self.mpd.elapsed(), second + 5)
            self.end()
        self.assertNotRegex(test_package.text(self.path("/tmp/log")), r"(?i)damaged|cannot|set aside")


if __name__ == "__main__":
    test_package.unittest.main()
