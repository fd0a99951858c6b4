# SPDX-License-Identifier: Apache-2.0
"""Supabase's own client for Python, as a household's phone. Its requests and answers are Supabase's: so the gateway
answers as that does."""

import glob
import os
import sys
import time
import unittest

import test_household_sync
from build import TOP

# As board/install puts it there, in a folder of its own.
sys.path += glob.glob(os.path.join(TOP, ".build", "supabase-client", "lib", "python3*", "site-packages"))
try:
    from postgrest import APIError
    from supabase import ClientOptions, create_client
    from supabase_auth.errors import AuthApiError
except ImportError as error:
    create_client = None
    why = f"no client of Supabase's ({error}): board/install test fetches it, where there is a network"


class Phone:
    """Somebody's, signed in."""

    def __init__(self, gateway, email="owl@example.org", password="hoot hoot"):
        self.client = create_client(gateway.url, gateway.key, ClientOptions(auto_refresh_token=False))
        self.session = self.client.auth.sign_in_with_password({"email": email, "password": password}).session
        self.household = self.client.rpc("nightstand_household").execute().data

    def table(self):
        return self.client.table("nightstand_record")

    def rows(self, after=0, limit=1000):
        return (self.table().select("kind,key,value,time,device,name,revision").eq("household", self.household)
                .gt("revision", after).order("revision").limit(limit).execute().data)

    def put(self, *rows, household=None, **options):
        rows = [{"household": household or self.household, **row} for row in rows]
        return self.table().upsert(rows, on_conflict="household,kind,key", **options).execute().data

    def favourite(self, row, value):
        """Changes a record of the household's, later than it was changed before."""
        later = max(int(time.time() * 1000) << 16, int(row["time"], 16) + 1)
        return {**{name: row[name] for name in ("kind", "key", "name")}, "value": value, "time": f"{later:016x}", "device": "f0" * 8}


class ClientCase(test_household_sync.SyncCase):
    def setUp(self):
        if create_client is None:
            self.skipTest(why)
        super().setUp()


class Client(ClientCase):
    def test_who_asks(self):
        with self.assertRaises(AuthApiError) as caught:
            Phone(self.gateway, password="wrong")
        self.assertEqual((caught.exception.status, caught.exception.code), (400, "invalid_credentials"))
        phone = Phone(self.gateway)
        self.assertEqual(phone.session.user.id, self.owl)
        self.assertEqual(phone.household, self.database.as_user(self.owl, "select nightstand_household()"))
        phone.put(self.favourite(1))
        # Its hour is over: it asks with its other token, which is worth nothing afterwards.
        self.gateway.expire()
        with self.assertRaisesRegex(APIError, "JWT expired"):
            phone.rows()
        self.assertNotEqual(phone.client.auth.refresh_session().session.access_token, phone.session.access_token)
        self.assertEqual(len(phone.rows()), 1)
        with self.assertRaises(AuthApiError) as caught:
            phone.client.auth.refresh_session(phone.session.refresh_token)
        self.assertEqual(caught.exception.code, "refresh_token_not_found")
        # Another user, and one without a sign-in.
        fox = Phone(self.gateway, "fox@example.org", "den")
        self.assertNotEqual(fox.household, phone.household)
        self.assertEqual(fox.table().select("key").order("revision").limit(9).execute().data, [])
        stranger = create_client(self.gateway.url, self.gateway.key, ClientOptions(auto_refresh_token=False))
        for refused in (lambda: fox.put(self.favourite(2), household=phone.household),
                        lambda: stranger.rpc("nightstand_household").execute(),
                        lambda: stranger.table("nightstand_record").select("key").order("revision").limit(9).execute()):
            with self.assertRaises(APIError) as caught:
                refused()
            self.assertEqual(caught.exception.code, "42501")
        self.assertEqual(len(phone.rows()), 1)

    def test_records(self):
        phone = Phone(self.gateway)
        written = phone.put(*(self.favourite(number) for number in range(5)))
        self.assertEqual([row["name"] for row in written], [f"Night {number}" for number in range(5)])
        self.assertEqual({row["household"] for row in written}, {phone.household})
        revisions = [row["revision"] for row in phone.rows()]
        self.assertEqual(revisions, sorted(row["revision"] for row in written))
        self.assertEqual([row["revision"] for row in phone.rows(revisions[1], 2)], revisions[2:4])
        # The same record again, and an older one, are no news; a later one is.
        self.assertEqual(phone.put(self.favourite(1), self.favourite(2, time=1)), [])
        self.assertEqual([row["revision"] for row in phone.rows()], revisions)
        later = {**self.favourite(3), "value": None, "time": "7" * 16}
        self.assertEqual(phone.put(later, returning="minimal"), [])
        (row,) = phone.rows(revisions[-1])
        self.assertEqual({name: row[name] for name in later}, later)
        with self.assertRaises(APIError) as caught:
            phone.put({**self.favourite(4), "time": "soon"})
        self.assertEqual(caught.exception.code, "23514")

    def test_a_phone_and_a_speaker_are_of_one_household(self):
        self.start()
        self.mpd('favourite add "a lamp.mp3"')
        self.mpd('favourite add "b moth.mp3"')
        self.join(self)
        phone = Phone(self.gateway)
        lamp, moth = sorted(phone.rows(), key=lambda row: row["name"])
        self.assertEqual([(row["kind"], row["name"], list(row["value"])) for row in (lamp, moth)],
                         [("favourite", "a lamp", ["added"]), ("favourite", "b moth", ["added"])])
        # One goes by the phone, and comes by it again; one is of audio that is not on the speaker.
        phone.put(phone.favourite(moth, None), self.favourite(9))
        self.sync(self)
        self.assertEqual(self.favourites(self), {"a lamp.mp3"})
        self.assertEqual(self.mpd("household absent"), ["absent: Night 9"])
        gone = next(row for row in phone.rows() if row["key"] == moth["key"])
        phone.put(phone.favourite(gone, {"added": 1_700_000_000}))
        self.sync(self)
        self.assertEqual(self.favourites(self), {"a lamp.mp3", "b moth.mp3"})
        # One that goes on the speaker is gone on the phone.
        self.mpd('favourite remove "a lamp.mp3"')
        self.sync(self)
        self.assertEqual({row["name"] for row in phone.rows() if row["value"] is not None}, {"b moth", "Night 9"})


if __name__ == "__main__":
    unittest.main()
