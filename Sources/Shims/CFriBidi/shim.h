// SPDX-License-Identifier: Apache-2.0
// The part of FriBidi that Nightstand uses: the direction of each character. Only the drawing process loads it, with the first character of
// a right-to-left script. Nothing is linked, and the header is not needed to build. For FriBidi 1.0 and later.
//
// None of it is real-time.
#pragma once

#include <dlfcn.h>
#include <stdint.h>

#define NS_FRIBIDI_FUNCTIONS(F) \
    F(void, fribidi_get_bidi_types, (const uint32_t *text, int count, uint32_t *types)) \
    F(void, fribidi_get_bracket_types, (const uint32_t *text, int count, const uint32_t *types, uint32_t *brackets)) \
    F(signed char, fribidi_get_par_embedding_levels_ex, \
      (const uint32_t *types, const uint32_t *brackets, int count, uint32_t *direction, signed char *levels)) \
    F(int, fribidi_get_mirror_char, (uint32_t character, uint32_t *mirrored))

#define NS_FRIBIDI_MEMBER(RESULT, NAME, PARAMETERS) RESULT (*_Nonnull NAME) PARAMETERS;
struct ns_fribidi_table { NS_FRIBIDI_FUNCTIONS(NS_FRIBIDI_MEMBER) };

// Fills the table from the library; 0 if the library lacks a function.
static inline int ns_fribidi_bind(void *library, struct ns_fribidi_table *table) {
#define NS_FRIBIDI_BIND(RESULT, NAME, PARAMETERS) \
    void *NAME = dlsym(library, #NAME); \
    if (!NAME) return 0; \
    table->NAME = (RESULT (*) PARAMETERS)NAME;
    NS_FRIBIDI_FUNCTIONS(NS_FRIBIDI_BIND)
    return 1;
}

// FRIBIDI_PAR_ON: the direction of the first strong character.
enum { NS_FRIBIDI_BY_FIRST = 0x40 };
