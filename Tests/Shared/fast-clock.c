// SPDX-License-Identifier: Apache-2.0
// Makes time pass FAST_CLOCK times as fast for a whole test class: its Python, the speaker, the servers, the clients. Preloaded.
//
// Clocks advance faster from the moment FAST_CLOCK_ORIGIN on ("MONOTONIC:REALTIME" in nanoseconds, one for all processes of the class),
// and waits are shorter by the same factor. Not reached: times of files, and programs that are static, set-uid or emulated.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define NS INT64_C(1000000000)
// The function that this one stands in front of.
#define REAL(name)                                                                                                                \
    static __typeof__(name) *real;                                                                                                \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static int64_t factor = 1, monotonic_origin, realtime_origin;

__attribute__((constructor(101))) static void begin(void) {
    const char *speed = getenv("FAST_CLOCK"), *origin = getenv("FAST_CLOCK_ORIGIN");
    if (!speed || !origin || sscanf(origin, "%" SCNd64 ":%" SCNd64, &monotonic_origin, &realtime_origin) != 2) return;
    factor = atoll(speed) > 1 ? atoll(speed) : 1;
}

static int is_fast(clockid_t clock) {
    if (factor == 1) return 0;
    switch (clock) {
    case CLOCK_MONOTONIC: case CLOCK_MONOTONIC_COARSE: case CLOCK_MONOTONIC_RAW: case CLOCK_BOOTTIME:
    case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: return 1;
    default: return 0;
    }
}

static int64_t origin_of(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ? realtime_origin : monotonic_origin;
}

static int64_t nanoseconds(const struct timespec *time) { return (int64_t)time->tv_sec * NS + time->tv_nsec; }
static struct timespec timespec_of(int64_t ns) { return (struct timespec){ns / NS, ns % NS}; }

// The kernel's length of a wait, rounded up.
static int64_t shortened(int64_t ns) { return ns / factor + (ns % factor != 0); }

// The kernel's time of a fast one.
static int64_t kernel_time(clockid_t clock, int64_t ns) {
    int64_t origin = origin_of(clock);
    return !is_fast(clock) || ns < origin ? ns : origin + shortened(ns - origin);
}

int clock_gettime(clockid_t clock, struct timespec *out) {
    REAL(clock_gettime);
    int result = real(clock, out);
    if (result == 0 && is_fast(clock)) {
        int64_t now = nanoseconds(out), origin = origin_of(clock);
        if (now > origin) *out = timespec_of(origin + (now - origin) * factor);
    }
    return result;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *out = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wait, struct timespec *left) {
    REAL(clock_nanosleep);
    if (!is_fast(clock)) return real(clock, flags, wait, left);
    int is_absolute = flags & TIMER_ABSTIME;
    struct timespec shorter = timespec_of(is_absolute ? kernel_time(clock, nanoseconds(wait)) : shortened(nanoseconds(wait)));
    struct timespec rest = {0};
    int result = real(clock, flags, &shorter, left ? &rest : NULL);
    if (result == EINTR && left && !is_absolute) *left = timespec_of(nanoseconds(&rest) * factor);
    return result;
}

int nanosleep(const struct timespec *wait, struct timespec *left) {
    int result = clock_nanosleep(CLOCK_MONOTONIC, 0, wait, left);
    if (result == 0) return 0;
    errno = result;
    return -1;
}

int usleep(useconds_t microseconds) {
    struct timespec wait = timespec_of(microseconds * INT64_C(1000));
    return nanosleep(&wait, NULL);
}

unsigned sleep(unsigned seconds) {
    struct timespec wait = timespec_of(seconds * NS);
    return nanosleep(&wait, NULL) ? seconds : 0;
}

int ppoll(struct pollfd *files, nfds_t count, const struct timespec *wait, const sigset_t *mask) {
    REAL(ppoll);
    struct timespec shorter;
    if (wait) shorter = timespec_of(shortened(nanoseconds(wait)));
    return real(files, count, wait ? &shorter : NULL, mask);
}

int poll(struct pollfd *files, nfds_t count, int milliseconds) {
    struct timespec wait = timespec_of(milliseconds * INT64_C(1000000));
    return ppoll(files, count, milliseconds < 0 ? NULL : &wait, NULL);
}

int __poll_chk(struct pollfd *files, nfds_t count, int milliseconds, size_t size) {
    (void)size;
    return poll(files, count, milliseconds);
}

// By epoll_pwait2, which takes parts of a millisecond.
int epoll_pwait(int epoll, struct epoll_event *events, int count, int milliseconds, const sigset_t *mask) {
    static __typeof__(epoll_pwait2) *real;
    if (!real) real = (__typeof__(epoll_pwait2) *)dlsym(RTLD_NEXT, "epoll_pwait2");
    struct timespec wait;
    if (milliseconds >= 0) wait = timespec_of(shortened(milliseconds * INT64_C(1000000)));
    return real(epoll, events, count, milliseconds < 0 ? NULL : &wait, mask);
}

int epoll_wait(int epoll, struct epoll_event *events, int count, int milliseconds) {
    return epoll_pwait(epoll, events, count, milliseconds, NULL);
}

int pselect(int count, fd_set *read, fd_set *write, fd_set *except, const struct timespec *wait, const sigset_t *mask) {
    REAL(pselect);
    struct timespec shorter;
    if (wait) shorter = timespec_of(shortened(nanoseconds(wait)));
    return real(count, read, write, except, wait ? &shorter : NULL, mask);
}

int select(int count, fd_set *read, fd_set *write, fd_set *except, struct timeval *wait) {
    struct timespec length;
    if (wait) length = timespec_of(wait->tv_sec * NS + wait->tv_usec * INT64_C(1000));
    return pselect(count, read, write, except, wait ? &length : NULL, NULL);
}

// The clock of each timer, by descriptor.
static unsigned char timer_clocks[65536];

int timerfd_create(int clock, int flags) {
    REAL(timerfd_create);
    int timer = real(clock, flags);
    if (timer >= 0 && timer < (int)sizeof timer_clocks) timer_clocks[timer] = (unsigned char)clock;
    return timer;
}

int timerfd_settime(int timer, int flags, const struct itimerspec *value, struct itimerspec *old) {
    REAL(timerfd_settime);
    clockid_t clock = timer >= 0 && timer < (int)sizeof timer_clocks ? timer_clocks[timer] : CLOCK_MONOTONIC;
    struct itimerspec shorter = *value;
    if (is_fast(clock)) {
        int64_t first = nanoseconds(&value->it_value);
        shorter.it_value = timespec_of(flags & TFD_TIMER_ABSTIME ? kernel_time(clock, first) : shortened(first));
        shorter.it_interval = timespec_of(shortened(nanoseconds(&value->it_interval)));
    }
    return real(timer, flags, &shorter, old);
}

// glibc keeps the clock of a condition in bit 1 of __wrefs.
static clockid_t clock_of(const pthread_cond_t *condition) {
    return condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
    static __typeof__(pthread_cond_timedwait) *real;
    if (!real) real = (__typeof__(pthread_cond_timedwait) *)dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    struct timespec sooner = timespec_of(kernel_time(clock_of(condition), nanoseconds(until)));
    return real(condition, mutex, &sooner);
}

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
    REAL(pthread_cond_clockwait);
    struct timespec sooner = timespec_of(kernel_time(clock, nanoseconds(until)));
    return real(condition, mutex, clock, &sooner);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) {
    REAL(sem_clockwait);
    struct timespec sooner = timespec_of(kernel_time(clock, nanoseconds(until)));
    return real(semaphore, clock, &sooner);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
    REAL(sem_timedwait);
    struct timespec sooner = timespec_of(kernel_time(CLOCK_REALTIME, nanoseconds(until)));
    return real(semaphore, &sooner);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until) {
    REAL(pthread_mutex_timedlock);
    struct timespec sooner = timespec_of(kernel_time(CLOCK_REALTIME, nanoseconds(until)));
    return real(mutex, &sooner);
}

int setsockopt(int socket, int level, int name, const void *value, socklen_t size) {
    REAL(setsockopt);
    if (level != SOL_SOCKET || (name != SO_RCVTIMEO && name != SO_SNDTIMEO) || size != sizeof(struct timeval))
        return real(socket, level, name, value, size);
    const struct timeval *wait = value;
    struct timespec shorter = timespec_of(shortened(wait->tv_sec * NS + wait->tv_usec * INT64_C(1000)));
    // A part of a microsecond must not become 0, which waits forever.
    struct timeval rounded = {shorter.tv_sec, (shorter.tv_nsec + 999) / 1000};
    return real(socket, level, name, &rounded, sizeof rounded);
}
