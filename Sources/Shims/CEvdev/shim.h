// SPDX-License-Identifier: Apache-2.0
// The kernel's input devices as Nightstand uses them: keys and knobs of /dev/input/event*. Swift cannot import the requests, which are
// macros with types, and the layout of an event depends on the machine. Both are hidden here.
//
// None of it is real-time: for the control thread. Failures are -1 with errno set.
#pragma once

#include <errno.h>
#include <linux/input.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define NS_INPUT_BATCH 64
#define NS_INPUT_NAME_BYTES 128

struct ns_input_event {
    int64_t nanoseconds;  // CLOCK_MONOTONIC
    uint16_t type, code;
    int32_t value;
};

enum ns_input_type { NS_INPUT_SYNC = EV_SYN, NS_INPUT_KEY = EV_KEY, NS_INPUT_AXIS = EV_REL };
enum { NS_INPUT_DROPPED = SYN_DROPPED, NS_INPUT_LAST_KEY = KEY_MAX, NS_INPUT_LAST_AXIS = REL_MAX };

// Makes the kernel stamp events by the clock of GPIO edges. Fails if this is no input device.
static inline int ns_input_begin(int fd) {
    int clock = CLOCK_MONOTONIC;
    return ioctl(fd, EVIOCSCLOCKID, &clock);
}

static inline int ns_input_name(int fd, char *name) {
    memset(name, 0, NS_INPUT_NAME_BYTES);
    return ioctl(fd, EVIOCGNAME(NS_INPUT_NAME_BYTES - 1), name);
}

static inline bool ns_input_bit(const uint8_t *bits, unsigned int bit) { return bits[bit / 8] >> bit % 8 & 1; }

// Returns true if the device has the key or the axis.
static inline bool ns_input_has(int fd, uint16_t type, uint16_t code) {
    uint8_t bits[KEY_MAX / 8 + 1] = {0};
    if (code > KEY_MAX || ioctl(fd, EVIOCGBIT(type, sizeof bits), bits) < 0) return false;
    return ns_input_bit(bits, code);
}

// Returns true if the key is down now; false without the device.
static inline bool ns_input_is_down(int fd, uint16_t code) {
    uint8_t bits[KEY_MAX / 8 + 1] = {0};
    if (code > KEY_MAX || ioctl(fd, EVIOCGKEY(sizeof bits), bits) < 0) return false;
    return ns_input_bit(bits, code);
}

// Takes the device's events exclusively.
static inline int ns_input_grab(int fd) { return ioctl(fd, EVIOCGRAB, (void *)1); }

// Reads up to NS_INPUT_BATCH events, oldest first. Fails with EAGAIN if there are none, ENODEV if the device is gone.
static inline int ns_input_read(int fd, struct ns_input_event *events) {
    struct input_event raw[NS_INPUT_BATCH];
    ssize_t bytes = read(fd, raw, sizeof raw);
    if (bytes < 0) return -1;
    int count = (int)((size_t)bytes / sizeof *raw);
    for (int i = 0; i < count; i++) {
        events[i].nanoseconds = (int64_t)raw[i].input_event_sec * 1000000000 + (int64_t)raw[i].input_event_usec * 1000;
        events[i].type = raw[i].type;
        events[i].code = raw[i].code;
        events[i].value = raw[i].value;
    }
    return count;
}

// MARK: Touch panels

enum {
    NS_INPUT_PLACE = EV_ABS,
    NS_TOUCH_X = ABS_X,
    NS_TOUCH_Y = ABS_Y,
    NS_TOUCH_SLOT = ABS_MT_SLOT,
    NS_TOUCH_SLOT_X = ABS_MT_POSITION_X,
    NS_TOUCH_SLOT_Y = ABS_MT_POSITION_Y,
    NS_TOUCH_TRACKING = ABS_MT_TRACKING_ID,
    NS_TOUCH_BUTTON = BTN_TOUCH,
    NS_TOUCH_LEFT = BTN_LEFT,
};

struct ns_touch_axis { int32_t least, most, now; };

// Returns false if the device has no such axis.
static inline bool ns_touch_look(int fd, uint16_t code, struct ns_touch_axis *axis) {
    uint8_t bits[ABS_MAX / 8 + 1] = {0};
    struct input_absinfo known;
    if (code > ABS_MAX || ioctl(fd, EVIOCGBIT(EV_ABS, sizeof bits), bits) < 0 || !ns_input_bit(bits, code)) return false;
    if (ioctl(fd, EVIOCGABS(code), &known) < 0) return false;
    axis->least = known.minimum;
    axis->most = known.maximum;
    axis->now = known.value;
    return true;
}

// Returns true for a separate pad that moves a pointer, like a laptop's.
static inline bool ns_touch_is_pad(int fd) {
    uint8_t bits[INPUT_PROP_MAX / 8 + 1] = {0};
    return ioctl(fd, EVIOCGPROP(sizeof bits), bits) >= 0 && ns_input_bit(bits, INPUT_PROP_POINTER);
}
