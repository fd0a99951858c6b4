// SPDX-License-Identifier: Apache-2.0
#include "allocations.h"

#include <errno.h>
#include <malloc.h>
#include <stddef.h>

// In the program's own block of thread-local storage: reading them never calls malloc.
static _Thread_local __attribute__((tls_model("initial-exec"))) int64_t allocated, peak;

int64_t ns_allocated_bytes(void) { return allocated; }
int64_t ns_allocated_peak(void) { return peak; }
void ns_set_allocated_peak(int64_t bytes) { peak = bytes; }

// A sanitizer has a malloc of its own; nothing is counted then.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);
void __libc_free(void *);

static void *taken(void *memory) {
  if (memory) {
    allocated += (int64_t)malloc_usable_size(memory);
    if (allocated > peak) peak = allocated;
  }
  return memory;
}

void *malloc(size_t size) { return taken(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) { return taken(__libc_calloc(count, size)); }
void *memalign(size_t alignment, size_t size) { return taken(__libc_memalign(alignment, size)); }
void *aligned_alloc(size_t alignment, size_t size) { return taken(__libc_memalign(alignment, size)); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) || !alignment || (alignment & (alignment - 1))) return EINVAL;
  void *memory = taken(__libc_memalign(alignment, size));
  if (!memory) return ENOMEM;
  *result = memory;
  return 0;
}

// The old block counts until the new one is there, as it does in memory when the block has to move.
void *realloc(void *old, size_t size) {
  int64_t before = (int64_t)malloc_usable_size(old);
  void *memory = __libc_realloc(old, size);
  if (!memory) {
    if (!size) allocated -= before;
    return memory;
  }
  if (memory == old) allocated -= before;
  taken(memory);
  if (memory != old) allocated -= before;
  return memory;
}

void free(void *memory) {
  allocated -= (int64_t)malloc_usable_size(memory);
  __libc_free(memory);
}

#endif
