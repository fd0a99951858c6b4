// SPDX-License-Identifier: Apache-2.0
// The part of HarfBuzz that Nightstand uses: turning a run of characters into positioned glyphs. Only the drawing process loads it, at its
// start. Nothing is linked, and the header is not needed to build. The declarations are those of HarfBuzz 2.6 and later.
//
// None of it is real-time.
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

typedef void ns_hb_blob;
typedef void ns_hb_face;
typedef void ns_hb_font;
typedef void ns_hb_buffer;
typedef void ns_hb_unicode;

struct ns_hb_info { uint32_t glyph, mask, cluster, own1, own2; };
struct ns_hb_position { int32_t x_advance, y_advance, x_offset, y_offset; uint32_t own; };
struct ns_hb_feature { uint32_t tag, value; unsigned start, end; };

#define NS_HB_FUNCTIONS(F) \
    F(ns_hb_blob *, hb_blob_create, (const void *bytes, unsigned count, int mode, void *owner, void *destroy)) \
    F(void, hb_blob_destroy, (ns_hb_blob *blob)) \
    F(ns_hb_face *, hb_face_create, (ns_hb_blob *blob, unsigned index)) \
    F(void, hb_face_destroy, (ns_hb_face *face)) \
    F(unsigned, hb_face_get_upem, (ns_hb_face *face)) \
    F(ns_hb_font *, hb_font_create, (ns_hb_face *face)) \
    F(void, hb_font_destroy, (ns_hb_font *font)) \
    F(ns_hb_buffer *, hb_buffer_create, (void)) \
    F(void, hb_buffer_destroy, (ns_hb_buffer *buffer)) \
    F(void, hb_buffer_reset, (ns_hb_buffer *buffer)) \
    F(void, hb_buffer_add_utf32, (ns_hb_buffer *buffer, const uint32_t *text, int length, unsigned start, int count)) \
    F(void, hb_buffer_set_direction, (ns_hb_buffer *buffer, int direction)) \
    F(void, hb_buffer_set_script, (ns_hb_buffer *buffer, uint32_t script)) \
    F(void, hb_buffer_guess_segment_properties, (ns_hb_buffer *buffer)) \
    F(const struct ns_hb_info *, hb_buffer_get_glyph_infos, (ns_hb_buffer *buffer, unsigned *count)) \
    F(const struct ns_hb_position *, hb_buffer_get_glyph_positions, (ns_hb_buffer *buffer, unsigned *count)) \
    F(void, hb_shape, (ns_hb_font *font, ns_hb_buffer *buffer, const struct ns_hb_feature *features, unsigned count)) \
    F(ns_hb_unicode *, hb_unicode_funcs_get_default, (void)) \
    F(uint32_t, hb_unicode_script, (ns_hb_unicode *unicode, uint32_t character)) \
    F(int, hb_unicode_general_category, (ns_hb_unicode *unicode, uint32_t character))

#define NS_HB_MEMBER(RESULT, NAME, PARAMETERS) RESULT (*_Nonnull NAME) PARAMETERS;
struct ns_hb_table { NS_HB_FUNCTIONS(NS_HB_MEMBER) };

// Fills the table from the library; 0 if the library lacks a function.
static inline int ns_hb_bind(void *library, struct ns_hb_table *table) {
#define NS_HB_BIND(RESULT, NAME, PARAMETERS) \
    void *NAME = dlsym(library, #NAME); \
    if (!NAME) return 0; \
    table->NAME = (RESULT (*) PARAMETERS)NAME;
    NS_HB_FUNCTIONS(NS_HB_BIND)
    return 1;
}

// hb_memory_mode_t: the bytes stay unchanged as long as the blob exists.
enum { NS_HB_READ_ONLY = 1 };
enum { NS_HB_LEFT_TO_RIGHT = 4, NS_HB_RIGHT_TO_LEFT = 5 };
// The scripts that follow their neighbors, and the marks of hb_unicode_general_category_t.
#define NS_HB_SCRIPT(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))
static const uint32_t ns_hb_common = NS_HB_SCRIPT('Z', 'y', 'y', 'y');
static const uint32_t ns_hb_inherited = NS_HB_SCRIPT('Z', 'i', 'n', 'h');
static const uint32_t ns_hb_tabular_digits = NS_HB_SCRIPT('t', 'n', 'u', 'm');
static const uint32_t ns_hb_composition = NS_HB_SCRIPT('c', 'c', 'm', 'p');
enum { NS_HB_SPACING_MARK = 10, NS_HB_ENCLOSING_MARK = 11, NS_HB_NONSPACING_MARK = 12 };
