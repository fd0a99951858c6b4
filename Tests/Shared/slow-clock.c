// SPDX-License-Identifier: Apache-2.0
// A clock that goes SLOW_CLOCK times as slow, for programs that are counted under valgrind: moving parts are drawn as
// often as on a machine that keeps up.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>

static long slower(void) {
    static long factor;
    if (!factor) {
        const char *text = getenv("SLOW_CLOCK");
        factor = text ? atol(text) : 1;
        if (factor < 1) factor = 1;
    }
    return factor;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, now);
    if (result == 0 && clock == CLOCK_MONOTONIC) {
        long long nanoseconds = (now->tv_sec * 1000000000LL + now->tv_nsec) / slower();
        now->tv_sec = nanoseconds / 1000000000;
        now->tv_nsec = nanoseconds % 1000000000;
    }
    return result;
}

// The wall's, too: a minute on a screen lasts as long as sixty of its seconds.
time_t time(time_t *out) {
    static time_t begun;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (!begun) begun = now.tv_sec;
    time_t slow = begun + (now.tv_sec - begun) / slower();
    if (out) *out = slow;
    return slow;
}

int epoll_wait(int epoll, struct epoll_event *events, int most, int timeout) {
    static int (*real)(int, struct epoll_event *, int, int);
    if (!real) real = dlsym(RTLD_NEXT, "epoll_wait");
    return real(epoll, events, most, timeout > 0 ? (int)(timeout * slower()) : timeout);
}
