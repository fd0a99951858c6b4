// SPDX-License-Identifier: Apache-2.0
// Fills buffers with the sounds of the tests, for audio.py.
#include <math.h>
#include <stdint.h>

// A pseudorandom number from 0 to 1 (splitmix64).
static double draw(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

// Writes frames of noise, each channel its own, smoothed so that encoders leave something of it.
void fill_noise(int16_t *samples, long frames, int channels, double level, uint64_t seed) {
    double last[8] = {0};
    for (long i = 0; i < frames; i++)
        for (int c = 0; c < channels; c++) {
            last[c] += 0.35 * (2 * draw(&seed) - 1 - last[c]);
            *samples++ = (int16_t)(32767 * level * last[c]);
        }
}

// Writes frames of a sine; every second channel is inverted.
void fill_sine(int16_t *samples, long frames, int channels, double level, double step) {
    for (long i = 0; i < frames; i++)
        for (int c = 0; c < channels; c++) {
            int16_t sample = (int16_t)(32767 * level * sin(step * (double)i));
            *samples++ = c % 2 ? (int16_t)-sample : sample;
        }
}
