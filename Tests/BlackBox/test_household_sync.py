"""The household's way through Supabase: PostgreSQL with the real schema, a gateway before it, and speakers that have only that in common."""

import json
import os
import subprocess
import unittest

from harness import NIGHTSTAND, contents, until
from supabase import IS_THERE, Database, Gateway, SQLError, literal
from test_household import Household, SpeakerCase

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
        self.database.sql("truncate nightstand_member, nightstand_record")
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
        # Invited, and of both from then on; his own stays the one that he is given.
        self.database.as_user(self.owl, f"insert into nightstand_member(household, member) values ('{home}', '{self.fox}')")
        self.assertEqual(self.database.as_user(self.fox, count), "1")
        self.assertEqual(self.household(self.fox), den)
        self.database.as_user(self.fox, f"delete from nightstand_member where household = '{den}'")
        self.assertEqual(self.household(self.fox), home)
        self.put(self.fox, home, 9, None)
        # The schema again, over what is there.
        self.database.schema()
        self.assertIsNone(self.rows()[0]["value"])


if __name__ == "__main__":
    unittest.main()
