// SPDX-License-Identifier: Apache-2.0
// libvorbisfile as Nightstand uses it: decoding Ogg Vorbis from callbacks. The declarations follow vorbis/vorbisfile.h of 1.3, with the
// soname libvorbisfile.so.3. Nothing is needed to build or to start. The library is loaded when the first such file is opened.
//
// None of it is real-time: it allocates and waits for its callbacks. For the feed thread and the worker.
#pragma once

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// OggVorbis_File, which the caller allocates: 944 bytes on 64-bit machines, fewer on others. This has room to spare.
#define NS_VORBIS_FILE_BYTES 2048

// The used part of vorbis_info.
struct ns_vorbis_info {
    int version, channels;
    long rate;
};

struct ns_vorbis_callbacks {
    size_t (*read)(void *buffer, size_t size, size_t count, void *client);
    int (*seek)(void *client, int64_t offset, int whence);
    int (*close)(void *client);
    long (*tell)(void *client);
};

// Reports a callback's failed read: only errno tells it from the end.
static inline void ns_vorbis_read_failed(void) { errno = EIO; }

// Some data was missing or damaged; decoding continues after it.
enum { NS_VORBIS_HOLE = -3, NS_VORBIS_BAD_PACKET = -136, NS_VORBIS_BAD_LINK = -137 };

#define NS_VORBIS_FUNCTIONS(F)                                                                                         \
    F(int (*open)(void *client, void *file, const char *initial, long bytes, struct ns_vorbis_callbacks),              \
      "ov_open_callbacks", open)                                                                                       \
    F(int (*clear)(void *file), "ov_clear", clear)                                                                     \
    F(struct ns_vorbis_info *(*info)(void *file, int link), "ov_info", info)                                           \
    F(long (*links)(void *file), "ov_streams", links)                                                                  \
    F(int64_t (*total)(void *file, int link), "ov_pcm_total", total)                                                   \
    F(int64_t (*tell)(void *file), "ov_pcm_tell", tell)                                                                \
    F(int (*seek)(void *file, int64_t frame), "ov_pcm_seek", seek)                                                     \
    F(long (*read)(void *file, char *buffer, int bytes, int big_endian, int word, int is_signed, int *link), "ov_read", \
      read)

struct ns_vorbis {
#define F(declaration, symbol, field) declaration;
    NS_VORBIS_FUNCTIONS(F)
#undef F
};

// Returns false if the library lacks a function.
static inline bool ns_vorbis_bind(void *library, struct ns_vorbis *functions) {
#define F(declaration, symbol, field) \
    if (!(*(void **)&functions->field = dlsym(library, symbol))) return false;
    NS_VORBIS_FUNCTIONS(F)
#undef F
    return true;
}
