#!/usr/bin/python3 -I
# SPDX-License-Identifier: Apache-2.0
"""Compiles and links a program of the package as Embedded Swift.

    compile.py PROGRAM FOLDER BINARY [OPTION of swiftc…] [-- OPTION for linking…]     BINARY: its path in FOLDER

Package.swift names the modules, their options and their libraries. Embedded Swift keeps every function of a module in its .swiftmodule
and generates the code again in each module that uses it. So a module is only checked here (errors, warnings, the real-time proof), and
code is generated once, in a root: the program itself, and each module of Sources/Roots, which the program calls by a C name. The roots
share no code, so they are compiled side by side, and a change recompiles only the roots above it. (`swift build` generates code for
every module, and the linker drops it: that takes twice as long.) C files are compiled for the release that the program is linked for.
A step runs again if a file, a module below or its command has changed.

It says "[done/all] Compiling NAME" as `swift build` does, and what the compiler says where it fails.
"""

import concurrent.futures
import fcntl
import glob
import json
import os
import shlex
import subprocess
import sys


class Failed(Exception):
    """The output of the command and the compiler."""


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise Failed(f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


class Target:
    """A target of the manifest."""

    def __init__(self, manifest):
        self.name = manifest["name"]
        self.path = manifest.get("path") or os.path.join("Sources", self.name)
        self.library = manifest.get("pkgConfig")
        self.direct = [next(iter(dependency.values()))[0] for dependency in manifest["dependencies"]]
        self.settings = manifest["settings"]
        self.files = sorted(os.path.join(folder, file) for folder, _, files in os.walk(self.path) for file in files)
        self.swift = [file for file in self.files if file.endswith(".swift")]
        self.c = [file for file in self.files if file.endswith(".c")]
        self.is_c = not self.swift
        self.is_root = "/Roots/" in self.path

    def set(self, tool):
        """The manifest's settings for the compiler ("swift") or the linker ("linker"), as options of swiftc."""
        spelled = {
            "swiftLanguageMode": lambda value: ["-swift-version", value],
            "enableExperimentalFeature": lambda value: ["-enable-experimental-feature", value],
            "enableUpcomingFeature": lambda value: ["-enable-upcoming-feature", value],
            "treatAllWarnings": lambda value: ["-warnings-as-errors"],
            "linkedLibrary": lambda value: ["-l" + value],
            "unsafeFlags": lambda value: value,
        }
        settings = [next(iter(setting["kind"].items())) for setting in self.settings if setting["tool"] == tool]
        return [word for kind, value in settings for word in spelled[kind](value["_0"])]

    def headers(self):
        """The place of a C library's headers, as options of swiftc."""
        flags = run(["pkg-config", "--cflags", self.library]).split() if self.library else []
        return [word for flag in [f"-fmodule-map-file={self.path}/module.modulemap", *flags] for word in ("-Xcc", flag)]


class Build:
    def __init__(self, program, folder, binary, options, linking):
        manifest = json.loads(run(["swift", "package", "--scratch-path", folder, "dump-package"]))
        self.targets = {target["name"]: Target(target) for target in manifest["targets"]}
        self.folder, self.binary, self.options, self.linking = folder, os.path.join(folder, binary), options, linking
        self.below = {}
        self.roots = [program, *(name for name in self.targets[program].direct if self.targets[name].is_root)]
        for root in self.roots:
            self.visit(root)
        headers = {name: self.targets[name].headers() for name in self.below if self.targets[name].is_c}
        self.headers = {name: [word for c in below if c in headers for word in headers[c]] for name, below in self.below.items()}
        self.modules = [name for name in self.below if name not in headers]
        self.done = 0

    def visit(self, name):
        """Makes the list of all that each target depends on, the lowest first."""
        if name not in self.below:
            direct = [target for target in self.targets[name].direct if not self.targets[target].is_root]
            for target in direct:
                self.visit(target)
            self.below[name] = sorted({*direct, *(lower for target in direct for lower in self.below[target])})

    def made(self, name):
        return os.path.join(self.folder, name + ".swiftmodule")

    def step(self, name, command, reads, makes):
        """Runs a command, unless all that it makes is newer than what it reads and the command is the same."""
        stamp = name + ".command"
        words = shlex.join(command)
        if os.path.exists(stamp) and all(map(os.path.exists, makes)):
            with open(stamp, encoding="utf-8") as file:
                if file.read() == words and max(map(os.path.getmtime, reads)) <= min(map(os.path.getmtime, makes)):
                    return
            os.remove(stamp)
        run(command)
        for made in makes:  # the compiler leaves a file alone that would be the same
            os.utime(made)
        with open(stamp, "w", encoding="utf-8") as file:
            file.write(words)

    def compile(self, name, words, makes):
        target = self.targets[name]
        below = [self.targets[lower] for lower in self.below[name]]
        reads = [*target.files, *(file for lower in below if lower.is_c for file in lower.files if file not in lower.c),
                 *(self.made(lower.name) for lower in below if not lower.is_c)]
        settings = target.set("swift")
        if target.is_root:
            # It is no program to the compiler, which would leave the code of a module to the program.
            at = settings.index("DeferredCodeGen")
            del settings[at - 1:at + 1]
        command = ["swiftc", "-module-name", name, "-package-name", "nightstand", "-parse-as-library", "-gnone", "-wmo",
                   "-I", self.folder, "-module-cache-path", os.path.join(self.folder, "cache"), *settings,
                   *self.headers[name], "-Xcc", "-fPIC", "-Xcc", "-g0", *self.options, *words, *target.swift]
        self.step(os.path.join(self.folder, name), command, reads, makes)

    def module(self, name):
        # What is asked to be fast is optimised as a module, too: code that is made with the program is made for size.
        level = [] if "-O" in self.targets[name].set("swift") else ["-Onone"]
        self.compile(name, [*level, "-emit-module", "-emit-module-path", self.made(name)], [self.made(name)])

    def root(self, name):
        """Generates all the code of a root."""
        sources = self.targets[name].swift
        objects = [os.path.join(self.folder, name + "-" + os.path.basename(file)[:-len(".swift")] + ".o") for file in sources]
        table = os.path.join(self.folder, name + ".json")
        with open(table, "w", encoding="utf-8") as file:
            json.dump({source: {"object": made} for source, made in zip(sources, objects)}, file)
        self.compile(name, ["-num-threads", str(os.cpu_count()), "-output-file-map", table, "-c"], objects)
        return objects

    def link(self, objects):
        objects += [self.c_object(file) for target in self.below for file in self.targets[target].c]
        libraries = [word for target in reversed(self.below) for word in self.targets[target].set("linker")]
        command = ["swiftc", "-emit-executable", "-enable-experimental-feature", "Embedded", "-o", self.binary, *objects, *libraries,
                   *self.options, *self.linking]
        self.step(self.binary + ".link", command, [*objects, *filter(os.path.isfile, self.linking)], [self.binary])

    def c_object(self, file):
        made = f"{self.binary}-{os.path.basename(file)[:-len('.c')]}.o"
        where = [word for word in self.linking if word.startswith(("--target=", "--sysroot=", "-DNIGHTSTAND_"))]
        command = ["clang", *where, "-Os", "-fPIC", "-Wall", "-Wextra", "-Werror", "-c", "-o", made, file]
        self.step(made, command, [file, *glob.glob(os.path.join(os.path.dirname(file), "*.h"))], [made])
        return made

    def say(self, name):
        self.done += 1
        print(f"[{self.done}/{len(self.modules)}] Compiling {name}", flush=True)

    def run(self):
        """Runs as many steps at a time as there are processors, each after those below it, modules before roots; then links."""
        waiting = [name for name in self.modules if name not in self.roots] + self.roots
        running, objects = {}, {}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            while waiting or running:
                busy = {*waiting, *running.values()}
                ready = [name for name in waiting if not busy & set(self.below[name])]
                for name in ready[:os.cpu_count() - len(running)]:
                    waiting.remove(name)
                    running[pool.submit(self.root if name in self.roots else self.module, name)] = name
                for future in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                    name = running.pop(future)
                    try:
                        objects[name] = future.result()
                    except Failed:
                        pool.shutdown(cancel_futures=True)
                        raise
                    self.say(name)
        self.link([made for root in self.roots for made in objects[root]])


def main():
    program, folder, binary, *options = sys.argv[1:]
    options, linking = (options[:options.index("--")], options[options.index("--") + 1:]) if "--" in options else (options, [])
    try:
        os.makedirs(os.path.dirname(os.path.join(folder, binary)), exist_ok=True)
        with open(os.path.join(folder, "lock"), "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # another may build the same
            Build(program, folder, binary, options, linking).run()
    except Failed as failure:
        sys.exit(str(failure))


if __name__ == "__main__":
    main()
