// SPDX-License-Identifier: Apache-2.0
// XXH64 of Debian's xxhash.h, with inline functions: nothing is linked, and nothing is needed where the program runs.
#pragma once

#include <stdint.h>

#define XXH_INLINE_ALL
// Leaves out a newer hash: thousands of lines that every compilation would read.
#define XXH_NO_XXH3
#include <xxhash.h>

// The name in the header is a macro then, which Swift does not see.
static inline uint64_t ns_xxh64(const void *bytes, size_t count, uint64_t seed) { return XXH64(bytes, count, seed); }
