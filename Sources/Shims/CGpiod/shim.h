// libgpiod as Nightstand uses it: one button, one line, both edges. Bookworm ships libgpiod 1.6, trixie 2.2, and the two share
// hardly a function. The difference ends here: what stands below has one meaning over both, and Swift sees nothing else.
// GPIOD_LINE_BULK_MAX_LINES is defined by the header of version 1 only.
//
// None of it is real-time: for the control thread. Failures are -1 or NULL with errno set, as in libgpiod.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <gpiod.h>
#include <grp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#ifdef GPIOD_LINE_BULK_MAX_LINES
#define NS_GPIO_VERSION 1
#else
#define NS_GPIO_VERSION 2
#endif

// The kernel's names are at most 31 bytes and a terminator.
#define NS_GPIO_NAME_BYTES 32

// Events fetched by one call. Version 1 of the kernel's interface queues 16 a line and then drops the newest, so that a full
// batch means that the last may be lost; version 2 queues what it is asked to, and drops the oldest.
#define NS_GPIO_EVENT_BATCH 16

enum ns_gpio_bias { NS_GPIO_BIAS_AS_IS, NS_GPIO_BIAS_PULL_UP, NS_GPIO_BIAS_PULL_DOWN };

// Active and inactive are logical: active-low is taken account of by the kernel.
struct ns_gpio_event {
    int64_t nanoseconds;  // the kernel's time stamp, CLOCK_MONOTONIC
    bool is_active;
};

// A line held for its events. The chip must stay open as long as this.
struct ns_gpio_input {
#if NS_GPIO_VERSION == 1
    struct gpiod_line *line;
#else
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *buffer;
#endif
    unsigned int offset;
    int fd;
    bool kernel_debounces;
};

static inline void ns_gpio_copy_name(char *to, const char *from) {
    to[0] = 0;
    if (from) strncat(to, from, NS_GPIO_NAME_BYTES - 1);
}

// Beyond open(2)'s errors: ENOTTY or ENODEV where the file is no GPIO chip.
static inline struct gpiod_chip *ns_gpio_chip_open(const char *path) { return gpiod_chip_open(path); }

static inline void ns_gpio_chip_close(struct gpiod_chip *chip) { gpiod_chip_close(chip); }

// The kernel's own name for the chip ("gpiochip0", whatever the path it was opened by) and the driver's label for it, each into
// NS_GPIO_NAME_BYTES bytes. Returns how many lines it has.
static inline int ns_gpio_chip_describe(struct gpiod_chip *chip, char *name, char *label) {
#if NS_GPIO_VERSION == 1
    ns_gpio_copy_name(name, gpiod_chip_name(chip));
    ns_gpio_copy_name(label, gpiod_chip_label(chip));
    return (int)gpiod_chip_num_lines(chip);
#else
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    if (!info) return -1;
    ns_gpio_copy_name(name, gpiod_chip_info_get_name(info));
    ns_gpio_copy_name(label, gpiod_chip_info_get_label(info));
    int lines = (int)gpiod_chip_info_get_num_lines(info);
    gpiod_chip_info_free(info);
    return lines;
#endif
}

// A line's name and who holds it, each into NS_GPIO_NAME_BYTES bytes, "" where there is none.
static inline int ns_gpio_line_describe(struct gpiod_chip *chip, unsigned int offset, char *name, char *consumer) {
#if NS_GPIO_VERSION == 1
    struct gpiod_line *line = gpiod_chip_get_line(chip, offset);  // owned by the chip, which reads its state once
    if (!line || gpiod_line_update(line) < 0) return -1;
    ns_gpio_copy_name(name, gpiod_line_name(line));
    ns_gpio_copy_name(consumer, gpiod_line_consumer(line));
#else
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
    if (!info) return -1;
    ns_gpio_copy_name(name, gpiod_line_info_get_name(info));
    ns_gpio_copy_name(consumer, gpiod_line_info_get_consumer(info));
    gpiod_line_info_free(info);
#endif
    return 0;
}

// Takes the line as an input and watches both edges; the descriptor is non-blocking. Version 1 has no debounce: the caller
// must filter, which `kernel_debounces` tells. EBUSY where somebody holds the line.
static inline int ns_gpio_input_open(
    struct ns_gpio_input *input, struct gpiod_chip *chip, unsigned int offset, const char *consumer, bool active_low,
    enum ns_gpio_bias bias, unsigned int debounce_microseconds) {
    memset(input, 0, sizeof *input);
    input->offset = offset;
#if NS_GPIO_VERSION == 1
    (void)debounce_microseconds;
    int flags = active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0;
    if (bias == NS_GPIO_BIAS_PULL_UP) flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP;
    if (bias == NS_GPIO_BIAS_PULL_DOWN) flags |= GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
    input->line = gpiod_chip_get_line(chip, offset);
    if (!input->line) return -1;
    if (gpiod_line_request_both_edges_events_flags(input->line, consumer, flags) < 0) return -1;
    input->fd = gpiod_line_event_get_fd(input->line);
#else
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *request = gpiod_request_config_new();
    input->buffer = gpiod_edge_event_buffer_new(NS_GPIO_EVENT_BATCH);
    if (settings && lines && request && input->buffer) {
        gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT);
        gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH);
        gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC);
        gpiod_line_settings_set_active_low(settings, active_low);
        if (bias == NS_GPIO_BIAS_PULL_UP) gpiod_line_settings_set_bias(settings, GPIOD_LINE_BIAS_PULL_UP);
        if (bias == NS_GPIO_BIAS_PULL_DOWN) gpiod_line_settings_set_bias(settings, GPIOD_LINE_BIAS_PULL_DOWN);
        gpiod_line_settings_set_debounce_period_us(settings, debounce_microseconds);
        gpiod_request_config_set_consumer(request, consumer);
        gpiod_request_config_set_event_buffer_size(request, 4 * NS_GPIO_EVENT_BATCH);
        if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings) == 0)
            input->request = gpiod_chip_request_lines(chip, request, lines);
    } else {
        errno = ENOMEM;
    }
    int failure = errno;
    gpiod_line_settings_free(settings);
    gpiod_line_config_free(lines);
    gpiod_request_config_free(request);
    if (!input->request) {
        gpiod_edge_event_buffer_free(input->buffer);
        errno = failure;
        return -1;
    }
    input->kernel_debounces = debounce_microseconds > 0;
    input->fd = gpiod_line_request_get_fd(input->request);
#endif
    fcntl(input->fd, F_SETFL, fcntl(input->fd, F_GETFL) | O_NONBLOCK);
    return 0;
}

static inline void ns_gpio_input_close(struct ns_gpio_input *input) {
#if NS_GPIO_VERSION == 1
    gpiod_line_release(input->line);
#else
    gpiod_line_request_release(input->request);
    gpiod_edge_event_buffer_free(input->buffer);
#endif
}

// 1 active, 0 inactive.
static inline int ns_gpio_input_level(const struct ns_gpio_input *input) {
#if NS_GPIO_VERSION == 1
    return gpiod_line_get_value(input->line);
#else
    return (int)gpiod_line_request_get_value(input->request, input->offset);
#endif
}

// Up to NS_GPIO_EVENT_BATCH events, oldest first; EAGAIN where there is none.
static inline int ns_gpio_input_read(const struct ns_gpio_input *input, struct ns_gpio_event *events) {
#if NS_GPIO_VERSION == 1
    struct gpiod_line_event raw[NS_GPIO_EVENT_BATCH];
    int count = gpiod_line_event_read_multiple(input->line, raw, NS_GPIO_EVENT_BATCH);
    for (int i = 0; i < count; i++) {
        events[i].nanoseconds = (int64_t)raw[i].ts.tv_sec * 1000000000 + raw[i].ts.tv_nsec;
        events[i].is_active = raw[i].event_type == GPIOD_LINE_EVENT_RISING_EDGE;
    }
#else
    int count = gpiod_line_request_read_edge_events(input->request, input->buffer, NS_GPIO_EVENT_BATCH);
    for (int i = 0; i < count; i++) {
        struct gpiod_edge_event *raw = gpiod_edge_event_buffer_get_event(input->buffer, (unsigned long)i);
        events[i].nanoseconds = (int64_t)gpiod_edge_event_get_timestamp_ns(raw);
        events[i].is_active = gpiod_edge_event_get_event_type(raw) == GPIOD_EDGE_EVENT_RISING_EDGE;
    }
#endif
    return count;
}

// The name of the group that owns a device file, "" where it has none: for the message to a user who may not open it.
static inline void ns_gpio_group_of(const char *path, char *name) {
    struct stat status;
    struct group *group = stat(path, &status) < 0 ? NULL : getgrgid(status.st_gid);
    ns_gpio_copy_name(name, group ? group->gr_name : "");
}
