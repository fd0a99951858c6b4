// SPDX-License-Identifier: Apache-2.0
// Counts what each thread takes from malloc, in the test program only: its own malloc and the rest of the family stand
// before glibc's, which still do the work. So memory that is let go of by another function than it came from is no problem.
#pragma once
#include <stdint.h>

// What the calling thread has taken so far and not given back, in bytes. It can be negative: memory may come from one
// thread and be freed by another.
int64_t ns_allocated_bytes(void);

// The most that `ns_allocated_bytes` was since the last call of `ns_set_allocated_peak`.
int64_t ns_allocated_peak(void);
void ns_set_allocated_peak(int64_t bytes);
