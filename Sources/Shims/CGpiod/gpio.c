// SPDX-License-Identifier: Apache-2.0
// shim.h for libgpiod 1.6 and 2.2, compiled with the headers of the release that the program is linked with. Only version 1's header
// defines GPIOD_LINE_BULK_MAX_LINES.
#include "shim.h"

#include <fcntl.h>
#include <gpiod.h>
#include <grp.h>
#include <linux/gpio.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef GPIOD_LINE_BULK_MAX_LINES
#define NS_GPIO_VERSION 1
#else
#define NS_GPIO_VERSION 2
#endif

static void ns_gpio_copy_name(char *to, const char *from) {
    to[0] = 0;
    if (from) strncat(to, from, NS_GPIO_NAME_BYTES - 1);
}

struct gpiod_chip *ns_gpio_chip_open(const char *path) { return gpiod_chip_open(path); }

void ns_gpio_chip_close(struct gpiod_chip *chip) { gpiod_chip_close(chip); }

int ns_gpio_chip_describe(struct gpiod_chip *chip, char *name, char *label) {
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

int ns_gpio_line_describe(struct gpiod_chip *chip, unsigned int offset, char *name, char *consumer) {
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

int ns_gpio_input_open(
    struct ns_gpio_input *input, struct gpiod_chip *chip, unsigned int offset, const char *consumer, bool active_low,
    enum ns_gpio_bias bias, unsigned int debounce_microseconds, unsigned int queue) {
    memset(input, 0, sizeof *input);
    input->offset = offset;
#if NS_GPIO_VERSION == 1
    (void)debounce_microseconds;
    char path[NS_GPIO_NAME_BYTES + 5];
    snprintf(path, sizeof path, "/dev/%s", gpiod_chip_name(chip));
    int device = open(path, O_RDWR | O_CLOEXEC);
    if (device < 0) return -1;
    struct gpio_v2_line_request request = {.offsets = {offset}, .num_lines = 1, .event_buffer_size = queue};
    ns_gpio_copy_name(request.consumer, consumer);
    request.config.flags = GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING;
    if (active_low) request.config.flags |= GPIO_V2_LINE_FLAG_ACTIVE_LOW;
    if (bias == NS_GPIO_BIAS_PULL_UP) request.config.flags |= GPIO_V2_LINE_FLAG_BIAS_PULL_UP;
    if (bias == NS_GPIO_BIAS_PULL_DOWN) request.config.flags |= GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN;
    int status = ioctl(device, GPIO_V2_GET_LINE_IOCTL, &request);
    int failure = errno;
    close(device);
    errno = failure;
    if (status < 0) return -1;
    input->fd = request.fd;
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
        gpiod_request_config_set_event_buffer_size(request, queue);
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

void ns_gpio_input_close(struct ns_gpio_input *input) {
#if NS_GPIO_VERSION == 1
    close(input->fd);
#else
    gpiod_line_request_release(input->request);
    gpiod_edge_event_buffer_free(input->buffer);
#endif
}

int ns_gpio_input_level(const struct ns_gpio_input *input) {
#if NS_GPIO_VERSION == 1
    struct gpio_v2_line_values values = {.mask = 1};
    return ioctl(input->fd, GPIO_V2_LINE_GET_VALUES_IOCTL, &values) < 0 ? -1 : (int)(values.bits & 1);
#else
    return (int)gpiod_line_request_get_value(input->request, input->offset);
#endif
}

int ns_gpio_input_read(const struct ns_gpio_input *input, struct ns_gpio_event *events) {
#if NS_GPIO_VERSION == 1
    struct gpio_v2_line_event raw[NS_GPIO_EVENT_BATCH];
    ssize_t bytes = read(input->fd, raw, sizeof raw);
    int count = bytes < 0 ? -1 : (int)(bytes / (ssize_t)sizeof *raw);
    for (int i = 0; i < count; i++) {
        events[i].nanoseconds = (int64_t)raw[i].timestamp_ns;
        events[i].is_active = raw[i].id == GPIO_V2_LINE_EVENT_RISING_EDGE;
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

int ns_gpio_output_open(
    struct ns_gpio_output *output, struct gpiod_chip *chip, unsigned int offset, const char *consumer,
    bool active_low) {
    memset(output, 0, sizeof *output);
    output->offset = offset;
#if NS_GPIO_VERSION == 1
    output->line = gpiod_chip_get_line(chip, offset);
    if (!output->line) return -1;
    return gpiod_line_request_output_flags(
        output->line, consumer, active_low ? GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW : 0, 0);
#else
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    struct gpiod_line_config *lines = gpiod_line_config_new();
    struct gpiod_request_config *request = gpiod_request_config_new();
    if (settings && lines && request) {
        gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_OUTPUT);
        gpiod_line_settings_set_active_low(settings, active_low);
        gpiod_line_settings_set_output_value(settings, GPIOD_LINE_VALUE_INACTIVE);
        gpiod_request_config_set_consumer(request, consumer);
        if (gpiod_line_config_add_line_settings(lines, &offset, 1, settings) == 0)
            output->line = gpiod_chip_request_lines(chip, request, lines);
    } else {
        errno = ENOMEM;
    }
    int failure = errno;
    gpiod_line_settings_free(settings);
    gpiod_line_config_free(lines);
    gpiod_request_config_free(request);
    errno = failure;
    return output->line ? 0 : -1;
#endif
}

int ns_gpio_output_set(const struct ns_gpio_output *output, bool active) {
#if NS_GPIO_VERSION == 1
    return gpiod_line_set_value(output->line, active);
#else
    return gpiod_line_request_set_value(
        output->line, output->offset, active ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE);
#endif
}

void ns_gpio_output_close(struct ns_gpio_output *output) {
#if NS_GPIO_VERSION == 1
    gpiod_line_release(output->line);
#else
    gpiod_line_request_release(output->line);
#endif
}

void ns_gpio_group_of(const char *path, char *name) {
    struct stat status;
    struct group *group = stat(path, &status) < 0 ? NULL : getgrgid(status.st_gid);
    ns_gpio_copy_name(name, group ? group->gr_name : "");
}
