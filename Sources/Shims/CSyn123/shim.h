// SPDX-License-Identifier: Apache-2.0
// The part of libsyn123's resampler that Nightstand uses (syn123.h of mpg123 1.31 and 1.32; the same in Debian bookworm and trixie).
// Declared here, since the program is neither built nor linked with the library. It is loaded for the first change of rate.
//
// NS_REALTIME vouches for a function to the compiler: the audio thread, with its `@_noLocks @_noAllocation` code, may call it. Each has its
// reason. Only one thread uses a handle at a time; handles share nothing.
#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#define NS_REALTIME __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

#define NS_SYN123_LIBRARY "libsyn123.so.0"

enum { NS_SYN123_FLOAT = 0x200 };  // MPG123_ENC_FLOAT_32

// One line for each function: its result, its name behind syn123_, its arguments.
#define NS_SYN123_FUNCTIONS(FUNCTION)                                                                                      \
    FUNCTION(void *, new, (long rate, int channels, int encoding, size_t buffer, int *error))                              \
    FUNCTION(void, del, (void *handle))                                                                                    \
    FUNCTION(const char *_Nonnull, strerror, (int code))                                                                   \
    FUNCTION(int, setup_resample, (void *handle, long from, long to, int channels, int is_dirty, int is_smooth))           \
    FUNCTION(size_t, resample_count, (long from, long to, size_t frames))                                                  \
    FUNCTION(size_t, resample, (void *handle, float *to, float *from, size_t frames))

struct ns_syn123 {
#define NS_SYN123_POINTER(result, name, parameters) result(*name) parameters;
    NS_SYN123_FUNCTIONS(NS_SYN123_POINTER)
#undef NS_SYN123_POINTER
};

// Fills the table from the loaded library; false if a function is missing.
static inline bool ns_syn123_find(void *library, struct ns_syn123 *functions) {
#define NS_SYN123_FIND(result, name, parameters) \
    if (!(*(void **)&functions->name = dlsym(library, "syn123_" #name))) return false;
    NS_SYN123_FUNCTIONS(NS_SYN123_FIND)
#undef NS_SYN123_FIND
    return true;
}

// Plain arithmetic on arrays of the caller.
NS_REALTIME static inline void ns_syn123_s16_to_float(float *to, const short *from, size_t samples) {
    for (size_t i = 0; i < samples; ++i) to[i] = from[i] * (1.0f / 32768.0f);
}
NS_REALTIME static inline void ns_syn123_float_to_s16(short *to, const float *from, size_t samples) {
    for (size_t i = 0; i < samples; ++i) {
        float scaled = from[i] * 32768.0f;
        to[i] = scaled >= 32767.0f ? 32767 : scaled <= -32768.0f ? -32768 : (short)(scaled + (scaled < 0 ? -0.5f : 0.5f));
    }
}

// Uses buffers that syn123_setup_resample allocated, off the audio thread. All symbols were bound at loading.
NS_REALTIME static inline size_t ns_syn123_resample(size_t (*resample)(void *, float *, float *, size_t), void *handle, float *to,
                                                    const float *from, size_t frames) {
    return resample(handle, to, (float *)from, frames);
}
