# SPDX-License-Identifier: Apache-2.0
"""The household's way through Supabase: PostgreSQL with the real schema, a gateway before it, and speakers that have no more in common."""

import json
import os
import subprocess
import time
import unittest

import test_household
from harness import contents, until
from gateway import IS_THERE, Database, Gateway, SQLError, literal
from test_household import Household

KEY = "00000000deadbeef-5000"


class SupabaseCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not IS_THERE:
            raise unittest.SkipTest("no PostgreSQL 15 here")
        cls.database = Database()
        cls.addClassCleanup(cls.database.close)
        for _ in range(2):
            cls.database.schema()

    def setUp(self):
        super().setUp()
        self.database.sql("truncate nightstand_member, nightstand_record; alter sequence nightstand_revision restart")
        self.gateway = Gateway(self.database)
        self.addCleanup(self.gateway.close)
        self.owl = self.gateway.add_user("owl@example.org", "hoot hoot")
        self.fox = self.gateway.add_user("fox@example.org", "den")

    def rows(self):
        return json.loads(self.database.sql("select coalesce(json_agg(r order by revision), '[]') from nightstand_record r"))


class Schema(SupabaseCase):
    """Of the database alone."""

    def household(self, user):
        return self.database.as_user(user, "select nightstand_household()")

    def put(self, user, household, time, value, device=1, name="x", key=KEY):
        value = "null" if value is None else literal(value)
        self.database.as_user(user, f"""insert into nightstand_record(household, kind, key, value, time, device, name)
            values ('{household}', 'favourite', '{key}', {value}, '{time:016x}', '{device:016x}', '{name}')
            on conflict (household, kind, key) do update set value = excluded.value, time = excluded.time,
              device = excluded.device, name = excluded.name""")

    def test_the_later_counts_and_only_news_is_counted(self):
        home = self.household(self.owl)
        self.assertEqual(home, self.household(self.owl))
        self.put(self.owl, home, 5, '{"added":5}')
        first = self.rows()[0]["revision"]
        for time, value, device in ((4, '{"added":9}', 9), (5, '{"added":4}', 1), (5, '{"added":5}', 1), (5, None, 1), (5, "{}", 0)):
            self.put(self.owl, home, time, value, device)
            (row,) = self.rows()
            self.assertEqual((row["value"], row["revision"]), ({"added": 5}, first))
        last = first
        for time, value, device in ((5, '{"added":6}', 1), (5, "{}", 2), (6, None, 0), (0x10, '{"added":7}', 0)):
            self.put(self.owl, home, time, value, device)
            (row,) = self.rows()
            self.assertEqual(row["value"], None if value is None else json.loads(value))
            self.assertGreater(row["revision"], last)
            last = row["revision"]
        for wrong in ("time = 'soon'", "key = 'other'", "name = repeat('x', 2000)", "value = to_json(repeat('x', 5000))"):
            with self.assertRaises(SQLError):
                self.database.as_user(self.owl, "update nightstand_record set time = 'ffff000000000000', " + wrong)

    def invite(self, household):
        self.database.as_user(self.owl, f"insert into nightstand_member(household, member) values ('{household}', '{self.fox}')")

    def accept(self, household):
        self.database.as_user(self.fox, f"update nightstand_member set accepted = true where household = '{household}'")

    def test_nobody_is_drawn_into_a_household(self):
        """A stranger who knows a user's number would read from then on everything that this user's speakers send."""
        home = self.household(self.owl)
        self.invite(home)
        self.assertNotEqual(self.household(self.fox), home)
        with self.assertRaises(SQLError):
            self.put(self.fox, home, 5, "{}")
        with self.assertRaises(SQLError):
            self.database.as_user(
                self.owl, f"insert into nightstand_member(household, member, accepted) values ('{home}', '{self.owl[:-1]}0', true)")
        self.database.as_user(self.owl, f"update nightstand_member set accepted = true where member = '{self.fox}'")
        with self.assertRaises(SQLError):
            self.put(self.fox, home, 5, "{}")
        self.accept(home)
        self.put(self.fox, home, 5, "{}")

    def test_each_sees_and_writes_what_is_his_alone(self):
        home, den = self.household(self.owl), self.household(self.fox)
        self.assertNotEqual(home, den)
        self.put(self.owl, home, 5, "{}")
        count = "select count(*) from nightstand_record"
        self.assertEqual(self.database.as_user(self.fox, count), "0")
        self.assertEqual(self.database.as_user(self.fox, "select household from nightstand_member"), den)
        for refused in (lambda: self.put(self.fox, home, 9, "{}"),
                        lambda: self.put(self.fox, home, 9, "{}", key="00-1"),
                        lambda: self.database.as_user(self.fox, f"insert into nightstand_member(household) values ('{home}')"),
                        lambda: self.database.as_user(self.owl, "delete from nightstand_record"),
                        lambda: self.database.as_user(self.owl, "select nextval('nightstand_revision')"),
                        lambda: self.database.as_user(self.owl, count, role="anon"),
                        lambda: self.database.as_user(self.owl, "select nightstand_household()", role="anon")):
            with self.assertRaises(SQLError) as caught:
                refused()
            self.assertEqual(caught.exception.code, "42501")
        self.assertEqual(self.rows()[0]["time"], f"{5:016x}")
        # Invited, and of both once he accepts; his own stays the one that he is given.
        self.invite(home)
        self.assertEqual(self.database.as_user(self.fox, count), "0")
        self.accept(home)
        self.assertEqual(self.database.as_user(self.fox, count), "1")
        self.assertEqual(self.household(self.fox), den)
        self.database.as_user(self.fox, f"delete from nightstand_member where household = '{den}'")
        self.assertEqual(self.household(self.fox), home)
        self.put(self.fox, home, 9, None)
        # The schema again, over what is there.
        self.database.schema()
        self.assertIsNone(self.rows()[0]["value"])


class SyncCase(SupabaseCase, Household):
    def nightstand(self, speaker, *words, code=0, typed=""):
        """Its messages, on both ways out."""
        done = subprocess.run(
            [*speaker.command, "--config", speaker.write_settings(), *words, "--account", speaker.path("account", "file")], input=typed,
            capture_output=True, text=True, env=dict(os.environ, LC_ALL="C.UTF-8"))
        said = done.stdout + done.stderr
        for secret in (self.gateway.key, "hoot hoot", "den\n", *self.gateway.access, *self.gateway.refresh):
            self.assertNotIn(secret, said)
        self.assertEqual(done.returncode, code, said)
        return said

    def join(self, speaker, email="owl@example.org", password="hoot hoot", code=0):
        return self.nightstand(speaker, "household", "join", self.gateway.url + "/", code=code,
                               typed=f"{self.gateway.key}\n{email}\n{password}\n")

    def sync(self, *speakers, code=0):
        return [self.nightstand(speaker, "sync", code=code) for speaker in speakers]

    def favourites(self, speaker):
        return {line.split(": ", 1)[1] for line in speaker.mpd("favourite list") if line.startswith("file: ")}

    @staticmethod
    def next_second():
        """Each change from here on is later than all before: a place is of the second in which it was saved. time(2),
        by which a speaker
        counts seconds, is up to a tick of the kernel late."""
        now = int(time.time())
        until(lambda: time.time() >= now + 1.02, 5, "the next second")

    @staticmethod
    def rest(speaker, name):
        """It was begun, alone, and is paused."""
        speaker.mpd("clear")
        speaker.mpd(f'add "{name}"')
        speaker.mpd("play 0")
        speaker.wait_playing()
        speaker.mpd("pause 1")
        until(lambda: speaker.mpd.status()["state"] == "pause", 5, "the pause")

    def requests(self):
        asked, self.gateway.requests = self.gateway.requests, []
        return asked

    @staticmethod
    def favourite(number, device=0xBEE, time=1_750_000_000_000):
        return {"kind": "favourite", "key": f"{number:016x}-5000", "value": {"added": 1_700_000_000 + number},
                "time": f"{(time + number) << 16:016x}", "device": f"{device:016x}", "name": f"Night {number}"}


class Speakers(SyncCase):
    def setUp(self):
        super().setUp()
        self.other = test_household.Two.another(self)
        self.start()
        self.other.start()

    def test_two_speakers_and_a_third_come_to_the_same_end(self):
        other = self.other
        self.mpd('favourite add "b moth.mp3"')
        self.mpd('favourite add "c fox.mp3"')
        other.mpd('favourite add "lamp, renamed.mp3"')
        self.mpd("play 0")
        self.wait_playing()
        self.mpd("seekcur 20")
        until(lambda: self.mpd.elapsed() > 20, 10, "the place")
        self.mpd("pause 1")
        until(lambda: self.mpd.status().get("state") != "play", 5, "the pause")
        self.assertIn("0 records that were there are new here, 3 of here were sent", self.join(self))
        self.assertIn("joined; 3 records that were there are new here, 1 of here", self.join(other))
        self.sync(self)
        self.assertEqual(self.contents(self), self.contents(other))
        self.assertEqual(self.favourites(self), {"a lamp.mp3", "b moth.mp3", "c fox.mp3"})
        self.assertEqual(self.favourites(other), {"lamp, renamed.mp3", "b moth.mp3"})
        other.mpd("clear")
        other.mpd('add "lamp, renamed.mp3"')
        other.mpd("play 0")
        other.wait_playing()
        self.assertGreater(other.mpd.elapsed(), 19)
        other.mpd("bookmark add")
        other.mpd("stop")
        # Nothing is to be told: one question each, and no sign of it on the speaker.
        self.sync(self, other, self, other)
        self.requests()
        self.gateway.bytes = 0
        self.assertEqual([self.sync(self), self.sync(other)], [[""], [""]])
        self.assertEqual(self.requests(), ["GET /rest/v1/nightstand_record"] * 2)
        # Each is less than 700 bytes, but for the user's token, which is as long as the server makes it.
        self.assertLess(self.gateway.bytes, 2 * (700 + self.gateway.token_letters))
        said = [self.gateway.bytes // 2]
        # One favourite, from here to there.
        self.mpd('favourite remove "c fox.mp3"')
        for speaker in (self, other):
            self.gateway.bytes = 0
            self.sync(speaker)
            said.append(self.gateway.bytes)
        self.assertEqual(len(self.requests()), 3)
        self.assertLess(sum(said[1:]), 3 * (800 + self.gateway.token_letters))
        print(f"household: {said[0]} bytes sent and received by an idle run, {said[1]} where a favourite was changed, {said[2]} where it came; "
              f"{self.gateway.token_letters} of each request are the token")
        self.mpd('favourite add "c fox.mp3"')
        self.sync(self, other)
        # Both change while they are apart; a removed entry stays removed.
        self.mpd('favourite remove "a lamp.mp3"')
        other.mpd('favourite remove "b moth.mp3"')
        self.sync(self, other, self)
        self.assertEqual(self.contents(self), self.contents(other))
        self.assertEqual(self.favourites(self), {"c fox.mp3"})
        self.assertEqual(self.favourites(other), set())
        # A new one has it all from the server alone.
        third = test_household.Two.another(self)
        third.start()
        self.join(third)
        self.assertEqual(self.contents(third), self.contents(self))
        self.assertIn("waits: 0", self.nightstand(third, "household", "status"))
        # The remaining entry stays, and is not sent again. Joining a household dates a favorite of the speaker by the second of its addition; the
        # other's removal is of the second before.
        self.next_second()
        third.mpd('favourite add "b moth.mp3"')
        signed_in = len(self.gateway.refresh)
        self.requests()
        self.nightstand(third, "household", "leave")
        self.assertEqual(self.requests(), ["POST /auth/v1/logout"])
        self.assertLess(len(self.gateway.refresh), signed_in)
        self.assertEqual(self.favourites(third), {"b moth.mp3"})
        self.assertEqual(self.nightstand(third, "household", "status"), "household: none\n")
        self.assertEqual(os.listdir(third.path("account")), [])
        self.sync(third, code=1)
        # Joined again, it starts from nothing.
        self.join(third)
        self.sync(self)
        self.assertEqual(self.contents(third), self.contents(self))
        self.assertIn("b moth.mp3", self.favourites(self), f"the server has {self.rows()}")

    def test_a_playlist_goes_by_the_server(self):
        other = self.other
        self.mpd('playlistadd "Late at night" "c fox.mp3"')
        self.mpd('playlistadd "Late at night" "a lamp.mp3"')
        self.join(self)
        self.join(other)

        def came(speaker, expected):
            self.sync(self, other, self)
            return [line for line in speaker.mpd('listplaylist "Late at night"')] == expected

        until(lambda: "playlist: Late at night" in other.mpd("listplaylists") and came(other, ["file: lamp, renamed.mp3"])
              or self.sync(self, other) is None, 20, "the playlist")
        other.mpd('playlistadd "Late at night" "b moth.mp3"')
        until(lambda: came(self, ["file: c fox.mp3", "file: a lamp.mp3", "file: b moth.mp3"]), 20, "the playlist changed")
        self.assertEqual(self.database.sql("select count(*) from nightstand_record where kind = 'playlist'"), "1")

    def test_two_that_are_paused_leave_each_other_alone(self):
        other = self.other
        self.rest(self, "a lamp.mp3")
        self.rest(other, "lamp, renamed.mp3")
        self.join(self)
        self.join(other)
        self.next_second()
        self.mpd("seekcur 30")
        self.sync(self, other, self, other)
        self.assertAlmostEqual(other.mpd.elapsed(), 30, delta=0.1)
        places = [row for row in self.rows() if row["kind"] == "place"]
        self.sync(self, other, self, other)
        self.assertEqual([row for row in self.rows() if row["kind"] == "place"], places)
        self.assertAlmostEqual(self.mpd.elapsed(), 30, delta=0.1)

    def test_another_user_sees_nothing(self):
        self.mpd('favourite add "b moth.mp3"')
        self.join(self)
        self.join(self.other, "fox@example.org", "den")
        self.sync(self, self.other)
        self.assertEqual(self.favourites(self.other), set())
        self.assertEqual(len({row["household"] for row in self.rows()}), 1)
        self.assertIn("no such e-mail address", self.join(self.other, "fox@example.org", "wrong", code=1))
        # Joined to the other's household it has what is there, and gives what it has.
        self.other.mpd('favourite add "lamp, renamed.mp3"')
        self.sync(self.other)
        self.join(self.other)
        self.sync(self)
        self.assertEqual(self.favourites(self.other), {"lamp, renamed.mp3", "b moth.mp3"})
        self.assertEqual(self.favourites(self), {"a lamp.mp3", "b moth.mp3"})


class Troubles(SyncCase):
    def setUp(self):
        super().setUp()
        self.start()

    def test_the_account_is_kept_to_oneself_and_its_tokens_turn(self):
        self.assertIn("household: none", self.nightstand(self, "household", "status"))
        self.sync(self, code=1)
        for url in ("http://example.org", "ftp://127.0.0.1", "https://owl@example.org"):
            self.nightstand(self, "household", "join", url, code=1)
        self.join(self)
        file = self.path("account", "file")
        self.assertEqual(os.stat(file).st_mode & 0o777, 0o600)
        before = contents(file)
        self.requests()
        self.gateway.expire()
        self.sync(self)
        self.assertEqual(self.requests(), ["GET /rest/v1/nightstand_record", "POST /auth/v1/token", "GET /rest/v1/nightstand_record"])
        self.assertNotEqual(contents(file), before)
        self.assertEqual(os.stat(file).st_mode & 0o777, 0o600)
        self.sync(self)
        # The old token is worth nothing.
        with open(file, "wb") as account:
            account.write(before)
        self.assertIn("no longer valid", self.sync(self, code=1)[0])
        self.join(self)
        # A server that takes no token at all is asked twice.
        self.requests()
        self.gateway.lifetime = -1
        self.gateway.expire()
        self.assertIn("refuses who asks (401)", self.sync(self, code=1)[0])
        self.assertEqual(len(self.requests()), 3)
        os.chmod(file, 0o640)
        self.assertIn("others may read it too", self.sync(self, code=1)[0])

    def test_whatever_the_server_answers_nothing_is_lost(self):
        self.mpd('favourite add "a lamp.mp3"')
        self.join(self)
        self.mpd('favourite add "b moth.mp3"')
        self.mpd("play 0")
        self.wait_playing()
        answer = self.gateway.answer
        row = json.dumps({**self.favourite(7), "revision": 10**6})
        odd = [
            (lambda r: answer(r, 500, {}), "in trouble (500)"),
            (lambda r: answer(r, 403, {"code": "42501"}), "refuses who asks (403)"),
            (lambda r: answer(r, 404, {}), "schema.sql"),
            (lambda r: answer(r, 409, {}), "answers 409"),
            (lambda r: answer(r, 302, "", [("Location", self.gateway.url + "/elsewhere")]), "answers 302"),
            (lambda r: answer(r, 200, "<html>Log in here</html>", kind="text/html"), "none of Supabase's"),
            (lambda r: answer(r, 200, "[" + row), "none of Supabase's"),
            (lambda r: answer(r, 200, "[" + row + "]", missing=4), "lost"),
            (lambda r: answer(r, 200, '{"message": "no"}'), "none of Supabase's"),
            (lambda r: answer(r, 200, '[{"kind": "favourite"}]'), "no revisions"),
            (lambda r: answer(r, 200, "[" + " " * 2_000_000 + "]"), None),
            (lambda r: setattr(r, "close_connection", True), "lost"),
        ]
        for fault, words in odd:
            self.gateway.faults = [fault] * (20 if words is None else 1)
            said, = self.sync(self, code=1)
            self.assertEqual(said.count("\n"), 1, said)
            self.assertIn(words or "more than was asked for", said)
            self.assertIn("problem: ", self.nightstand(self, "household", "status"))
            self.gateway.faults = []
        # The server refuses the record: it waits.
        self.gateway.faults = [None, lambda r: answer(r, 500, {})]
        self.sync(self, code=1)
        self.gateway.faults = [lambda r: answer(r, 429, {}, [("Retry-After", "60")])]
        self.sync(self, code=1)
        self.requests()
        self.assertIn("left alone", self.sync(self, code=1)[0])
        self.assertEqual(self.requests(), [])
        self.mpd("household went 0 0")
        # Rows that are none of ours are left out, wherever they stand; the one that is ours comes.
        rows = [{**self.favourite(8), "revision": 5, **change} for change in (
            {"kind": "colour"}, {"value": 5}, {"value": []}, {"time": "soon"}, {"key": "../x"}, {"device": None}, {"name": "x" * 9000},
            {"time": "ffffffffffffffff"}, {"revision": None}, {"value": {"added": "x"}})]
        ours = {**self.favourite(9), "revision": 6}
        noise = {"revision": 7, "kind": {"a": [{}]}}
        self.gateway.faults = [lambda r: answer(r, 200, rows + [ours, noise])]
        self.assertIn("11 records were left out", self.sync(self)[0])
        self.assertEqual([line for line in self.mpd("household absent")], ["absent: Night 9"])
        self.assertEqual(self.favourites(self), {"a lamp.mp3", "b moth.mp3"})
        self.assertEqual(self.mpd.status()["state"], "play")
        names = {row["name"] for row in self.rows() if row["kind"] == "favourite"}
        self.assertEqual(names, {"a lamp", "b moth"})
        # The table was emptied by hand: nothing here goes.
        self.database.sql("truncate nightstand_record")
        self.sync(self)
        self.assertEqual(self.favourites(self), {"a lamp.mp3", "b moth.mp3"})
        status = self.nightstand(self, "household", "status")
        self.assertIn("went through: 0 minutes ago", status)
        self.assertNotIn("problem", status)

    def test_what_the_server_will_not_have_keeps_nothing_else_back(self):
        self.join(self)
        for name in ("a lamp.mp3", "b moth.mp3", "c fox.mp3"):
            self.mpd(f'favourite add "{name}"')
        refusal = lambda r: self.gateway.answer(r, 400, {"code": "23514"})
        # All of none: they wait.
        self.gateway.faults = [None] + [lambda r: self.gateway.answer(r, 403, {})]
        self.sync(self, code=1)
        self.gateway.faults = [None, refusal, refusal, None]
        self.assertIn("1 records were left out", self.sync(self)[0])
        self.assertEqual({row["name"] for row in self.rows()}, {"b moth", "c fox"})

    def test_many_that_the_server_will_not_have_do_not_wait_for_ever(self):
        self.join(self)
        for name in ("a lamp.mp3", "b moth.mp3", "c fox.mp3"):
            self.mpd(f'favourite add "{name}"')
        self.mpd("play")
        for second in range(12):
            self.mpd(f"seekcur {1 + second}")
            self.mpd("bookmark add")
        refusal = lambda r: self.gateway.answer(r, 400, {"code": "23514"})
        self.gateway.faults = [None] + 60 * [refusal]
        said = self.sync(self)[0]
        self.assertRegex(said, "1[0-9] records were left out")
        self.gateway.faults = []
        self.requests()
        self.sync(self)
        self.assertIn("waits: 0\n", self.nightstand(self, "household", "status"))

    def test_no_server_and_no_speaker(self):
        self.join(self)
        self.gateway.close()
        self.assertIn("does not answer", self.sync(self, code=1)[0])
        self.kill()
        # Of its own, so that the unit tries again where a speaker begins anew.
        self.assertIn("no speaker is running", self.sync(self, code=75)[0])

    def test_many_join_in_few_requests(self):
        home = self.database.as_user(self.owl, "select nightstand_household()")
        theirs = [self.favourite(n) for n in range(5000)]
        self.database.sql(f"""insert into nightstand_record(household, kind, key, value, time, device, name)
            select '{home}', kind, key, value, time, device, name from json_to_recordset({literal(json.dumps(theirs))})
            as _(kind text, key text, value json, time text, device text, name text)""")
        for first in range(5000, 10_000, 100):
            self.merge(self, [json.dumps(self.favourite(n)) for n in range(first, first + 100)])
        self.requests()
        self.join(self)
        self.assertLessEqual(len(self.requests()), 30)
        self.assertEqual(len(self.rows()), 10_000)
        self.assertEqual(len(self.contents(self)), 10_000)
        self.sync(self)
        self.requests()
        self.sync(self)
        self.assertEqual(self.requests(), ["GET /rest/v1/nightstand_record"])


if __name__ == "__main__":
    unittest.main()
