# SPDX-License-Identifier: Apache-2.0
"""The possible acts of servers and lists against the speaker: nothing. The addresses that they may lead to, the space
that they may fill, and their words about themselves."""

import gzip
import os
import threading
import unittest

from harness import contents, until
from test_streams import StreamCase
from test_streams_segments import SegmentCase


class Local(StreamCase):
    """The speaker asks only named servers in the local network, for anything that a server or a list says."""
    seconds = 5

    def elsewhere(self, path):
        return self.server.url(path).replace("127.0.0.1", "127.0.0.2")

    def refused(self, address):
        self.start()
        self.mpd(f'add "{address}"')
        self.mpd("play")
        self.wait_error("local network")
        self.assertEqual(self.mpd.elapsed(), 0)

    def test_a_redirection(self):
        self.server.add("/b.mp3", self.data)
        self.refused(self.server.add("/a.mp3", status=302, to=self.elsewhere("/b.mp3")))
        self.assertEqual(self.server.pages["/b.mp3"].requests, [])

    def test_a_list(self):
        self.server.add("/b.mp3", self.data)
        self.refused(self.server.add("/a.m3u", self.elsewhere("/b.mp3").encode() + b"\n", type="audio/x-mpegurl"))
        self.assertEqual(self.server.pages["/b.mp3"].requests, [])

    def test_the_same_host(self):
        """Naming a server names it for its lists and its redirections, too."""
        self.server.add("/b.mp3", self.data)
        self.server.add("/c.mp3", status=302, to="/b.mp3")
        address = self.server.add("/a.m3u", self.server.url("/c.mp3").encode() + b"\n", type="audio/x-mpegurl")
        self.start()
        self.play(address)

    def test_allowed(self):
        self.settings["network"]["local"] = "yes"
        self.server.add("/a.mp3", status=302, to=self.server.url("/b.mp3").replace("127.0.0.1", "localhost"))
        self.server.add("/b.mp3", self.data)
        self.start()
        self.play(self.server.url("/a.mp3"))


class Redirections(StreamCase):
    seconds = 5

    def setUp(self):
        super().setUp()
        # A server that closes what it said it keeps, twenty times in a row, is another fault.
        self.server.keeps = True

    def test_twenty(self):
        self.server.add("/20", self.data)
        for number in range(20):
            self.server.add(f"/{number}", status=302, to=f"/{number + 1}")
        self.start()
        self.play(self.server.url("/0"))

    def test_too_many(self):
        """Said, and tried again: it may be a moment's mistake."""
        self.server.add("/b", self.data)
        address = self.server.add("/a", status=302, to="/a", times=25)
        self.server.pages["/a"].data = self.data
        self.start()
        self.mpd(f'add "{address}"')
        self.mpd("play")
        until(lambda: self.mpd.elapsed() > 0.1, 20, lambda: "sound; it says " + self.say())
        self.assertIn("round in circles", self.log())


class Replaced(StreamCase):
    def test_another_length(self):
        """A recording that was replaced while it plays is another file: the playing file is not written over, and it is
        said."""
        other = self.add_noise("b.mp3", 30)
        file = os.path.join(self.library, "b.mp3")
        data = contents(file)
        os.remove(file)
        drop = threading.Event()
        address = self.server.add("/a.mp3", self.data, tag=None, rate=40_000, drop=drop)
        self.start()
        self.play(address)
        page = self.server.pages["/a.mp3"]
        folder = self.path("cache")
        name = next(n for n in os.listdir(folder) if n.endswith(".audio"))
        with open(os.path.join(folder, name), "rb") as old:
            until(lambda: os.fstat(old.fileno()).st_size >= 100_000, 10, "what comes before the cut")
            page.data, page.faults = data, {}
            drop.set()
            self.whole()
            old.seek(0)
            self.assertEqual(old.read(100_000), self.data[:100_000])
        self.assertEqual(contents(os.path.join(folder, name)), data)
        self.assertIn("another recording", self.log())
        # The bytes read from the old server are heard to their end.
        until(lambda: self.mpd.elapsed() > 16, 30, lambda: "it goes on; it says " + self.say())
        self.mpd("pause 1")
        self.find(self.card.heard()[-2 * 22050 : -2000], other)


class Bounds(StreamCase):
    """A size that a server does not say bounds nothing; the cache's limit does."""
    seconds = 60

    def used(self):
        folder = self.path("cache")
        return sum(os.path.getsize(os.path.join(folder, n)) for n in os.listdir(folder)) if os.path.isdir(folder) else 0

    def test_no_length(self):
        """It is heard as it comes once it is more than the cache may have, and nothing of it stays."""
        self.settings["network"]["cache_mb"] = "16"
        address = self.server.add("/a.mp3", self.data * 50, length=None, tag=None, ranges=False)
        self.start()
        self.play(address)
        most = 0
        for _ in range(30):
            most = max(most, self.used())
            self.mpd.elapsed()
        until(lambda: self.mpd.elapsed() > 3, 10, lambda: "it goes on; it says " + self.say())
        self.assertLessEqual(max(most, self.used()), 16 << 20)

    def test_too_long(self):
        """A recording that the cache cannot hold is heard as a station is, to its end, in one piece."""
        self.settings["network"]["cache_mb"] = "16"
        address = self.server.add("/a.mp3", self.data, length=None)
        page = self.server.pages["/a.mp3"]
        del page.faults["length"]
        page.data = self.data + bytes((17 << 20) - len(self.data))
        self.start()
        self.play(address)
        self.assertEqual(self.used(), 0)
        until(lambda: self.mpd.elapsed() > 5, 15, lambda: "it goes on; it says " + self.say())
        self.mpd("pause 1")
        self.find(self.heard_place()[2000:-2000], self.expected)


class Connections(SegmentCase):
    def test_are_kept(self):
        """A connection serves one segment after the other."""
        rendition = self.rendition(64)
        self.server.keeps = True
        self.assertGreater(len(rendition.segments), 3)
        address = rendition.serve(self.server, "a")
        self.start()
        self.play(address)
        self.whole()
        self.assertLessEqual(self.server.connections, 2)


class Packed(StreamCase):
    seconds = 5

    def test_packed_unasked(self):
        """Sound that is compressed without a request is sound all the same."""
        address = self.server.add("/a.mp3", gzip.compress(self.data), ranges=False, tag=None, encoding="gzip")
        self.start()
        self.play(address)
        self.whole()
        folder = self.path("cache")
        name = next(n for n in os.listdir(folder) if n.endswith(".audio"))
        self.assertEqual(contents(os.path.join(folder, name)), self.data)


class Lists(StreamCase):
    """The speaker knows lists by their content, under any type of their server."""
    seconds = 5

    def lists(self, name, text, type="application/octet-stream"):
        if "/a.mp3" not in self.server.pages:
            self.server.add("/a.mp3", self.data)
        address = self.server.add(name, text.encode(), type=type)
        if not self.process:
            self.start()
        self.mpd("clear")
        self.play(address)
        self.mpd("stop")

    def test_by_content(self):
        url = self.server.url("/a.mp3")
        for name, text, type in (
            ("/one.m3u", f"#EXTM3U\n#EXTINF:1,x\n{url}\n", "application/octet-stream"),
            ("/two", f"#EXTM3U\n{url}\n", "text/plain"),
            ("/three.m3u", "a.mp3\n", "text/plain"),
            ("/four", f"\ufeff[PLAYLIST]\r\nFile1={url}\r\n", "text/html"),
            ("/five.pls", "[Playlist]\nfile1=/a.mp3\n", "binary/octet-stream"),
            ("/six.xspf", f"<?xml version='1.0'?><playlist xmlns='http://xspf.org/ns/0/'><trackList><track>"
             f"<location>{url}</location></track></trackList></playlist>", "application/octet-stream"),
            ("/seven", f"<playlist><trackList><track><title>x</title><location> a.mp3 </location></track></trackList></playlist>",
             "application/xspf+xml"),
        ):
            with self.subTest(name):
                self.lists(name, text, type)

    def test_sound_as_text(self):
        self.start()
        self.play(self.server.add("/b.mp3", self.data, type="text/plain"))

    def test_the_next(self):
        """One that is dead is passed over for the next."""
        dead = "http://127.0.0.1:9/x.mp3"
        self.lists("/l.m3u", f"{dead}\n{self.server.url('/nothing')}\n{self.server.url('/a.mp3')}\n")

    def test_none(self):
        self.server.add("/l.m3u", b"#EXTM3U\nhttp://127.0.0.1:9/x.mp3\nfile:///etc/passwd\n" + self.server.url("/no").encode())
        self.start()
        self.mpd(f'add "{self.server.url("/l.m3u")}"')
        self.mpd("play")
        self.wait_error("404")


if __name__ == "__main__":
    unittest.main()
