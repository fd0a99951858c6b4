// SPDX-License-Identifier: Apache-2.0
// The test's hand inside the virtual board, one process for each virtio port named on its command line.
// A request is one letter, 32 bits of milliseconds, a 32-bit length and as many bytes; the answer a 32-bit status, a 32-bit
// length, 64 bits of CLOCK_MONOTONIC in nanoseconds, and as many bytes. All numbers are little-endian.
// The milliseconds are how long it may take by the board's clock, since only that clock says how far the board can have come.
//   w                     waits for the milliseconds; with none it tells the time.
//   x SCRIPT              runs it with /bin/sh. Status: its exit code (128 + signal), or 255 if it was not over in time and
//                         was killed. Answer: what it printed.
//   m SOCKET \0 COMMAND   asks the speaker. Status: 0 OK, 1 ACK, 2 not reached. Answer: its lines.
//   e EDGES               plays edges on GPIO lines: {u64 microseconds from now, u32 line, u32 level}…, in order.
//                         Answer: when each was played, u64 nanoseconds of CLOCK_MONOTONIC.
// Scripts may leave processes behind: the test does not wait for their later output.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct edge {
    uint64_t microseconds;
    uint32_t line, level;
};

static int port;

static void receive(void *data, size_t size) {
    char *at = data;
    while (size > 0) {
        ssize_t count = read(port, at, size);
        if (count > 0) {
            at += count;
            size -= count;
        } else {
            usleep(20000);  // nobody is at the other end
        }
    }
}

static void transmit(const void *data, size_t size) {
    const char *at = data;
    while (size > 0) {
        ssize_t count = write(port, at, size);
        if (count > 0) {
            at += count;
            size -= count;
        } else {
            usleep(20000);
        }
    }
}

static uint64_t clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void answer(uint32_t status, const void *data, uint32_t size) {
    struct {
        uint32_t status, size;
        uint64_t now;
    } head = {status, size, clock_now()};
    transmit(&head, sizeof head);
    transmit(data, size);
}

static void wait_until(uint64_t due) {
    struct timespec until = {due / 1000000000, due % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR) {}
}

// Waits for the child's end; returns false, and kills its process group, if that takes longer.
static int ends(pid_t child, int *status, uint64_t due) {
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    for (;;) {
        if (waitpid(child, status, WNOHANG) == child) return 1;
        uint64_t now = clock_now();
        if (now >= due) break;
        struct timespec left = {(due - now) / 1000000000, (due - now) % 1000000000};
        sigtimedwait(&ended, NULL, &left);
    }
    kill(-child, SIGKILL);
    waitpid(child, status, 0);
    return 0;
}

static void run(const char *script, uint32_t milliseconds) {
    uint64_t due = clock_now() + milliseconds * 1000000ull;
    int output = memfd_create("output", MFD_CLOEXEC);
    pid_t child = fork();
    if (child == 0) {
        setsid();
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        dup2(open("/dev/null", O_RDONLY), 0);
        dup2(output, 1);
        dup2(output, 2);
        execl("/bin/sh", "sh", "-c", script, NULL);
        _exit(127);
    }
    int status = 0, in_time = ends(child, &status, due);
    off_t size = lseek(output, 0, SEEK_END);
    char *text = malloc(size + 1);
    size = pread(output, text, size, 0);
    answer(!in_time ? 255 : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status), text, size > 0 ? size : 0);
    free(text);
    close(output);
}

// Returns the beginning of the text's last line.
static size_t last_line(const char *text, size_t size) {
    while (size > 1 && text[size - 2] != '\n') size--;
    return size > 0 ? size - 1 : 0;
}

static void ask(const char *path, const char *command, uint32_t milliseconds) {
    static int speaker = -1;
    static char *text;
    static size_t room;
    for (int attempt = 0; attempt < 2; attempt++) {
        int fresh = speaker < 0;
        if (fresh) {
            struct sockaddr_un address = {.sun_family = AF_UNIX};
            strncpy(address.sun_path, path, sizeof address.sun_path - 1);
            speaker = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
            if (connect(speaker, (struct sockaddr *)&address, sizeof address) < 0) break;
        }
        struct timeval patience = {milliseconds / 1000, milliseconds % 1000 * 1000};
        setsockopt(speaker, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        setsockopt(speaker, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
        if (!fresh) dprintf(speaker, "%s\n", command);
        int late = 0;
        for (size_t size = 0;;) {
            if (room < size + 65536) text = realloc(text, room = size + 65536);
            ssize_t count = read(speaker, text + size, room - size);
            late = count < 0 && errno == EAGAIN;
            if (count <= 0) break;
            size += count;
            if (text[size - 1] != '\n') continue;
            const char *last = text + last_line(text, size);
            if (fresh) {  // its greeting, "OK MPD 0.24.0"
                fresh = 0;
                size = 0;
                dprintf(speaker, "%s\n", command);
            } else if (!strncmp(last, "OK\n", 3) || !strncmp(last, "ACK ", 4)) {
                answer(last[0] == 'A', text, size);
                return;
            }
        }
        close(speaker);
        speaker = -1;
        if (late) {
            errno = ETIMEDOUT;
            break;
        }
        // It has ended since it was last asked.
    }
    if (speaker >= 0) close(speaker);
    speaker = -1;
    const char *reason = strerror(errno);
    answer(2, reason, strlen(reason));
}

static int pull_of(uint32_t line) {
    static int pulls[64];
    if (line >= 64) return -1;
    if (pulls[line] == 0) {
        char pattern[96];
        glob_t found;
        snprintf(pattern, sizeof pattern, "/sys/devices/platform/*gpio-sim*/gpiochip*/sim_gpio%u/pull", line);
        pulls[line] = glob(pattern, 0, NULL, &found) == 0 ? open(found.gl_pathv[0], O_WRONLY | O_CLOEXEC) : -1;
    }
    return pulls[line];
}

static void play(const struct edge *edges, uint32_t count) {
    uint64_t *when = malloc(count * sizeof *when + 1);
    sched_setscheduler(0, SCHED_FIFO, &(struct sched_param){.sched_priority = 90});
    uint64_t begin = clock_now();
    uint32_t status = 0;
    for (uint32_t i = 0; i < count; i++) {
        wait_until(begin + edges[i].microseconds * 1000);
        const char *pull = edges[i].level ? "pull-up" : "pull-down";
        if (pwrite(pull_of(edges[i].line), pull, strlen(pull), 0) < 0) status = errno;
        when[i] = clock_now();
    }
    sched_setscheduler(0, SCHED_OTHER, &(struct sched_param){0});
    answer(status, when, count * sizeof *when);
    free(when);
}

static int open_port(const char *wanted) {
    for (;; usleep(20000)) {
        glob_t found;
        if (glob("/sys/class/virtio-ports/*/name", 0, NULL, &found) != 0) continue;
        for (size_t i = 0; i < found.gl_pathc; i++) {
            char name[64] = "", path[128];
            FILE *file = fopen(found.gl_pathv[i], "r");
            if (file == NULL) continue;
            if (fscanf(file, "%63s", name) != 1) name[0] = 0;
            fclose(file);
            if (strcmp(name, wanted) != 0) continue;
            char *port = found.gl_pathv[i] + strlen("/sys/class/virtio-ports/");
            *strchr(port, '/') = 0;
            snprintf(path, sizeof path, "/dev/%s", port);
            int descriptor = open(path, O_RDWR | O_CLOEXEC);
            if (descriptor >= 0) return descriptor;
        }
        globfree(&found);
    }
}

int main(int count, char **names) {
    signal(SIGPIPE, SIG_IGN);
    for (int i = 2; i < count; i++) {
        if (fork() == 0) {
            names[1] = names[i];
            break;
        }
    }
    port = open_port(names[1]);
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ended, NULL);
    for (;;) {
        char kind;
        uint32_t milliseconds, size;
        receive(&kind, sizeof kind);
        receive(&milliseconds, sizeof milliseconds);
        receive(&size, sizeof size);
        char *text = malloc(size + 1);
        receive(text, size);
        text[size] = 0;
        if (kind == 'x') {
            run(text, milliseconds);
        } else if (kind == 'w') {
            wait_until(clock_now() + milliseconds * 1000000ull);
            answer(0, NULL, 0);
        } else if (kind == 'm') {
            ask(text, text + strlen(text) + 1, milliseconds);
        } else if (kind == 'e') {
            play((const struct edge *)text, size / sizeof(struct edge));
        } else {
            answer(255, "unknown request", 15);
        }
        free(text);
    }
}
