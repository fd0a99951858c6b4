// SPDX-License-Identifier: Apache-2.0
// ALSA's library. NS_REALTIME vouches for a function to the compiler: the audio thread, with its `@_noLocks @_noAllocation` code, may call
// it. alsa-lib guards each PCM with a mutex unless LIBASOUND_THREAD_SAFE=0. Nightstand sets that before it opens the first PCM, since only
// one thread uses a PCM at a time. A black-box test that counts allocations and locks on that thread covers the plugins.
#pragma once

#include <alsa/asoundlib.h>

#define NS_REALTIME __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

// Silences alsa-lib, which prints to standard error; Nightstand reports errors itself. The handler is variadic.
static inline void ns_alsa_ignore(const char *file, int line, const char *function, int error, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)error, (void)format;
}
static inline void ns_alsa_silence_messages(void) { snd_lib_error_set_handler(ns_alsa_ignore); }

// One ioctl, or for plugins a read of memory; the queue pointers only.
NS_REALTIME static inline snd_pcm_sframes_t ns_pcm_avail_update(snd_pcm_t *pcm) { return snd_pcm_avail_update(pcm); }

// Reads the page that kernel and library share, or the library's copy of it.
NS_REALTIME static inline int ns_pcm_htimestamp(snd_pcm_t *pcm, snd_pcm_uframes_t *available, snd_htimestamp_t *stamp) {
    return snd_pcm_htimestamp(pcm, available, stamp);
}

// One ioctl (HWSYNC and DELAY).
NS_REALTIME static inline int ns_pcm_delay(snd_pcm_t *pcm, snd_pcm_sframes_t *frames) { return snd_pcm_delay(pcm, frames); }

// The PCM is non-blocking: it copies what fits and never waits. Conversion plugins use buffers made at hw_params.
NS_REALTIME static inline snd_pcm_sframes_t ns_pcm_writei(snd_pcm_t *pcm, const void *frames, snd_pcm_uframes_t count) {
    return snd_pcm_writei(pcm, frames, count);
}

// Moves the application pointer back.
NS_REALTIME static inline snd_pcm_sframes_t ns_pcm_rewindable(snd_pcm_t *pcm) { return snd_pcm_rewindable(pcm); }
NS_REALTIME static inline snd_pcm_sframes_t ns_pcm_rewind(snd_pcm_t *pcm, snd_pcm_uframes_t frames) {
    return snd_pcm_rewind(pcm, frames);
}

// These are one ioctl each.
NS_REALTIME static inline int ns_pcm_drop(snd_pcm_t *pcm) { return snd_pcm_drop(pcm); }
NS_REALTIME static inline int ns_pcm_prepare(snd_pcm_t *pcm) { return snd_pcm_prepare(pcm); }
NS_REALTIME static inline int ns_pcm_start(snd_pcm_t *pcm) { return snd_pcm_start(pcm); }

// Translates poll results in place.
NS_REALTIME static inline int ns_pcm_revents(
    snd_pcm_t *pcm, struct pollfd *descriptors, unsigned count, unsigned short *revents
) {
    return snd_pcm_poll_descriptors_revents(pcm, descriptors, count, revents);
}
