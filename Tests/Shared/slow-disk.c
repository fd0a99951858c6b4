// SPDX-License-Identifier: Apache-2.0
// Preloaded: reads of files below $SLOW_DISK_PREFIX wait while the file $SLOW_DISK_WHILE exists; each that waits adds a byte to it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static void hold(int fd) {
    const char *prefix = getenv("SLOW_DISK_PREFIX"), *flag = getenv("SLOW_DISK_WHILE");
    char link[64], path[4096];
    if (!prefix || !flag || access(flag, F_OK)) return;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return;
    path[length] = 0;
    if (strncmp(path, prefix, strlen(prefix))) return;
    int note = open(flag, O_WRONLY | O_APPEND);
    if (note >= 0) {
        if (write(note, "!", 1) < 0) perror(flag);
        close(note);
    }
    while (!access(flag, F_OK)) usleep(5000);
}

#define READER(result, name, declared, passed)                                   \
    result name declared {                                                       \
        static result(*real) declared;                                           \
        if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                    \
        hold(fd);                                                                \
        return real passed;                                                      \
    }

READER(ssize_t, read, (int fd, void *to, size_t n), (fd, to, n))
READER(ssize_t, pread, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
READER(ssize_t, pread64, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
READER(ssize_t, readv, (int fd, const struct iovec *to, int n), (fd, to, n))
READER(ssize_t, preadv, (int fd, const struct iovec *to, int n, off_t at), (fd, to, n, at))
