# SPDX-License-Identifier: Apache-2.0
"""Makes what tests share, once, in .build/board/tests: their C parts, and files that are found by the content of their inputs."""

import fcntl
import hashlib
import os
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
OUT = os.path.join(TOP, ".build", "board", "tests")
SOURCES = (HERE, os.path.join(TOP, "Tests", "BlackBox"))
NIGHTSTAND = os.environ.get("NIGHTSTAND") or os.path.join(TOP, ".build", "board", "host", "nightstand")


def compiled(source, name, *options, compiler=("gcc",)):
    """The path of the program or library made from source, newer than it. source: a file of this folder or of the black-box tests'."""
    source = next(path for path in (os.path.join(folder, source) for folder in SOURCES) if os.path.exists(path))
    target = os.path.join(OUT, name)
    os.makedirs(OUT, exist_ok=True)
    with open(target + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(target) or os.path.getmtime(target) < os.path.getmtime(source):
            subprocess.run([*compiler, "-O2", "-Wall", "-Wextra", "-o", target + ".new", source, *options], check=True)
            os.rename(target + ".new", target)
    return target


def preloads(library):
    """The value of LD_PRELOAD that has a program load this library before those that this process was given."""
    return ":".join(filter(None, (library, os.environ.get("LD_PRELOAD"))))


def kept(make, *inputs):
    """The path of a file or folder that make(path) has made. Equal inputs, byte strings or values, share it."""
    digest = hashlib.sha256()
    for value in inputs:
        data = value if isinstance(value, bytes) else repr(value).encode()
        digest.update(b"%d:" % len(data) + data)
    path = os.path.join(OUT, "kept", digest.hexdigest()[:32])
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not os.path.exists(path):
            # Remains of an earlier run.
            subprocess.run(["rm", "-rf", path + ".new"], check=True)
            make(path + ".new")
            os.rename(path + ".new", path)
    return path


def reference_decoder(prefix="", **options):
    return compiled("reference-decoder.c", prefix + "reference-decoder", "-lmpg123", **options)


def paced_card(prefix="", **options):
    return compiled("paced/nspaced.c", prefix + "libasound_module_pcm_nspaced.so", "-Wno-unused-parameter", "-shared", "-fPIC",
                    "-DPIC", "-lasound", **options)
