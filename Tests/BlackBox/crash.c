// SPDX-License-Identifier: Apache-2.0
// Preloaded: opening a file with a name that ends in $CRASH_ON ends the process, as a fault in its reader would.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static void look(const char *path) {
    const char *deadly = getenv("CRASH_ON");
    size_t length = strlen(path);
    if (deadly && length >= strlen(deadly) && !strcmp(path + length - strlen(deadly), deadly)) *(volatile int *)0 = 1;
}

#define OPEN(name)                                             \
    int name(const char *path, int flags, ...) {               \
        static int (*real)(const char *, int, ...);            \
        if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);  \
        va_list rest;                                          \
        va_start(rest, flags);                                 \
        int mode = va_arg(rest, int);                          \
        va_end(rest);                                          \
        look(path);                                            \
        return real(path, flags, mode);                        \
    }

OPEN(open)
OPEN(open64)
