# SPDX-License-Identifier: Apache-2.0
"""An evening of a household: one story at the bed, in the kitchen and on a phone, a server that is away, and a card that is lost."""

import os
import shutil
import time
import unittest

import test_household
from build import TOP
from harness import until
from test_household_client import ClientCase, Phone
from test_podcasts import FeedServer

MEDIA = os.path.join(TOP, "board", "media")
STORY = "2 - The Moon Asks the Way"


class Evening(ClientCase):
    def setUp(self):
        super().setUp()
        self.kitchen = test_household.Two.another(self)
        self.kitchen.add_noise("d hare.mp3", 10)
        self.server = FeedServer()
        self.addCleanup(self.server.close)
        self.feed = self.server.feed("/feed", "The Owl")
        for speaker, name in ((self, STORY), (self.kitchen, "moon, renamed")):
            for kind in (".mp3", ".vtt"):
                shutil.copy(os.path.join(MEDIA, STORY + kind), os.path.join(speaker.library, name + kind))
            speaker.settings["network"] = {
                "enabled": "yes", "local": "yes", "cache": speaker.path("cache"), "socket": speaker.path("fetch")}
            speaker.start()

    def play(self, speaker, name):
        """Goes on with it, and pauses: (the place that was told first, how long it may have played until then)."""
        speaker.mpd("clear")
        speaker.mpd(f'add "{name}"')
        began = time.monotonic()
        speaker.mpd("play 0")
        speaker.wait_playing()
        place, passed = speaker.mpd.elapsed(), time.monotonic() - began
        self.pause(speaker)
        return place, passed

    def pause(self, speaker):
        speaker.mpd("pause 1")
        until(lambda: speaker.mpd.status()["state"] == "pause", 5, "the pause")
        return speaker.mpd.elapsed()

    def assert_goes_on(self, speaker, name, place):
        found, passed = self.play(speaker, name)
        self.assertGreater(found, place - 1)
        self.assertLess(found, place + 1 + passed)

    def sentence(self, speaker):
        """The number and the words of the one that is spoken."""
        lines = until(speaker.transcript, 10, "the transcript")
        current = next(line.removeprefix("current: ") for line in lines if line.startswith("current: "))
        return next(line for line in lines if line.startswith(f"segment: {current} "))

    def kept(self, speaker):
        """All that it has of the household, as people are told it; but for what is each speaker's own, such as since when it has a feed."""
        told = {command: [line for line in speaker.mpd(command) if not line.startswith(("bookmark: ", "refreshed: "))]
                for command in ("favourite list", "bookmark list", "subscriptions", "household absent")}
        return {**told, "records": [line for line in self.contents(speaker) if '"kind":"subscription"' not in line]}

    def test_a_story_goes_on_and_a_lost_card_comes_back(self):
        bed, kitchen = self, self.kitchen
        self.join(bed)
        self.join(kitchen)
        # At the bed, up to a sentence.
        self.play(bed, STORY + ".mp3")
        bed.mpd("seekcur 4")
        bed.mpd("play")
        until(lambda: bed.mpd.elapsed() > 4.3, 10, "the sentence")
        place, heard = self.pause(bed), self.sentence(bed)
        self.assertIn("about the size of a dinner plate", heard)
        bed.mpd("speed 1.25 book")
        bed.mpd("bookmark add")
        bed.mpd(f'subscribe "{self.feed}"')
        self.sync(bed, kitchen)
        # In the kitchen it goes on there, as fast.
        self.assert_goes_on(kitchen, "moon, renamed.mp3", place)
        self.assertEqual(self.sentence(kitchen), heard)
        self.assertIn("speed: 1.25", kitchen.mpd("speed"))
        self.assertIn("text: " + heard.split(" ", 3)[3], kitchen.mpd("bookmark list"))
        self.assertIn("subscription: " + self.feed, kitchen.mpd("subscriptions"))
        # And on, to another sentence; the bed, which is paused, is there, too.
        kitchen.mpd("seekcur 15")
        self.sync(kitchen, bed)
        self.assertAlmostEqual(bed.mpd.elapsed(), 15, delta=0.1)
        self.assertEqual(self.sentence(bed), self.sentence(kitchen))
        self.assertNotEqual(self.sentence(bed), heard)
        # The server is away; each goes on by itself.
        self.gateway.close()
        bed.mpd('favourite add "c fox.mp3"')
        bed.mpd(f'favourite add "{STORY}.mp3"')
        kitchen.mpd('favourite add "d hare.mp3"')
        kitchen.mpd('favourite add "lamp, renamed.mp3"')
        for said in self.sync(bed, kitchen, code=1):
            self.assertIn("does not answer", said)
        self.gateway.open()
        self.sync(bed, kitchen, bed)
        self.assertEqual(self.contents(bed), self.contents(kitchen))
        self.assertEqual(self.favourites(bed), {"a lamp.mp3", "c fox.mp3", STORY + ".mp3"})
        self.assertEqual(self.favourites(kitchen), {"lamp, renamed.mp3", "d hare.mp3", "moon, renamed.mp3"})
        self.assertEqual((bed.mpd("household absent"), kitchen.mpd("household absent")), (["absent: d hare"], ["absent: c fox"]))
        # A phone sees it all, and adds to it.
        phone = Phone(self.gateway)
        rows = phone.rows()
        self.assertEqual({row["kind"] for row in rows}, {"favourite", "bookmark", "place", "speed", "subscription"})
        self.assertEqual({row["name"] for row in rows if row["kind"] == "favourite"},
                         {"lamp, renamed", "c fox", "d hare", "The Moon Asks the Way"})
        phone.put({**self.favourite(9), "name": "By phone"})
        self.sync(bed, kitchen)
        # The card at the bed is lost. A new one has nothing but the audio.
        before = self.kept(bed)
        self.assertIn("absent: By phone", before["household absent"])
        bed.end()
        for folder in ("state", "account", "cache"):
            shutil.rmtree(bed.path(folder), ignore_errors=True)
        bed.start()
        self.assertEqual(bed.mpd("favourite list"), [])
        self.join(bed)
        after = self.kept(bed)
        for what in before:
            self.assertEqual(after[what], before[what], what)
        self.assert_goes_on(bed, STORY + ".mp3", 15)
        self.assertEqual(self.sentence(bed), self.sentence(kitchen))
        self.assertIn("speed: 1.25", bed.mpd("speed"))


if __name__ == "__main__":
    unittest.main()
