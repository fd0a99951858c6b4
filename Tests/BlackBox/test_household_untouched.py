# SPDX-License-Identifier: Apache-2.0
"""An unused speaker says nothing of places: places from elsewhere stay."""

import json
import time
import unittest

import test_household
from harness import until
from test_podcasts import FeedServer


class Untouched(test_household.Household):
    """One has listened up to a place; the other stands at the same file, since it is its library's first, and was only switched on."""

    def setUp(self):
        super().setUp()
        self.other = test_household.Two.another(self)
        self.other.start()
        self.other.mpd("household on")
        self.other.mpd("clear")
        self.other.mpd('add "lamp, renamed.mp3"')
        self.other.mpd("play 0")
        self.other.wait_playing()
        self.other.mpd("seekcur 20")
        self.other.mpd("pause 1")
        until(lambda: self.other.mpd.status()["state"] == "pause", 5, "the pause")
        # A place saved from now on is later than that, by the second of its saving.
        heard = int(time.time())
        until(lambda: time.time() > heard + 1, 5, "the next second")
        self.start()

    def place(self, speaker):
        """Of the lamp, in seconds: as every late device is told."""
        values = [json.loads(record) for _, record in self.journal(speaker)]
        return [value["value"]["milliseconds"] // 1000 for value in values if value["kind"] == "place" and "lamp" in value["name"]]

    def exchange(self):
        self.carry(self.other, self)
        self.carry(self, self.other)

    def test_one_that_was_restarted_before_it_joined(self):
        self.end()
        self.start()
        self.mpd("household on")
        self.exchange()
        self.assertEqual((self.place(self.other), self.place(self)), ([20], [20]))

    def test_one_that_is_restarted_after_a_place_came(self):
        self.mpd("household on")
        self.exchange()
        self.assertEqual(self.place(self), [20])
        self.end()
        self.start()
        self.exchange()
        self.assertEqual((self.place(self.other), self.place(self)), ([20], [20]))

    def test_one_whose_queue_is_cleared_after_a_place_came(self):
        self.mpd("household on")
        self.exchange()
        self.mpd("clear")
        self.exchange()
        self.assertEqual((self.place(self.other), self.place(self)), ([20], [20]))

    def test_a_subscription_that_came_is_not_told_as_its_own(self):
        """While it joins, what came is as it was made elsewhere: told as new it would undo what others did of it meanwhile."""
        server = FeedServer()
        self.addCleanup(server.close)
        self.settings["network"] = {"enabled": "yes", "local": "yes", "cache": self.path("cache"), "socket": self.path("fetch")}
        self.end()
        self.start()
        came = {"kind": "subscription", "key": server.feed("/feed", "The Owl"), "value": {"added": 1_700_000_000},
                "time": f"{1_700_000_000_000 << 16:016x}", "device": "0" * 13 + "bee", "name": "The Owl"}
        self.mpd("household on")
        self.assertEqual(self.merge(self, [json.dumps(came)]), ["added"])
        told = [json.loads(record) for _, record in self.journal(self)]
        self.assertEqual([record for record in told if record["kind"] == "subscription"], [came])


if __name__ == "__main__":
    unittest.main()
