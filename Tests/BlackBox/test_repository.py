# SPDX-License-Identifier: Apache-2.0
"""The apt repository that a release makes, as apt sees it: with state of its own, a throw-away key, and a system that has what the
package depends on. Nothing is installed."""

import functools
import glob
import http.server
import json
import os
import re
import shutil
import subprocess
import tempfile
import threading
import unittest

import test_package
from test_package import in_top, run, text


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *words):
        pass


class Repository(unittest.TestCase):
    NEEDS_SHIPPED = TAKES_LONG = True

    @classmethod
    def setUpClass(cls):
        cls.package = test_package.made_package("host")
        # A socket's path may have 107 bytes, and the agent has one in here.
        scratch = tempfile.TemporaryDirectory(prefix="apt-")
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch = scratch.name
        # Neither this machine's keys nor its proxies.
        cls.environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "GNUPGHOME": cls.scratch + "/keys", "SOURCE_DATE_EPOCH": "1767225600"}
        os.mkdir(cls.scratch + "/keys", 0o700)
        cls.addClassCleanup(run, "gpgconf", "--kill", "all", env=cls.environment)
        for name in ("release", "stranger"):
            run("gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key", f"{name}@nightstand.invalid", "ed25519", "sign",
                env=cls.environment)

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=self.scratch)
        self.served = self.folder + "/served"
        os.mkdir(self.served)
        shutil.copy(self.package, self.served)
        for name in ("etc/apt.conf.d", "etc/preferences.d", "etc/sources.list.d", "etc/trusted.gpg.d", "lists/partial", "archives/partial"):
            os.makedirs(f"{self.folder}/{name}")
        with open(self.folder + "/apt.conf", "w", encoding="utf-8") as file:
            file.write(f'Dir::Etc "{self.folder}/etc";\nDir::State "{self.folder}";\nDir::State::status "{self.folder}/status";\n'
                       f'Dir::Cache "{self.folder}";\nDir::Log "{self.folder}";\nAPT::Sandbox::User "";\n'
                       'APT::Install-Recommends "false";\nAPT::Update::Error-Mode "any";\n')
        with open(self.folder + "/status", "w", encoding="utf-8") as file:
            for name in sorted(set(re.findall(r"(?:^|[,|] )([^\s,]+)", test_package.field(self.package, "Depends")))):
                file.write(f"Package: {name}\nStatus: install ok installed\nVersion: 99\n"
                           f"Architecture: {test_package.field(self.package, 'Architecture')}\nMaintainer: None <none@nightstand.invalid>\n"
                           "Description: there\n\n")

    def make(self, address, *key):
        run(in_top("board", "build.d", "repository"), self.served, "here", address, *key, env=self.environment)

    def use(self):
        shutil.copy(self.served + "/nightstand.sources", self.folder + "/etc/sources.list.d/")

    def apt(self, *words):
        """(whether it did, what it said)."""
        done = subprocess.run(["apt-get", "-q", *words], env=dict(self.environment, APT_CONFIG=self.folder + "/apt.conf"),
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
        return done.returncode == 0, done.stdout

    def install(self):
        return self.apt("install", "--download-only", "--assume-yes", "nightstand")

    def change(self, name, old, new):
        path = f"{self.served}/{name}"
        with open(path, "rb") as file:
            contents = file.read()
        self.assertIn(old, contents)
        with open(path, "wb") as file:
            file.write(contents.replace(old, new, 1))

    def refused(self, reason):
        did, said = self.apt("update")
        self.assertFalse(did, said)
        self.assertRegex(said, reason)
        did, said = self.install()
        self.assertFalse(did, said)

    def test_a_stick_and_a_web_server_serve_it(self):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=self.served))
        self.addCleanup(server.server_close)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.shutdown)
        for address in ("file:" + self.served, f"http://127.0.0.1:{server.server_port}"):
            with self.subTest(address):
                self.make(address, "release@nightstand.invalid")
                self.use()
                did, said = self.apt("update")
                self.assertTrue(did, said)
                self.assertNotRegex(said, "(?m)^[WE]: ")
                did, said = self.install()
                self.assertTrue(did, said)
                self.assertIn("1 newly installed", said)
                for path in glob.glob(self.folder + "/archives/*.deb"):
                    os.remove(path)

    def test_the_same_packages_make_the_same_repository(self):
        def unsigned():
            self.make("https://here.invalid", "release@nightstand.invalid")
            return {name: text(f"{self.served}/{name}") for name in ("Packages", "Release", "nightstand.sources")}
        self.assertEqual(unsigned(), unsigned())

    def test_the_readme_has_the_address_of_the_one_file(self):
        address = re.search("^repository=(.+)$", text(in_top("board", "contact")), re.M)[1]
        self.assertIn(f" {address}/$VERSION_CODENAME/nightstand.sources", text(in_top("README.md")))

    def test_the_parts_are_those_of_the_package(self):
        name = os.path.basename(self.package)
        with open(self.folder + "/linked", "w", encoding="utf-8") as file:
            file.write(f"{name}\tlibgcc-12-dev\t12.2\tGPL-3.0-or-later WITH GCC-exception-3.1\n")
        parts = json.loads(run(in_top("board", "build.d", "sbom.py"), "https://here.invalid/1", "1767225600", self.folder + "/linked", self.package))
        self.assertEqual((parts["spdxVersion"], parts["creationInfo"]["created"]), ("SPDX-2.3", "2026-01-01T00:00:00Z"))
        names = {part["SPDXID"]: part["name"] for part in parts["packages"]}
        self.assertEqual(len(names), len(parts["packages"]))
        for kind, expected in (("STATIC_LINK", {"libgcc-12-dev"}),
                               ("DEPENDS_ON", set(re.findall(r"(?:^|[,|] )([^\s,]+)", test_package.field(self.package, "Depends"))))):
            found = {names[one["relatedSpdxElement"]] for one in parts["relationships"] if one["relationshipType"] == kind}
            self.assertEqual(found, expected)

    def test_one_without_a_signature_is_refused(self):
        self.make("file:" + self.served)
        self.use()
        self.refused("is not signed")

    def test_another_key_is_refused(self):
        self.make("file:" + self.served, "release@nightstand.invalid")
        self.use()
        self.make("file:" + self.served, "stranger@nightstand.invalid")
        self.refused("(?i)public key|NO_PUBKEY")

    def test_a_changed_index_is_refused(self):
        self.make("file:" + self.served, "release@nightstand.invalid")
        self.use()
        for name in ("Packages", "Packages.gz"):
            self.change(name, b"", b"\n")
        self.refused("(?i)hash sum mismatch|unexpected size")

    def test_a_changed_date_is_refused(self):
        self.make("file:" + self.served, "release@nightstand.invalid")
        self.use()
        self.change("InRelease", b"2026", b"2025")
        self.refused("(?i)BADSIG|bad signature|not valid")

    def test_a_changed_package_is_refused(self):
        self.make("file:" + self.served, "release@nightstand.invalid")
        self.use()
        did, said = self.apt("update")
        self.assertTrue(did, said)
        self.change(os.path.basename(self.package), b"debian-binary", b"Debian-binary")
        did, said = self.install()
        self.assertFalse(did, said)
        self.assertRegex(said, "(?i)hash sum mismatch")


if __name__ == "__main__":
    unittest.main()
