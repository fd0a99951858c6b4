// SPDX-License-Identifier: Apache-2.0
// libgpiod as Nightstand uses it: one button, one line, both edges; and a line that is set. Bookworm ships libgpiod 1.6, trixie 2.2, and
// the two share hardly a function. The difference ends in gpio.c: the functions here have one meaning over both, and Swift sees nothing
// else. So one compilation of the Swift code is linked for both releases.
//
// None of it is real-time: for the control thread. Failures are -1 or NULL with errno set, as in libgpiod.
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

// The kernel's names are at most 31 bytes and a terminator.
#define NS_GPIO_NAME_BYTES 32

// Events fetched by one call.
#define NS_GPIO_EVENT_BATCH 16

enum ns_gpio_bias { NS_GPIO_BIAS_AS_IS, NS_GPIO_BIAS_PULL_UP, NS_GPIO_BIAS_PULL_DOWN };

struct gpiod_chip;

// Active and inactive are logical: active-low is taken account of by the kernel.
struct ns_gpio_event {
    int64_t nanoseconds;  // the kernel's time stamp, CLOCK_MONOTONIC
    bool is_active;
};

// A line held for its events. The chip must stay open as long as this.
struct ns_gpio_input {
    void *request, *buffer;  // libgpiod 2's
    unsigned int offset;
    int fd;
    bool kernel_debounces;
};

// A line held as an output. The chip must stay open as long as this.
struct ns_gpio_output {
    void *line;  // libgpiod's: a line of version 1, a request of version 2
    unsigned int offset;
};

// Beyond open(2)'s errors: ENOTTY or ENODEV where the file is no GPIO chip.
struct gpiod_chip *ns_gpio_chip_open(const char *path);

void ns_gpio_chip_close(struct gpiod_chip *chip);

// The kernel's own name for the chip ("gpiochip0", for any path) and the driver's label for it, each into NS_GPIO_NAME_BYTES bytes. Returns
// how many lines it has.
int ns_gpio_chip_describe(struct gpiod_chip *chip, char *name, char *label);

// A line's name and its holder, each into NS_GPIO_NAME_BYTES bytes, "" without one.
int ns_gpio_line_describe(struct gpiod_chip *chip, unsigned int offset, char *name, char *consumer);

// Takes the line as an input and watches both edges; the descriptor is non-blocking. The kernel queues up to `queue` events, then drops the
// oldest. EBUSY if another program holds the line.
//
// libgpiod 1.6 speaks the first version of the kernel's interface, which queues 16 events of a line: 70 ms of a knob that is
// turned fast, and an SD card holds a process up for longer. So its lines are asked of the second version, which kernels have
// since 5.10: Documentation/userspace-api/gpio/gpio-v2-get-line-ioctl.rst. There the caller debounces, which `kernel_debounces`
// tells.
int ns_gpio_input_open(
    struct ns_gpio_input *input, struct gpiod_chip *chip, unsigned int offset, const char *consumer, bool active_low,
    enum ns_gpio_bias bias, unsigned int debounce_microseconds, unsigned int queue);

void ns_gpio_input_close(struct ns_gpio_input *input);

// 1 active, 0 inactive.
int ns_gpio_input_level(const struct ns_gpio_input *input);

// Up to NS_GPIO_EVENT_BATCH events, oldest first; EAGAIN where there is none.
int ns_gpio_input_read(const struct ns_gpio_input *input, struct ns_gpio_event *events);

// Takes the line as an output that is inactive. EBUSY if another program holds the line.
int ns_gpio_output_open(
    struct ns_gpio_output *output, struct gpiod_chip *chip, unsigned int offset, const char *consumer,
    bool active_low);

int ns_gpio_output_set(const struct ns_gpio_output *output, bool active);

void ns_gpio_output_close(struct ns_gpio_output *output);

// The name of the group that owns a device file, "" where it has none: for the message to a user without the right to open it.
void ns_gpio_group_of(const char *path, char *name);
