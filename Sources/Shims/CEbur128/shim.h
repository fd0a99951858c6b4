// SPDX-License-Identifier: Apache-2.0
// The part of libebur128's interface that Nightstand uses (its ebur128.h; the same in 1.2.6 of Debian bookworm and trixie). Written down
// here, since the library is no part of what the program is built or linked with: it is loaded when loudness is first to be measured.
//
// None of it is real-time: for the worker's thread. A state belongs to one thread at a time; states share nothing.
#pragma once

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define NS_EBUR128_LIBRARY "libebur128.so.1"

// EBUR128_MODE_I | EBUR128_MODE_HISTOGRAM: integrated loudness in memory that does not grow.
enum { NS_EBUR128_INTEGRATED = 1 | 4 | 64 };
enum { NS_EBUR128_DUAL_MONO = 6 };  // one channel that is played to both ears
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

// Fills the table from the loaded library; false where something is missing.
static inline bool ns_ebur128_find(void *library, struct ns_ebur128 *functions) {
#define NS_EBUR128_FIND(result, name, parameters) \
    if (!(*(void **)&functions->name = dlsym(library, "ebur128_" #name))) return false;
    NS_EBUR128_FUNCTIONS(NS_EBUR128_FIND)
#undef NS_EBUR128_FIND
    return true;
}

// Of two stretches of one recording together: their powers add up.
static inline double ns_loudness_of_both(double one, double seconds, double other, double other_seconds) {
    const double power = pow(10, one / 10) * seconds + pow(10, other / 10) * other_seconds;
    return 10 * log10(power / (seconds + other_seconds));
}
