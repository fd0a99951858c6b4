"""Runs the tests on the virtual board and prints their figures: as Tests/BlackBox/run.py, four boards at a time, which
mostly wait: their clocks go by instructions, so that a busy machine makes them slower and not late.

    run.py RESULTS [NAME…]
"""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "BlackBox"))

import run  # noqa: E402

run.HERE, run.AT_ONCE, run.SHOWS_FIGURES = HERE, 4, True
run.CLASS_SECONDS = 720  # beside other tests these go last

if __name__ == "__main__":
    run.start()
