# SPDX-License-Identifier: Apache-2.0
"""Podcasts: their feeds, from a small server here, as books; the kept episodes, the prefetched ones, and the limits."""

import gzip
import os
import subprocess
import xml.sax.saxutils
from email.utils import formatdate

from fileserver import Server
from harness import MPD, NIGHTSTAND, contents, until
from test_streams import StreamCase


class Feed:
    """A feed of the server: episodes as dictionaries, the newest first."""

    def __init__(self, title):
        self.title = title
        self.episodes = []
        self.tag = 1
        self.requests = []  # headers of each
        self.status = 200
        self.to = None
        self.raw = None
        self.type = "application/rss+xml"
        self.extra = ""

    def add(self, title, address, day, first=True, **more):
        episode = {"title": title, "address": address, "day": day, "guid": title.lower(), **more}
        self.episodes.insert(0 if first else len(self.episodes), episode)
        self.tag += 1
        return episode

    def xml(self):
        if self.raw is not None:
            return self.raw
        quote = xml.sax.saxutils.escape
        items = ""
        for episode in self.episodes:
            items += f"<item><title>{quote(episode['title'])}</title>"
            if episode["guid"]:
                items += f"<guid isPermaLink='false'>{quote(episode['guid'])}</guid>"
            items += f"<pubDate>{formatdate(1_700_000_000 + episode['day'] * 86400)}</pubDate>"
            items += f"<enclosure url='{quote(episode['address'])}' type='audio/mpeg' length='1'/>"
            items += "<description><![CDATA[<p>About &amp; of <b>" + episode["title"] + "</b></p>]]></description>"
            items += episode.get("extra", "") + "</item>\n"
        return (
            "<?xml version='1.0' encoding='UTF-8'?><rss version='2.0' xmlns:itunes='i' xmlns:podcast='p'><channel>"
            f"<title>{quote(self.title)}</title><itunes:author>Owl</itunes:author>{self.extra}{items}</channel></rss>"
        ).encode()


class FeedServer(Server):
    def __init__(self):
        super().__init__()
        self.feeds = {}

    def feed(self, path, title):
        self.feeds[path] = Feed(title)
        return self.url(path)

    def answer(self, request):
        feed = self.feeds.get(request.path)
        if feed is None:
            return super().answer(request)
        request.close_connection = True
        feed.requests.append(dict(request.headers))
        tag = f'"{feed.tag}"'
        if feed.to:
            request.send_response(301)
            request.send_header("Location", feed.to)
            request.send_header("Content-Length", "0")
            return request.end_headers()
        if feed.status == 200 and request.headers.get("If-None-Match") == tag:
            request.send_response(304)
            return request.end_headers()
        body = feed.xml() if feed.status == 200 else b""
        request.send_response(feed.status)
        request.send_header("Content-Type", feed.type)
        request.send_header("ETag", tag)
        if "gzip" in request.headers.get("Accept-Encoding", "") and body:
            body = gzip.compress(body)
            request.send_header("Content-Encoding", "gzip")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        try:
            request.wfile.write(body)
        except OSError:
            pass


class PodcastCase(StreamCase):
    seconds = 8

    def setUp(self):
        super().setUp()
        self.server.close()
        self.server = FeedServer()
        self.addCleanup(lambda: self.server.close())
        self.settings["network"]["local"] = "yes"
        self.address = self.server.feed("/feed", "The Owl: Nights / Days")
        self.feed = self.server.feeds["/feed"]
        self.folder_uri = "Podcasts/The Owl: Nights - Days"
        for day, title in enumerate(["One", "Two", "Three"]):
            self.feed.add(title, self.server.add(f"/{title}.mp3", self.data, tag=f'"{title}"'), day)

    def subscribe(self):
        self.start()
        self.mpd(f'subscribe "{self.address}"')

    def titles(self):
        try:
            listed = self.mpd(f'lsinfo "{self.folder_uri}"')
        except MPD.Refused:
            return []  # Its folder is there with its first episode.
        return [line[7:] for line in listed if line.startswith("Title: ")]

    def file(self, title):
        found = self.mpd(f'find title "{title}"')
        return next(line[6:] for line in found if line.startswith("file: "))

    def subscription(self):
        fields = {}
        for line in self.mpd("subscriptions"):
            name, value = line.split(": ", 1)
            fields[name] = value
        return fields

    def refresh(self):
        before = len(self.feed.requests)
        self.mpd("refresh")
        until(lambda: len(self.feed.requests) > before, 10, "the feed is asked for")

    def play_episode(self, title):
        self.mpd("clear")
        self.mpd(f'add "{self.file(title)}"')
        self.mpd("play 0")
        until(lambda: self.mpd.elapsed() > 0.1, 15, lambda: "sound; it says " + self.say())

    def cached(self):
        folder = self.path("cache")
        return len([n for n in os.listdir(folder) if n.endswith(".map")]) if os.path.isdir(folder) else 0


class Subscribing(PodcastCase):
    def test_off(self):
        del self.settings["network"]
        self.start()
        with self.assertRaisesRegex(MPD.Refused, r"enabled = yes under \[network\]"):
            self.mpd(f'subscribe "{self.address}"')
        self.assertEqual(self.feed.requests, [])

    def test_is_a_book(self):
        """Newest first, with title, date and description; a folder, a book, found by title and by album; and after a restart."""
        self.subscribe()
        self.assertIn("directory: Podcasts", self.mpd("lsinfo"))
        self.assertIn("directory: " + self.folder_uri, self.mpd("lsinfo Podcasts"))
        self.assertEqual(self.titles(), ["Three", "Two", "One"])
        listing = self.mpd(f'lsinfo "{self.folder_uri}"')
        self.assertIn("Date: 2023-11-16", listing)
        self.assertIn("Album: The Owl: Nights / Days", listing)
        self.assertIn("Artist: Owl", listing)
        self.assertIn("Comment: About & of Three", listing)
        books = self.mpd("books")
        self.assertIn("book: " + self.folder_uri, books)
        found = self.mpd('find album "The Owl: Nights / Days"')
        self.assertEqual(len([line for line in found if line.startswith("file: ")]), 3)
        state = self.subscription()
        self.assertEqual((state["episodes"], state["unheard"]), ("3", "3"))
        self.assertNotIn("problem", state)
        self.end()
        self.start()
        self.assertEqual(self.titles(), ["Three", "Two", "One"])
        self.mpd("update")
        until(lambda: "updating_db" not in self.mpd.status(), 10, "the scan")
        self.assertEqual(self.titles(), ["Three", "Two", "One"])

    def test_channels_stay(self):
        """A text that is no address is a channel, as MPD has it."""
        self.start()
        self.mpd("subscribe night")
        self.assertIn("channel: night", self.mpd("channels"))
        self.mpd("unsubscribe night")
        self.assertEqual(self.mpd("subscriptions"), [])
        with self.assertRaisesRegex(MPD.Refused, "not subscribed"):
            self.mpd(f'unsubscribe "{self.address}"')

    def test_refresh(self):
        """A conditional request, and one new episode on top; a failure is named and keeps the present episodes."""
        self.subscribe()
        self.refresh()
        self.assertEqual(self.feed.requests[1]["If-None-Match"], f'"{self.feed.tag}"')
        self.feed.add("Four", self.server.add("/Four.mp3", self.data), 3)
        self.refresh()
        until(lambda: self.titles() == ["Four", "Three", "Two", "One"], 10, "the new episode")
        for status, body, kind, words in [
            (404, None, "text/plain", "no such feed (404)"),
            (429, None, "text/plain", "left alone for a while (429)"),
            (200, b"<html><p>Hello", "text/html", "a page of the web"),
            (200, b"<rss><channel><title>x</channel>", "text/xml", "line 1"),
            (200, b"<rss><channel><title>" + b"x" * (33 << 20), "text/xml", "too large"),
            (200, b'<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">]><rss><channel>&a;</channel></rss>', "text/xml", "entities"),
        ]:
            self.feed.tag += 1
            self.feed.status, self.feed.raw, self.feed.type = status, body, kind
            self.mpd("refresh")
            until(lambda: words in self.subscription().get("problem", ""), 15, lambda: f"{words}: {self.subscription()}")
            self.assertEqual(self.titles()[0], "Four")
        self.feed.status, self.feed.raw = 200, None
        self.mpd("refresh")
        until(lambda: "problem" not in self.subscription(), 10, "all is well again")

    def test_first_time_fails(self):
        self.feed.status = 404
        self.start()
        with self.assertRaisesRegex(MPD.Refused, r"no such feed \(404\)"):
            self.mpd(f'subscribe "{self.address}"')
        self.assertEqual(self.mpd("subscriptions"), [])
        self.assertNotIn("directory: Podcasts", self.mpd("lsinfo"))

    def test_moved(self):
        """A feed that has moved for good is asked for where it is from then on."""
        self.subscribe()
        self.feed.to = self.server.feed("/new", "Moved")
        new = self.server.feeds["/new"]
        new.episodes = self.feed.episodes
        self.mpd("refresh")
        until(lambda: self.subscription()["subscription"].endswith("/new"), 10, lambda: str(self.subscription()))
        self.mpd("refresh")
        until(lambda: len(new.requests) == 2, 10, "the new address")
        self.assertEqual(len(self.feed.requests), 2)
        self.assertEqual(len(self.titles()), 3)

    def test_unsubscribe(self):
        self.subscribe()
        self.mpd(f'unsubscribe "{self.folder_uri}"')
        self.assertEqual(self.mpd("subscriptions"), [])
        self.assertNotIn("directory: Podcasts", self.mpd("lsinfo"))
        self.assertEqual(self.mpd("find title Two"), [])
        self.mpd(f'subscribe "{self.address}"')
        self.assertEqual(self.titles(), ["Three", "Two", "One"])


class Playing(PodcastCase):
    def test_place(self):
        """An episode's place is its guid's: kept after its address got another token, and over a restart."""
        self.subscribe()
        self.play_episode("Two")
        self.mpd("seekcur 4")
        self.mpd("pause 1")
        until(lambda: abs(self.mpd.elapsed() - 4) < 0.5, 10, "the place")
        self.feed.episodes[1]["address"] = self.server.add("/Two.mp3?token=2", self.data)
        self.feed.tag += 1
        self.refresh()
        self.end()
        self.start()
        self.assertAlmostEqual(self.mpd.elapsed(), 4, delta=0.5)
        self.mpd("play")
        until(lambda: self.mpd.elapsed() > 4.5, 10, lambda: "sound; it says " + self.say())
        self.assertEqual(self.titles(), ["Three", "Two", "One"])

    def test_words_and_chapters(self):
        """A transcript and chapters that the feed names are the episode's, and the speaker maps nothing of the libraries."""
        words = self.server.add("/two.vtt", b"WEBVTT\n\n00:00.000 --> 00:09.000\nThe owl is awake.\n", type="text/vtt")
        chapters = self.server.add(
            "/two.json", b'{"version":"1.2.0","chapters":[{"startTime":0,"title":"Dusk"},{"startTime":5,"title":"Dawn"}]}',
            type="application/json+chapters")
        self.feed.episodes[1]["extra"] = (
            f"<podcast:transcript url='{words}' type='text/vtt'/><podcast:chapters url='{chapters}' type='x'/>")
        self.subscribe()
        self.play_episode("Two")
        until(lambda: "The owl is awake." in "".join(self.mpd("transcript")), 10, lambda: str(self.mpd("transcript")) + self.log())
        until(lambda: any("Dawn" in line for line in self.mpd("book")), 10, lambda: str(self.mpd("book")))
        # The words in it are found, after a look through the library, too.
        until(lambda: "text: The owl is awake." in self.mpd("say owl"), 10, lambda: str(self.mpd("say awake")) + self.log())
        self.mpd("update")
        until(lambda: "updating_db" not in self.mpd.status(), 10, "the scan")
        self.assertIn(f"file: {self.file('Two')}", self.mpd("say owl awake"))
        maps = contents(f"/proc/{self.process.pid}/maps").decode()
        self.assertNotRegex(maps, "libcurl|libssl|libexpat")

    def test_chapters_in_the_feed(self):
        self.feed.episodes[1]["extra"] = (
            "<psc:chapters version='1.2' xmlns:psc='http://podlove.org/simple-chapters'><psc:chapter start='0' title='Dusk'/>"
            "<psc:chapter start='00:00:05.250' title='Dawn &amp; dew'/></psc:chapters>")
        self.subscribe()
        self.play_episode("Two")
        until(lambda: any("Dawn & dew" in line for line in self.mpd("book")), 10, lambda: str(self.mpd("book")))

    def test_words_of_what_is_kept(self):
        """The words of a prefetched episode are found before its first playback."""
        self.settings["network"]["keep"] = 1
        words = self.server.add("/three.vtt", b"WEBVTT\n\n00:04.000 --> 00:09.000\nA moth by the lamp.\n", type="text/vtt")
        self.feed.episodes[0]["extra"] = f"<podcast:transcript url='{words}' type='text/vtt'/>"
        self.subscribe()
        until(lambda: "text: A moth by the lamp." in self.mpd("say moth"), 20, lambda: str(self.mpd("say moth")) + self.log())
        self.mpd("play")
        until(lambda: 4 <= self.mpd.elapsed() < 9, 10, lambda: "the sentence; it says " + self.log())
        self.assertIn("Title: Three", self.mpd("currentsong"))

    def test_cover(self):
        picture = self.server.add("/cover.png", b"\x89PNG\r\n\x1a\n" + b"x" * 300, type="image/png")
        self.feed.extra = f"<itunes:image href='{picture}'/>"
        self.subscribe()
        size = next(line for line in self.mpd(f'readpicture "{self.file("One")}" 0') if line.startswith("size"))
        self.assertEqual(size, "size: 308")
        # And that of the podcast itself lies in its folder.
        folder = os.path.dirname(self.file("One"))
        self.assertIn("size: 308", self.mpd(f'albumart "{folder}" 0'))
        with self.assertRaises(MPD.Refused):
            self.mpd(f'albumart "{folder} not" 0')

    def test_kept(self):
        """The newest two are fetched ahead, and play with the server gone."""
        self.settings["network"]["keep"] = 2
        self.subscribe()
        until(lambda: self.cached() == 2, 20, lambda: f"{self.cached()} are kept; " + self.log())
        asked = {path: len(page.requests) for path, page in self.server.pages.items()}
        self.assertEqual(asked, {"/One.mp3": 0, "/Two.mp3": 1, "/Three.mp3": 1})
        self.server.close()
        self.play_episode("Three")
        self.mpd("seekcur 6")
        until(lambda: self.mpd.elapsed() > 6.2, 10, lambda: "sound; it says " + self.say())
        self.play_episode("Two")


class Orders(PodcastCase):
    def test_a_serial_is_played_from_its_first_part_on(self):
        """The feed says that it is a serial, and a person may have it otherwise."""
        self.feed.extra = "<itunes:type>serial</itunes:type>"
        self.subscribe()
        self.assertEqual(self.titles(), ["One", "Two", "Three"])
        self.assertEqual(self.mpd.fields("subscriptions")["order"], "oldest")
        self.mpd(f"subscribe {self.address} order newest")
        self.assertEqual(self.titles(), ["Three", "Two", "One"])
        self.end()
        self.start()
        self.assertEqual(self.titles(), ["Three", "Two", "One"])
        self.mpd(f"subscribe {self.address} order feed")
        self.assertEqual(self.titles(), ["One", "Two", "Three"])
        with self.assertRaisesRegex(Exception, "expected oldest, newest or feed"):
            self.mpd(f"subscribe {self.address} order odd")

    def test_intros_are_skipped(self):
        """A setting of one episode counts for the others of its podcast."""
        self.subscribe()
        self.play_episode("Two")
        self.mpd("skip 3 0")
        self.play_episode("One")
        self.assertTrue(3 <= self.mpd.elapsed() < 5, self.mpd.elapsed())
        self.assertEqual(self.mpd.fields("skip"), {"skipstart": "3", "skipend": "0"})

    def test_going_on_with_a_serial_plays_the_next_part(self):
        self.feed.extra = "<itunes:type>serial</itunes:type>"
        self.subscribe()
        self.mpd(f'finished on "{self.file("One")}"')
        self.mpd(f'book play "{self.mpd.fields("subscriptions")["directory"]}"')
        until(lambda: self.mpd.fields("currentsong").get("Title") == "Two", 10, "the second part")


class Strangers(PodcastCase):
    def setUp(self):
        super().setUp()
        del self.settings["network"]["local"]

    def test_stays_outside(self):
        """The addresses of a feed may lead to no file, and in the local network only to the host and port of its
        subscription."""
        other = FeedServer()
        self.addCleanup(other.close)
        self.feed.add("File", "file:///etc/passwd", 4)
        two = next(episode for episode in self.feed.episodes if episode["title"] == "Two")
        two["address"] = two["address"].replace("127.0.0.1", "127.0.0.2")
        three = next(episode for episode in self.feed.episodes if episode["title"] == "Three")
        three["address"] = other.add("/Three.mp3", self.data)
        self.subscribe()
        self.assertEqual(self.titles(), ["Three", "Two", "One"])
        for episode in (two, three):
            self.mpd(f'playid {self.mpd.fields(f"""addid "{self.file(episode["title"])}" """)["Id"]}')
            until(lambda: f"warning: {episode['address']}: it leads into the local network" in self.log(), 10, "a refusal")
        self.assertEqual(self.server.pages["/Two.mp3"].requests + other.pages["/Three.mp3"].requests, [])
        self.assertEqual(other.connections, 0)
        self.mpd(f'playid {self.mpd.fields(f"""addid "{self.file("One")}" """)["Id"]}')
        self.wait_playing()
        self.assertEqual(self.mpd.fields("currentsong")["Title"], "One")
        self.assertNotEqual(self.server.pages["/One.mp3"].requests, [])


class Damaged(PodcastCase):
    def test_read_as_far_as_it_goes(self):
        """Of a feed that breaks off what came before is there, and it is said."""
        whole = self.feed.xml()
        self.feed.raw = whole[: whole.rindex(b"<item>")] + b"</wrong>"
        self.subscribe()
        self.assertEqual(self.titles(), ["Three", "Two"])
        self.assertIn("damaged", self.log())
        # Asked for whole again, and all is there.
        self.feed.raw = None
        self.mpd("refresh")
        until(lambda: len(self.titles()) == 3, 10, "the others")

    def test_mended(self):
        text = self.feed.xml().replace(b"The Owl: Nights / Days", b"Caf\xe9 & Co &mdash; \x01 owls")
        self.feed.raw = b"\n\n" + text
        self.subscribe()
        self.assertEqual(self.mpd.fields("subscriptions")["Title"], "Caf\u00e9 & Co \u2014 owls")
        self.assertEqual(len(self.mpd("listall Podcasts")), 5)

    def test_has_moved(self):
        """A feed that says where it has moved is asked for there from then on; without episodes it stays."""
        new = self.server.feed("/new", "The new owl")
        self.server.feeds["/new"].episodes = self.feed.episodes
        self.feed.extra = f"<itunes:new-feed-url>{new}</itunes:new-feed-url>"
        self.subscribe()
        self.assertEqual(self.mpd.fields("subscriptions")["subscription"], new)
        self.assertEqual(len(self.titles_of("The new owl")), 3)

    def test_has_moved_to_nowhere(self):
        self.feed.extra = f"<itunes:new-feed-url>{self.server.url('/nothing')}</itunes:new-feed-url>"
        self.subscribe()
        self.assertEqual(self.mpd.fields("subscriptions")["subscription"], self.address)
        self.assertEqual(len(self.titles()), 3)

    def test_has_moved_into_the_local_network(self):
        """A feed's word is no person's: it leads nowhere into the local network."""
        del self.settings["network"]["local"]
        new = self.server.feed("/new", "New").replace("127.0.0.1", "127.0.0.2")
        self.feed.extra = f"<itunes:new-feed-url>{new}</itunes:new-feed-url>"
        self.subscribe()
        self.assertEqual(self.mpd.fields("subscriptions")["subscription"], self.address)
        self.assertEqual(self.server.feeds["/new"].requests, [])

    def titles_of(self, feed):
        return [line for line in self.mpd(f'listall "Podcasts/{feed}"') if line.startswith("file: ")]


class Lists(PodcastCase):
    def subcommand(self, *words):
        config = self.write_settings()
        return subprocess.run([NIGHTSTAND, *words, "--config", config], capture_output=True, text=True, timeout=40)

    def test_opml(self):
        """Out of one speaker and into another: the same subscriptions."""
        self.start()
        done = self.subcommand("subscribe", self.address)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        other = self.server.feed("/other", "Ten & Two")
        self.subcommand("subscribe", other)
        listed = self.subcommand("subscriptions").stdout
        self.assertIn(self.address, listed)
        secret = self.server.feed("/secret", "Secret").replace("://", "://owl:whoo@")
        self.assertEqual(self.subcommand("subscribe", secret).returncode, 0)
        listed = self.subcommand("subscriptions").stdout
        self.assertIn("Secret", listed)
        self.assertNotIn("whoo", listed)
        self.assertEqual(self.subcommand("unsubscribe", "Podcasts/Secret").returncode, 0)
        self.assertIn("Ten & Two", listed)
        file = self.path("list.opml")
        self.assertEqual(self.subcommand("subscriptions", "export", file).returncode, 0)
        self.assertIn(b"Ten &amp; Two", contents(file))
        for name in [self.address, "Podcasts/Ten & Two"]:
            self.assertEqual(self.subcommand("unsubscribe", name).returncode, 0)
        self.assertEqual(self.mpd("subscriptions"), [])
        done = self.subcommand("subscriptions", "import", file)
        self.assertIn("2 added", done.stderr)
        until(lambda: len(self.titles()) == 3, 10, "the episodes")
        self.assertIn("0 added", self.subcommand("subscriptions", "import", file).stderr)
        self.end()
        again = self.path("again.opml")
        self.assertEqual(self.subcommand("subscriptions", "export", again).returncode, 0)
        self.assertEqual(contents(again), contents(file))
