// SPDX-License-Identifier: Apache-2.0
// Stands for a board on which a library is not installed: dlopen finds no library with a name that begins with
// NO_LIBRARY.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

void *dlopen(const char *name, int flags) {
    static void *(*real)(const char *, int);
    const char *missing = getenv("NO_LIBRARY");
    if (missing && name && strncmp(name, missing, strlen(missing)) == 0) return NULL;
    if (!real) real = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return real(name, flags);
}
