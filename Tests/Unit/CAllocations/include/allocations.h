// SPDX-License-Identifier: Apache-2.0
// Counts what each thread takes from malloc, in the test program only: its own malloc and the rest of the family stand
// before glibc's, which still do the work. So memory that is let go of by another function than it came from is no problem.
#pragma once
#include <stdint.h>

// The bytes that the calling thread has allocated and not freed. The number can be negative: one thread may free another's memory.
int64_t ns_allocated_bytes(void);

// The most that `ns_allocated_bytes` was since the last call of `ns_set_allocated_peak`.
int64_t ns_allocated_peak(void);
void ns_set_allocated_peak(int64_t bytes);
