// SPDX-License-Identifier: Apache-2.0
// The part of libturbojpeg that Nightstand uses: decoding a JPEG at a reduced size. Only the drawing process loads it, with the first such
// picture. Nothing is linked, and the header is not needed to build. The functions are those of version 2, also in 3.
//
// None of it is real-time.
#pragma once

#include <dlfcn.h>
#include <stdint.h>

typedef void ns_tj_handle;
struct ns_tj_factor { int numerator, denominator; };

#define NS_TJ_FUNCTIONS(F) \
    F(ns_tj_handle *, tjInitDecompress, (void)) \
    F(int, tjDestroy, (ns_tj_handle *handle)) \
    F(int, tjDecompressHeader3, \
      (ns_tj_handle *handle, const uint8_t *bytes, unsigned long count, int *width, int *height, int *sampling, int *space)) \
    F(const struct ns_tj_factor *, tjGetScalingFactors, (int *count)) \
    F(int, tjDecompress2, \
      (ns_tj_handle *handle, const uint8_t *bytes, unsigned long count, uint8_t *to, int width, int pitch, int height, \
       int format, int flags)) \
    F(int, tjGetErrorCode, (ns_tj_handle *handle))

#define NS_TJ_MEMBER(RESULT, NAME, PARAMETERS) RESULT (*_Nonnull NAME) PARAMETERS;
struct ns_tj_table { NS_TJ_FUNCTIONS(NS_TJ_MEMBER) };

// Fills the table from the library; 0 if the library lacks a function.
static inline int ns_tj_bind(void *library, struct ns_tj_table *table) {
#define NS_TJ_BIND(RESULT, NAME, PARAMETERS) \
    void *NAME = dlsym(library, #NAME); \
    if (!NAME) return 0; \
    table->NAME = (RESULT (*) PARAMETERS)NAME;
    NS_TJ_FUNCTIONS(NS_TJ_BIND)
    return 1;
}

// TJPF_BGRX, TJPF_CMYK, TJCS_CMYK, TJCS_YCCK, TJFLAG_FASTUPSAMPLE, TJERR_WARNING.
enum { NS_TJ_BGRX = 3, NS_TJ_CMYK = 11, NS_TJ_IS_CMYK = 3, NS_TJ_IS_YCCK = 4, NS_TJ_FAST_UPSAMPLING = 256, NS_TJ_WARNING = 0 };
