// SPDX-License-Identifier: Apache-2.0
// libFLAC as Nightstand uses it: decoding from callbacks, with exact seeking. The declarations follow FLAC/stream_decoder.h of 1.4 and 1.5,
// with the sonames libFLAC.so.12 and .14. The used part is the same in both, and is not needed to build or to start. The library is loaded
// when the first such file is opened.
//
// None of it is real-time: it allocates and waits for its callbacks. For the feed thread and the worker.
#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// FLAC__FrameHeader: the beginning of the write callback's argument. Its number is always that of the first sample.
struct ns_flac_frame {
    uint32_t frames, rate, channels, assignment, bits, number_type;
    uint64_t sample;
};

// The values of libFLAC's enumerations that are used.
enum ns_flac_status { NS_FLAC_CONTINUE = 0, NS_FLAC_READ_END = 1, NS_FLAC_READ_ABORT = 2, NS_FLAC_ABORT = 1 };
enum ns_flac_state { NS_FLAC_END_OF_STREAM = 4, NS_FLAC_SEEK_ERROR = 6, NS_FLAC_ABORTED = 7 };

typedef int ns_flac_read(const void *decoder, uint8_t *buffer, size_t *bytes, void *client);
typedef int ns_flac_seek(const void *decoder, uint64_t offset, void *client);
typedef int ns_flac_tell(const void *decoder, uint64_t *offset, void *client);
typedef int ns_flac_is_at_end(const void *decoder, void *client);
typedef int ns_flac_write(
    const void *decoder, const struct ns_flac_frame *frame, const int32_t *const *planes, void *client);
typedef void ns_flac_told(const void *decoder, const void *metadata, void *client);
typedef void ns_flac_failed(const void *decoder, int status, void *client);
typedef int ns_flac_begin(
    void *decoder, ns_flac_read *, ns_flac_seek *, ns_flac_tell *, ns_flac_tell *length, ns_flac_is_at_end *,
    ns_flac_write *, ns_flac_told *, ns_flac_failed *, void *client);

#define NS_FLAC_FUNCTIONS(F)                                                        \
    F(void *(*create)(void), "FLAC__stream_decoder_new", create)                    \
    F(void (*destroy)(void *), "FLAC__stream_decoder_delete", destroy)              \
    F(ns_flac_begin *begin, "FLAC__stream_decoder_init_stream", begin)              \
    F(ns_flac_begin *begin_ogg, "FLAC__stream_decoder_init_ogg_stream", begin_ogg)  \
    F(int (*next)(void *), "FLAC__stream_decoder_process_single", next)             \
    F(int (*seek)(void *, uint64_t), "FLAC__stream_decoder_seek_absolute", seek)    \
    F(int (*flush)(void *), "FLAC__stream_decoder_flush", flush)                    \
    F(int (*state)(const void *), "FLAC__stream_decoder_get_state", state)

struct ns_flac {
#define F(declaration, symbol, field) declaration;
    NS_FLAC_FUNCTIONS(F)
#undef F
};

// Returns false if the library lacks a function.
static inline bool ns_flac_bind(void *library, struct ns_flac *functions) {
#define F(declaration, symbol, field) \
    if (!(*(void **)&functions->field = dlsym(library, symbol))) return false;
    NS_FLAC_FUNCTIONS(F)
#undef F
    return true;
}

// Converts samples to interleaved 16 bits: wider samples are rounded to the nearest and clamped.
static inline void ns_flac_interleave(
    int16_t *to, const int32_t *const *planes, uint32_t channels, uint32_t frames, uint32_t bits) {
    if (bits == 16 && channels == 2) {
        const int32_t *left = planes[0], *right = planes[1];
        for (uint32_t i = 0; i < frames; i++) {
            to[2 * i] = (int16_t)left[i];
            to[2 * i + 1] = (int16_t)right[i];
        }
        return;
    }
    for (uint32_t channel = 0; channel < channels; channel++) {
        const int32_t *from = planes[channel];
        int16_t *place = to + channel;
        if (bits <= 16) {
            for (uint32_t i = 0; i < frames; i++, place += channels) *place = (int16_t)(from[i] * (1 << (16 - bits)));
        } else {
            uint32_t shift = bits - 16;
            for (uint32_t i = 0; i < frames; i++, place += channels) {
                int64_t value = ((int64_t)from[i] + (1 << (shift - 1))) >> shift;
                *place = (int16_t)(value > 32767 ? 32767 : value);
            }
        }
    }
}
