// SPDX-License-Identifier: Apache-2.0
// Preloaded: counts what the thread named "audio" asks of the C library that may make it wait: memory from the heap, locks, files.
//
// $WATCH_REPORT: a file that holds the counts, one 64-bit number each, in the order of the enum; mapped, so that it can be read at
// any time. Counting begins when the first number, `armed`, is set to 1 from outside.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <poll.h>
#include <stdarg.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { armed, allocations, frees, locks, opens, reads, calls_seen, thread_id, count };

static volatile int64_t *report;
static volatile int64_t nowhere[count];
static __thread int is_audio __attribute__((tls_model("initial-exec")));  // 1 yes, -1 no, 0 not looked yet

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("WATCH_REPORT");
    int file = path ? open(path, O_RDWR) : -1;
    void *page = file < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    report = page == MAP_FAILED ? nowhere : page;
    if (file >= 0) close(file);
}

static void note(int what) {
    if (!report || !report[armed]) return;
    if (is_audio == 0) {
        char name[16] = "";
        prctl(PR_GET_NAME, name);
        is_audio = strcmp(name, "audio") == 0 ? 1 : -1;
        if (is_audio == 1) report[thread_id] = gettid();
    }
    if (is_audio == 1) report[what]++;
}

#define WATCHED(kind, result, name, declared, passed)                           \
    result name declared {                                                       \
        static result(*real) declared;                                           \
        if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name);                    \
        note(kind);                                                              \
        return real passed;                                                      \
    }

// dlsym itself may call calloc before the real one is known.
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);
void *malloc(size_t n) { note(allocations); return __libc_malloc(n); }
void *calloc(size_t n, size_t m) { note(allocations); return __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { note(allocations); return __libc_realloc(p, n); }
void *aligned_alloc(size_t a, size_t n) { note(allocations); return __libc_memalign(a, n); }
int posix_memalign(void **p, size_t a, size_t n) { note(allocations); *p = __libc_memalign(a, n); return *p ? 0 : 12; }
void free(void *p) { if (p) note(frees); __libc_free(p); }

WATCHED(locks, int, pthread_mutex_lock, (pthread_mutex_t * m), (m))
WATCHED(locks, int, pthread_mutex_trylock, (pthread_mutex_t * m), (m))
WATCHED(locks, int, pthread_rwlock_rdlock, (pthread_rwlock_t * l), (l))
WATCHED(locks, int, pthread_rwlock_wrlock, (pthread_rwlock_t * l), (l))
WATCHED(locks, int, pthread_spin_lock, (pthread_spinlock_t * l), (l))
WATCHED(locks, int, pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t *m), (c, m))
WATCHED(reads, ssize_t, pread, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))
WATCHED(reads, ssize_t, pread64, (int fd, void *to, size_t n, off_t at), (fd, to, n, at))

int open(const char *path, int flags, ...) {
    static int (*real)(const char *, int, ...);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "open");
    va_list list;
    va_start(list, flags);
    int mode = va_arg(list, int);
    va_end(list);
    note(opens);
    return real(path, flags, mode);
}

int poll(struct pollfd *fds, nfds_t n, int timeout) {
    static int (*real)(struct pollfd *, nfds_t, int);
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, "poll");
    note(calls_seen);  // proof that the right thread is watched
    return real(fds, n, timeout);
}
