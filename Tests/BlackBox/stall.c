// SPDX-License-Identifier: Apache-2.0
// Preloaded: calls of some kinds on files below $STALL_PREFIX wait while the file $STALL_WHILE exists; each that waits adds a byte to it.
// $STALL_CALL names some of sync, stat, open, list, read and write. The note names the caller: C for control, the first
// thread, w for another.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static int (*real_open)(const char *, int, ...);

static void hold(const char *kind, const char *path) {
    const char *prefix = getenv("STALL_PREFIX"), *flag = getenv("STALL_WHILE"), *call = getenv("STALL_CALL");
    if (!path || !prefix || !flag || !call || !strstr(call, kind) || strncmp(path, prefix, strlen(prefix))) return;
    if (faccessat(AT_FDCWD, flag, F_OK, 0)) return;
    if (!real_open) *(void **)&real_open = dlsym(RTLD_NEXT, "open");
    int note = real_open(flag, O_WRONLY | O_APPEND);
    if (note >= 0) {
        if (write(note, getpid() == gettid() ? "C" : "w", 1) < 0) perror(flag);
        close(note);
    }
    while (!faccessat(AT_FDCWD, flag, F_OK, 0)) usleep(5000);
}

static void hold_descriptor(const char *kind, int fd) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return;
    path[length] = 0;
    hold(kind, path);
}

#define WRAP(result, name, declared, passed, before)       \
    result name declared {                                 \
        static result(*real) declared;                     \
        if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name); \
        int error = errno;                                 \
        before;                                            \
        errno = error;                                     \
        return real passed;                                \
    }

WRAP(int, fsync, (int fd), (fd), hold_descriptor("sync", fd))
WRAP(int, fdatasync, (int fd), (fd), hold_descriptor("sync", fd))
WRAP(int, stat, (const char *path, struct stat *to), (path, to), hold("stat", path))
WRAP(int, lstat, (const char *path, struct stat *to), (path, to), hold("stat", path))
WRAP(int, access, (const char *path, int mode), (path, mode), hold("stat", path))
WRAP(DIR *, opendir, (const char *path), (path), hold("list", path))
WRAP(struct dirent *, readdir, (DIR *folder), (folder), hold_descriptor("list", dirfd(folder)))
WRAP(ssize_t, read, (int fd, void *to, size_t n), (fd, to, n), hold_descriptor("read", fd))
WRAP(ssize_t, pread, (int fd, void *to, size_t n, off_t at), (fd, to, n, at), hold_descriptor("read", fd))
WRAP(ssize_t, pread64, (int fd, void *to, size_t n, off_t at), (fd, to, n, at), hold_descriptor("read", fd))

WRAP(ssize_t, write, (int fd, const void *from, size_t n), (fd, from, n), hold_descriptor("write", fd))
WRAP(ssize_t, pwrite, (int fd, const void *from, size_t n, off_t at), (fd, from, n, at), hold_descriptor("write", fd))
WRAP(ssize_t, pwrite64, (int fd, const void *from, size_t n, off_t at), (fd, from, n, at), hold_descriptor("write", fd))
WRAP(int, ftruncate, (int fd, off_t size), (fd, size), hold_descriptor("write", fd))
WRAP(int, ftruncate64, (int fd, off_t size), (fd, size), hold_descriptor("write", fd))

#define OPEN(name)                                             \
    int name(const char *path, int flags, ...) {               \
        static int (*real)(const char *, int, ...);            \
        if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);  \
        va_list rest;                                          \
        va_start(rest, flags);                                 \
        int mode = va_arg(rest, int);                          \
        va_end(rest);                                          \
        hold("open", path);                                    \
        return real(path, flags, mode);                        \
    }

OPEN(open)
OPEN(open64)
