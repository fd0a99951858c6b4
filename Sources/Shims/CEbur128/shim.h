// SPDX-License-Identifier: Apache-2.0
// The part of libebur128's interface that Nightstand uses (its ebur128.h; the same in 1.2.6 of Debian bookworm and trixie). Declared here,
// since the program is neither built nor linked with the library. It is loaded for the first measurement of loudness.
//
// None of it is real-time: for the worker's thread. Only one thread uses a state at a time; states share nothing.
#pragma once

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define NS_EBUR128_LIBRARY "libebur128.so.1"

// EBUR128_MODE_I | EBUR128_MODE_HISTOGRAM: integrated loudness in memory that does not grow.
enum { NS_EBUR128_INTEGRATED = 1 | 4 | 64 };
enum { NS_EBUR128_DUAL_MONO = 6 };  // one channel that both ears hear
enum { NS_EBUR128_SUCCESS = 0 };

// One line for each function: its result, its name behind ebur128_, its arguments.
#define NS_EBUR128_FUNCTIONS(FUNCTION)                                                                                     \
    FUNCTION(void *, init, (unsigned channels, unsigned long rate, int mode))                                             \
    FUNCTION(void, destroy, (void **state))                                                                               \
    FUNCTION(int, set_channel, (void *state, unsigned channel, int value))                                                \
    FUNCTION(int, add_frames_short, (void *state, const short *samples, size_t frames))                                   \
    /* minus infinity of silence */                                                                                       \
    FUNCTION(int, loudness_global, (void *state, double *loudness))

struct ns_ebur128 {
#define NS_EBUR128_POINTER(result, name, parameters) result(*name) parameters;
    NS_EBUR128_FUNCTIONS(NS_EBUR128_POINTER)
#undef NS_EBUR128_POINTER
};

// Fills the table from the loaded library; false if a function is missing.
static inline bool ns_ebur128_find(void *library, struct ns_ebur128 *functions) {
#define NS_EBUR128_FIND(result, name, parameters) \
    if (!(*(void **)&functions->name = dlsym(library, "ebur128_" #name))) return false;
    NS_EBUR128_FUNCTIONS(NS_EBUR128_FIND)
#undef NS_EBUR128_FIND
    return true;
}

// Returns the loudness of two parts of one recording together: their powers add up.
static inline double ns_loudness_of_both(double one, double seconds, double other, double other_seconds) {
    const double power = pow(10, one / 10) * seconds + pow(10, other / 10) * other_seconds;
    return 10 * log10(power / (seconds + other_seconds));
}
