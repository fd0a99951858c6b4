// SPDX-License-Identifier: Apache-2.0
// The part of libqrencode that Nightstand uses: encoding a text as a QR code. Only the drawing process loads it, for the message of an
// empty library. Nothing is linked, and the header is not needed to build. For libqrencode 4.
//
// None of it is real-time.
#pragma once

#include <dlfcn.h>
#include <stdint.h>

// QRcode. The lowest bit of each byte of `data` is set for black; `width` rows of `width`.
struct ns_qr_code {
    int version, width;
    uint8_t *_Nonnull data;
};

#define NS_QR_FUNCTIONS(F) \
    F(struct ns_qr_code *_Nullable, QRcode_encodeString8bit, (const char *_Nonnull text, int version, int level)) \
    F(void, QRcode_free, (struct ns_qr_code *_Nonnull code))

#define NS_QR_MEMBER(RESULT, NAME, PARAMETERS) RESULT (*_Nonnull NAME) PARAMETERS;
struct ns_qr_table { NS_QR_FUNCTIONS(NS_QR_MEMBER) };

// Fills the table from the library; 0 if the library lacks a function.
static inline int ns_qr_bind(void *_Nonnull library, struct ns_qr_table *_Nonnull table) {
#define NS_QR_BIND(RESULT, NAME, PARAMETERS) \
    void *NAME = dlsym(library, #NAME); \
    if (!NAME) return 0; \
    table->NAME = (RESULT (*) PARAMETERS)NAME;
    NS_QR_FUNCTIONS(NS_QR_BIND)
    return 1;
}

// QR_ECLEVEL_L: 7 % may be unreadable, and the squares are the largest. Version 0: the smallest that fits the text.
enum { NS_QR_LOW = 0, NS_QR_SMALLEST = 0 };
