// SPDX-License-Identifier: Apache-2.0
// The part of FreeType that Nightstand uses: glyphs of a font file as pixels. Only the drawing process loads it, at its start. Nothing is
// linked, and the header is not needed to build. The declarations are those of FreeType 2.12 and later; its public structures only ever
// grow at their ends.
//
// None of it is real-time.
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

typedef void ns_ft_library;

struct ns_ft_generic { void *data; void (*finalizer)(void *); };
struct ns_ft_strike { short height, width; long size, x_ppem, y_ppem; };
struct ns_ft_vector { long x, y; };
struct ns_ft_bitmap {
    unsigned rows, width;
    int pitch;
    const uint8_t *buffer;
    unsigned short grays;
    unsigned char mode, palette_mode;
    void *palette;
};
struct ns_ft_outline { short contours, points; void *places, *tags, *ends; int flags; };
// FT_GlyphSlotRec, up to what is read.
struct ns_ft_slot {
    void *library, *face, *next;
    unsigned index;
    struct ns_ft_generic generic;
    long metrics[8];
    long linear_advance, linear_vertical_advance;
    struct ns_ft_vector advance;
    int format;
    struct ns_ft_bitmap bitmap;
    int left, top;
    struct ns_ft_outline outline;
};
// FT_FaceRec, up to what is read.
struct ns_ft_face {
    long faces, index, flags, style, glyphs;
    const char *family, *style_name;
    int strike_count;
    const struct ns_ft_strike *strikes;
    int map_count;
    void *maps;
    struct ns_ft_generic generic;
    long box[4];
    unsigned short units;
    short ascender, descender, height, widest, highest, underline, underline_thickness;
    struct ns_ft_slot *slot;
};

// Result, name, parameters: one line for each function, the source of the table and the loader.
#define NS_FT_FUNCTIONS(F) \
    F(int, FT_Init_FreeType, (ns_ft_library **library)) \
    F(int, FT_Done_FreeType, (ns_ft_library *library)) \
    F(int, FT_New_Memory_Face, (ns_ft_library *library, const void *bytes, long count, long index, struct ns_ft_face **face)) \
    F(int, FT_Done_Face, (struct ns_ft_face *face)) \
    F(int, FT_Set_Char_Size, (struct ns_ft_face *face, long width, long height, unsigned x_dpi, unsigned y_dpi)) \
    F(int, FT_Select_Size, (struct ns_ft_face *face, int strike)) \
    F(void, FT_Set_Transform, (struct ns_ft_face *face, void *matrix, struct ns_ft_vector *delta)) \
    F(unsigned, FT_Get_Char_Index, (struct ns_ft_face *face, unsigned long character)) \
    F(int, FT_Load_Glyph, (struct ns_ft_face *face, unsigned glyph, int32_t flags)) \
    F(int, FT_Outline_Embolden, (struct ns_ft_outline *outline, long strength)) \
    F(int, FT_Render_Glyph, (struct ns_ft_slot *slot, int mode))

#define NS_FT_MEMBER(RESULT, NAME, PARAMETERS) RESULT (*_Nonnull NAME) PARAMETERS;
struct ns_ft_table { NS_FT_FUNCTIONS(NS_FT_MEMBER) };

// Fills the table from the library; 0 if the library lacks a function.
static inline int ns_ft_bind(void *library, struct ns_ft_table *table) {
#define NS_FT_BIND(RESULT, NAME, PARAMETERS) \
    void *NAME = dlsym(library, #NAME); \
    if (!NAME) return 0; \
    table->NAME = (RESULT (*) PARAMETERS)NAME;
    NS_FT_FUNCTIONS(NS_FT_BIND)
    return 1;
}

// FT_LOAD_..., FT_FACE_FLAG_..., FT_PIXEL_MODE_...
enum { NS_FT_RENDER = 1 << 2, NS_FT_NO_HINTING = 1 << 1, NS_FT_COLOR = 1 << 20 };
enum { NS_FT_SCALABLE = 1 << 0 };
enum { NS_FT_MONO = 1, NS_FT_GREY = 2, NS_FT_BGRA = 7 };
