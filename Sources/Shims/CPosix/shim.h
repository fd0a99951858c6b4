// SPDX-License-Identifier: Apache-2.0
// The part of the C library that Nightstand uses. Embedded Swift has no Glibc module, so the headers come in here. A declaration is below
// only if C's own cannot be imported: variadic functions, function-like macros, and thread-local errno.
//
// NS_REALTIME vouches for a function to the compiler: `@_noLocks @_noAllocation` Swift code may call it. Each has its reason.
#pragma once

#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <iconv.h>
#include <libintl.h>
#include <limits.h>
#include <locale.h>
#include <malloc.h>
#include <math.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <wctype.h>

#define NS_REALTIME __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

static inline int ns_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }

// readdir(3), with errno 0 at the end of the folder, which only then differs from an error.
static inline struct dirent *ns_readdir(DIR *folder) {
    errno = 0;
    return readdir(folder);
}

// Releases the whole pages in a range of memory. Locked pages cannot be released, so they are unlocked. They are locked again when touched,
// like the rest of the process.
static inline void ns_give_back(void *memory, size_t bytes) {
    uintptr_t page = (uintptr_t)getpagesize();
    uintptr_t start = ((uintptr_t)memory + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)memory + bytes) / page * page;
    if (start >= end) return;
    munlock((void *)start, end - start);
    madvise((void *)start, end - start, MADV_DONTNEED);
    // MLOCK_ONFAULT
    syscall(SYS_mlock2, (void *)start, end - start, 1);
}

// Returns a text in a language; the text itself without a translation.
static inline const char *ns_translated(locale_t language, const char *text) {
    locale_t before = uselocale(language);
    const char *found = dcgettext("nightstand", text, LC_MESSAGES);
    uselocale(before);
    return found;
}

static inline const char *ns_translated_plural(locale_t language, const char *one, const char *plural, unsigned long count) {
    locale_t before = uselocale(language);
    const char *found = dcngettext("nightstand", one, plural, count, LC_MESSAGES);
    uselocale(before);
    return found;
}

// Prepares translations, before there is a second thread. LANGUAGE would override a locale. LOCPATH, which means nothing while empty,
// exists from here on. So glibc sets it by changing one pointer, and keeps the old value: other threads may read the environment.
static inline void ns_prepare_languages(void) {
    unsetenv("LANGUAGE");
    setenv("LOCPATH", "", 1);
}

// Returns a language of a folder with its words; null if there are none. It needs a locale in name only, so it does not depend on the
// board's locales. Only code that requests words uses it: the C library's own messages stay English. Waits for a disk; one thread at a
// time, after ns_prepare_languages.
static inline locale_t ns_language(const char *language, const char *folder) {
    setenv("LOCPATH", folder, 1);
    locale_t locale = newlocale(LC_MESSAGES_MASK, language, (locale_t)0);
    setenv("LOCPATH", "", 1);
    if (locale == (locale_t)0) return locale;
    bindtextdomain("nightstand", folder);
    bind_textdomain_codeset("nightstand", "UTF-8");
    // Reading the header now loads the file, not while a listener waits for a word.
    if (*ns_translated(locale, "") != 0) return locale;
    freelocale(locale);
    return (locale_t)0;
}

// Reads only what is in the page cache; -1 if that would wait for a disk. Linux; glibc declares preadv2 for _GNU_SOURCE only. The offset is
// passed as two halves of 64 bits, of which a 64-bit kernel ignores the second.
static inline ssize_t ns_read_from_memory(int fd, void *to, size_t count, int64_t at) {
    struct iovec part = {to, count};
    return syscall(SYS_preadv2, fd, &part, 1L, (long)at, (long)(at >> 32), 8L /* RWF_NOWAIT */);
}

// Returns the kernel's number of this thread. glibc declares gettid for _GNU_SOURCE only, which changes other types.
static inline int32_t ns_gettid(void) { return (int32_t)syscall(SYS_gettid); }

// Claims a place that is 0. Returns false if another thread has it.
static inline bool ns_claim_place(int32_t *place, int32_t value) {
    int32_t none = 0;
    return __atomic_compare_exchange_n(place, &none, value, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

static inline int ns_set_nonblocking(int fd) { return fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

static inline void ns_set_close_on_exec(int fd) { fcntl(fd, F_SETFD, FD_CLOEXEC); }

// accept(2), with the options of all our sockets; accept4 is declared for _GNU_SOURCE only. Writes the peer's address if requested.
static inline int ns_accept(int fd, struct sockaddr_storage *peer) {
    socklen_t bytes = sizeof *peer;
    int accepted = accept(fd, (struct sockaddr *)peer, peer ? &bytes : 0);
    if (accepted >= 0) {
        ns_set_close_on_exec(accepted);
        ns_set_nonblocking(accepted);
    }
    return accepted;
}

// Returns true for a listening socket, of streams or of packets.
static inline bool ns_is_listening(int fd) {
    int type = 0, listens = 0;
    socklen_t bytes = sizeof type;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &bytes) < 0 || (type != SOCK_STREAM && type != SOCK_SEQPACKET)) return false;
    bytes = sizeof listens;
    return getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &bytes) == 0 && listens;
}

static inline int ns_own_address(int fd, struct sockaddr_storage *address) {
    socklen_t bytes = sizeof *address;
    return getsockname(fd, (struct sockaddr *)address, &bytes);
}

// Returns the family of an address, and for the internet its 4 or 16 bytes and the port: C may read an address as another type.
static inline int ns_internet_address(const struct sockaddr_storage *address, uint8_t *bytes, uint16_t *port) {
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
        memcpy(bytes, &v4->sin_addr, 4);
        *port = ntohs(v4->sin_port);
    } else if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
        memcpy(bytes, &v6->sin6_addr, 16);
        *port = ntohs(v6->sin6_port);
    }
    return address->ss_family;
}

static inline int ns_set_option(int fd, int level, int option, int value) {
    return setsockopt(fd, level, option, &value, sizeof value);
}

// Detects a peer that vanished, as with an empty battery, within three minutes. Nothing is sent to an active peer.
static inline void ns_notice_lost_peer(int fd) {
    ns_set_option(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    ns_set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, 120);
    ns_set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, 15);
    ns_set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, 4);
    ns_set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
}

static inline int ns_window_size(int fd, struct winsize *size) { return ioctl(fd, TIOCGWINSZ, size); }

static inline int ns_memory_lock_limit(struct rlimit *limit) { return getrlimit(RLIMIT_MEMLOCK, limit); }

// Returns the kind of file system of a path, as in <linux/magic.h>; 0 if unknown.
static inline uint32_t ns_file_system(const char *path) {
    struct statfs found;
    return statfs(path, &found) == 0 ? (uint32_t)found.f_type : 0;
}

// Returns the smallest stack of a thread; a macro, and a call on newer systems.
static inline size_t ns_least_stack_bytes(void) { return (size_t)sysconf(_SC_THREAD_STACK_MIN); }

static inline int ns_set_thread_name(const char *name) { return prctl(PR_SET_NAME, name, 0, 0, 0); }

// Makes the audio thread's part of the stack resident, so that it never waits for a page: twice what decoding, resampling and cutting were
// seen to use. A separate function, so that its frame is gone afterward; Swift's temporary memory of this size comes from the heap.
__attribute__((noinline, unused)) static void ns_touch_stack(void) {
    volatile char memory[16 * 1024];
    for (size_t i = 0; i < sizeof memory; i += 1024) memory[i] = 1;
}

// Lowers the calling thread's priority. It gets a tenth of the processor if others want it, and its disk access comes last among ordinary
// programs. (Not "idle": a saved position would be lost if the disk is never idle.) A refusal of the kernel is harmless. The C library has
// no call for the second.
static inline void ns_stand_back(void) {
    enum { WHO_PROCESS = 1, CLASS_BEST_EFFORT = 2, CLASS_SHIFT = 13, LOWEST = 7 };
    setpriority(PRIO_PROCESS, 0, 10);
    syscall(SYS_ioprio_set, WHO_PROCESS, 0, CLASS_BEST_EFFORT << CLASS_SHIFT | LOWEST);
}

// Chooses disk access that waits for an idle disk, or that comes last among ordinary programs, as in ns_stand_back.
static inline void ns_wait_for_idle_disk(int waits) {
    enum { WHO_PROCESS = 1, CLASS_BEST_EFFORT = 2, CLASS_IDLE = 3, CLASS_SHIFT = 13, LOWEST = 7 };
    syscall(SYS_ioprio_set, WHO_PROCESS, 0, (waits ? CLASS_IDLE : CLASS_BEST_EFFORT) << CLASS_SHIFT | LOWEST);
}

// Returns the process at the other end of a Unix socket, 0 if unknown. struct ucred is declared for _GNU_SOURCE only.
static inline pid_t ns_peer_process(int fd) {
    struct { pid_t process; uid_t user; gid_t group; } peer = {0, 0, 0};
    socklen_t bytes = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 ? peer.process : 0;
}

// Returns the user of the process at the other end of a Unix socket; -1 if unknown.
static inline int64_t ns_peer_user(int fd) {
    struct { pid_t process; uid_t user; gid_t group; } peer = {0, 0, 0};
    socklen_t bytes = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 && peer.process ? (int64_t)peer.user : -1;
}

// Creates memory that two processes share, with a length that neither can change: readers never get a SIGBUS. -1 with errno.
static inline int ns_shared_memory(const char *name, size_t bytes) {
    enum { CLOSE_ON_EXEC = 1, ALLOW_SEALING = 2, ADD_SEALS = 1033, SEAL_SEAL = 1, SEAL_SHRINK = 2, SEAL_GROW = 4 };
    int fd = (int)syscall(SYS_memfd_create, name, CLOSE_ON_EXEC | ALLOW_SEALING);
    if (fd >= 0 && (ftruncate(fd, (off_t)bytes) < 0 || fcntl(fd, ADD_SEALS, SEAL_SEAL | SEAL_SHRINK | SEAL_GROW) < 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

// Returns true for memory of that length, sealed as above.
static inline bool ns_is_sealed_memory(int fd, size_t bytes) {
    enum { GET_SEALS = 1034, SEAL_SHRINK = 2 };
    struct stat status;
    int seals = fcntl(fd, GET_SEALS);
    return seals >= 0 && (seals & SEAL_SHRINK) && fstat(fd, &status) == 0 && status.st_size == (off_t)bytes;
}

// Sends one packet over a Unix socket, with up to three descriptors. The macros of cmsg(3) cannot be imported. -1 with errno.
static inline ssize_t ns_send_packet(int fd, const void *bytes, size_t count, const int *descriptors, int descriptor_count) {
    union { struct cmsghdr header; char room[CMSG_SPACE(3 * sizeof(int))]; } control;
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {0};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    if (descriptor_count > 0 && descriptor_count <= 3) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.room;
        message.msg_controllen = CMSG_SPACE((size_t)descriptor_count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN((size_t)descriptor_count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, (size_t)descriptor_count * sizeof(int));
    }
    return sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Receives the next packet. Returns the number of its bytes, 0 at the end, -1 with errno. `descriptors` has room for three: missing ones
// are -1, further ones are closed.
static inline ssize_t ns_receive_packet(int fd, void *bytes, size_t count, int *descriptors) {
    union { struct cmsghdr header; char room[CMSG_SPACE(3 * sizeof(int))]; } control;
    struct iovec part = {bytes, count};
    struct msghdr message = {0};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.room;
    message.msg_controllen = sizeof control.room;
    descriptors[0] = descriptors[1] = descriptors[2] = -1;
    ssize_t got = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0) return got;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t held = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < held; i++) {
            int number;
            memcpy(&number, CMSG_DATA(header) + i * sizeof number, sizeof number);
            if (i < 3 && descriptors[i] < 0) {
                descriptors[i] = number;
            } else {
                close(number);
            }
        }
    }
    return got;
}

// Makes later programs leave no zombies, since no caller waits for them. For the whole process: a caller that waits for its own program
// does not get its exit code.
static inline void ns_leave_children_alone(void) { signal(SIGCHLD, SIG_IGN); }

// The attributes of started programs: no signal is blocked or ignored.
static inline void ns_init_attributes(posix_spawnattr_t *attributes, short flags) {
    sigset_t signals;
    posix_spawnattr_init(attributes);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(attributes, &signals);
    sigaddset(&signals, SIGCHLD);
    sigaddset(&signals, SIGPIPE);
    posix_spawnattr_setsigdefault(attributes, &signals);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | flags);
}

// Starts a program without inherited descriptors and input. Returns 0 or errno. `third`: its descriptor 3, -1 for none.
static inline int ns_launch(const char *path, char *const *words, int third, bool is_silent) {
    extern char **environ;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (is_silent) posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    if (third >= 0) posix_spawn_file_actions_adddup2(&actions, third, 3);
    ns_init_attributes(&attributes, 0);
    int code = posix_spawn(&child, path, &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

// Starts a program, found as a shell finds it, between two pipes, in a separate process group and with the priority of the calling thread.
// Its error output is dropped. Returns its process, or a negative errno.
static inline pid_t ns_start_between(char *const *words, int input, int output) {
    extern char **environ;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    ns_init_attributes(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    int code = posix_spawnp(&child, words[0], &actions, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code ? -code : child;
}

// Makes a pipe. A program inherits its ends only explicitly.
static inline int ns_pipe(int *ends) {
    if (pipe(ends) < 0) return -1;
    ns_set_close_on_exec(ends[0]);
    ns_set_close_on_exec(ends[1]);
    return 0;
}

static inline void ns_die_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0); }

// Returns the nanoseconds since the kernel's start, including sleep: the clock of starttime in /proc/PID/stat.
static inline int64_t ns_since_boot_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// SIG_IGN is a macro with a cast.
static inline __sighandler_t ns_ignore_signal(void) { return SIG_IGN; }

static inline void ns_handle_once(const int *signals, size_t count, void (*handler)(int signal, siginfo_t *, void *)) {
    struct sigaction action = {0};
    action.sa_sigaction = handler;
    action.sa_flags = (int)(SA_RESETHAND | SA_SIGINFO | SA_ONSTACK);
    for (size_t i = 0; i < count; i++) sigaction(signals[i], &action, 0);
}

// The size of a stack for signal handlers, which must hold the processor's state (on some arm64 more than MINSIGSTKSZ).
static inline size_t ns_signal_stack_bytes(void) { return getauxval(AT_MINSIGSTKSZ) + 8192; }

// Handles this thread's fault signals on a separate stack, since its own may have overflowed. Null ends that.
static inline void ns_use_signal_stack(void *stack) {
    stack_t given = {.ss_sp = stack, .ss_size = stack ? ns_signal_stack_bytes() : 0, .ss_flags = stack ? 0 : SS_DISABLE};
    sigaltstack(&given, NULL);
}

// Handles the signals that kill a process. `handler` runs once and must raise the signal again, which then has its usual effect.
static inline void ns_before_dying(void (*handler)(int signal, siginfo_t *, void *)) {
    static const int signals[] = {SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
    ns_handle_once(signals, sizeof signals / sizeof *signals, handler);
}

// Handles the signals that ask the process to end, in the same way.
static inline void ns_before_ending(void (*handler)(int signal, siginfo_t *, void *)) {
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    ns_handle_once(signals, sizeof signals / sizeof *signals, handler);
}

// Returns true if another process sent the signal. A thread of this process that aborts sends it to itself, and faults come from the
// kernel.
static inline bool ns_came_from_outside(const siginfo_t *info) { return info->si_code <= 0 && info->si_pid != getpid(); }

// Uses one heap for all threads, of which only one at a time allocates much: each further heap would cost memory for good.
static inline void ns_use_one_heap(void) {
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_TRIM_THRESHOLD, 64 * 1024);
}

static inline void ns_trim_heap(void) { malloc_trim(0); }

// The two ranges in which board/build.d/layout.ld puts rarely used code; all 0 in a program linked without it.
extern const char ns_rare_code_start[] __attribute__((weak)), ns_rare_code_end[] __attribute__((weak));
extern const char ns_seldom_code_start[] __attribute__((weak)), ns_seldom_code_end[] __attribute__((weak));
static inline uintptr_t ns_seldom_code_first(bool second) {
    return (uintptr_t)(second ? ns_seldom_code_start : ns_rare_code_start);
}
static inline uintptr_t ns_seldom_code_past(bool second) {
    return (uintptr_t)(second ? ns_seldom_code_end : ns_rare_code_end);
}

// dl_iterate_phdr(3) is declared for _GNU_SOURCE only. This is the beginning of struct dl_phdr_info.
struct ns_program {
    uintptr_t base;
    const char *path;  // empty for the program itself
#ifdef __LP64__
    const Elf64_Phdr *headers;
#else
    const Elf32_Phdr *headers;
#endif
    uint16_t header_count;
    unsigned long long added, removed;  // programs and libraries, since the start of the process
};
int ns_iterate_programs(int (*visit)(const struct ns_program *, size_t, void *), void *context) __asm__("dl_iterate_phdr");

// The C library's letters, independent of the process' locale. The locale is opened at the first non-ASCII letter, since mapping it costs
// memory, and stays open. If two threads open it at once, that does no harm.
static inline locale_t ns_letters(void) {
    static locale_t letters;
    if (!letters) letters = newlocale(LC_CTYPE_MASK, "C.UTF-8", 0);
    return letters;
}
static inline uint32_t ns_lower_case(uint32_t letter) {
    locale_t letters = ns_letters();
    return letters ? towlower_l(letter, letters) : letter;
}

// Regular expressions with those letters: regcomp(3) and regexec(3) use only the thread's locale.
static inline int ns_regcomp(regex_t *expression, const char *pattern, int flags) {
    locale_t before = uselocale(ns_letters());
    int code = regcomp(expression, pattern, flags);
    uselocale(before);
    return code;
}
static inline int ns_regexec(const regex_t *expression, const char *text, size_t bytes) {
    regmatch_t bounds = {0, (regoff_t)bytes};
    locale_t before = uselocale(ns_letters());
    int code = regexec(expression, text, 1, &bounds, REG_STARTEND);
    uselocale(before);
    return code;
}

// getopt(3) returns results in global variables, which Swift cannot access safely.
static inline const char *ns_option_argument(void) { return optarg; }
static inline int ns_option_index(void) { return optind; }
static inline void ns_restart_options(void) { optind = 0; }

// The thread's errno: one load, no lock.
NS_REALTIME static inline int ns_errno(void) { return errno; }

// vDSO: reads a page of the kernel, without a system call for the clocks in use.
NS_REALTIME static inline int64_t ns_monotonic_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// A system call that allocates nothing in this process; the one lock is the kernel's own around an 8-byte counter.
NS_REALTIME static inline int ns_eventfd_signal(int fd) {
    uint64_t one = 1;
    return write(fd, &one, sizeof one) == sizeof one ? 0 : -1;
}

// The same; the descriptor must be non-blocking.
NS_REALTIME static inline int ns_eventfd_clear(int fd) {
    uint64_t count;
    return read(fd, &count, sizeof count) == sizeof count ? 0 : -1;
}

// The one place where a real-time thread may sleep.
NS_REALTIME static inline int ns_poll(struct pollfd *descriptors, nfds_t count, int timeout_milliseconds) {
    return poll(descriptors, count, timeout_milliseconds);
}

// Plain copies of memory that the caller owns.
NS_REALTIME static inline void ns_copy(void *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }
NS_REALTIME static inline void ns_zero(void *to, size_t bytes) { memset(to, 0, bytes); }
// The same as ns_copy, for ranges that may overlap.
NS_REALTIME static inline void ns_move(void *to, const void *from, size_t bytes) { memmove(to, from, bytes); }

// Returns the sum of the absolute values of at most 65,536 differences, from the caller's memory. It uses the compiler's vectors of eight:
// Swift's loop needs six times the instructions in code compiled for size.
typedef int16_t ns_samples __attribute__((vector_size(16), aligned(2), may_alias));
NS_REALTIME static inline uint32_t ns_sum_of_differences(const int16_t *one, const int16_t *other, long count) {
    typedef uint16_t ns_halves __attribute__((vector_size(16)));
    typedef uint32_t ns_words __attribute__((vector_size(16)));
    ns_words sums = {0, 0, 0, 0};
    long i = 0;
    for (; i + 8 <= count; i += 8) {
        const ns_samples a = *(const ns_samples *)(one + i), b = *(const ns_samples *)(other + i);
        const ns_halves is_less = (ns_halves)(b < a);
        const ns_words two = (ns_words)((((ns_halves)b - (ns_halves)a) ^ is_less) - is_less);
        sums += (two & 0xFFFF) + (two >> 16);
    }
    uint32_t sum = sums[0] + sums[1] + sums[2] + sums[3];
    for (; i < count; i++) sum += (uint32_t)(one[i] < other[i] ? other[i] - one[i] : one[i] - other[i]);
    return sum;
}

// Returns the sine of an angle in degrees.
static inline double ns_sine(double degrees) { return sin(degrees * (M_PI / 180)); }
static inline double ns_arc_cosine(double cosine) { return acos(cosine) * (180 / M_PI); }
// Returns the cosine of an angle of -90 to 90 degrees, from its sine.
static inline double ns_cosine_of_sine(double sine) { return sqrt(1 - sine * sine); }
