# SPDX-License-Identifier: Apache-2.0
"""The commands of board/, with a compiler and packages that are not there: their packages, messages, and refusals."""

import glob
import json
import os
import pty
import re
import shutil
import subprocess
import tempfile
import time
import unittest

from build import TOP

BUILD_PACKAGES = ["libasound2-dev", "libgpiod-dev", "libmpg123-dev", "libsqlite3-dev", "libxxhash-dev"]


class Scripts(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="scripts-")
        self.addCleanup(scratch.cleanup)
        self.top = os.path.join(scratch.name, "top")
        self.tools = os.path.join(scratch.name, "toolchain", "bin")
        self.log = os.path.join(scratch.name, "log")
        os.makedirs(self.tools)
        shutil.copytree(os.path.join(TOP, "board"), os.path.join(self.top, "board"), ignore=shutil.ignore_patterns("media"))
        shutil.copy(os.path.join(TOP, "NEWS.md"), self.top)
        self.compiler("Swift version 6.3.1 (swift-6.3.1-RELEASE)")
        targets = []
        for name, kind, below in (("Posix", "regular", []), ("Library", "regular", ["Posix"]), ("nightstand", "executable", ["Library"])):
            self.write(os.path.join(self.top, "Sources", name, "Main.swift"), "")
            targets.append({"name": name, "type": kind, "dependencies": [{"target": [word, None]} for word in below], "settings": []})
        self.write(os.path.join(self.top, "manifest.json"), json.dumps({"targets": targets}))
        self.tool("swift", "cat manifest.json")
        self.tool("llvm-objcopy", 'cp "$2" "$3"')
        # Everything is installed, except the packages in the file; as an ordinary user, with sudo.
        self.missing = os.path.join(scratch.name, "missing")
        self.write(self.missing, "")
        installed = " ".join([*BUILD_PACKAGES, "dpkg-dev", "debian-archive-keyring", "pkg-config", "python3-minimal", "libpython3-stdlib"])
        self.tool("dpkg-query", f'for p in {installed}; do grep -qx "$p" {self.missing} || echo "installed $p"; done')
        self.tool("sudo", 'exec "$@"')
        self.tool("apt-get", f'echo "$*" >>{self.log}')

    def write(self, path, words):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(words)

    def tool(self, name, script):
        path = os.path.join(self.tools, name)
        self.write(path, f"#!/bin/sh\n{script}\n")
        os.chmod(path, 0o755)

    def command(self, *words):
        environment = dict(os.environ, PATH=f"{self.tools}:{os.environ['PATH']}", HOME=self.top)
        return [os.path.join(self.top, "board", words[0]), *words[1:]], environment

    def compiler(self, version, fails=""):
        """One that makes nothing of nothing, and tells which modules."""
        self.tool("swiftc", f"""
            case "$*" in --version) echo '{version}'; exit;; esac
            echo 'warning: not for a person'
            {fails}
            echo "$*" >>{self.log}.compiled
            for word in "$@"; do
              case $last in -emit-module-path | -o) touch "$word"; chmod +x "$word" ;; -output-file-map) touch "${{word%.json}}-Main.o" ;; esac
              last=$word
            done""")

    def compiled(self):
        with open(self.log + ".compiled", encoding="utf-8") as file:
            return re.findall(r"-module-name (\w+)", file.read())

    def run_script(self, *words):
        """(exit code, what it says)."""
        command, environment = self.command(*words)
        done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=60)
        return done.returncode, done.stdout

    def on_a_terminal(self, *words):
        command, environment = self.command(*words)
        master, slave = pty.openpty()
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=slave, stderr=slave)
        os.close(slave)
        said = b""
        while True:
            try:
                part = os.read(master, 4096)
            except OSError:  # its end
                break
            if not part:
                break
            said += part
        os.close(master)
        return process.wait(60), said.decode()

    def installed(self):
        if not os.path.exists(self.log):
            return []
        with open(self.log, encoding="utf-8") as file:
            return [word for line in file if " install " in line for word in line.split() if re.match(r"[a-z]+.*-(dev|dpkg)", word)]

    def test_usage_is_what_stands_at_the_top(self):
        for path in sorted(glob.glob(os.path.join(self.top, "board", "*"))):
            name = os.path.basename(path)
            if not os.access(path, os.X_OK) or os.path.isdir(path):
                continue
            with open(path, encoding="utf-8") as file:
                usage = [line[4:] for line in file if line.startswith("#   ")]
            if name in ("play", "test", "bench", "make-media"):  # which take any words as names
                continue
            with self.subTest(name):
                self.assertTrue(usage)
                self.assertTrue(all(line.startswith("board/" + name) for line in usage), usage)
                code, said = self.run_script(name, *([] if name in ("debs", "install") else ["--no-such-option"]))
                self.assertEqual(code, 2, said)
                self.assertTrue(said.endswith("".join(usage)), said)

    def test_an_image_is_not_begun_with_what_is_wrong(self):
        for words, reason in (
            (["--host", "My_Speaker"], "host 'My_Speaker': expected small letters, digits and hyphens"),
            (["--configuration", "/no/such.conf"], "no file /no/such.conf"),
            (["--ssh-key", os.path.join(self.top, "board/image")], "board/image is no public key, see above"),
        ):
            with self.subTest(reason):
                code, said = self.run_script("image", "card.img", *words)
                self.assertEqual(code, 1, said)
                self.assertIn(reason, said)
        self.assertFalse(os.path.exists(self.log), "nothing was installed")

    def test_a_build_installs_what_is_missing(self):
        self.write(self.missing, "\n".join(BUILD_PACKAGES[:2]) + "\n")
        code, said = self.run_script("build", "--quiet")
        self.assertEqual(code, 0, said)
        self.assertEqual(sorted(self.installed()), BUILD_PACKAGES[:2])
        self.assertEqual(said, f"installing {' '.join(BUILD_PACKAGES[:2])}\nbuilding nightstand\n")
        self.assertTrue(os.path.exists(os.path.join(self.top, ".build", "board", "host", "nightstand")))

    def test_a_package_installs_what_is_missing(self):
        self.write(self.missing, "libgpiod-dev\n")
        self.run_script("package", "--quiet")  # of a program that is none
        self.assertEqual(self.installed(), ["libgpiod-dev"])

    def test_a_build_on_a_terminal_shows_that_it_moves(self):
        code, said = self.on_a_terminal("build", "--quiet")
        self.assertEqual(code, 0, said)
        self.assertIn("step 1 of 3: Compiling Posix", said)
        self.assertIn("step 2 of 3: Compiling Library", said)
        self.assertTrue(said.endswith("\r\x1b[K"), said)
        self.assertNotIn("not for a person", said)

    def test_a_quiet_build_elsewhere_is_quiet(self):
        self.assertEqual(self.run_script("build", "--quiet"), (0, "building nightstand\n"))
        self.assertEqual(self.run_script("build", "--quiet"), (0, ""))

    def test_a_build_that_fails_says_why(self):
        self.compiler("Swift version 6.3", "echo 'Bytes.swift:1:2: error: expected a reason'; exit 3")
        for run in (self.run_script, self.on_a_terminal):
            code, said = run("build", "--quiet")
            self.assertEqual(code, 1, said)
            self.assertIn("error: expected a reason", said)

    def test_only_what_changed_is_compiled_again(self):
        self.run_script("build")
        self.assertEqual(self.compiled(), ["Posix", "Library", "nightstand"])
        self.run_script("build")
        self.assertEqual(len(self.compiled()), 3)
        for name, after in (("Library", ["Library", "nightstand"]), ("nightstand", ["nightstand"])):
            os.remove(self.log + ".compiled")
            source = os.path.join(self.top, "Sources", name, "Main.swift")
            os.utime(source, ns=(time.time_ns() + 10**9,) * 2)
            self.run_script("build")
            self.assertEqual(self.compiled(), after)
            os.utime(source)
            self.run_script("build")
        os.remove(self.log + ".compiled")
        self.write(os.path.join(self.top, "Sources", "Posix", "More.swift"), "")  # one more file
        self.run_script("build")
        self.assertEqual(self.compiled(), ["Posix", "Library", "nightstand"])

    def test_another_toolchain_is_named(self):
        self.compiler("Apple Swift version 6.4 (swiftlang-6.4.0.1)")
        code, said = self.run_script("build", "--quiet")
        self.assertEqual(code, 0, said)
        self.assertIn("this is Swift 6.4", said)
        code, said = self.run_script("build", "--quiet", "aarch64")
        self.assertEqual(code, 1, said)
        self.assertRegex(said, "this is Swift 6.4: .*bridge-object.c")
        self.compiler("Swift version 6.2.1")
        code, said = self.run_script("build")
        self.assertEqual((code, said), (1, "board/build: this is Swift 6.2, expected 6.3\n"))


class Version(unittest.TestCase):
    """The version of a source tree, in a repository of its own."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="version-")
        self.addCleanup(scratch.cleanup)
        self.scratch = scratch.name
        self.top = os.path.join(scratch.name, "top")
        os.makedirs(os.path.join(self.top, "board", "build.d"))
        shutil.copy(os.path.join(TOP, "board", "build.d", "version"), os.path.join(self.top, "board", "build.d"))
        shutil.copy(os.path.join(TOP, ".gitattributes"), self.top)
        self.news("0.4.0 (in work)")

    def news(self, version):
        with open(os.path.join(self.top, "NEWS.md"), "w", encoding="utf-8") as file:
            file.write(f"# News\n\n## {version}\n\n* A change.\n\n## 0.2.0 (2026-01-01)\n")

    def git(self, *words):
        names = ("-c", "user.name=Test", "-c", "user.email=test@nightstand.invalid", "-c", "core.hooksPath=/dev/null")
        subprocess.run(["git", *names, *words], cwd=self.top, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       env=dict(os.environ, GIT_CONFIG_GLOBAL="/dev/null"))

    def commit(self, hour):
        os.environ["GIT_COMMITTER_DATE"] = f"2026-01-01T{hour:02}:00:00Z"
        self.addCleanup(os.environ.pop, "GIT_COMMITTER_DATE", None)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", "A change")

    def version(self, top=None):
        return subprocess.run([os.path.join(top or self.top, "board", "build.d", "version")], check=True, stdout=subprocess.PIPE,
                              text=True).stdout.strip()

    def archived(self):
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            self.git("archive", "--output", folder + ".tar", "HEAD")
            shutil.unpack_archive(folder + ".tar", folder)
            return self.version(folder)

    def cloned(self):
        with tempfile.TemporaryDirectory(dir=self.scratch) as folder:
            self.git("clone", "--quiet", "--depth", "1", "--no-tags", "file://" + self.top, folder)
            return self.version(folder)

    def test_a_clone_without_tags_has_the_version_in_work(self):
        self.git("init", "--quiet")
        self.commit(0)
        versions = [self.cloned()]
        self.assertEqual(versions[-1], self.version())
        self.news("0.4.0 (2026-01-01)")
        self.commit(1)
        self.git("tag", "v0.4.0")
        versions.append(self.version())
        self.news("0.4.1 (in work)")
        for hour in (2, 3):
            self.commit(hour)
            versions += [self.version(), self.cloned()] if hour == 2 else [self.cloned()]
        self.git("tag", "v0.4.1")
        versions.append(self.version())
        for old, new in zip(versions, versions[1:]):
            subprocess.run(["dpkg", "--compare-versions", old, "lt", new], check=True)

    def test_a_release_is_refused_that_is_none(self):
        def refused(*words):
            done = subprocess.run([os.path.join(self.top, "board", "release"), os.path.join(self.scratch, "out"), *words],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=20)
            self.assertEqual(done.returncode, 1, done.stdout)
            return done.stdout
        for name in ("release", "contact"):
            shutil.copy(os.path.join(TOP, "board", name), os.path.join(self.top, "board"))
        self.assertIn("gunknown: a release is made of a commit", refused())
        self.git("init", "--quiet")
        self.commit(0)
        self.git("tag", "v0.4.0")
        self.assertIn("NEWS.md begins with '## 0.4.0 (in work)', expected '## 0.4.0 (DATE)'", refused())
        self.news("0.4.0 (2026-01-01)")
        self.assertIn(".dirty: a release is made of a commit", refused())
        self.commit(1)
        self.git("tag", "--force", "v0.4.0")
        self.assertIn("no revision v0.3.0 here", refused("--from", "v0.3.0"))
        self.assertIn("has placeholders: a signed release needs your address", refused("--key", "me"))
        self.assertIn("unknown release 'sid'", refused("--releases", "sid"))

    def test_each_is_newer_than_those_before(self):
        self.assertRegex(self.version(), r"^0\.4\.0~\d+\.gunknown$")  # no repository
        self.git("init", "--quiet")
        versions = ["0.3.0+deb13"]  # as packages were named before
        for hour, tag in enumerate((None, None, "v0.4.0", None, None, "v0.4.1", "v0.10.0")):
            self.commit(hour)
            if tag:
                self.git("tag", tag)
            versions.append(self.version())
            self.assertEqual(self.archived(), versions[-1])
            with open(os.path.join(self.top, "more"), "a", encoding="utf-8") as file:
                file.write("more\n")
            versions.append(self.version())
        number = "g[0-9a-f]{7}"
        for version, form in zip(versions[1:], (
                rf"0\.4\.0~1767225600\.{number}", rf"0\.4\.0~1767225600\.{number}\.dirty",
                rf"0\.4\.0~1767229200\.{number}", rf"0\.4\.0~1767229200\.{number}\.dirty",
                r"0\.4\.0", rf"0\.4\.0\+0\.{number}\.dirty", rf"0\.4\.0\+1\.{number}", rf"0\.4\.0\+1\.{number}\.dirty",
                rf"0\.4\.0\+2\.{number}", rf"0\.4\.0\+2\.{number}\.dirty", r"0\.4\.1", rf"0\.4\.1\+0\.{number}\.dirty",
                r"0\.10\.0", rf"0\.10\.0\+0\.{number}\.dirty")):
            self.assertRegex(version, f"^{form}$")
        for suffix in ("", "~deb12"):  # and as packages have it
            for old, new in zip(versions, versions[1:]):
                old, new = old + suffix * (old != versions[0]), new + suffix
                subprocess.run(["dpkg", "--compare-versions", old, "lt", new], check=True)
                subprocess.run(["dpkg", "--compare-versions", new.replace("deb12", "deb13"), "ge", new], check=True)


if __name__ == "__main__":
    unittest.main()
