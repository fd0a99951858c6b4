// SPDX-License-Identifier: Apache-2.0
// The part of zlib's interface that Nightstand uses (its zlib.h; the same since 1.2). Declared here, since the program is neither built nor
// linked with the library. It is loaded for the first compressed file in an archive.
//
// None of it is real-time: for the threads of feed and worker. Only one thread uses a stream at a time; streams share nothing.
#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#define NS_ZLIB_LIBRARY "libz.so.1"

// z_stream. zlib checks its size.
struct ns_zlib_stream {
    const void *next_in;
    unsigned avail_in;
    unsigned long total_in;
    void *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *zalloc, *zfree, *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
};

enum { NS_ZLIB_OK = 0, NS_ZLIB_STREAM_END = 1, NS_ZLIB_BUF_ERROR = -5 };

// One line for each function: its result, its name, its arguments.
#define NS_ZLIB_FUNCTIONS(FUNCTION)                                                                                        \
    FUNCTION(int, inflateInit2_, (struct ns_zlib_stream *stream, int bits, const char *version, int bytes))                \
    FUNCTION(int, inflate, (struct ns_zlib_stream *stream, int flush))                                                     \
    FUNCTION(int, inflateCopy, (struct ns_zlib_stream *to, struct ns_zlib_stream *from))                                   \
    FUNCTION(int, inflateEnd, (struct ns_zlib_stream *stream))

struct ns_zlib {
#define NS_ZLIB_POINTER(result, name, parameters) result(*name) parameters;
    NS_ZLIB_FUNCTIONS(NS_ZLIB_POINTER)
#undef NS_ZLIB_POINTER
};

// Fills the table from the loaded library; false if a function is missing.
static inline bool ns_zlib_find(void *library, struct ns_zlib *functions) {
#define NS_ZLIB_FIND(result, name, parameters) \
    if (!(*(void **)&functions->name = dlsym(library, #name))) return false;
    NS_ZLIB_FUNCTIONS(NS_ZLIB_FIND)
#undef NS_ZLIB_FIND
    return true;
}

// Begins a raw deflate stream, as in ZIP, without zlib's header. The version identifies the layout of the structure.
static inline int ns_zlib_begin(const struct ns_zlib *functions, struct ns_zlib_stream *stream) {
    return functions->inflateInit2_(stream, -15, "1.2.11", (int)sizeof *stream);
}
