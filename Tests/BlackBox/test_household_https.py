# SPDX-License-Identifier: Apache-2.0
"""A household's server with a certificate: it is heard where the system trusts the certificate's signer, and told
nothing elsewhere."""

import unittest

from fileserver import make_certificate, may_mount, trusting
from gateway import Gateway
from test_household_sync import SyncCase


@unittest.skipUnless(may_mount(), "nothing may be mounted here")
class Certificates(SyncCase):
    def test_only_a_server_that_is_trusted_is_told_anything(self):
        path = self.path("server.pem")
        certificate, another = make_certificate(path), make_certificate(self.path("another.pem"))
        self.gateway = Gateway(self.database, path)
        self.addCleanup(self.gateway.close)
        self.gateway.add_user("owl@example.org", "hoot hoot")
        self.start()
        self.mpd('favourite add "a lamp.mp3"')
        program, requests = self.command, self.gateway.requests
        self.command = trusting(self.path("others"), program, another)
        self.assertIn("certificate", self.join(self, code=1))
        self.assertEqual(requests, [])
        self.command = trusting(self.path("ours"), program, certificate)
        self.join(self)
        self.assertEqual([row["name"] for row in self.rows()], ["a lamp"])
        # Once it is no longer trusted nothing goes there, and nothing is lost.
        self.mpd('favourite add "b moth.mp3"')
        self.requests()
        self.command = trusting(self.path("others"), program)
        self.assertIn("certificate", self.sync(self, code=1)[0])
        self.assertEqual(self.requests(), [])
        self.command = trusting(self.path("ours"), program)
        self.sync(self)
        self.assertEqual([row["name"] for row in self.rows()], ["a lamp", "b moth"])


if __name__ == "__main__":
    unittest.main()
