// SPDX-License-Identifier: Apache-2.0
// The part of libcurl that Nightstand uses, only in the fetching process. That process loads the library at its start and never links it,
// so the speaker itself maps none of it. The header is not needed to build: the declarations below are those of curl 7.85 and later, with
// numbers that never change (docs/libcurl/ABI.md).
#pragma once

#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

typedef void ns_curl_easy;
typedef void ns_curl_multi;

struct ns_curl_slist { char *data; struct ns_curl_slist *next; };
struct ns_curl_waitfd { int fd; short events; short revents; };
struct ns_curl_message { int kind; ns_curl_easy *easy; union { void *whatever; int result; } data; };

// Result, name, parameters: one line for each function, the source of the table and the loader.
#define NS_CURL_FUNCTIONS(F) \
    F(int, curl_global_init, (long flags)) \
    F(ns_curl_easy *, curl_easy_init, (void)) \
    F(void, curl_easy_cleanup, (ns_curl_easy *easy)) \
    F(int, curl_easy_setopt, (ns_curl_easy *easy, int option, ...)) \
    F(int, curl_easy_getinfo, (ns_curl_easy *easy, int info, ...)) \
    F(int, curl_easy_pause, (ns_curl_easy *easy, int how)) \
    F(const char *, curl_easy_strerror, (int code)) \
    F(struct ns_curl_slist *, curl_slist_append, (struct ns_curl_slist *list, const char *text)) \
    F(void, curl_slist_free_all, (struct ns_curl_slist *list)) \
    F(ns_curl_multi *, curl_multi_init, (void)) \
    F(int, curl_multi_add_handle, (ns_curl_multi *multi, ns_curl_easy *easy)) \
    F(int, curl_multi_remove_handle, (ns_curl_multi *multi, ns_curl_easy *easy)) \
    F(int, curl_multi_perform, (ns_curl_multi *multi, int *running)) \
    F(int, curl_multi_poll, (ns_curl_multi *multi, struct ns_curl_waitfd *extra, unsigned count, int milliseconds, int *ready)) \
    F(struct ns_curl_message *, curl_multi_info_read, (ns_curl_multi *multi, int *left))

#define NS_CURL_MEMBER(RESULT, NAME, PARAMETERS) RESULT (*NAME) PARAMETERS;
struct ns_curl_table { NS_CURL_FUNCTIONS(NS_CURL_MEMBER) };

// Fills the table. Returns NULL, or the dynamic linker's message.
static inline const char *ns_curl_load(struct ns_curl_table *table) {
    // The OpenSSL flavor reads the hashed folder of certificates on demand, where GnuTLS reads all of them (7 MB).
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define NS_CURL_LOAD(RESULT, NAME, PARAMETERS) \
    table->NAME = (RESULT (*) PARAMETERS)dlsym(library, #NAME); \
    if (!table->NAME) return #NAME " is missing in libcurl.so.4";
    NS_CURL_FUNCTIONS(NS_CURL_LOAD)
    return NULL;
}

// curl.h: CURLoption. The thousands give the type of the value.
enum {
    NS_CURL_OPTION_WRITEDATA = 10001, NS_CURL_OPTION_URL = 10002, NS_CURL_OPTION_USERPWD = 10005,
    NS_CURL_OPTION_RANGE = 10007, NS_CURL_OPTION_USERAGENT = 10018, NS_CURL_OPTION_LOW_SPEED_LIMIT = 19,
    NS_CURL_OPTION_LOW_SPEED_TIME = 20, NS_CURL_OPTION_HTTPHEADER = 10023, NS_CURL_OPTION_HEADERDATA = 10029,
    NS_CURL_OPTION_FOLLOWLOCATION = 52, NS_CURL_OPTION_MAXREDIRS = 68, NS_CURL_OPTION_CONNECTTIMEOUT = 78,
    NS_CURL_OPTION_CAPATH = 10097, NS_CURL_OPTION_NOSIGNAL = 99, NS_CURL_OPTION_HTTP200ALIASES = 10104,
    NS_CURL_OPTION_PROTOCOLS_STR = 10318, NS_CURL_OPTION_REDIR_PROTOCOLS_STR = 10319,
    NS_CURL_OPTION_ACCEPT_ENCODING = 10102, NS_CURL_OPTION_FRESH_CONNECT = 74, NS_CURL_OPTION_FORBID_REUSE = 75,
    NS_CURL_OPTION_OPENSOCKETFUNCTION = 20163, NS_CURL_OPTION_OPENSOCKETDATA = 10164,
    NS_CURL_OPTION_PREREQFUNCTION = 20312, NS_CURL_OPTION_PREREQDATA = 10313,
    NS_CURL_OPTION_POSTFIELDSIZE = 60, NS_CURL_OPTION_COPYPOSTFIELDS = 10165,
    NS_CURL_OPTION_WRITEFUNCTION = 20011, NS_CURL_OPTION_HEADERFUNCTION = 20079, NS_CURL_OPTION_CAINFO = 10065,
};
// CURLINFO
enum { NS_CURL_INFO_EFFECTIVE_URL = 0x100001, NS_CURL_INFO_RESPONSE_CODE = 0x200002 };
// CURLcode, as far as people see a difference.
enum {
    NS_CURL_OK = 0, NS_CURL_UNSUPPORTED_PROTOCOL = 1, NS_CURL_URL_MALFORMAT = 3, NS_CURL_COULDNT_RESOLVE_HOST = 6,
    NS_CURL_COULDNT_CONNECT = 7, NS_CURL_WEIRD_SERVER_REPLY = 8, NS_CURL_PARTIAL_FILE = 18, NS_CURL_WRITE_ERROR = 23,
    NS_CURL_OPERATION_TIMEDOUT = 28, NS_CURL_TOO_MANY_REDIRECTS = 47, NS_CURL_PEER_FAILED_VERIFICATION = 60,
};
enum { NS_CURL_GLOBAL_DEFAULT = 3, NS_CURL_MESSAGE_DONE = 1, NS_CURL_WAIT_READ = 1, NS_CURL_PAUSE_NONE = 0 };
// The result of a write function that requests the same bytes again after curl_easy_pause.
static const size_t ns_curl_write_pause = 0x10000001;

// curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call.
typedef size_t (*ns_curl_sink)(char *bytes, size_t size, size_t count, void *context);
static inline int ns_curl_set_long(const struct ns_curl_table *curl, ns_curl_easy *easy, int option, long value) {
    return curl->curl_easy_setopt(easy, option, value);
}
static inline int ns_curl_set_text(const struct ns_curl_table *curl, ns_curl_easy *easy, int option, const char *value) {
    return curl->curl_easy_setopt(easy, option, value);  // copied by curl
}
static inline int ns_curl_set_pointer(const struct ns_curl_table *curl, ns_curl_easy *easy, int option, void *value) {
    return curl->curl_easy_setopt(easy, option, value);
}
static inline int ns_curl_set_sink(const struct ns_curl_table *curl, ns_curl_easy *easy, int option, ns_curl_sink value) {
    return curl->curl_easy_setopt(easy, option, value);
}
static inline long ns_curl_get_long(const struct ns_curl_table *curl, ns_curl_easy *easy, int info) {
    long value = 0;
    curl->curl_easy_getinfo(easy, info, &value);
    return value;
}
static inline const char *ns_curl_get_text(const struct ns_curl_table *curl, ns_curl_easy *easy, int info) {
    const char *value = NULL;
    curl->curl_easy_getinfo(easy, info, &value);
    return value;
}

// Keeps transfers out of the local network, behind any name or redirection, except for an address that the user named. curl asks with the
// address itself, twice: before it opens a socket, and before it sends a request, since the connection may stem from another transfer.
struct ns_curl_sockaddr { int family; int type; int protocol; unsigned length; union { struct sockaddr any; struct sockaddr_storage all; } address; };
// trusts_first: the user named the first host. Its addresses stay valid until it has answered; a redirection may lead to no other local
// address.
struct ns_curl_gate { int trusts_first; int has_answered; int has_refused; unsigned known; unsigned char addresses[8][16]; };

static inline int ns_curl_is_local4(const unsigned char *a) {
    return a[0] == 0 || a[0] == 10 || a[0] == 127 || a[0] >= 224 || (a[0] == 100 && (a[1] & 0xC0) == 64)
        || (a[0] == 169 && a[1] == 254) || (a[0] == 172 && (a[1] & 0xF0) == 16) || (a[0] == 192 && a[1] == 168)
        || (a[0] == 192 && a[1] == 0 && a[2] == 0) || (a[0] == 198 && (a[1] & 0xFE) == 18);
}
static inline int ns_curl_is_local6(const unsigned char *a) {
    static const unsigned char zeros[16];
    if (!memcmp(a, zeros, 10) && a[10] == 0xFF && a[11] == 0xFF) return ns_curl_is_local4(a + 12);  // an IPv4 address in IPv6
    if (a[0] == 0x20 && a[1] == 0x02) return ns_curl_is_local4(a + 2);                              // 6to4
    if (a[0] == 0 && a[1] == 0x64 && a[2] == 0xFF && a[3] == 0x9B) return !!memcmp(a + 4, zeros, 8) || ns_curl_is_local4(a + 12);
    return (a[0] & 0xE0) != 0x20;  // only 2000::/3 is the world's
}
// address: 16 bytes; an IPv4 address is padded with zeros.
static inline int ns_curl_admits(struct ns_curl_gate *gate, int is_local, const unsigned char *address) {
    if (!is_local) return 1;
    for (unsigned at = 0; at < gate->known; at++)
        if (!memcmp(gate->addresses[at], address, 16)) return 1;
    if (gate->trusts_first && !gate->has_answered && gate->known < 8) {
        memcpy(gate->addresses[gate->known++], address, 16);
        return 1;
    }
    gate->has_refused = 1;
    return 0;
}
static inline int ns_curl_open_socket(void *context, int purpose, struct ns_curl_sockaddr *target) {
    (void)purpose;
    unsigned char address[16] = {0};
    int is_local = 1;
    if (target->family == AF_INET) {
        memcpy(address, &((const struct sockaddr_in *)&target->address)->sin_addr, 4);
        is_local = ns_curl_is_local4(address);
    }
    if (target->family == AF_INET6) {
        memcpy(address, &((const struct sockaddr_in6 *)&target->address)->sin6_addr, 16);
        is_local = ns_curl_is_local6(address);
    }
    if (!ns_curl_admits((struct ns_curl_gate *)context, is_local, address)) return -1;
    return socket(target->family, target->type, target->protocol);
}
static inline int ns_curl_before_request(void *context, char *peer, char *own, int peer_port, int own_port) {
    (void)own, (void)peer_port, (void)own_port;
    unsigned char address[16] = {0};
    int is_local = 1;
    if (peer && inet_pton(AF_INET, peer, address) == 1) is_local = ns_curl_is_local4(address);
    else if (peer && inet_pton(AF_INET6, peer, address) == 1) is_local = ns_curl_is_local6(address);
    return !ns_curl_admits((struct ns_curl_gate *)context, is_local, address);
}
static inline void ns_curl_set_gate(const struct ns_curl_table *curl, ns_curl_easy *easy, struct ns_curl_gate *gate) {
    curl->curl_easy_setopt(easy, NS_CURL_OPTION_OPENSOCKETDATA, gate);
    curl->curl_easy_setopt(easy, NS_CURL_OPTION_OPENSOCKETFUNCTION, ns_curl_open_socket);
    curl->curl_easy_setopt(easy, NS_CURL_OPTION_PREREQDATA, gate);
    curl->curl_easy_setopt(easy, NS_CURL_OPTION_PREREQFUNCTION, ns_curl_before_request);
}
