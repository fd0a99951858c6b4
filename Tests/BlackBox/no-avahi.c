// SPDX-License-Identifier: Apache-2.0
// Stands in for Avahi, so that shairport-sync runs without its daemon: it announces nothing, and finds nothing.
#include <stddef.h>

static int nothing[64];

void *avahi_client_new(const void *poll, int flags, void *callback, void *data, int *error) {
    (void)poll, (void)flags, (void)callback, (void)data, (void)error;
    return nothing;
}

void avahi_client_free(void *client) { (void)client; }

int avahi_client_errno(void *client) {
    (void)client;
    return 0;
}

void *avahi_service_browser_new(void) { return nothing; }

int avahi_service_browser_free(void *browser) {
    (void)browser;
    return 0;
}
