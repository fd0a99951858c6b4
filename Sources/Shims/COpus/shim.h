// SPDX-License-Identifier: Apache-2.0
// libopusfile as Nightstand uses it: decoding Ogg Opus from callbacks. The declarations follow opusfile.h of 0.12, with the soname
// libopusfile.so.0. Nothing is needed to build or to start. The library is loaded when the first such file is opened.
//
// None of it is real-time: it allocates and waits for its callbacks. For the feed thread and the worker.
#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ns_opus_callbacks {
    int (*read)(void *client, unsigned char *buffer, int bytes);
    int (*seek)(void *client, int64_t offset, int whence);
    int64_t (*tell)(void *client);
    int (*close)(void *client);
};

// Some data was missing; decoding continues after it.
enum { NS_OPUS_HOLE = -3 };

#define NS_OPUS_FUNCTIONS(F)                                                                                      \
    F(void *(*open)(void *client, const struct ns_opus_callbacks *, const unsigned char *initial, size_t, int *), \
      "op_open_callbacks", open)                                                                                  \
    F(void (*close)(void *file), "op_free", close)                                                                \
    F(int (*links)(const void *file), "op_link_count", links)                                                     \
    F(int (*channels)(const void *file, int link), "op_channel_count", channels)                                  \
    F(int64_t (*total)(const void *file, int link), "op_pcm_total", total)                                        \
    F(int64_t (*tell)(const void *file), "op_pcm_tell", tell)                                                     \
    F(int (*seek)(void *file, int64_t frame), "op_pcm_seek", seek)                                                \
    F(void (*dither)(void *file, int enabled), "op_set_dither_enabled", dither)                                   \
    F(int (*read)(void *file, int16_t *samples, int count, int *link), "op_read", read)                           \
    F(int (*read_stereo)(void *file, int16_t *samples, int count), "op_read_stereo", read_stereo)

struct ns_opus {
#define F(declaration, symbol, field) declaration;
    NS_OPUS_FUNCTIONS(F)
#undef F
};

// Returns false if the library lacks a function.
static inline bool ns_opus_bind(void *library, struct ns_opus *functions) {
#define F(declaration, symbol, field) \
    if (!(*(void **)&functions->field = dlsym(library, symbol))) return false;
    NS_OPUS_FUNCTIONS(F)
#undef F
    return true;
}
