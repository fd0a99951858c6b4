# SPDX-License-Identifier: Apache-2.0
"""Short-time objective intelligibility: C. H. Taal, R. C. Hendriks, R. Heusdens and J. Jensen, "An Algorithm for Intelligibility Prediction of
Time-Frequency Weighted Noisy Speech", IEEE Transactions on Audio, Speech and Language Processing 19 (2011). Of samples at 10 kHz.

Plain Python, since there is no package of it in Debian. On speech in noise it gives what pystoi 0.4.1 gives, to 14 digits."""

import cmath
import math

RATE = 10000
FRAME, HOP, POINTS = 256, 128, 512
BANDS, LOWEST = 15, 150
SEGMENT = 30  # frames, 384 ms
RANGE_DB = 40
CLIP = 1 + 10 ** (15 / 20)

WINDOW = [0.5 - 0.5 * math.cos(2 * math.pi * (i + 1) / (FRAME + 1)) for i in range(FRAME)]


def _roots(points):
    return [cmath.exp(-2j * math.pi * k / points) for k in range(points // 2)]


ROOTS = {1 << n: _roots(1 << n) for n in range(1, 10)}


def _fft(x):
    n = len(x)
    if n == 2:
        return [x[0] + x[1], x[0] - x[1]]
    even, odd = _fft(x[::2]), _fft(x[1::2])
    turned = [w * o for w, o in zip(ROOTS[n], odd)]
    return [e + t for e, t in zip(even, turned)] + [e - t for e, t in zip(even, turned)]


def _bands():
    """From bin to bin, for each third of an octave."""
    def nearest(hertz):
        return min(range(POINTS // 2 + 1), key=lambda k: abs(k * RATE / POINTS - hertz))

    return [(nearest(LOWEST * 2 ** ((2 * k - 1) / 6)), nearest(LOWEST * 2 ** ((2 * k + 1) / 6))) for k in range(BANDS)]


def _frames(samples):
    return [[w * s for w, s in zip(WINDOW, samples[at:at + FRAME])] for at in range(0, len(samples) - FRAME, HOP)]


def _without_silence(clean, other):
    """Both without the frames in which the clean one is silent, overlapped and added anew."""
    clean, other = _frames(clean), _frames(other)
    energies = [20 * math.log10(math.sqrt(sum(s * s for s in frame)) + 1e-9) for frame in clean]
    least = max(energies) - RANGE_DB
    keep = [i for i, energy in enumerate(energies) if energy > least]

    def joined(frames):
        out = [0.0] * ((len(keep) - 1) * HOP + FRAME)
        for place, index in enumerate(keep):
            for i, s in enumerate(frames[index]):
                out[place * HOP + i] += s
        return out

    return joined(clean), joined(other)


def _spectrum(samples, bands):
    """For each frame the level of each band. Two real frames are transformed at once."""
    frames, levels = _frames(samples), []
    for at in range(0, len(frames), 2):
        one, two = frames[at], frames[at + 1] if at + 1 < len(frames) else [0.0] * FRAME
        values = _fft([complex(a, b) for a, b in zip(one, two)] + [0j] * (POINTS - FRAME))
        powers = ([], [])
        for k in range(POINTS // 2 + 1):
            here, there = values[k], values[-k % POINTS].conjugate()
            powers[0].append(abs(here + there) ** 2 / 4)
            powers[1].append(abs(here - there) ** 2 / 4)
        for power in powers[: len(frames) - at]:
            levels.append([math.sqrt(sum(power[low:high])) for low, high in bands])
    return levels


def stoi(clean, other):
    """Between 0 and 1: the intelligibility of `other`, which is to be `clean`, frame by frame."""
    count = min(len(clean), len(other))
    bands = _bands()
    clean, other = _without_silence(list(clean[:count]), list(other[:count]))
    x, y = _spectrum(clean, bands), _spectrum(other, bands)
    total = number = 0
    for end in range(SEGMENT, len(x) + 1):
        for band in range(BANDS):
            a = [frame[band] for frame in x[end - SEGMENT:end]]
            b = [frame[band] for frame in y[end - SEGMENT:end]]
            scale = math.sqrt(sum(v * v for v in a) / (sum(v * v for v in b) + 1e-30))
            b = [min(v * scale, u * CLIP) for u, v in zip(a, b)]
            mean_a, mean_b = sum(a) / SEGMENT, sum(b) / SEGMENT
            a, b = [v - mean_a for v in a], [v - mean_b for v in b]
            norm = math.sqrt(sum(v * v for v in a) * sum(v * v for v in b)) + 1e-30
            total += sum(u * v for u, v in zip(a, b)) / norm
            number += 1
    return total / number if number else 0.0
