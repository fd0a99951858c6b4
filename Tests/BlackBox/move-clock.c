// SPDX-License-Identifier: Apache-2.0
// Moves a program's CLOCK_MONOTONIC on: by as many seconds as the 64-bit word at the head of the file $MOVE_CLOCK says, which may
// grow while the program runs. So a month goes by between two commands. Time that is waited for is the real one.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t *ahead;

// The same as the names that the program was compiled with: with a time_t of 64 bits on ARM these are __clock_gettime64 and so on.
static __typeof__(clock_gettime) *real_gettime;
static __typeof__(timerfd_settime) *real_settime;

#if defined(__arm__) && defined(_TIME_BITS) && _TIME_BITS == 64
#define GETTIME "__clock_gettime64"
#define SETTIME "__timerfd_settime64"
#else
#define GETTIME "clock_gettime"
#define SETTIME "timerfd_settime"
#endif

__attribute__((constructor)) static void begin(void) {
    real_gettime = (__typeof__(clock_gettime) *)dlsym(RTLD_NEXT, GETTIME);
    real_settime = (__typeof__(timerfd_settime) *)dlsym(RTLD_NEXT, SETTIME);
    int file = open(getenv("MOVE_CLOCK"), O_RDONLY | O_CLOEXEC);
    void *page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (page == MAP_FAILED) abort();
    ahead = page;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = real_gettime ? real_gettime(clock, now) : -1;
    if (clock == CLOCK_MONOTONIC && ahead) now->tv_sec += *ahead;
    return result;
}

int timerfd_settime(int timer, int flags, const struct itimerspec *value, struct itimerspec *old) {
    struct itimerspec moved = *value;
    if (flags & TFD_TIMER_ABSTIME && moved.it_value.tv_sec > *ahead) moved.it_value.tv_sec -= *ahead;
    return real_settime(timer, flags, &moved, old);
}
