# SPDX-License-Identifier: Apache-2.0
"""Playback from a network: http files and stations, and servers that do all that servers do. Each fault is one of a
small server here."""

import os
import re
import signal
import socket
import subprocess
import threading
import time
import unittest

import audio
import fileserver
import hls
from fileserver import Server
from harness import MPD, SpeakerCase, contents, until


class StreamCase(SpeakerCase):
    seconds = 20

    def setUp(self):
        super().setUp()
        self.server = Server()
        self.addCleanup(self.server.close)
        self.settings["network"] = {"enabled": "yes", "cache": self.path("cache"), "socket": self.path("fetch")}
        self.expected = self.add_noise("a.mp3", self.seconds)
        self.data = contents(os.path.join(self.library, "a.mp3"))
        os.remove(os.path.join(self.library, "a.mp3"))

    def play(self, address, seconds=10):
        self.mpd(f'add "{address}"')
        self.mpd("play")
        until(lambda: self.mpd.elapsed() > 0.1, seconds, lambda: "sound; it says " + self.say())

    def say(self):
        return self.mpd.status().get("error", "nothing") + "\n" + self.log()

    def wait_error(self, words, seconds=10):
        until(lambda: words in self.mpd.status().get("error", ""), seconds, lambda: f"{words!r}; it says " + self.say())

    def heard_place(self):
        """The place of all that was heard since the last command, found in the recording: nothing skipped, nothing twice."""
        heard = self.card.heard()
        start = next(i for i in range(0, len(heard), 2) if heard[i : i + 2] != b"\0\0")
        return heard[start:]

    def whole(self):
        return until(lambda: self.map().get("whole") == "1", 20, lambda: "the whole file; " + self.say())

    def map(self):
        folder = self.path("cache")
        names = [n for n in os.listdir(folder) if n.endswith(".map")] if os.path.isdir(folder) else []
        lines = contents(os.path.join(folder, names[0])).decode().splitlines()[1:] if names else []
        return dict(line.split(" ", 1) for line in lines)


class Files(StreamCase):
    FASTER = 8

    def test_off(self):
        del self.settings["network"]
        self.start()
        with self.assertRaisesRegex(MPD.Refused, r"enabled = yes under \[network\]"):
            self.mpd(f'add "{self.server.url("/a.mp3")}"')
        self.assertEqual(self.mpd("urlhandlers"), ["handler: file://"])
        self.assertFalse(os.path.exists(self.path("cache")))

    def test_plays(self):
        """From the first byte to the last, exactly; its length is known then, and it plays without a network, after a restart too."""
        address = self.server.add("/a.mp3", self.data)
        self.start()
        self.assertIn("handler: https://", self.mpd("urlhandlers"))
        self.play(address)
        self.whole()
        until(lambda: abs(float(self.mpd.status().get("duration", 0)) - 20) < 0.2, 10, "its length")
        self.mpd("seekcur 15")
        until(lambda: self.mpd.status()["state"] != "play", 15, "the end")
        heard = self.heard_place()
        self.assertGreater(len(heard), 2 * 22050 * 5)
        self.find(heard[-2 * 22050 * 4 :].rstrip(b"\0")[: 2 * 22050 * 2], self.expected)
        self.server.close()
        self.mpd("seekcur 3")
        self.mpd("pause 1")
        self.end()
        self.start()
        self.assertAlmostEqual(self.mpd.elapsed(), 3, delta=0.5)
        self.mpd("play")
        until(lambda: self.mpd.elapsed() > 3.5, 10, lambda: "sound without a network; it says " + self.say())

    def test_cut(self):
        """A lost connection continues at the byte, inaudibly."""
        address = self.server.add("/a.mp3", self.data, cut=60_000, times=2)
        self.start()
        self.play(address)
        self.whole()
        requests = self.server.pages["/a.mp3"].requests
        self.assertEqual(requests, [(None, None), ("bytes=60000-", '"one"'), ("bytes=120000-", '"one"')])
        self.assertEqual(contents(self.audio()), self.data)
        self.assertNotIn("error", self.mpd.status())

    def audio(self):
        folder = self.path("cache")
        return os.path.join(folder, next(n for n in os.listdir(folder) if n.endswith(".audio")))

    def test_cut_without_tag(self):
        """Without a strong validator 64 KB are asked for again and compared."""
        address = self.server.add("/a.mp3", self.data, tag=None, cut=100_000, times=1)
        self.start()
        self.play(address)
        self.whole()
        self.assertEqual(self.server.pages["/a.mp3"].requests[1], (f"bytes={100_000 - 65536}-", None))
        self.assertEqual(contents(self.audio()), self.data)

    def test_other_recording(self):
        """For other bytes a new file is begun, and it is said; the heard recording continues at its place."""
        other = self.add_noise("b.mp3", 20)
        file = os.path.join(self.library, "b.mp3")
        data = contents(file)
        os.remove(file)
        address = self.server.add("/a.mp3", self.data, tag=None, cut=100_000, times=1)
        self.start()
        page = self.server.pages["/a.mp3"]
        page.faults["cut"] = 100_000
        self.play(address)
        page.data = data
        self.whole()
        self.assertEqual(contents(self.audio()), page.data)
        self.assertIn("another recording", self.log())
        place = self.mpd.elapsed()
        until(lambda: self.mpd.elapsed() > place + 2, 15, lambda: "it goes on; it says " + self.say())
        self.mpd("pause 1")
        self.find(self.card.heard()[-2 * 22050 : -2000], other)

    def test_stall(self):
        """On a stall it waits, with a message, and goes on without skipping."""
        pause = threading.Event()
        address = self.server.add("/a.mp3", self.data, cut=40_000, pause=pause)
        self.start()
        self.play(address)
        # A busy host makes it wait for longer pieces: it may stop before the last second that is there.
        until(lambda: self.server.pages["/a.mp3"].sent >= 40_000 and self.mpd.elapsed() < 6 and self.still(), 20,
              lambda: "the stall; it says " + self.say())
        # Asked again it gives no byte either, so that the message stays.
        self.server.pages["/a.mp3"].faults["cut"] = 0
        self.wait_error("lost", 30)
        pause.set()
        self.server.pages["/a.mp3"].faults.clear()
        until(lambda: self.mpd.elapsed() > 8, 30, lambda: "it goes on; it says " + self.say())
        self.mpd("pause 1")
        heard = bytes(self.heard_place())
        # Between two stretches of sound there is silence; joined they are the recording.
        sound = re.sub(rb"(?:\0\0){2000,}", b"", heard)[: 2 * 22050 * 6]
        self.find(sound[2000:], self.expected)

    def still(self):
        one = self.mpd.elapsed()
        time.sleep(0.5)
        return self.mpd.elapsed() == one

    def test_speaker_stays_apart(self):
        """The speaker maps nothing of curl or OpenSSL, and the fetching process nothing of sound or the database's."""
        self.start()
        self.play(self.server.add("/a.mp3", self.data))
        maps = contents(f"/proc/{self.process.pid}/maps").decode()
        self.assertNotRegex(maps, "libcurl|libssl|libexpat")


class PlayedAtOnce(StreamCase):
    """`nightstand play ADDRESS`: without a speaker that runs, and with a fetching process of its own."""
    seconds = 3

    def run_play(self, address):
        process = self.spawn("play", "--device", "paced", address, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             env={"XDG_CACHE_HOME": self.path("kept")})
        out, error = process.communicate(timeout=40)
        return process.returncode, out.decode(), error.decode()

    def test_plays_to_its_end(self):
        del self.settings["network"]
        code, out, error = self.run_play(self.server.add("/a.mp3", self.data))
        self.assertEqual((code, error), (0, ""))
        self.assertIn("a.mp3", out)
        self.assert_heard(self.card.heard(), self.expected, 220)
        self.assertEqual(len(self.server.pages["/a.mp3"].requests), 1)
        left = os.listdir(self.path("kept/nightstand"))
        self.assertEqual([name for name in left if name.startswith("socket")], [])
        # A fetched file is there the next time.
        code, _, _ = self.run_play(self.server.url("/a.mp3"))
        self.assertEqual((code, len(self.server.pages["/a.mp3"].requests)), (0, 1))

    def test_is_not_there(self):
        code, out, error = self.run_play(self.server.url("/nothing.mp3"))
        self.assertIn("404", out + error)
        self.assertEqual(code, 1)


class Faults(StreamCase):
    FASTER = 8

    seconds = 5

    def refused(self, words, **faults):
        self.start()
        address = self.server.add("/a.mp3", self.data, **faults)
        self.mpd(f'add "{address}"')
        self.mpd("play")
        self.wait_error(words)

    def recovers(self, words, **faults):
        self.refused(words, **faults)
        until(lambda: self.mpd.elapsed() > 0.1, 20, lambda: "sound; it says " + self.say())

    def test_404(self):
        self.refused("no such recording (404)", status=404)

    def test_500(self):
        self.recovers("in trouble (500)", status=500, times=3)

    def test_429(self):
        self.recovers("left alone for a while (429)", status=429, after=2, times=1)
        self.assertEqual(len(self.server.pages["/a.mp3"].requests), 2)

    def test_redirected_for_ever(self):
        self.refused("round in circles", status=302, to="/a.mp3")

    def test_redirected_to_a_file(self):
        self.refused("no address of http or https", status=302, to="file:///etc/passwd")

    def test_page(self):
        self.data = b"<html><body>An owl</body></html>\n" * 10
        self.refused("text/html", type="text/html; charset=utf-8")

    def test_rubbish(self):
        self.data = os.urandom(200_000)
        self.refused("no audio")

    def test_says_too_much(self):
        """A length that is a lie: all there is is played, and taken for all once the server says so."""
        self.start()
        self.play(self.server.add("/a.mp3", self.data, length=len(self.data) + 50_000))
        self.whole()

    def test_no_host(self):
        self.start()
        self.mpd('add "http://nowhere.invalid/a.mp3"')
        self.mpd("play")
        self.wait_error("is it connected", 30)

    def test_closed(self):
        self.start()
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            port = unused.getsockname()[1]
        self.mpd(f'add "http://127.0.0.1:{port}/a.mp3"')
        self.mpd("play")
        self.wait_error("does not answer")

    def test_trickle(self):
        """A byte now and then: it waits, says so, and nothing else waits with it."""
        self.add_noise("c.mp3", 5)
        self.start()
        self.mpd("clear")
        self.mpd(f'add "{self.server.add("/a.mp3", self.data, rate=200)}"')
        self.mpd("play")
        time.sleep(2)
        self.assertEqual(self.mpd.elapsed(), 0)
        began = time.monotonic()
        self.mpd("add c.mp3")
        self.mpd("next")
        until(lambda: self.mpd.elapsed() > 0.1, 5, lambda: "the file; it says " + self.say())
        self.assertLess(time.monotonic() - began, 3)

    def test_fetching_dies(self):
        address = self.server.add("/a.mp3", self.data, rate=8000)
        self.start()
        self.play(address)
        for pid in os.listdir("/proc"):
            if pid.isdigit() and self.path("fetch").encode() in (contents(f"/proc/{pid}/cmdline") if os.path.exists(f"/proc/{pid}/cmdline") else b""):
                os.kill(int(pid), signal.SIGKILL)
        until(lambda: self.mpd.status()["state"] != "play" or self.mpd.elapsed() > 4, 20, lambda: self.say())


class Stations(StreamCase):
    FASTER = 8

    def test_titles(self):
        live = {"title": "Owl's hour"}
        address = self.server.add("/live", self.data, live=live)
        self.start()
        self.play(address)
        until(lambda: self.mpd.fields("currentsong").get("Title") == "Owl's hour", 10, "its title")
        self.assertEqual(self.mpd.fields("currentsong").get("Name"), "Radio Owl")
        live["title"] = "News\u2013late"
        until(lambda: self.mpd.fields("currentsong").get("Title") == "News\u2013late", 20, "the next title")
        until(lambda: self.mpd.elapsed() > 1, 20, "a second of sound")
        self.mpd("pause 1")
        # The fade-out of the pause is left out.
        self.find(self.heard_place()[2000:-2000], self.expected + self.expected)

    def test_list(self):
        """A list of addresses stands for the first of them."""
        self.server.add("/live", self.data, live={"title": "One"})
        address = self.server.add("/l.pls", b"[playlist]\nFile1=" + self.server.url("/live").encode() + b"\n",
                                  type="audio/x-scpls")
        self.start()
        self.play(address)

    def test_hangs_up(self):
        """A station that hangs up is asked again."""
        live = {"title": "One"}
        address = self.server.add("/live", self.data, live=live)
        self.start()
        self.play(address)
        live["ended"] = True
        until(lambda: "ended" in live and len(self.server.pages["/live"].requests) > 1, 20, "asked again")
        live.pop("ended")
        before = self.mpd.elapsed()
        until(lambda: self.mpd.elapsed() > before + 10, 40, lambda: "it goes on; it says " + self.say())
        self.assertEqual(self.mpd.status()["state"], "play")

    def test_goes_away(self):
        """So does one with a server that does not know it for a while, as icecast does when its source is lost."""
        live = {"title": "One"}
        address = self.server.add("/live", self.data, live=live)
        self.start()
        self.play(address)
        live["ended"] = live["away"] = True
        until(lambda: len(self.server.pages["/live"].requests) > 3, 30, "asked again, and again")
        self.assertIn("404", self.mpd.status()["error"])
        live.clear()
        live["title"] = "Two"
        until(lambda: self.mpd.fields("currentsong").get("Title") == "Two", 60, lambda: "it goes on; it says " + self.say())
        self.assertEqual(self.mpd.status()["state"], "play")

    def test_is_live(self):
        """A station is heard as it is spoken, however fast and short of silences recordings are played: it would only run dry."""
        address = self.server.add("/live", self.data, live={"title": "One", "burst": 16_000})
        self.settings["audio"]["priority"] = 50  # as on a board, where it may: else whoever is as busy comes in between
        self.start()
        self.mpd("speed 1.5")
        self.mpd("silence shorter")
        self.play(address)
        self.assertEqual(self.mpd.fields("speed"), {"speed": "1", "speed_speaker": "1.5"})
        self.mpd("speed 2")
        until(lambda: self.mpd.elapsed() > 12, 30, lambda: "it plays; it says " + self.say())
        self.assertEqual(self.mpd.status()["speed"], "1")
        # At twice its speed it would run dry each second; a busy host may hold the server back once.
        self.assertLessEqual(int(self.mpd.fields("counters")["xruns"]), 2)
        self.mpd("pause 1")
        if self.mpd.fields("counters")["xruns"] == "0":
            self.find(self.heard_place()[2000:-2000], self.expected + self.expected)
        self.assertEqual(self.mpd.fields("speed")["speed_speaker"], "2")


@unittest.skipUnless(fileserver.may_mount(), "needs root, and not in a chroot, to have its own trusted certificates")
class Https(StreamCase):
    """The trusted certificates are those of a folder of the test's own, mounted where the system has its."""

    seconds = 5

    def serve(self, trust=True, **certificate):
        """A server with a certificate of its own, which is trusted or not."""
        path = self.path("server.pem")
        ours = fileserver.make_certificate(path, **certificate)
        self.command = fileserver.trusting(self.path("trusted"), self.command, *[ours] * trust)
        server = Server(path)
        self.addCleanup(server.close)
        return server

    def test_plays(self):
        server = self.serve()
        self.start()
        self.play(server.add("/a.mp3", self.data))
        self.whole()
        self.assertEqual(len(server.pages["/a.mp3"].requests), 1)

    def test_segments(self):
        """HLS: its playlists and segments, too, come from servers with a valid certificate."""
        server = self.serve()
        rendition = hls.Rendition(self.folder, audio.noise(20, 22_050, 5), "mp3", 64, 76)
        rendition.serve(server, "a")
        self.start()
        self.play(server.add("/m.m3u8", hls.master(("a", rendition)), type="application/vnd.apple.mpegurl", tag=None))
        self.whole()
        folder = self.path("cache")
        (fetched,) = [contents(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(".audio")]
        self.assertEqual(fetched, b"".join(rendition.frames))

    def refused(self, server, words):
        self.start()
        self.mpd(f'add "{server.add("/a.mp3", self.data)}"')
        self.mpd("play")
        self.wait_error(words)
        self.assertEqual(server.pages["/a.mp3"].requests, [], "nothing was asked of who is not trusted")
        self.assertEqual(self.mpd.elapsed(), 0)

    def test_a_stranger(self):
        self.refused(self.serve(trust=False), "cannot prove who it is")

    def test_another_name(self):
        self.refused(self.serve(name="IP:127.0.0.2"), "cannot prove who it is")

    def test_a_certificate_that_is_over(self):
        self.refused(self.serve(days=-1), "cannot prove who it is")


if __name__ == "__main__":
    unittest.main()
