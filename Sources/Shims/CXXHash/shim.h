// SPDX-License-Identifier: Apache-2.0
// XXH64 of Debian's xxhash.h, as inline functions: nothing is linked, and nothing is needed to run.
#pragma once

#include <stdint.h>

#define XXH_INLINE_ALL
// Leaves out a newer hash of thousands of lines, which every compilation would read.
#define XXH_NO_XXH3
#include <xxhash.h>

// The header's name would be a macro, which Swift cannot import.
static inline uint64_t ns_xxh64(const void *bytes, size_t count, uint64_t seed) { return XXH64(bytes, count, seed); }
