# SPDX-License-Identifier: Apache-2.0
"""Segments of a stream (HLS): recordings and stations, in several renditions, and all that playlists can say
wrongly."""

import array
import os
import re
import subprocess
import threading
import unittest

import audio
import hls
from harness import contents, until
from test_streams import StreamCase

LIST = {"type": "application/vnd.apple.mpegurl", "tag": None}
EDGE = 76  # frames in a segment: two seconds of MP3 at 22,050 Hz


class SegmentCase(StreamCase):
    seconds = 1
    sound_seconds = 40

    def setUp(self):
        super().setUp()
        self.sound = audio.noise(self.sound_seconds, 22_050, 5)

    def rendition(self, kilobits, kind="mp3", per_segment=EDGE, **options):
        return hls.Rendition(self.folder, self.sound, kind, kilobits, per_segment, **options)

    def audio_file(self):
        folder = self.path("cache")
        return os.path.join(folder, next(name for name in os.listdir(folder) if name.endswith(".audio")))

    def requests(self, pattern):
        return [path for path, page in self.server.pages.items() if re.search(pattern, path) for _ in page.requests]

    def list(self, path, text):
        return self.server.add(path, text.encode() if isinstance(text, str) else text, **LIST)

    def refused(self, address, words):
        self.start()
        self.mpd(f'add "{address}"')
        self.mpd("play")
        self.wait_error(words, 15)


class Recordings(SegmentCase):
    def test_mp3(self):
        """One file in the cache, which is the frames of all segments; its tags are left out."""
        rendition = self.rendition(64)
        address = rendition.serve(self.server, "a")
        self.start()
        self.play(address)
        self.whole()
        self.assertEqual(contents(self.audio_file()), b"".join(rendition.frames))
        until(lambda: abs(float(self.mpd.status().get("duration", 0)) - self.sound_seconds) < 0.3, 10, "its length")
        self.mpd("seekcur 30")
        until(lambda: self.mpd.elapsed() > 32, 10, "sound there")
        self.mpd("pause 1")
        self.find(self.card.heard()[-22050:-4000], self.decoded(rendition.path))
        self.assertNotIn("rendition", self.mpd.status())
        # Heard without a network, too.
        self.server.close()
        self.end()
        self.start()
        self.mpd("play")
        until(lambda: self.mpd.elapsed() > 34, 10, lambda: "sound; it says " + self.say())

    def test_aac(self):
        rendition = self.rendition(64, "aac", per_segment=43)
        address = rendition.serve(self.server, "a")
        self.start()
        self.play(address)
        self.whole()
        self.assertEqual(contents(self.audio_file()), b"".join(rendition.frames))
        until(lambda: self.mpd.elapsed() > 3, 10, lambda: "sound; it says " + self.say())

    def carried(self, kind, **options):
        rendition = self.rendition(64, kind, **options)
        subprocess.run(["ffmpeg", "-v", "error", "-i", rendition.path, "-c", "copy", "-f", "hls", "-hls_time", "2", "-hls_list_size", "0",
                        "-hls_segment_type", "mpegts", "-hls_segment_filename", self.path("%d.ts"), self.path("list.m3u8")],
                       check=True, stdin=subprocess.DEVNULL)
        for name in os.listdir(self.folder):
            if name.endswith(".ts"):
                self.server.add("/t/" + name, contents(self.path(name)), type="video/mp2t")
        address = self.list("/t/list.m3u8", contents(self.path("list.m3u8")))
        self.start()
        self.play(address)
        self.whole()
        self.assertEqual(contents(self.audio_file()), b"".join(rendition.frames))

    def test_transport_stream_with_aac(self):
        self.carried("aac")

    def test_transport_stream_with_mp3(self):
        self.carried("mp3")

    def test_parts_of_a_file(self):
        rendition = self.rendition(64, stamps=False)
        self.server.add("/all.mp3", b"".join(rendition.segments))
        text, at = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n", 0
        for index, segment in enumerate(rendition.segments):
            text += f"#EXTINF:{rendition.seconds(index):.3f},\n#EXT-X-BYTERANGE:{len(segment)}" + f"@{at}" * (index == 0) + "\n../all.mp3\n"
            at += len(segment)
        self.start()
        self.play(self.list("/l/parts.m3u8", text + "#EXT-X-ENDLIST\n"))
        self.whole()
        self.assertEqual(contents(self.audio_file()), b"".join(rendition.frames))
        self.assertTrue(all(asked for asked, _ in self.server.pages["/all.mp3"].requests))

    def test_goes_on_after_a_restart(self):
        """Segments that are there are not asked for again."""
        rendition = self.rendition(64)
        pause = threading.Event()
        self.addCleanup(pause.set)
        address = rendition.serve(self.server, "a")
        stuck = self.server.pages["/a/8.mp3"]
        stuck.faults.update(cut=1000, pause=pause)
        self.start()
        self.play(address)
        until(lambda: stuck.requests, 20, "the one that does not come")
        self.end()
        before = len(self.server.pages["/a/3.mp3"].requests)
        stuck.faults.clear()
        pause.set()
        self.start()
        self.mpd("play")
        self.whole()
        self.assertEqual((before, len(self.server.pages["/a/3.mp3"].requests)), (1, 1))
        self.assertEqual(len(contents(self.audio_file())), sum(map(len, rendition.frames)))

    def test_a_segment_is_missing(self):
        """It is left out, said, and not kept so: a later time asks for it again."""
        rendition = self.rendition(64)
        address = rendition.serve(self.server, "a")
        missing = self.server.pages.pop("/a/5.mp3")
        self.start()
        self.play(address)
        until(lambda: "passed over" in self.log(), 20, "that one is missing")
        until(lambda: self.requests("/19.mp3"), 20, "the last")
        self.mpd("stop")
        self.end()
        self.assertEqual(self.map().get("whole"), "0")
        self.assertEqual(int(self.map()["front"]), sum(map(len, rendition.frames[: 5 * EDGE])))
        self.server.pages["/a/5.mp3"] = missing
        self.start()
        self.mpd("play")
        self.whole()
        self.assertEqual(len(contents(self.audio_file())), sum(map(len, rendition.frames)))

    def test_in_trouble_for_a_while(self):
        rendition = self.rendition(64)
        address = rendition.serve(self.server, "a", status=503, times=2)
        self.start()
        self.play(address, 20)
        self.assertEqual(contents(self.audio_file())[:1000], b"".join(rendition.frames)[:1000])


class Changes(SegmentCase):
    """Two renditions, of which the second is a lesser one that comes when the network gives less."""

    def serve(self, kind, **options):
        self.high = self.rendition(64, kind, per_segment=EDGE if kind == "mp3" else 43)
        self.low = self.rendition(24, kind, per_segment=EDGE if kind == "mp3" else 43, **options)
        self.high.serve(self.server, "high")
        self.low.serve(self.server, "low")
        return self.list("/master.m3u8", hls.master(("high", self.high), ("low", self.low)))

    def slow_from(self, first, rate):
        for path, page in self.server.pages.items():
            number = re.search(r"/(\d+)\.", path)
            if number and int(number.group(1)) >= first:
                page.faults["rate"] = rate

    def falls(self, kind, **options):
        """A rate that falls below the first rendition's: it runs dry, and goes on with the lesser, from where it was."""
        address = self.serve(kind, **options)
        self.slow_from(4, 4500)
        self.start()
        self.play(address)
        self.assertIn("64 kbit/s (2 of 2)", self.mpd.status()["rendition"])
        until(lambda: "24 kbit/s (1 of 2)" in self.mpd.status()["rendition"], 60, lambda: "the lesser; it says " + self.say())
        for page in self.server.pages.values():
            page.faults.pop("rate", None)
        self.whole()
        joined = hls.frames(contents(self.audio_file()))
        change = next(i for i, (a, b) in enumerate(zip(joined, self.high.frames)) if a != b)
        self.assertEqual(change % self.high.per_segment, 0)
        return joined, change

    def test_mp3(self):
        joined, change = self.falls("mp3")
        self.assertEqual(joined, self.high.frames[:change] + self.low.frames[change:], "each second once, and once changed")

    def test_aac(self):
        joined, change = self.falls("aac")
        self.assertEqual(joined, self.high.frames[:change] + self.low.frames[change:])

    def test_mp3_cut_elsewhere(self):
        """Segments that do not begin where the others do: less than half of one is heard twice or not at all."""
        joined, change = self.falls("mp3", offset=31)
        self.assertLessEqual(abs(len(joined) - len(self.high.frames)), EDGE // 2)
        self.assertEqual(joined[change:], self.low.frames[len(self.low.frames) - len(joined) + change :])

    def test_better_the_next_time(self):
        """The network's speed is known when the next begins."""
        self.serve("mp3")
        best = self.rendition(128)
        best.serve(self.server, "best")
        self.start()
        for name, folder in (("one", "low"), ("other", "best")):
            address = self.list(f"/{name}.m3u8", hls.master(("low", self.low), ("best", best)))
            self.mpd("clear")
            self.play(address)
            self.whole()
            asked = self.requests(r"/(low|best)/\d")
            self.assertEqual(asked[-len(best.segments):], [f"/{folder}/{i}.mp3" for i in range(len(best.segments))])

    def fixed(self, quality, folder):
        address = self.serve("mp3")
        self.settings["network"]["quality"] = quality
        self.start()
        self.play(address)
        self.whole()
        self.assertEqual(self.requests(r"/(high|low)/\d"), [f"/{folder}/{i}.mp3" for i in range(len(self.low.segments))])

    def test_low(self):
        self.fixed("low", "low")

    def test_high(self):
        self.fixed("high", "high")

    def test_so_many(self):
        self.fixed("40", "low")

    def test_other_rate(self):
        """A lesser rendition that cannot follow is left alone."""
        self.high = self.rendition(64)
        self.sound = audio.noise(self.sound_seconds, 44_100, 5)
        other = hls.Rendition.__new__(hls.Rendition)
        other.kilobits = 32
        path = self.path("44.mp3")
        audio.lame(path, self.sound, 44_100, "-t", "-b", "32", "--resample", "44.1")
        data = contents(path)
        self.high.serve(self.server, "high")
        for index in range(len(self.high.segments)):
            self.server.add(f"/other/{index}.mp3", data[index * 8000 : (index + 1) * 8000])
        self.list("/other/list.m3u8", self.high.playlist())
        address = self.list("/m.m3u8", hls.master(("high", self.high), ("other", other)))
        self.slow_from(4, 4500)
        self.start()
        self.play(address)
        until(lambda: "another kind" in self.log(), 60, "the other to be tried")
        for page in self.server.pages.values():
            page.faults.pop("rate", None)
        self.whole()
        self.assertEqual(contents(self.audio_file()), b"".join(self.high.frames))


class Stations(SegmentCase):
    def slide(self, rendition, page, first, count=4):
        page.data = rendition.playlist(first, min(first + count, len(rendition.segments)), ended=False)

    def test_window(self):
        """Begins three from its end, follows the list as it moves on, and plays to the end where it says that there is one."""
        rendition = self.rendition(64)
        address = rendition.serve(self.server, "a", playlist=rendition.playlist(0, 4, ended=False))
        page = self.server.pages["/a/list.m3u8"]
        self.start()
        self.play(address)
        self.assertFalse(self.requests("/a/0.mp3"))
        for first in range(1, 6):
            self.slide(rendition, page, first)
            until(lambda: self.requests(f"/a/{first + 3}.mp3"), 15, lambda: "the next; it says " + self.say())
        page.data = rendition.playlist(5, 9)
        until(lambda: self.mpd.status()["state"] != "play", 40, lambda: "its end; it says " + self.say())
        heard = bytes(self.heard_place())
        part = b"".join(rendition.frames[EDGE : 9 * EDGE])
        path = self.path("part.mp3")
        with open(path, "wb") as file:
            file.write(part)
        expected = self.decoded(path)
        place = self.find(heard[6000 : 2 * 22050 * 8], expected)
        self.assertLess(place, 22050)
        self.assertFalse(os.path.exists(self.path("cache")) and [n for n in os.listdir(self.path("cache")) if n.endswith(".map")])

    def test_never_changes(self):
        rendition = self.rendition(64)
        address = rendition.serve(self.server, "a", playlist=rendition.playlist(0, 4, ended=False))
        page = self.server.pages["/a/list.m3u8"]
        self.start()
        self.play(address)
        self.wait_error("sends nothing new", 30)
        self.assertLess(len(page.requests), 12)
        # And goes on when it does.
        self.slide(rendition, page, 2)
        until(lambda: self.requests("/a/5.mp3"), 20, lambda: "the next; it says " + self.say())

    def test_fell_behind(self):
        """A segment that has left the list in the meantime is left out, and that is said."""
        rendition = self.rendition(64)
        address = rendition.serve(self.server, "a", playlist=rendition.playlist(0, 4, ended=False))
        self.start()
        self.play(address)
        until(lambda: self.requests("/a/3.mp3"), 10, "the last that is there")
        self.slide(rendition, self.server.pages["/a/list.m3u8"], 8)
        until(lambda: self.requests("/a/11.mp3"), 20, lambda: "those that are there; it says " + self.say())
        self.assertIn("4 segments were not fetched in time", self.log())


if __name__ == "__main__":
    unittest.main()
