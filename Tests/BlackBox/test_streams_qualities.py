# SPDX-License-Identifier: Apache-2.0
"""Mistakes in playlists of segments, and episodes that their feed offers in several qualities."""

import os
import unittest

import audio
import hls
from harness import contents, until
from test_podcasts import PodcastCase
from test_streams_segments import SegmentCase


class Lies(SegmentCase):
    """All of them refused by name, and what follows in the queue plays."""

    def test_encrypted(self):
        for method in ("AES-128", "SAMPLE-AES"):
            with self.subTest(method):
                rendition = self.rendition(64)
                address = rendition.serve(self.server, method, rendition.playlist(extra=f'#EXT-X-KEY:METHOD={method},URI="k"'))
                if self.process:
                    self.end()
                self.refused(address, f"encrypted ({method})")
                self.assertEqual(self.requests(f"/{method}/0"), [])

    def test_queue_goes_on(self):
        self.add_noise("c.mp3", 5)
        address = self.list("/m.m3u8", '#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n#EXTINF:4,\n0.m4s\n#EXT-X-ENDLIST\n')
        self.start()
        # The scan's finding is in it, too.
        self.mpd("clear")
        self.mpd(f'add "{address}"')
        self.mpd("add c.mp3")
        self.mpd("play")
        until(lambda: self.mpd.fields("currentsong").get("file") == "c.mp3" and self.mpd.elapsed() > 0.5, 20,
              lambda: "what follows; it says " + self.say())
        self.assertIn("fragmented MP4", self.log())
        self.assertEqual(self.requests("m4s"), [])

    def test_numbers_that_cannot_be(self):
        """The process that fetches lives on, for any length and bit rate in a playlist."""
        self.list("/a.m3u8", "#EXTM3U\n" + "#EXTINF:86400,\n0.mp3\n" * 20_000 + "#EXT-X-ENDLIST\n")
        self.refused(self.list("/m.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=999999999999\na.m3u8\n"), "cache")

    def test_no_sound(self):
        self.refused(self.list("/m.m3u8", '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="ac-3"\na.m3u8\n'), "without sound")

    def test_files_of_this_board(self):
        self.refused(self.list("/m.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"),
                     "no address of http or https")

    def test_leads_elsewhere_into_the_local_network(self):
        rendition = self.rendition(64)
        rendition.serve(self.server, "a")
        segment = self.server.url("/a/0.mp3").replace("127.0.0.1", "127.0.0.2")
        self.refused(self.list("/m.m3u8", f"#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n{segment}\n#EXT-X-ENDLIST\n"),
                     "leads into the local network")
        self.assertEqual(self.requests("/a/"), [])

    def test_all_missing(self):
        rendition = self.rendition(64)
        address = self.list("/a/list.m3u8", rendition.playlist())
        self.refused(address, "missing")

    def test_rubbish(self):
        rendition = self.rendition(64)
        for index in range(len(rendition.segments)):
            self.server.add(f"/a/{index}.mp3", os.urandom(20_000))
        self.refused(self.list("/a/list.m3u8", rendition.playlist()), "neither MP3 nor AAC")

    def test_names_only_itself(self):
        self.refused(self.list("/m.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\nm.m3u8\n"), "only name other playlists")


class Episodes(PodcastCase):
    """Episodes that their feed offers in several qualities (`podcast:alternateEnclosure`)."""

    seconds = 20

    def setUp(self):
        super().setUp()
        sound = audio.noise(self.seconds, 22_050, 7)
        self.low = contents(audio.lame(self.path("low.mp3"), sound, 22_050, "--resample", "22.05", "-b", "16"))
        self.best = contents(audio.lame(self.path("best.mp3"), sound, 22_050, "--resample", "22.05", "-b", "128"))
        low, best = self.server.add("/low", self.low, tag='"l"'), self.server.add("/best", self.best, tag='"b"')
        episode = self.feed.episodes[0]
        self.own = episode["address"]
        episode["extra"] = "".join(
            f"<podcast:alternateEnclosure type='audio/mpeg' bitrate='{bits}'{more}><podcast:source uri='{uri}'/></podcast:alternateEnclosure>"
            for uri, bits, more in ((self.own, 64_000, " default='true'"), (low, 16_000, ""), (best, 128_000, "")))

    def fetched(self, quality, path, data):
        if quality:
            self.settings["network"]["quality"] = quality
        self.subscribe()
        until(lambda: len(self.mpd(f'lsinfo "{self.folder_uri}"')) > 3, 20, "its episodes")
        uri = next(line[6:] for line in self.mpd(f'lsinfo "{self.folder_uri}"') if line.startswith("file: ") and "Three" in line)
        self.play(uri)
        folder = self.path("cache")

        def there():
            return [contents(os.path.join(folder, name)) for name in os.listdir(folder) if name.endswith(".audio")]

        # The next item of the queue may be there, too.
        until(lambda: data in there(), 20, lambda: "all of it; it says " + self.say())
        asked = [page for page in ("/low", "/best", "/Three.mp3") if self.server.pages[page].requests]
        self.assertEqual(asked, [path])
        return uri

    def test_the_feeds_own(self):
        self.fetched(None, "/Three.mp3", self.data)

    def test_low(self):
        uri = self.fetched("low", "/low", self.low)
        # Its place stays with any choice.
        self.mpd("seekcur 12")
        self.mpd("pause 1")
        self.settings["network"]["quality"] = "high"
        self.end()
        self.start()
        self.assertEqual(self.mpd.fields("currentsong").get("file"), uri)
        self.assertAlmostEqual(self.mpd.elapsed(), 12, delta=1)
        self.mpd("play")
        until(lambda: self.mpd.elapsed() > 13, 10, lambda: "it goes on; it says " + self.say())
        self.assertFalse(self.server.pages["/best"].requests, "what is there is played")

    def test_so_many(self):
        self.fetched("100", "/Three.mp3", self.data)

    def test_in_segments(self):
        """An episode with a playlist (HLS) at its address is heard and kept as the frames of its segments."""
        rendition = hls.Rendition(self.folder, audio.noise(20, 22_050, 8), "mp3", 64, 76)
        episode = self.feed.episodes[0]
        episode["address"], episode["extra"] = rendition.serve(self.server, "a"), ""
        self.subscribe()
        until(lambda: len(self.titles()) == 3, 20, "its episodes")
        self.play_episode("Three")
        folder = self.path("cache")
        until(lambda: b"".join(rendition.frames) in [contents(os.path.join(folder, name)) for name in os.listdir(folder)
                                                     if name.endswith(".audio")], 20, lambda: "all of it; it says " + self.say())
        until(lambda: self.mpd.elapsed() > 2, 10, lambda: "it goes on; it says " + self.say())


if __name__ == "__main__":
    unittest.main()
