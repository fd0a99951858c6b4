# SPDX-License-Identifier: Apache-2.0
"""Formats beside MP3 from a network: played while they are fetched, as far as each can be."""

import os
import subprocess
import unittest

import audio
from harness import contents, samples, until
from test_formats import WRITERS, reference
from test_streams import StreamCase


class Formats(StreamCase):
    FASTER = 8

    length = 60

    def setUp(self):
        super().setUp()
        self.rate = 22050
        self.sound = audio.noise(self.length, self.rate, 3)

    def written(self, kind, *options):
        """A recording of the format, and what it decodes to here."""
        path = self.path("a." + kind)
        rate = 48000 if kind == "opus" else self.rate
        if kind in WRITERS:
            WRITERS[kind](path, audio.noise(self.length, rate, 3), rate, 1)
        else:
            audio.write_wav(self.path("a.wav"), self.sound, self.rate)
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", self.path("a.wav"), "-c:a", "aac", "-aac_pns", "0", "-b:a", "64k",
                            *options, path], check=True, stdin=subprocess.DEVNULL)
        return contents(path)

    def plays_while_fetched(self, kind, *options, **faults):
        data = self.written(kind, *options)
        # Twice as fast as it is heard; at no time is all of it there before most was heard.
        address = self.server.add("/a." + kind, data, rate=2 * len(data) // self.length, type="audio/x", **faults)
        self.start()
        self.play(address, 20)
        until(lambda: self.mpd.elapsed() > 5, 20, lambda: "some seconds of it; it says " + self.say())
        self.assertNotEqual(self.map().get("whole"), "1")
        self.page = self.server.pages["/a." + kind]
        return data

    def jumps(self, data, place=40):
        """Beyond what has come; the rest comes later."""
        self.mpd(f"seekcur {place}")
        until(lambda: place + 1 < self.mpd.elapsed() < place + 15, 15, lambda: "sound there; it says " + self.say())
        self.assertNotEqual(self.map().get("whole"), "1")
        self.page.faults.clear()
        self.mpd("seekcur 10")
        self.whole()
        folder = self.path("cache")
        name = next(name for name in os.listdir(folder) if name.endswith(".audio"))
        self.assertEqual(contents(os.path.join(folder, name)), data)

    def test_flac(self):
        self.jumps(self.plays_while_fetched("flac"))

    def test_wav(self):
        self.jumps(self.plays_while_fetched("wav"))

    def test_vorbis_in_order(self):
        self.plays_while_fetched("ogg")
        self.assertEqual(len(self.page.requests), 1)

    def test_opus_in_order(self):
        self.plays_while_fetched("opus", ranges=False)

    def test_vorbis_jumps(self):
        self.jumps_exactly("ogg")

    def test_opus_jumps(self):
        self.jumps_exactly("opus")

    def jumps_exactly(self, kind):
        """Looked for in parts, the place is the very sample, long before what lies between has come."""
        self.length = 180
        data = self.plays_while_fetched(kind)
        # From now on quicker: 64 KB of the end come first, and as many in front of each place that is looked at.
        self.page.faults["rate"] = 8 * len(data) // self.length
        self.mpd("seekcur 120")
        until(lambda: 121 < self.mpd.elapsed() < 135, 20, lambda: "sound there; it says " + self.say())
        self.assertLess(self.page.sent, len(data))
        self.assertLess(len(self.page.requests), 12)
        self.mpd("pause 1")
        elapsed = self.mpd.elapsed()
        # The fade-out of a pause is left out.
        heard = samples(self.card.heard())[-20_000:-4000]
        rate, _, decoded = reference(kind, self.path("a." + kind), self.path("reference.wav"))
        expected, level = samples(decoded), sum(a * a for a in heard[:4000])

        def error(place):
            return sum((a - b) ** 2 for a, b in zip(heard[:4000], expected[place : place + 4000]))

        near = int(elapsed * rate) - 20_000
        place = min(range(near - rate // 20, near + rate // 20), key=lambda at: sum(abs(expected[at + i] - heard[i]) for i in range(0, 200, 4)))
        self.assertLess(error(place), level * 1e-5)
        self.page.faults.clear()
        self.mpd("seekcur 10")
        self.whole()

    def test_adts_in_order(self):
        self.plays_while_fetched("aac", ranges=False)
        self.assertEqual(len(self.page.requests), 1)

    def test_m4a_with_its_tables_in_front(self):
        self.plays_while_fetched("m4a", "-movflags", "+faststart", ranges=False)
        self.assertEqual(len(self.page.requests), 1)

    def test_m4a_in_fragments(self):
        self.plays_while_fetched("m4a", "-movflags", "+empty_moov+frag_keyframe", "-frag_duration", "1000000", ranges=False)
        self.assertEqual(len(self.page.requests), 1)

    def test_m4a_with_its_tables_behind(self):
        self.jumps(self.plays_while_fetched("m4a"))

    def test_m4a_that_has_to_be_waited_for(self):
        data = self.written("m4a")
        address = self.server.add("/a.m4a", data, ranges=False, rate=len(data) // 4)
        self.start()
        self.play(address)
        self.assertEqual(self.map().get("whole"), "1")


class StationFormats(StreamCase):
    """Stations that send no MP3."""

    FASTER = 8

    def station(self, kind, *encoder):
        audio.write_wav(self.path("a.wav"), audio.noise(60, 22050, 3), 22050)
        path = self.path("a." + kind)
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", self.path("a.wav"), *encoder, path], check=True, stdin=subprocess.DEVNULL)
        # As icecast sends it: without an end, and with the name of the server.
        address = self.server.add("/live", contents(path), live={"title": "One"}, words=False)
        self.start()
        self.play(address)
        until(lambda: self.mpd.elapsed() > 6, 20, lambda: "some seconds of it; it says " + self.say())
        self.mpd("pause 1")
        self.mpd("pause 0")
        place = self.mpd.elapsed()
        until(lambda: self.mpd.elapsed() > place + 2, 10, lambda: "it goes on; it says " + self.say())
        self.assertEqual(len(self.server.pages["/live"].requests), 1)

    def test_adts(self):
        self.station("aac", "-c:a", "aac", "-b:a", "64k")

    def test_vorbis(self):
        self.station("ogg", "-c:a", "libvorbis", "-b:a", "64k")

    def test_a_chain_of_vorbis(self):
        """The next item is a stream of its own, with its title and, here, another rate: the pitch stays."""
        data = b""
        for number, (seconds, rate) in enumerate(((20, 44100), (40, 48000))):
            audio.write_wav(self.path("a.wav"), audio.sine(seconds, rate), rate)
            subprocess.run(["oggenc", "-Q", "-s", str(number), "-t", f"Hour {number}", "-a", "Owl", "-o", self.path("a.ogg"),
                            self.path("a.wav")], check=True, stdin=subprocess.DEVNULL)
            data += contents(self.path("a.ogg"))
        address = self.server.add("/live", data, live={"title": ""}, words=False)
        self.start()
        self.play(address)
        # Titles are told as they come, which is some seconds before they are heard.
        until(lambda: self.mpd.fields("currentsong").get("Title") == "Owl - Hour 0", 10, "its title")
        until(lambda: self.mpd.fields("currentsong").get("Title") == "Owl - Hour 1", 30, "the next title")
        until(lambda: self.mpd.elapsed() > 25, 40, lambda: "both streams; it says " + self.say())
        self.mpd("pause 1")
        heard, rate = samples(self.card.heard()), [entry.a for entry in self.card.entries() if entry.kind == "H"][-1]
        last = heard[-3 * rate : -rate]
        self.assertAlmostEqual(sum(a < 0 <= b for a, b in zip(last, last[1:])) / 2, 440, delta=2)

    def test_opus(self):
        self.station("opus", "-c:a", "libopus", "-b:a", "64k")


if __name__ == "__main__":
    unittest.main()
