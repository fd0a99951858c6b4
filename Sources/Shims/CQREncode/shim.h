// SPDX-License-Identifier: Apache-2.0
// The part of libqrencode that Nightstand uses: a text as a square of black and white. In the process that draws alone, loaded when an
// empty library says how it is filled: nothing is linked, and the header is not needed to build. Of libqrencode 4.
//
// None of it is real-time.
#pragma once

#include <dlfcn.h>
#include <stdint.h>

// QRcode. The lowest bit of a byte of `data` says black; `width` rows of `width`.
struct ns_qr_code {
    int version, width;
    uint8_t *_Nonnull data;
};

#define NS_QR_FUNCTIONS(F) \
    F(struct ns_qr_code *_Nullable, QRcode_encodeString8bit, (const char *_Nonnull text, int version, int level)) \
    F(void, QRcode_free, (struct ns_qr_code *_Nonnull code))

#define NS_QR_MEMBER(RESULT, NAME, PARAMETERS) RESULT (*_Nonnull NAME) PARAMETERS;
struct ns_qr_table { NS_QR_FUNCTIONS(NS_QR_MEMBER) };

// Fills the table from the library; 0 where the library lacks a function.
static inline int ns_qr_bind(void *_Nonnull library, struct ns_qr_table *_Nonnull table) {
#define NS_QR_BIND(RESULT, NAME, PARAMETERS) \
    void *NAME = dlsym(library, #NAME); \
    if (!NAME) return 0; \
    table->NAME = (RESULT (*) PARAMETERS)NAME;
    NS_QR_FUNCTIONS(NS_QR_BIND)
    return 1;
}

// QR_ECLEVEL_L: 7 % of it may be unreadable, and no other level has larger squares. 0 for the version: the smallest that holds the text.
enum { NS_QR_LOW = 0, NS_QR_SMALLEST = 0 };
