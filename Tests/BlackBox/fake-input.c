// SPDX-License-Identifier: Apache-2.0
// Stands for /dev/input on a machine that has none: a preloaded library that opens pipes of a folder (FAKE_INPUT) instead, and answers what an
// input device is asked. The name of the pipe that a node leads to tells what it is: …-touch (0…999 across and down, by slots), …-mouse,
// …-keys. The test writes the kernel's own records to it.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/input.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

enum { NOTHING, TOUCH, MOUSE, KEYS };
static int kinds[1024];

static const char *folder(const char *path, char *changed, size_t size) {
    const char *base = getenv("FAKE_INPUT");
    if (!base || strncmp(path, "/dev/input", 10) != 0) return path;
    snprintf(changed, size, "%s%s", base, path + 10);
    return changed;
}

static void note(int fd, const char *path) {
    char pipe[PATH_MAX];
    if (fd < 0 || fd >= 1024 || !(path = realpath(path, pipe))) return;
    kinds[fd] = strstr(path, "-touch") ? TOUCH : strstr(path, "-mouse") ? MOUSE : strstr(path, "-keys") ? KEYS : NOTHING;
}

static int opened(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
    char changed[4096];
    const char *actual = folder(path, changed, sizeof changed);
    // A writer of its own keeps the pipe from ending.
    int fd = real(actual, actual == path ? flags : (flags & ~O_ACCMODE) | O_RDWR, mode);
    if (actual != path) note(fd, actual);
    return fd;
}

#define OPEN(name)                                             \
    int name(const char *path, int flags, ...) {               \
        va_list list;                                          \
        va_start(list, flags);                                 \
        mode_t mode = va_arg(list, int);                       \
        va_end(list);                                          \
        return opened(dlsym(RTLD_NEXT, #name), path, flags, mode); \
    }
OPEN(open)
OPEN(open64)

int openat(int at, const char *path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = va_arg(list, int);
    va_end(list);
    char changed[4096];
    int (*real)(int, const char *, int, ...) = dlsym(RTLD_NEXT, "openat");
    return real(at, folder(path, changed, sizeof changed), flags, mode);
}

DIR *opendir(const char *path) {
    char changed[4096];
    DIR *(*real)(const char *) = dlsym(RTLD_NEXT, "opendir");
    return real(folder(path, changed, sizeof changed));
}

int inotify_add_watch(int fd, const char *path, uint32_t mask) {
    char changed[4096];
    int (*real)(int, const char *, uint32_t) = dlsym(RTLD_NEXT, "inotify_add_watch");
    return real(fd, folder(path, changed, sizeof changed), mask);
}

static void set(uint8_t *bits, int bit) { bits[bit / 8] |= 1 << bit % 8; }

int ioctl(int fd, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void *data = va_arg(list, void *);
    va_end(list);
    int kind = fd >= 0 && fd < 1024 ? kinds[fd] : NOTHING;
    if (kind == NOTHING || _IOC_TYPE(request) != 'E') {
        int (*real)(int, unsigned long, ...) = dlsym(RTLD_NEXT, "ioctl");
        return real(fd, request, data);
    }
    int number = _IOC_NR(request), size = _IOC_SIZE(request);
    if (request == EVIOCSCLOCKID || request == EVIOCGRAB) return 0;
    memset(data, 0, size);
    if (number == _IOC_NR(EVIOCGNAME(0))) return snprintf(data, size, "A fake");
    if (number == _IOC_NR(EVIOCGPROP(0))) return 0;
    if (number == _IOC_NR(EVIOCGKEY(0))) {
        // The key that is down, if the test names one.
        const char *held = getenv("FAKE_INPUT_HELD");
        if (held && kind == KEYS) set(data, atoi(held));
        return 0;
    }
    if (number == _IOC_NR(EVIOCGBIT(EV_KEY, 0))) {
        if (kind == TOUCH) set(data, BTN_TOUCH);
        if (kind == MOUSE) set(data, BTN_LEFT);
        if (kind == KEYS) {
            for (int key = KEY_ESC; key < KEY_RO; key++) set(data, key);
            for (int key = KEY_HOME; key < 240; key++) set(data, key);
        }
        return 0;
    }
    if (number == _IOC_NR(EVIOCGBIT(EV_REL, 0))) {
        if (kind == MOUSE) {
            set(data, REL_X);
            set(data, REL_Y);
            set(data, REL_WHEEL);
        }
        return 0;
    }
    if (number == _IOC_NR(EVIOCGBIT(EV_ABS, 0))) {
        if (kind == TOUCH) {
            set(data, ABS_MT_SLOT);
            set(data, ABS_MT_POSITION_X);
            set(data, ABS_MT_POSITION_Y);
            set(data, ABS_MT_TRACKING_ID);
        }
        return 0;
    }
    if (number >= (int)_IOC_NR(EVIOCGABS(0)) && number <= (int)_IOC_NR(EVIOCGABS(ABS_MAX))) {
        struct input_absinfo *info = data;
        info->maximum = number == _IOC_NR(EVIOCGABS(ABS_MT_SLOT)) ? 9 : 999;
        return 0;
    }
    errno = EINVAL;
    return -1;
}
