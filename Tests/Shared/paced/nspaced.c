// SPDX-License-Identifier: Apache-2.0
// A sound card for tests: an ALSA PCM that consumes its ring buffer at the card's rate by the clock, as a DMA engine does, and
// writes a record of what is handed over and what is heard, with times. Queued frames can be rewound and written anew,
// as on real hardware; frames that the "hardware" has fetched cannot.
//
//   pcm_type.nspaced { lib "/…/libasound_module_pcm_nspaced.so" }
//   pcm.paced { type nspaced
//       record "/…"       # appended to; without it nothing is recorded
//       control "/…"      # a file of 32-bit words, see struct control; "/….wake", a FIFO, gets a byte after each change
//       rate 48000        # the only rate it takes; default any of 8…192 kHz
//       channels 2        # the only number of channels; default 1…2
//       bits 32           # S32_LE only; default S16_LE and S32_LE
//       fetch 0           # frames that the hardware holds before they are heard
//       buffer_ms 0       # the largest buffer that the card has, 0 for any
//       lock "/…"         # the program that opens it first has it until it closes it; others get EBUSY
//       last 0            # 1: the process ends at the first frames handed over, to count what it took to get there
//   }
//
// Callbacks are called on the audio thread: they allocate nothing, take no lock and do nothing but arithmetic, write(2) to the
// record and timerfd_settime(2). Consumption is computed when asked for, so the card adds no thread and no wake-up of its own.
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct control {
    volatile int32_t gone;       // an errno while the card is unplugged: every call fails so, opening too
    volatile int32_t suspended;  // 1: the stream is suspended, and stays so until this is 0 and it is prepared
    volatile int32_t stalled;    // 1: the card's clock stands still
};

struct entry {
    uint32_t kind, payload_bytes;
    int64_t nanoseconds;  // CLOCK_MONOTONIC
    int64_t a, b;
};

struct card {
    snd_pcm_ioplug_t io;
    int record, timer, wake, lock;
    struct control *control;
    long fetch;
    unsigned char *ring;
    size_t frame_bytes;
    int64_t origin;          // when frame 0 is or was heard
    int64_t frozen;          // since when the clock stands still (paused or stalled), 0 for running
    int64_t hardware;        // frames heard since prepare
    int64_t fetched;         // frames read out of the ring
    int64_t written;         // the application's pointer when last seen, to notice rewinding
    int64_t armed;           // what the timer is set to
    snd_pcm_uframes_t avail_min, stop_threshold;
    int paused, last;
};

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void record(struct card *c, char kind, int64_t at, int64_t a, int64_t b, const void *data, size_t bytes) {
    if (c->record < 0) return;
    struct entry e = {(uint32_t)kind, (uint32_t)bytes, at, a, b};
    struct iovec parts[2] = {{&e, sizeof e}, {(void *)data, bytes}};
    if (writev(c->record, parts, bytes ? 2 : 1) < 0) c->record = -1;
}

static double frames_per_ns(struct card *c) { return c->io.rate / 1e9; }
static int64_t time_of(struct card *c, int64_t frame) { return c->origin + (int64_t)(frame / frames_per_ns(c)); }
static int gone(struct card *c) { return c->control ? c->control->gone : 0; }

// The hardware reads the ring up to frame `end`.
static void fetch(struct card *c, int64_t end) {
    int64_t size = (int64_t)c->io.buffer_size;
    while (c->fetched < end) {
        int64_t at = c->fetched % size, count = end - c->fetched;
        if (count > size - at) count = size - at;
        record(c, 'A', time_of(c, c->fetched), c->fetched, count, c->ring + at * c->frame_bytes, count * c->frame_bytes);
        c->fetched += count;
    }
}

static int moving(struct card *c) {
    return c->io.state == SND_PCM_STATE_RUNNING || c->io.state == SND_PCM_STATE_DRAINING;
}

// Sets the timer to the time with room for the application, rounded up to a period as interrupts are. Also on every write, since the writer need not
// ask again before waiting.
static void arm(struct card *c, int64_t appl) {
    int64_t size = (int64_t)c->io.buffer_size, period = (int64_t)c->io.period_size;
    int64_t frame = appl + (int64_t)c->avail_min - size, when;
    if (c->io.state == SND_PCM_STATE_PREPARED) {
        when = frame <= c->hardware ? 1 : 0;
    } else if (moving(c) && !c->frozen) {
        frame = (frame + period - 1) / period * period;
        when = frame <= c->hardware ? 1 : time_of(c, frame);
    } else {
        when = c->frozen ? 0 : 1;
    }
    if (when == c->armed) return;
    c->armed = when;
    struct itimerspec t = {.it_value = {when / 1000000000, when % 1000000000}};
    timerfd_settime(c->timer, TFD_TIMER_ABSTIME, &t, NULL);
}

// Brings the card to the present: the heard frames, a shortage, an unplugging.
static void update(struct card *c) {
    int64_t present = now(), appl = (int64_t)c->io.appl_ptr;
    if (appl < c->written) record(c, 'W', present, c->written, appl, NULL, 0);
    c->written = appl;
    if (!moving(c) && c->io.state != SND_PCM_STATE_PAUSED && c->io.state != SND_PCM_STATE_PREPARED) return;
    int stands = c->paused || (c->control && c->control->stalled);
    if (moving(c) || c->frozen) {
        int64_t until = c->frozen ? c->frozen : present;
        int64_t target = (int64_t)((until - c->origin) * frames_per_ns(c));
        int runs_dry = c->io.state == SND_PCM_STATE_DRAINING || c->stop_threshold <= c->io.buffer_size;
        int64_t ahead = target + c->fetch;
        if (runs_dry && ahead > appl) ahead = appl;
        fetch(c, ahead);
        if (runs_dry && target >= appl && moving(c)) {
            if (target > appl && c->io.state == SND_PCM_STATE_RUNNING) {
                record(c, 'U', time_of(c, appl), appl, 0, NULL, 0);
                snd_pcm_ioplug_set_state(&c->io, SND_PCM_STATE_XRUN);
            }
            target = appl;
        }
        if (target > c->hardware) c->hardware = target;
        if (stands && !c->frozen) c->frozen = present;
        if (!stands && c->frozen) {
            c->origin += present - c->frozen;
            c->frozen = 0;
        }
    }
    if (gone(c) && c->io.state != SND_PCM_STATE_DISCONNECTED) {
        record(c, 'G', present, gone(c), 0, NULL, 0);
        snd_pcm_ioplug_set_state(&c->io, SND_PCM_STATE_DISCONNECTED);
    } else if (c->control && c->control->suspended && c->io.state != SND_PCM_STATE_SUSPENDED) {
        record(c, 'Z', present, 0, 0, NULL, 0);
        snd_pcm_ioplug_set_state(&c->io, SND_PCM_STATE_SUSPENDED);
    }
}

static int paced_start(snd_pcm_ioplug_t *io) {
    struct card *c = io->private_data;
    if (gone(c)) return -gone(c);
    c->origin = now();
    c->frozen = c->control && c->control->stalled ? c->origin : 0;
    c->paused = 0;
    record(c, 'S', c->origin, 0, 0, NULL, 0);
    snd_pcm_ioplug_set_state(io, SND_PCM_STATE_RUNNING);
    c->armed = -1;
    arm(c, (int64_t)c->io.appl_ptr);
    return 0;
}

static int paced_stop(snd_pcm_ioplug_t *io) {
    struct card *c = io->private_data;
    update(c);
    record(c, 'X', now(), c->hardware, (int64_t)io->appl_ptr, NULL, 0);
    return 0;
}

static snd_pcm_sframes_t paced_pointer(snd_pcm_ioplug_t *io) {
    struct card *c = io->private_data;
    update(c);
    arm(c, (int64_t)c->io.appl_ptr);
    return c->hardware;
}

static int paced_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *delay) {
    struct card *c = io->private_data;
    update(c);
    arm(c, (int64_t)c->io.appl_ptr);
    if (io->state == SND_PCM_STATE_DISCONNECTED) return -gone(c);
    if (io->state == SND_PCM_STATE_SUSPENDED) return -ESTRPIPE;
    if (io->state == SND_PCM_STATE_XRUN) return -EPIPE;
    *delay = (snd_pcm_sframes_t)((int64_t)io->appl_ptr - c->hardware);
    return 0;
}

static snd_pcm_sframes_t paced_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
                                        snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
    struct card *c = io->private_data;
    update(c);
    if (io->state == SND_PCM_STATE_DISCONNECTED) return -gone(c);
    if (io->state == SND_PCM_STATE_SUSPENDED) return -ESTRPIPE;
    if (io->state == SND_PCM_STATE_XRUN) return -EPIPE;
    const unsigned char *from = (unsigned char *)areas[0].addr + areas[0].first / 8 + offset * (areas[0].step / 8);
    record(c, 'T', now(), (int64_t)io->appl_ptr, (int64_t)size, from, size * c->frame_bytes);
    if (c->last) {
        // The process's record has the bytes that it has read, as the kernel counts them.
        char text[512];
        int file = open("/proc/self/io", O_RDONLY);
        ssize_t bytes = file < 0 ? 0 : read(file, text, sizeof text);
        record(c, 'I', now(), 0, 0, text, bytes > 0 ? (size_t)bytes : 0);
        _exit(0);
    }
    for (snd_pcm_uframes_t done = 0; done < size;) {
        snd_pcm_uframes_t at = (io->appl_ptr + done) % io->buffer_size, count = size - done;
        if (count > io->buffer_size - at) count = io->buffer_size - at;
        memcpy(c->ring + at * c->frame_bytes, from + done * c->frame_bytes, count * c->frame_bytes);
        done += count;
    }
    c->written = (int64_t)(io->appl_ptr + size);
    arm(c, c->written);
    return (snd_pcm_sframes_t)size;
}

static int paced_prepare(snd_pcm_ioplug_t *io) {
    struct card *c = io->private_data;
    if (gone(c)) return -gone(c);
    if (c->control && c->control->suspended) return -ESTRPIPE;
    record(c, 'R', now(), 0, 0, NULL, 0);
    c->hardware = c->fetched = c->written = 0;
    c->frozen = 0;
    c->paused = 0;
    snd_pcm_ioplug_set_state(io, SND_PCM_STATE_PREPARED);
    c->armed = -1;
    arm(c, (int64_t)c->io.appl_ptr);
    return 0;
}

static int paced_pause(snd_pcm_ioplug_t *io, int enable) {
    struct card *c = io->private_data;
    update(c);
    if (gone(c)) return -gone(c);
    record(c, 'P', now(), enable, 0, NULL, 0);
    c->paused = enable;
    update(c);
    c->armed = -1;
    return 0;
}

static int paced_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params) {
    struct card *c = io->private_data;
    (void)params;
    if (gone(c)) return -gone(c);
    c->frame_bytes = io->channels * (io->format == SND_PCM_FORMAT_S32_LE ? 4 : 2);
    free(c->ring);
    c->ring = malloc(io->buffer_size * c->frame_bytes);
    if (!c->ring) return -ENOMEM;
    memset(c->ring, 0, io->buffer_size * c->frame_bytes);
    int64_t sizes[2] = {(int64_t)io->buffer_size, (int64_t)io->period_size};
    record(c, 'H', now(), io->rate, (int64_t)(io->channels | (c->frame_bytes / io->channels) << 8), sizes, sizeof sizes);
    c->avail_min = io->period_size;
    c->stop_threshold = io->buffer_size;
    return 0;
}

static int paced_sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
    struct card *c = io->private_data;
    snd_pcm_sw_params_get_avail_min(params, &c->avail_min);
    snd_pcm_sw_params_get_stop_threshold(params, &c->stop_threshold);
    return 0;
}

static int paced_descriptor_count(snd_pcm_ioplug_t *io) {
    struct card *c = io->private_data;
    return c->wake >= 0 ? 2 : 1;
}

static int paced_descriptors(snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned int space) {
    struct card *c = io->private_data;
    unsigned int count = 0;
    if (count < space) fds[count++] = (struct pollfd){.fd = c->timer, .events = POLLIN};
    if (count < space && c->wake >= 0) fds[count++] = (struct pollfd){.fd = c->wake, .events = POLLIN};
    return (int)count;
}

static int paced_revents(snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned int count, unsigned short *events) {
    struct card *c = io->private_data;
    char bytes[64];
    (void)fds;
    (void)count;
    while (c->wake >= 0 && read(c->wake, bytes, sizeof bytes) > 0) continue;
    update(c);
    arm(c, (int64_t)c->io.appl_ptr);
    if (moving(c) || io->state == SND_PCM_STATE_PREPARED)
        *events = io->buffer_size - (snd_pcm_uframes_t)((int64_t)io->appl_ptr - c->hardware) >= c->avail_min ? POLLOUT : 0;
    else
        *events = io->state == SND_PCM_STATE_PAUSED ? 0 : POLLOUT | POLLERR;
    return 0;
}

static int paced_close(snd_pcm_ioplug_t *io) {
    struct card *c = io->private_data;
    if (moving(c)) update(c);
    record(c, 'C', now(), c->hardware, 0, NULL, 0);
    if (c->record >= 0) close(c->record);
    if (c->timer >= 0) close(c->timer);
    if (c->wake >= 0) close(c->wake);
    if (c->lock >= 0) close(c->lock);
    if (c->control) munmap(c->control, 4096);
    free(c->ring);
    free(c);
    return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = paced_start,
    .stop = paced_stop,
    .pointer = paced_pointer,
    .transfer = paced_transfer,
    .close = paced_close,
    .hw_params = paced_hw_params,
    .sw_params = paced_sw_params,
    .prepare = paced_prepare,
    .pause = paced_pause,
    .poll_descriptors_count = paced_descriptor_count,
    .poll_descriptors = paced_descriptors,
    .poll_revents = paced_revents,
    .delay = paced_delay,
};

SND_PCM_PLUGIN_DEFINE_FUNC(nspaced) {
    snd_config_iterator_t i, next;
    const char *path = NULL, *control = NULL, *lock = NULL;
    long rate = 0, channels = 0, bits = 0, fetch = 0, buffer_ms = 0, last = 0;
    (void)root;
    snd_config_for_each(i, next, conf) {
        snd_config_t *entry = snd_config_iterator_entry(i);
        const char *id;
        if (snd_config_get_id(entry, &id) < 0 || !strcmp(id, "type") || !strcmp(id, "comment") || !strcmp(id, "hint")) continue;
        int error = 0;
        if (!strcmp(id, "record")) error = snd_config_get_string(entry, &path);
        else if (!strcmp(id, "control")) error = snd_config_get_string(entry, &control);
        else if (!strcmp(id, "lock")) error = snd_config_get_string(entry, &lock);
        else if (!strcmp(id, "rate")) error = snd_config_get_integer(entry, &rate);
        else if (!strcmp(id, "channels")) error = snd_config_get_integer(entry, &channels);
        else if (!strcmp(id, "bits")) error = snd_config_get_integer(entry, &bits);
        else if (!strcmp(id, "fetch")) error = snd_config_get_integer(entry, &fetch);
        else if (!strcmp(id, "buffer_ms")) error = snd_config_get_integer(entry, &buffer_ms);
        else if (!strcmp(id, "last")) error = snd_config_get_integer(entry, &last);
        else error = -EINVAL;
        if (error < 0) {
            SNDERR("nspaced: bad field %s", id);
            return error;
        }
    }
    if (stream != SND_PCM_STREAM_PLAYBACK) return -EINVAL;
    struct card *c = calloc(1, sizeof *c);
    if (!c) return -ENOMEM;
    c->fetch = fetch;
    c->last = last != 0;
    c->armed = -1;
    c->wake = c->timer = c->lock = -1;
    c->record = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
    if (control) {
        int file = open(control, O_RDONLY | O_CLOEXEC);
        void *page = file < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
        if (file >= 0) close(file);
        if (page != MAP_FAILED) c->control = page;
        char wake[512];
        snprintf(wake, sizeof wake, "%s.wake", control);
        c->wake = open(wake, O_RDWR | O_NONBLOCK | O_CLOEXEC);
    }
    int error = -gone(c);
    if (lock && error == 0) {
        c->lock = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
        if (c->lock < 0 || flock(c->lock, LOCK_EX | LOCK_NB) < 0) error = -EBUSY;
    }
    record(c, 'O', now(), -error, 0, NULL, 0);
    c->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    c->io.version = SND_PCM_IOPLUG_VERSION;
    c->io.name = "A card paced by the clock";
    c->io.callback = &callbacks;
    c->io.private_data = c;
    c->io.flags = SND_PCM_IOPLUG_FLAG_MONOTONIC | SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
    c->io.poll_fd = c->timer;
    c->io.poll_events = POLLIN;
    if (error == 0) error = snd_pcm_ioplug_create(&c->io, name, stream, mode);
    if (error < 0) {
        if (c->record >= 0) close(c->record);
        if (c->timer >= 0) close(c->timer);
        if (c->wake >= 0) close(c->wake);
        if (c->lock >= 0) close(c->lock);
        if (c->control) munmap(c->control, 4096);
        free(c);
        return error;
    }
    static const unsigned int access[] = {SND_PCM_ACCESS_RW_INTERLEAVED, SND_PCM_ACCESS_MMAP_INTERLEAVED};
    unsigned int formats[] = {SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S32_LE};
    unsigned int widest = (bits == 16 ? 2 : 4) * (unsigned)(channels ? channels : 2);
    snd_pcm_ioplug_set_param_list(&c->io, SND_PCM_IOPLUG_HW_ACCESS, 2, access);
    snd_pcm_ioplug_set_param_list(&c->io, SND_PCM_IOPLUG_HW_FORMAT, bits ? 1 : 2, formats + (bits == 32));
    snd_pcm_ioplug_set_param_minmax(&c->io, SND_PCM_IOPLUG_HW_CHANNELS, channels ? channels : 1, channels ? channels : 2);
    snd_pcm_ioplug_set_param_minmax(&c->io, SND_PCM_IOPLUG_HW_RATE, rate ? rate : 8000, rate ? rate : 192000);
    snd_pcm_ioplug_set_param_minmax(&c->io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 64, 4 << 20);
    snd_pcm_ioplug_set_param_minmax(&c->io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 256,
                                    buffer_ms && rate ? rate * buffer_ms / 1000 * widest : 16 << 20);
    *pcmp = c->io.pcm;
    return 0;
}

SND_PCM_PLUGIN_SYMBOL(nspaced);
