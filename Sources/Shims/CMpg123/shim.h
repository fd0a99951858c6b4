// SPDX-License-Identifier: Apache-2.0
// libmpg123. NS_REALTIME vouches for a function to the compiler: the audio thread, with its `@_noLocks @_noAllocation` code, may call it.
// Each has its reason. A black-box test that counts allocations on that thread covers the library.
#pragma once

#include <mpg123.h>

#define NS_REALTIME __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

// mpg123_param is a macro from 1.31 on (mpg123_param2, with other types), a function before.
static inline int ns_mpg123_set(mpg123_handle *handle, enum mpg123_parms what, long value) {
    return mpg123_param(handle, what, value, 0);
}

// If off_t has the width of large files by request (_FILE_OFFSET_BITS, on 32-bit boards), these names are macros.
static inline int ns_mpg123_set_index(mpg123_handle *handle, off_t *offsets, off_t step, size_t count) {
    return mpg123_set_index(handle, offsets, step, count);
}
static inline off_t ns_mpg123_feedseek(mpg123_handle *handle, off_t sample, int whence, off_t *offset) {
    return mpg123_feedseek(handle, sample, whence, offset);
}

// Copies into buffers of the feed pool, which MPG123_FEEDPOOL keeps for the life of the handle. The pool is filled during the preparation
// of the deck, off the audio thread. Feeds of at most MPG123_FEEDBUFFER bytes never exceed it.
NS_REALTIME static inline int ns_mpg123_feed(mpg123_handle *handle, const unsigned char *bytes, size_t count) {
    return mpg123_feed(handle, bytes, count);
}

// Decodes one frame into the handle's output buffer. The buffer is allocated again for frames of another length or channel count, and such
// frames are first decoded on the feed thread (`DeckShared.changeByte`). libmpg123 takes no locks.
NS_REALTIME static inline int ns_mpg123_decode_frame(mpg123_handle *handle, unsigned char **audio, size_t *bytes) {
    off_t number;
    return mpg123_decode_frame(handle, &number, audio, bytes);
}

// Reads fields of the handle. Called only once the first frame is known.
NS_REALTIME static inline int ns_mpg123_getformat(mpg123_handle *handle, long *rate, int *channels, int *encoding) {
    return mpg123_getformat(handle, rate, channels, encoding);
}
