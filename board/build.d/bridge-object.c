// SPDX-License-Identifier: Apache-2.0
// Swift 6.3's Embedded standard library has these two return the pointer without its tag bits. The compiler promises LLVM that
// they return what they were given, and on ARM the caller goes on with the returned register: a small string such as
// "nightstand" that is retained comes back as another. These come before the library's weak symbols.
// It is mended upstream: swiftlang/swift pull request 91151 (2026-07-31, "Don't corrupt the pointer returned from
// swift_bridgeObjectRetain_n"). With a toolchain that has it this file goes.
// Shown by opening a button on the virtual board: String == then reads through the second half of "nightstand".
#include <stdint.h>

void *swift_retain_n(void *object, uint32_t count);

void *swift_bridgeObjectRetain_n(void *object, uint32_t count) {
    // An immortal object keeps its top bit, by which swift_retain_n knows it; so has a small string.
    swift_retain_n((void *)((uintptr_t)object & 0x8ffffffffffffff8u), count);
    return object;
}

void *swift_bridgeObjectRetain(void *object) { return swift_bridgeObjectRetain_n(object, 1); }
