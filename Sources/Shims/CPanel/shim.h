// SPDX-License-Identifier: Apache-2.0
// The interfaces of a panel: the kernel's modes and dumb buffers of /dev/dri/card*, the older /dev/fb*, and the virtual terminal that text
// would appear on. Swift cannot import the requests, which are macros with types. DRM's structures are declared here as in the kernel's
// drm.h and drm_mode.h, a stable interface. So neither the headers nor a library are needed.
//
// None of it is real-time. Failures are -1 with errno set.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <linux/fb.h>
#include <linux/kd.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

// Makes a request, and repeats it after a signal or a busy driver, as libdrm does.
static inline int ns_panel_request(int fd, unsigned long request, void *argument) {
    int result;
    do result = ioctl(fd, request, argument);
    while (result < 0 && (errno == EINTR || errno == EAGAIN));
    return result;
}

// MARK: DRM

struct ns_drm_mode {
    uint32_t clock;
    uint16_t width, hsync_start, hsync_end, htotal, hskew;
    uint16_t height, vsync_start, vsync_end, vtotal, vscan;
    uint32_t refresh, flags, type;
    char name[32];
};
_Static_assert(sizeof(struct ns_drm_mode) == 68, "drm_mode_modeinfo");

struct ns_drm_resources {
    uint64_t framebuffers, crtcs, connectors, encoders;
    uint32_t framebuffer_count, crtc_count, connector_count, encoder_count;
    uint32_t min_width, max_width, min_height, max_height;
};

struct ns_drm_connector {
    uint64_t encoders, modes, properties, values;
    uint32_t mode_count, property_count, encoder_count;
    uint32_t encoder, connector, type, type_id, connection, mm_width, mm_height, subpixel, pad;
};

struct ns_drm_encoder { uint32_t encoder, type, crtc, possible_crtcs, possible_clones; };

struct ns_drm_crtc {
    uint64_t connectors;
    uint32_t connector_count, crtc, framebuffer, x, y, gamma_size, mode_valid;
    struct ns_drm_mode mode;
};

struct ns_drm_framebuffer { uint32_t framebuffer, width, height, pitch, bits, depth, handle; };
struct ns_drm_flip { uint32_t crtc, framebuffer, flags, reserved; uint64_t user_data; };
struct ns_drm_clip { uint16_t x1, y1, x2, y2; };
struct ns_drm_dirty { uint32_t framebuffer, flags, color, clip_count; uint64_t clips; };
struct ns_drm_dumb { uint32_t height, width, bits, flags, handle, pitch; uint64_t size; };
struct ns_drm_dumb_map { uint32_t handle, pad; uint64_t offset; };
struct ns_drm_capability { uint64_t name, value; };

enum { NS_DRM_CONNECTED = 1, NS_DRM_MOST = 32, NS_DRM_MOST_MODES = 64, NS_DRM_PREFERRED = 1 << 3 };

#define NS_DRM_IOWR(NUMBER, TYPE) _IOWR('d', NUMBER, TYPE)

// The parts of a card: the numbers of its connectors and CRTCs.
struct ns_drm_card {
    uint32_t connectors[NS_DRM_MOST], crtcs[NS_DRM_MOST];
    uint32_t connector_count, crtc_count;
    bool prefers_16_bits;  // true for small SPI panels, whose driver would reduce pixels of 32 bits to 16
};

// Reads the parts of a card. Fails with ENOTSUP for a card without connectors or dumb buffers, which only computes.
static inline int ns_drm_look(int fd, struct ns_drm_card *card) {
    struct ns_drm_capability dumb = {1, 0};
    struct ns_drm_resources all = {0};
    if (ns_panel_request(fd, NS_DRM_IOWR(0x0C, struct ns_drm_capability), &dumb) < 0) return -1;
    all.connectors = (uintptr_t)card->connectors;
    all.crtcs = (uintptr_t)card->crtcs;
    all.connector_count = all.crtc_count = NS_DRM_MOST;
    if (ns_panel_request(fd, NS_DRM_IOWR(0xA0, struct ns_drm_resources), &all) < 0) return -1;
    if (!dumb.value || !all.connector_count || !all.crtc_count || all.connector_count > NS_DRM_MOST || all.crtc_count > NS_DRM_MOST) {
        errno = ENOTSUP;
        return -1;
    }
    struct ns_drm_capability depth = {3, 0};
    card->prefers_16_bits = ns_panel_request(fd, NS_DRM_IOWR(0x0C, struct ns_drm_capability), &depth) == 0 && depth.value == 16;
    card->connector_count = all.connector_count;
    card->crtc_count = all.crtc_count;
    return 0;
}

// A connector with its preferred mode, or its first. The result is 1 if something is connected, with its CRTC, or 0.
struct ns_drm_output {
    uint32_t connector, crtc, type, mm_width, mm_height;
    struct ns_drm_mode mode;
};
static inline int ns_drm_look_at(int fd, const struct ns_drm_card *card, uint32_t index, struct ns_drm_output *output) {
    struct ns_drm_mode modes[NS_DRM_MOST_MODES];
    uint32_t encoders[NS_DRM_MOST];
    struct ns_drm_connector known = {0};
    known.connector = card->connectors[index];
    // A request without room for modes makes the kernel probe the connector. The second one has room and gets the result.
    if (ns_panel_request(fd, NS_DRM_IOWR(0xA7, struct ns_drm_connector), &known) < 0) return -1;
    if (known.mode_count > NS_DRM_MOST_MODES || known.encoder_count > NS_DRM_MOST) {
        errno = E2BIG;
        return -1;
    }
    uint32_t room = known.mode_count;
    known.modes = (uintptr_t)modes;
    known.encoders = (uintptr_t)encoders;
    known.property_count = 0;
    if (ns_panel_request(fd, NS_DRM_IOWR(0xA7, struct ns_drm_connector), &known) < 0) return -1;
    if (known.connection != NS_DRM_CONNECTED || !known.mode_count || known.mode_count > room) return 0;
    output->connector = known.connector;
    output->type = known.type;
    output->mm_width = known.mm_width;
    output->mm_height = known.mm_height;
    output->mode = modes[0];
    for (uint32_t i = 0; i < known.mode_count; i++) {
        if (modes[i].type & NS_DRM_PREFERRED) {
            output->mode = modes[i];
            break;
        }
    }
    output->crtc = 0;
    for (uint32_t i = 0; i < known.encoder_count && i < NS_DRM_MOST && !output->crtc; i++) {
        struct ns_drm_encoder encoder = {0};
        encoder.encoder = encoders[i];
        if (ns_panel_request(fd, NS_DRM_IOWR(0xA6, struct ns_drm_encoder), &encoder) < 0) continue;
        if (encoder.crtc) output->crtc = encoder.crtc;
        for (uint32_t j = 0; j < card->crtc_count && !output->crtc; j++) {
            if (encoder.possible_crtcs >> j & 1) output->crtc = card->crtcs[j];
        }
    }
    return output->crtc ? 1 : 0;
}

// Memory that a card can show, mapped.
struct ns_drm_buffer {
    uint32_t framebuffer, handle, pitch;
    uint64_t size;
    uint8_t *bytes;
};

static inline void ns_drm_give_back(int fd, struct ns_drm_buffer *buffer) {
    if (buffer->bytes) munmap(buffer->bytes, buffer->size);
    if (buffer->framebuffer) ns_panel_request(fd, NS_DRM_IOWR(0xAF, unsigned int), &buffer->framebuffer);
    if (buffer->handle) ns_panel_request(fd, NS_DRM_IOWR(0xB4, uint32_t), &buffer->handle);
    memset(buffer, 0, sizeof *buffer);
}

// Makes a buffer of 32 bits a pixel, 0x00RRGGBB, or of 16, RGB565.
static inline int ns_drm_make(int fd, uint32_t width, uint32_t height, uint32_t bits, struct ns_drm_buffer *buffer) {
    struct ns_drm_dumb made = {height, width, bits, 0, 0, 0, 0};
    memset(buffer, 0, sizeof *buffer);
    if (ns_panel_request(fd, NS_DRM_IOWR(0xB2, struct ns_drm_dumb), &made) < 0) return -1;
    buffer->handle = made.handle;
    buffer->pitch = made.pitch;
    buffer->size = made.size;
    struct ns_drm_framebuffer added = {0, width, height, made.pitch, bits, bits == 32 ? 24 : bits, made.handle};
    struct ns_drm_dumb_map map = {made.handle, 0, 0};
    if (ns_panel_request(fd, NS_DRM_IOWR(0xAE, struct ns_drm_framebuffer), &added) == 0) {
        buffer->framebuffer = added.framebuffer;
        if (ns_panel_request(fd, NS_DRM_IOWR(0xB3, struct ns_drm_dumb_map), &map) == 0) {
            void *bytes = mmap(0, made.size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)map.offset);
            if (bytes != MAP_FAILED) {
                buffer->bytes = bytes;
                return 0;
            }
        }
    }
    int code = errno;
    ns_drm_give_back(fd, buffer);
    errno = code;
    return -1;
}

// Shows a buffer; 0 turns the panel off.
static inline int ns_drm_show(int fd, const struct ns_drm_output *output, uint32_t framebuffer) {
    struct ns_drm_crtc crtc = {0};
    uint32_t connector = output->connector;
    crtc.crtc = output->crtc;
    if (framebuffer) {
        crtc.connectors = (uintptr_t)&connector;
        crtc.connector_count = 1;
        crtc.framebuffer = framebuffer;
        crtc.mode_valid = 1;
        crtc.mode = output->mode;
    }
    return ns_panel_request(fd, NS_DRM_IOWR(0xA2, struct ns_drm_crtc), &crtc);
}

// Shows a buffer with the panel's next frame; the descriptor becomes readable then. EBUSY while another one is pending.
static inline int ns_drm_flip(int fd, uint32_t crtc, uint32_t framebuffer) {
    enum { EVENT = 1 };
    struct ns_drm_flip flip = {crtc, framebuffer, EVENT, 0, 0};
    return ioctl(fd, NS_DRM_IOWR(0xB0, struct ns_drm_flip), &flip);
}

// Reports changes of the shown buffer. ENOSYS if the driver shows it without being told.
static inline int ns_drm_tell_changes(int fd, uint32_t framebuffer, const struct ns_drm_clip *clips, uint32_t count) {
    struct ns_drm_dirty dirty = {framebuffer, 0, 0, count, (uintptr_t)clips};
    return ns_panel_request(fd, NS_DRM_IOWR(0xB1, struct ns_drm_dirty), &dirty);
}

// MARK: /dev/fb*

struct ns_fb {
    uint32_t width, height, bits, stride, mm_width, mm_height;
    uint32_t red_offset, red_bits, green_offset, green_bits, blue_offset, blue_bits;
    uint64_t size, start;
};

// Reads a framebuffer's format. ENOTSUP if its pixels are not direct colors, or not in rows.
static inline int ns_fb_look(int fd, struct ns_fb *fb) {
    struct fb_var_screeninfo changing;
    struct fb_fix_screeninfo fixed;
    if (ioctl(fd, FBIOGET_VSCREENINFO, &changing) < 0 || ioctl(fd, FBIOGET_FSCREENINFO, &fixed) < 0) return -1;
    if (fixed.type != FB_TYPE_PACKED_PIXELS || (fixed.visual != FB_VISUAL_TRUECOLOR && fixed.visual != FB_VISUAL_DIRECTCOLOR)) {
        errno = ENOTSUP;
        return -1;
    }
    fb->width = changing.xres;
    fb->height = changing.yres;
    fb->bits = changing.bits_per_pixel;
    fb->stride = fixed.line_length;
    fb->mm_width = changing.width;
    fb->mm_height = changing.height;
    fb->red_offset = changing.red.offset;
    fb->red_bits = changing.red.length;
    fb->green_offset = changing.green.offset;
    fb->green_bits = changing.green.length;
    fb->blue_offset = changing.blue.offset;
    fb->blue_bits = changing.blue.length;
    fb->start = (uint64_t)changing.yoffset * fixed.line_length + changing.xoffset * (changing.bits_per_pixel / 8);
    fb->size = fixed.smem_len;
    return 0;
}

static inline int ns_fb_set_lit(int fd, bool lit) {
    return ioctl(fd, FBIOBLANK, (unsigned long)(lit ? FB_BLANK_UNBLANK : FB_BLANK_POWERDOWN));
}

// MARK: The virtual terminal

// Switches between the terminal's text and graphics.
static inline int ns_tty_set_graphics(int fd, bool graphics) {
    return ioctl(fd, KDSETMODE, (unsigned long)(graphics ? KD_GRAPHICS : KD_TEXT));
}
