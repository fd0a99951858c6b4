"""Compiles what the tests are made of in C, once, into .build/board/tests."""

import fcntl
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


def reference_decoder(prefix="", **options):
    return compiled("reference-decoder.c", prefix + "reference-decoder", "-lmpg123", **options)


def paced_card(prefix="", **options):
    return compiled("paced/nspaced.c", prefix + "libasound_module_pcm_nspaced.so", "-Wno-unused-parameter", "-shared", "-fPIC",
                    "-DPIC", "-lasound", **options)
