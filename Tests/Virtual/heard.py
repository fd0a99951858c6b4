# SPDX-License-Identifier: Apache-2.0
"""The heard sound, as stretches of known audio: the item, its first frame, and the gap before it."""

import array
import re

FADE_SECONDS = 0.005
PROBE_FRAMES = 64


def samples(data):
    result = array.array("h")
    result.frombytes(data)
    return result


class Stretch:
    """Frames [start, end) of a recording are frames [place, place + end - start) of an item, each sample within 1: libmpg123's
    own rounding after a seek depends on where its synthesis window stood."""

    def __init__(self, start, end, item, place, off):
        self.start, self.end, self.item, self.place, self.off = start, end, item, place, off

    @property
    def place_end(self):
        return self.place + self.end - self.start

    def __repr__(self):
        return f"{self.start}…{self.end} is {self.item} {self.place}…{self.place_end}"


def agreeing(a, b, at, to, count, step):
    """The number of equal bytes among count of a and b, forwards (step 1) from at and to or backwards (-1); and in how
    many samples they
    are off by one."""
    done, off = 0, 0
    while done < count:
        size = min(8192, count - done)
        first, second = (at + done, to + done) if step > 0 else (at - done - size, to - done - size)
        part, other = a[first : first + size], b[second : second + size]
        if part != other:
            pairs = list(zip(samples(part), samples(other)))
            for i, (x, y) in enumerate(pairs if step > 0 else reversed(pairs)):
                if abs(x - y) > 1:
                    return done + 2 * i, off
                off += x != y
        done += size
    return done, off


def stretches(heard, items, channels=1, least=0.01, rate=22050):
    """The recording's stretches of items {name: bytes as decoded}, in order. Shorter ones than least seconds are not looked for."""
    width = 2 * channels
    heard = bytes(heard[: len(heard) // width * width])
    found, at, begin = [], 0, 0
    step = max(PROBE_FRAMES, int(least * rate) // 2) * width
    sounding = re.compile(rb"[^\0]")
    while at + PROBE_FRAMES * width <= len(heard):
        first = sounding.search(heard, at)
        if not first:
            break
        at = max(at, first.start() // width * width)
        probe = heard[at : at + PROBE_FRAMES * width]
        if probe.count(0) > len(probe) // 2:  # hardly a sound: stands anywhere
            at += 8 * width
            continue
        item, place = next(((name, place) for name, data in items.items() if (place := aligned(data, probe, width)) >= 0), (None, -1))
        if item is None:
            at += step
            continue
        data = items[item]
        back, off = agreeing(heard, data, at, place, min(at - begin, place), -1)
        forth, more = agreeing(heard, data, at, place, min(len(heard) - at, len(data) - place), 1)
        back, forth = back // width * width, forth // width * width
        if forth + back >= step:
            found.append(Stretch((at - back) // width, (at + forth) // width, item, (place - back) // width, off + more))
            begin = at + forth
        at += max(forth, step)
    return found


def aligned(data, probe, width):
    place = data.find(probe)
    while place >= 0 and place % width:
        place = data.find(probe, place + 1)
    return place


def crossing(heard, old, new, items, channels=1):
    """Why the frames between two stretches are not the old one dying away and then the new one rising; None where they are."""
    width = 2 * channels
    if old.end == new.start:
        return None
    between = samples(heard[old.end * width : new.start * width])
    before = items[old.item][old.place_end * width :][: len(between) * 2]
    behind = items[new.item][: new.place * width][-len(between) * 2 :]
    before = list(samples(before)) + [0] * (len(between) - len(before) // 2)
    behind = [0] * (len(between) - len(behind) // 2) + list(samples(behind))

    def part_of(x, whole):
        return min(0, whole) - 1 <= x <= max(0, whole) + 1
    k = next((i for i, x in enumerate(between) if not part_of(x, before[i])), len(between))
    for i in range(k, len(between)):
        if not part_of(between[i], behind[i]):
            return (f"sample {i} of the {len(between)} between {old} and {new} is {between[i]}: neither part of the old one's "
                    f"{before[i]} nor of the new one's {behind[i]}")
    return None


def fading(heard, old, items, channels=1):
    """The frame from which silence follows a stretch, where what is in between is that stretch dying away; else an error's text."""
    width = 2 * channels
    rest = samples(heard[old.end * width : (old.end + 20000) * width])
    before = samples(items[old.item][old.place_end * width :][: len(rest) * 2])
    for i, x in enumerate(rest):
        if i >= len(before) or not min(0, before[i]) - 1 <= x <= max(0, before[i]) + 1:
            if x:
                return f"sample {i} behind {old} is {x}: no part of what was dying away"
    last = max((i for i, x in enumerate(rest) if x), default=-1)
    return old.end + last // channels + 1
