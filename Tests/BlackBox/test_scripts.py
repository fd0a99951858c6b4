# SPDX-License-Identifier: Apache-2.0
"""The commands of board/, with a compiler and packages that are not there: what they install, say, and refuse."""

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
        self.compiler("Swift version 6.3.1 (swift-6.3.1-RELEASE)")
        targets = []
        for name, kind, below in (("Posix", "regular", []), ("Library", "regular", ["Posix"]), ("nightstand", "executable", ["Library"])):
            self.write(os.path.join(self.top, "Sources", name, "Main.swift"), "")
            targets.append({"name": name, "type": kind, "dependencies": [{"target": [word, None]} for word in below], "settings": []})
        self.write(os.path.join(self.top, "manifest.json"), json.dumps({"targets": targets}))
        self.tool("swift", "cat manifest.json")
        self.tool("llvm-objcopy", 'cp "$2" "$3"')
        # All is installed but what the file lists; as nobody in particular, with sudo.
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


if __name__ == "__main__":
    unittest.main()
