// SPDX-License-Identifier: Apache-2.0
// The part of libfaad2's interface that Nightstand uses (its neaacdec.h; the same in 2.10.1 of Debian bookworm and 2.11.2 of trixie).
// Declared here, since the program is neither built nor linked with the library. It is loaded for the first AAC.
//
// None of it is real-time: for the feed and worker threads. Only one thread uses a handle at a time; handles share nothing.
#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// The soname of the library, as the installed version has it.
#define NS_FAAD_LIBRARY "libfaad.so.2"

enum { NS_FAAD_16_BIT = 1 };  // FAAD_FMT_16BIT
enum { NS_FAAD_NO_ERROR = 0 };

// NeAACDecConfiguration. Plain members in the compiler's layout, on every architecture.
struct ns_faad_configuration {
    unsigned char object_type;
    unsigned long sample_rate;
    unsigned char output_format;
    unsigned char mixes_down;  // more than two channels into two
    unsigned char has_old_adts;
    unsigned char leaves_rate;  // dontUpSampleImplicitSBR: a stream without SBR keeps its rate
};

// NeAACDecFrameInfo.
struct ns_faad_frame {
    unsigned long bytes_consumed;
    unsigned long samples;  // of all channels together
    unsigned char channels;
    unsigned char error;
    unsigned long sample_rate;
    unsigned char sbr, object_type, header_type;
    unsigned char front_channels, side_channels, back_channels, low_channels;
    unsigned char channel_position[64];
    unsigned char parametric_stereo;
};

// One line for each function: its result, its name behind NeAACDec, its arguments.
#define NS_FAAD_FUNCTIONS(FUNCTION)                                                                                       \
    FUNCTION(void *, Open, (void))                                                                                        \
    FUNCTION(void, Close, (void *handle))                                                                                 \
    /* the handle's own; what is changed in it counts once it was set */                                                  \
    FUNCTION(struct ns_faad_configuration *, GetCurrentConfiguration, (void *handle))                                     \
    FUNCTION(unsigned char, SetConfiguration, (void *handle, struct ns_faad_configuration *))                             \
    /* begins a stream by its AudioSpecificConfig, which it does not write to; below 0 where it will not */               \
    FUNCTION(char, Init2, (void *handle, unsigned char *config, unsigned long bytes, unsigned long *rate,                 \
                           unsigned char *channels))                                                                      \
    /* the next unit is this one; 0 is swallowed, as the first of a stream is */                                          \
    FUNCTION(void, PostSeekReset, (void *handle, long unit))                                                              \
    /* samples of the library's own memory, good until the next call; null where error is set, or nothing comes of it */  \
    FUNCTION(void *, Decode, (void *handle, struct ns_faad_frame *, unsigned char *unit, unsigned long bytes))

struct ns_faad {
#define NS_FAAD_POINTER(result, name, parameters) result(*name) parameters;
    NS_FAAD_FUNCTIONS(NS_FAAD_POINTER)
#undef NS_FAAD_POINTER
};

// Fills the table from the loaded library; false if a function is missing.
static inline bool ns_faad_find(void *library, struct ns_faad *functions) {
#define NS_FAAD_FIND(result, name, parameters) \
    if (!(*(void **)&functions->name = dlsym(library, "NeAACDec" #name))) return false;
    NS_FAAD_FUNCTIONS(NS_FAAD_FIND)
#undef NS_FAAD_FIND
    return true;
}

// Copies the first of two interleaved channels.
static inline void ns_faad_take_first(int16_t *to, const int16_t *from, long frames) {
    for (long i = 0; i < frames; i++) to[i] = from[2 * i];
}

// char is unsigned on ARM, where a refusal would look like 255.
static inline bool ns_faad_did_refuse(char code) { return (signed char)code < 0; }
