# SPDX-License-Identifier: Apache-2.0
"""The words of a recording at an address about itself: title, artist, picture and words, while it comes."""

import subprocess

import audio
from harness import contents, samples, until
from test_streams import StreamCase

PICTURE = b"\x89PNG" + bytes(range(256)) * 40
SRT = "1\n00:00:00,000 --> 00:00:05,000\nThe lamp is lit.\n\n2\n00:00:05,000 --> 00:00:30,000\nThe house is still.\n"


def lyrics(sentences):
    """The body of a frame SYLT: milliseconds and sentences."""
    return b"\3eng\2\1\0" + b"".join(text.encode() + b"\0" + at.to_bytes(4, "big") for at, text in sentences)


class Recordings(StreamCase):
    FASTER = 4

    def song(self):
        return self.mpd.fields("currentsong")

    def picture(self, address):
        client, data = self.connect(), b""
        while True:
            client.send(f'readpicture "{address}" {len(data)}')
            line = client.file.readline()
            if not line.startswith(b"size: "):
                return data or line
            size = int(line.split()[1])
            while not (line := client.file.readline()).startswith(b"binary: "):
                pass
            data += client.file.read(int(line.split()[1]))
            client.file.readline()
            client.file.readline()
            if len(data) == size:
                return data or line

    def begin(self, name, data, **faults):
        """Plays it at twice the pace of the ear. They are known within 2 s of its first sound."""
        address = self.server.add(name, data, rate=2 * len(data) // self.seconds, **faults)
        self.start()
        self.play(address)
        first = self.mpd.elapsed()
        until(lambda: self.song().get("Artist") == "Edda Quell", 10, lambda: f"its tags: {self.song()}; it says {self.say()}")
        self.assertLess(self.mpd.elapsed() - first, 2)
        self.assertEqual((self.song()["Title"], self.song()["Album"]), ("The Lamp", "Night Songs"))
        return address

    def sentences(self):
        return [line.split(" ", 3)[3] for line in self.mpd("transcript 5 5") if line.startswith("segment: ")]

    def said(self):
        return f"its words: {self.mpd('transcript 5 5')}; it says {self.say()}"

    def test_mp3(self):
        """Its words stand in it: no server is asked for others."""
        tag = audio.id3v2([("TIT2", audio.text(3, "The Lamp")), ("TPE1", audio.text(3, "Edda Quell")), ("TALB", audio.text(3, "Night Songs")),
                           ("APIC", b"\0image/png\0\3\0" + PICTURE), ("SYLT", lyrics([(0, "It is night."), (20_000, "Good night.")]))])
        for beside in ("/a.srt", "/a.vtt"):
            self.server.add(beside, SRT.encode())
        address = self.begin("/a.mp3", tag + self.data)
        until(lambda: self.sentences() == ["It is night.", "Good night."], 10, self.said)
        self.assertEqual(self.picture(address), PICTURE)
        self.assertEqual(len(self.server.pages["/a.mp3"].requests), 1)
        self.assertEqual([self.server.pages[name].requests for name in ("/a.srt", "/a.vtt")], [[], []])
        # It is kept.
        self.whole()
        self.end()
        self.start()
        self.assertEqual((self.song()["Title"], self.song()["Artist"]), ("The Lamp", "Edda Quell"))

    def test_m4a(self):
        """Its words lie beside it."""
        audio.write_wav(self.path("b.wav"), audio.noise(self.seconds, 22050, 3), 22050)
        subprocess.run(["ffmpeg", "-v", "error", "-i", self.path("b.wav"), "-c:a", "aac", "-metadata", "title=The Lamp", "-metadata",
                        "artist=Edda Quell", "-metadata", "album=Night Songs", "-movflags", "+faststart", self.path("b.m4a")],
                       check=True, stdin=subprocess.DEVNULL)
        data = contents(self.path("b.m4a"))
        self.server.add("/b.srt", SRT.encode())
        self.begin("/b.m4a", data)
        until(lambda: self.sentences() == ["The lamp is lit.", "The house is still."], 10, self.said)
        self.assertEqual(len(self.server.pages["/b.m4a"].requests), 1)

    def plain(self):
        return audio.id3v2([("TIT2", audio.text(3, "The Lamp")), ("TPE1", audio.text(3, "Edda Quell")), ("TALB", audio.text(3, "Night Songs"))]) + self.data

    def test_words_beside_it(self):
        self.server.add("/a.vtt", ("WEBVTT\n\n" + SRT.replace(",", ".")).encode())
        self.server.add("/a.srt", status=404, times=99)
        self.begin("/a.mp3", self.plain())
        until(lambda: self.sentences() == ["The lamp is lit.", "The house is still."], 10, self.said)
        self.assertEqual(len(self.server.pages["/a.srt"].requests), 1)

    def test_tags_at_its_end(self):
        address = self.server.add("/a.mp3", self.data + audio.id3v1(b"The Lamp"))
        self.start()
        self.play(address)
        self.whole()
        until(lambda: self.song().get("Artist") == "artist", 10, lambda: f"its tags: {self.song()}; it says {self.say()}")
        self.assertEqual((self.song()["Title"], self.song()["Album"]), ("The Lamp", "album"))

    def test_no_words(self):
        """A server without pictures is asked for each kind once, and nothing is said of it."""
        for name in ("/a.srt", "/a.vtt"):
            self.server.add(name, status=404, times=99)
        self.begin("/a.mp3", self.plain())
        until(lambda: self.server.pages["/a.vtt"].requests, 10, lambda: "the question; it says " + self.say())
        self.whole()
        self.mpd("stop")
        self.mpd("play")
        until(lambda: self.mpd.elapsed() > 1, 10, "sound")
        self.assertEqual([len(self.server.pages[name].requests) for name in ("/a.srt", "/a.vtt")], [1, 1])
        self.assertNotIn("error", self.mpd.status())
        self.assertNotIn("404", self.log())

    def test_words_are_not_asked_for(self):
        self.settings["network"]["words"] = "no"
        self.server.add("/a.srt", SRT.encode())
        self.begin("/a.mp3", self.plain())
        self.whole()
        self.assertEqual(self.server.pages["/a.srt"].requests, [])


class Announced(StreamCase):
    FASTER = 4

    def test_a_recording_at_an_address_is_announced(self):
        audio.lame(self.path("gong.mp3"), audio.sine(2, 22050, 900, 0.4), 22050, "-b", "64", "--resample", "22.05")
        address = self.server.add("/gong.mp3", contents(self.path("gong.mp3")))
        self.settings["voice"] = {"enabled": "yes", "command": "/bin/false", "cache": ""}
        self.start()
        self.mpd(f"announce {address}")
        until(lambda: max(map(abs, samples(self.card.heard())), default=0) > 4000, 20, lambda: "the gong; it says " + self.say())
        self.assertEqual(len(self.server.pages["/gong.mp3"].requests), 1)
        self.assertEqual(self.mpd.status()["state"], "stop")

    def test_an_address_keeps_its_secrets_from_the_journal(self):
        address = self.server.add("/none.mp3", status=404, times=99).replace("http://", "HTTP://somebody:hush@")
        self.settings["voice"] = {"enabled": "yes", "command": "/bin/false", "cache": ""}
        self.start()
        self.mpd(f"announce {address}?key=hidden")
        until(lambda: "announce: " in self.log(), 20, lambda: "the failure; it says " + self.say())
        self.assertIn("/none.mp3", self.log())
        for secret in ("somebody", "hush", "hidden"):
            self.assertNotIn(secret, self.log())
