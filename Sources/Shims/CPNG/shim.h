// SPDX-License-Identifier: Apache-2.0
// The part of libpng that Nightstand uses: decoding a PNG row by row, and encoding pixels. Only the drawing process loads it, with the
// first such picture. Nothing is linked, and the header is not needed to build. For libpng 1.6.
//
// None of it is real-time.
#pragma once

#include <dlfcn.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef void ns_png_reader;
typedef void ns_png_info;

// png_image, version 1.
struct ns_png_image {
    void *opaque;
    uint32_t version, width, height, format, flags, colors, failure;
    char message[64];
};

#define NS_PNG_FUNCTIONS(F) \
    F(ns_png_reader *, png_create_read_struct, \
      (const char *version, void *context, void (*failed)(ns_png_reader *, const char *), \
       void (*warned)(ns_png_reader *, const char *))) \
    F(ns_png_info *, png_create_info_struct, (ns_png_reader *png)) \
    F(void, png_destroy_read_struct, (ns_png_reader **png, ns_png_info **info, ns_png_info **end)) \
    F(void *, png_get_error_ptr, (ns_png_reader *png)) \
    F(void *, png_get_io_ptr, (ns_png_reader *png)) \
    F(void, png_set_read_fn, (ns_png_reader *png, void *context, void (*read)(ns_png_reader *, uint8_t *, size_t))) \
    F(void, png_set_user_limits, (ns_png_reader *png, uint32_t width, uint32_t height)) \
    F(void, png_read_info, (ns_png_reader *png, ns_png_info *info)) \
    F(uint32_t, png_get_image_width, (ns_png_reader *png, ns_png_info *info)) \
    F(uint32_t, png_get_image_height, (ns_png_reader *png, ns_png_info *info)) \
    F(int, png_set_interlace_handling, (ns_png_reader *png)) \
    F(void, png_set_expand, (ns_png_reader *png)) \
    F(void, png_set_scale_16, (ns_png_reader *png)) \
    F(void, png_set_gray_to_rgb, (ns_png_reader *png)) \
    F(void, png_set_add_alpha, (ns_png_reader *png, uint32_t filler, int flags)) \
    F(void, png_set_bgr, (ns_png_reader *png)) \
    F(void, png_read_update_info, (ns_png_reader *png, ns_png_info *info)) \
    F(size_t, png_get_rowbytes, (ns_png_reader *png, ns_png_info *info)) \
    F(void, png_read_row, (ns_png_reader *png, uint8_t *row, uint8_t *display)) \
    F(int, png_image_write_to_memory, \
      (struct ns_png_image *image, void *to, size_t *bytes, int to8, const void *pixels, int32_t stride, const void *map)) \
    F(void, png_image_free, (struct ns_png_image *image))

#define NS_PNG_MEMBER(RESULT, NAME, PARAMETERS) RESULT (*_Nonnull NAME) PARAMETERS;
struct ns_png_table { NS_PNG_FUNCTIONS(NS_PNG_MEMBER) };

// Fills the table from the library; 0 if the library lacks a function.
static inline int ns_png_bind(void *library, struct ns_png_table *table) {
#define NS_PNG_BIND(RESULT, NAME, PARAMETERS) \
    void *NAME = dlsym(library, #NAME); \
    if (!NAME) return 0; \
    table->NAME = (RESULT (*) PARAMETERS)NAME;
    NS_PNG_FUNCTIONS(NS_PNG_BIND)
    return 1;
}

// PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_BGR, and with a fourth byte for the opacity.
enum { NS_PNG_BGR = 0x02 | 0x10, NS_PNG_BGRA = 0x02 | 0x10 | 0x01, NS_PNG_VERSION = 1, NS_PNG_FILLER_AFTER = 1 };

// A PNG being read from memory. libpng reports errors by longjmp, which must not cross Swift frames. So every call that can fail is in one
// of the functions below.
struct ns_png_source {
    const struct ns_png_table *png;
    const uint8_t *bytes;
    size_t left;
    ns_png_reader *reader;
    ns_png_info *info;
    jmp_buf failed;
    uint32_t width, height;
    // The number of passes: 1, or 7 for an interlaced picture. Each pass reads all rows over the earlier ones.
    int passes;
};

// libpng passes only the reader to its callbacks, so the table is global.
static inline const struct ns_png_table **ns_png_current(void) {
    static const struct ns_png_table *table;
    return &table;
}

static inline void ns_png_warn(ns_png_reader *reader, const char *message) { (void)reader, (void)message; }

static inline void ns_png_fail(ns_png_reader *reader, const char *message) {
    (void)message;
    struct ns_png_source *source = (*ns_png_current())->png_get_error_ptr(reader);
    longjmp(source->failed, 1);
}

static inline void ns_png_take(ns_png_reader *reader, uint8_t *to, size_t count) {
    struct ns_png_source *source = (*ns_png_current())->png_get_io_ptr(reader);
    if (count > source->left) longjmp(source->failed, 1);
    memcpy(to, source->bytes, count);
    source->bytes += count;
    source->left -= count;
}

static inline void ns_png_end(struct ns_png_source *source) {
    if (source->reader) source->png->png_destroy_read_struct(&source->reader, &source->info, NULL);
}

// Reads the header, and requests rows of B, G, R and opacity, 8 bits each. Returns false for anything but a readable PNG.
static inline bool ns_png_begin(struct ns_png_source *source) {
    *ns_png_current() = source->png;
    source->reader = source->png->png_create_read_struct("1.6.0", source, ns_png_fail, ns_png_warn);
    if (!source->reader) return false;
    if (setjmp(source->failed)) return false;
    source->info = source->png->png_create_info_struct(source->reader);
    source->png->png_set_read_fn(source->reader, source, ns_png_take);
    source->png->png_set_user_limits(source->reader, 20000, 20000);
    source->png->png_read_info(source->reader, source->info);
    source->width = source->png->png_get_image_width(source->reader, source->info);
    source->height = source->png->png_get_image_height(source->reader, source->info);
    source->passes = source->png->png_set_interlace_handling(source->reader);
    source->png->png_set_expand(source->reader);
    source->png->png_set_scale_16(source->reader);
    source->png->png_set_gray_to_rgb(source->reader);
    source->png->png_set_add_alpha(source->reader, 0xFF, NS_PNG_FILLER_AFTER);
    source->png->png_set_bgr(source->reader);
    source->png->png_read_update_info(source->reader, source->info);
    return source->png->png_get_rowbytes(source->reader, source->info) == (size_t)source->width * 4;
}

// Reads the next row, of four bytes a pixel. Returns false if the file is damaged or ends.
static inline bool ns_png_row(struct ns_png_source *source, uint8_t *row) {
    if (setjmp(source->failed)) return false;
    source->png->png_read_row(source->reader, row, NULL);
    return true;
}
