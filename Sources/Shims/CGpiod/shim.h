// SPDX-License-Identifier: Apache-2.0
// libgpiod as Nightstand uses it: input lines with both edges, and output lines. Bookworm has libgpiod 1.6, trixie 2.2, and these share
// hardly a function. gpio.c hides the difference: the functions here are the same for both, and Swift sees nothing else. So one compilation
// of the Swift code is linked for both releases.
//
// None of it is real-time: for the control thread. Failures are -1 or NULL with errno set, as in libgpiod.
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

// The kernel's names have at most 31 bytes and a terminator.
#define NS_GPIO_NAME_BYTES 32

// The number of events fetched by one call.
#define NS_GPIO_EVENT_BATCH 16

enum ns_gpio_bias { NS_GPIO_BIAS_AS_IS, NS_GPIO_BIAS_PULL_UP, NS_GPIO_BIAS_PULL_DOWN };

struct gpiod_chip;

// Active and inactive are logical: the kernel handles active-low.
struct ns_gpio_event {
    int64_t nanoseconds;  // the kernel's time stamp, CLOCK_MONOTONIC
    bool is_active;
};

// A line requested for its events. The chip must stay open as long as this.
struct ns_gpio_input {
    void *request, *buffer;  // libgpiod 2's
    unsigned int offset;
    int fd;
    bool kernel_debounces;
};

// A line requested as an output. The chip must stay open as long as this.
struct ns_gpio_output {
    void *line;  // libgpiod's: a line of version 1, a request of version 2
    unsigned int offset;
};

// Opens a chip. Beyond open(2)'s errors: ENOTTY or ENODEV if the file is no GPIO chip.
struct gpiod_chip *ns_gpio_chip_open(const char *path);

void ns_gpio_chip_close(struct gpiod_chip *chip);

// Writes the kernel's name of the chip ("gpiochip0", for any path) and the driver's label, each into NS_GPIO_NAME_BYTES bytes. Returns the
// number of lines.
int ns_gpio_chip_describe(struct gpiod_chip *chip, char *name, char *label);

// Writes a line's name and its user, each into NS_GPIO_NAME_BYTES bytes, "" for none.
int ns_gpio_line_describe(struct gpiod_chip *chip, unsigned int offset, char *name, char *consumer);

// Requests the line as an input and watches both edges; the descriptor is non-blocking. The kernel queues up to `queue` events, then drops
// the oldest. EBUSY if another program uses the line.
//
// libgpiod 1.6 uses the first version of the kernel's interface, which queues 16 events of a line. That is 70 ms of a fast knob, and an SD
// card may block a process for longer. So its lines are requested by the second version, in kernels since 5.10:
// Documentation/userspace-api/gpio/gpio-v2-get-line-ioctl.rst. The caller must then debounce, as `kernel_debounces` tells.
int ns_gpio_input_open(
    struct ns_gpio_input *input, struct gpiod_chip *chip, unsigned int offset, const char *consumer, bool active_low,
    enum ns_gpio_bias bias, unsigned int debounce_microseconds, unsigned int queue);

void ns_gpio_input_close(struct ns_gpio_input *input);

// Returns 1 for active, 0 for inactive.
int ns_gpio_input_level(const struct ns_gpio_input *input);

// Reads up to NS_GPIO_EVENT_BATCH events, oldest first; EAGAIN if there are none.
int ns_gpio_input_read(const struct ns_gpio_input *input, struct ns_gpio_event *events);

// Requests the line as an inactive output. EBUSY if another program uses the line.
int ns_gpio_output_open(
    struct ns_gpio_output *output, struct gpiod_chip *chip, unsigned int offset, const char *consumer,
    bool active_low);

int ns_gpio_output_set(const struct ns_gpio_output *output, bool active);

void ns_gpio_output_close(struct ns_gpio_output *output);

// Writes the name of the group that owns a device file, "" for none: for the message to a user without access.
void ns_gpio_group_of(const char *path, char *name);
