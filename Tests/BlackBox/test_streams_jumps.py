# SPDX-License-Identifier: Apache-2.0
"""Jumps beyond what has come of a recording, and how full the buffer is."""

import os
import threading
import unittest

from harness import contents, until
from test_streams import StreamCase


class Jumps(StreamCase):
    seconds = 300

    def listen(self, rate=16_000, **options):
        """Plays what comes at twice the pace at which it is heard."""
        self.address = self.server.add("/a.mp3", self.data, rate=rate, **options)
        self.start()
        self.play(self.address)
        self.page = self.server.pages["/a.mp3"]

    def jump(self, place):
        before = len(self.card.heard())
        self.mpd(f"seekcur {place}")
        until(lambda: place + 1 < self.mpd.elapsed() < place + 30, 60, lambda: "sound there; it says " + self.say())
        self.mpd("pause 1")
        return before

    def found(self, place):
        """The last heard sound is exactly that of the place."""
        self.find(self.card.heard()[-22050:-4000], self.expected[2 * 22050 * place : 2 * 22050 * (place + 5)])

    def audio(self):
        folder = self.path("cache")
        return os.path.join(folder, next(n for n in os.listdir(folder) if n.endswith(".audio")))

    def test_beyond(self):
        """The place comes first, then the rest of it, then what was left out; one file in the end, each byte asked for once."""
        self.listen()
        self.jump(200)
        self.found(200)
        (first, _), (asked, tag) = self.page.requests[:2]
        self.assertEqual((first, tag), (None, '"one"'))
        begin = int(asked[6:-1])
        self.assertAlmostEqual(begin / len(self.data), 200 / 300, delta=0.02)
        self.page.faults.clear()
        # And back to the present bytes; the following ones are requested at full speed.
        self.mpd("seekcur 100")
        self.whole()
        self.assertEqual(contents(self.audio()), self.data)
        self.assertGreater(len(self.page.requests), 2)

    def test_after_a_restart(self):
        """The present bytes stay, holes and all."""
        self.listen(rate=32_000)
        self.jump(150)
        self.end()
        self.page.requests.clear()
        self.start()
        self.mpd("play")
        until(lambda: self.mpd.elapsed() > 152, 15, lambda: "sound; it says " + self.say())
        self.page.faults.clear()
        self.mpd("seekcur 280")
        self.whole()
        self.assertEqual(contents(self.audio()), self.data)

    def test_another_recording(self):
        """A part of another recording is joined to nothing: a new file is begun."""
        self.listen()
        self.page.tag = '"two"'
        self.page.data = bytes(reversed(self.data[:1000])) + self.data[1000:]
        self.page.faults.clear()
        self.mpd("seekcur 200")
        self.whole()
        self.assertEqual(contents(self.audio()), self.page.data)
        self.assertIn("another recording", self.log())

    def test_no_parts(self):
        """A server that gives no parts is waited for, and that is said."""
        self.listen(ranges=False)
        self.mpd("seekcur 60")
        self.wait_error("gives no parts")
        self.assertEqual(len(self.page.requests), 1)
        self.mpd("seekcur 3")
        until(lambda: 3 < self.mpd.elapsed() < 30, 15, lambda: "sound; it says " + self.say())


class Buffer(StreamCase):
    seconds = 60

    def buffer(self):
        return float(self.mpd.status().get("buffer", -1))

    def test_fills(self):
        """Its fill, in seconds of this very recording, on the console and, while it waits, on displays."""
        pause = threading.Event()
        self.addCleanup(pause.set)
        # 64 kbit/s: 8,000 bytes a second.
        address = self.server.add("/a.mp3", self.data, cut=80_000, pause=pause)
        self.start()
        self.assertEqual(self.buffer(), -1)
        self.play(address)
        until(lambda: self.buffer() + self.mpd.elapsed() > 6, 10, lambda: f"a buffer; it is {self.buffer()}")
        self.assertAlmostEqual(self.buffer() + self.mpd.elapsed(), 10, delta=4)
        until(lambda: self.buffer() < 0.5, 20, lambda: f"an empty buffer; it is {self.buffer()}")
        pause.set()
        until(lambda: self.buffer() > 20, 20, lambda: f"a full buffer; it is {self.buffer()}")

    def test_of_a_station(self):
        """The lead of a station over the ear: as far as it gives, and no further than was set."""
        address = self.server.add("/live", self.data, live={"title": "Owl's hour", "burst": 8 << 20})
        # 8,000 bytes a second. Once full it is filled again when half of it was heard.
        for kilobytes in 256, 3000:
            with self.subTest(kilobytes):
                self.settings["network"]["station_kb"] = kilobytes
                self.start()
                self.mpd("clear")
                self.play(address)
                self.mpd("pause 1")
                seconds = kilobytes * 1024 / 8000
                until(lambda: self.buffer() > seconds / 2, 20, lambda: f"all it takes; it is {self.buffer()}")
                self.assertLessEqual(self.buffer(), seconds)
                self.mpd("pause 0")
                place = self.mpd.elapsed()
                until(lambda: self.mpd.elapsed() > place + 2, 20, lambda: "it goes on; it says " + self.say())
                self.mpd.close()
                self.end()


if __name__ == "__main__":
    unittest.main()
