"""From the last release to this one, as it goes on a speaker: both packages installed by dpkg, both programs playing."""

import os
import shutil
import signal
import subprocess
import tempfile

import test_package
from build import TOP
from harness import MPD, until

# The commit of the last release; its package is made once, and kept in ${XDG_CACHE_HOME:-~/.cache}/nightstand/releases.
LAST_RELEASE = "1a48a10f134bada93afa86a1ba481f46d7e8729f"

CONFIGURATION = """# mine
[audio]
device = null
[gestures]
play.double = next
"""


def last_package():
    """The path of the last release's package for this machine."""
    cache = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "nightstand", "releases")
    kept = os.path.join(cache, f"{LAST_RELEASE[:12]}-{test_package.release()}-{os.uname().machine}.deb")
    if not os.path.exists(kept):
        os.makedirs(cache, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="release-") as folder:
            with subprocess.Popen(["git", "-C", TOP, "archive", LAST_RELEASE], stdout=subprocess.PIPE) as archive:
                subprocess.run(["tar", "-x", "-C", folder], stdin=archive.stdout, check=True)
            # It has other needs than this one.
            subprocess.run([os.path.join(folder, "board", "install"), "build", "package"], stdin=subprocess.DEVNULL, check=True)
            made = subprocess.run([os.path.join(folder, "board", "package"), "--quiet", "host"], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, check=True, text=True).stdout.strip()
            shutil.copy(os.path.join(folder, made), kept + ".new")
        os.rename(kept + ".new", kept)
    return kept


class Upgrading(test_package.SmallSystem):
    @classmethod
    def setUpClass(cls):
        if subprocess.run(["git", "-C", TOP, "cat-file", "-e", LAST_RELEASE + "^{commit}"], stderr=subprocess.DEVNULL).returncode:
            raise test_package.unittest.SkipTest("the last release is not in this clone's history")
        cls.last = last_package()
        # What the last release needs, this one need not.
        cls.MORE = [part.split()[0] for part in test_package.field(cls.last, "Depends").split(", ") if part.startswith("lib")]
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

    def test_places_favourites_queue_and_configuration_survive(self):
        media = os.path.join(TOP, "board", "media")
        self.install(self.last)
        for name in os.listdir(media):
            shutil.copy(os.path.join(media, name), self.path("/srv/nightstand/"))
        self.write("/etc/nightstand.conf", CONFIGURATION)
        self.start()
        until(lambda: self.mpd.status()["playlistlength"] == "3", 30, "three items")
        queue = self.files("playlistinfo")
        self.mpd("setvol 43")
        for name in (queue[2], queue[0]):
            self.mpd(f'favourite add "{name}"')
        second = self.play_to(1, 20)
        first = self.play_to(0, 33.5)
        self.mpd("delete 2")
        favourites = self.files("favourite list")
        self.assertEqual(len(favourites), 2)
        queue = self.files("playlistinfo")
        duration = self.mpd.fields("playlistinfo 1")["duration"]
        self.end()

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
