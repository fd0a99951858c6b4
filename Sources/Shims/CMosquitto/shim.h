// SPDX-License-Identifier: Apache-2.0
// The part of libmosquitto that Nightstand uses (its mosquitto.h; the same since 1.6). Declared here, since the program is neither built
// nor linked with the library: `nightstand bridge` loads it at its start.
//
// None of it is real-time: for that process's one thread. Used in this way, the library starts no thread.
#pragma once

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>

#define NS_MOSQUITTO_LIBRARY "libmosquitto.so.1"

typedef void ns_mosquitto;

struct ns_mosquitto_message {
    int mid;
    const char *topic;
    const void *payload;
    int payloadlen;
    int qos;
    bool retain;
};

typedef void (*ns_mosquitto_on_connect)(ns_mosquitto *client, void *context, int code);
typedef void (*ns_mosquitto_on_message)(ns_mosquitto *client, void *context, const struct ns_mosquitto_message *message);

// One line for each function: its result, its name, its arguments.
#define NS_MOSQUITTO_FUNCTIONS(FUNCTION)                                                                                   \
    FUNCTION(int, mosquitto_lib_init, (void))                                                                              \
    FUNCTION(ns_mosquitto *, mosquitto_new, (const char *id, bool clean_session, void *context))                           \
    FUNCTION(int, mosquitto_username_pw_set, (ns_mosquitto *client, const char *user, const char *password))               \
    FUNCTION(int, mosquitto_tls_set, (ns_mosquitto *client, const char *authority_file, const char *authority_folder,      \
        const char *certificate, const char *key, void *password_callback))                                                \
    FUNCTION(int, mosquitto_will_set, (ns_mosquitto *client, const char *topic, int bytes, const void *payload, int qos,   \
        bool retain))                                                                                                      \
    FUNCTION(int, mosquitto_connect, (ns_mosquitto *client, const char *host, int port, int keepalive))                    \
    FUNCTION(int, mosquitto_socket, (ns_mosquitto *client))                                                                \
    FUNCTION(bool, mosquitto_want_write, (ns_mosquitto *client))                                                           \
    FUNCTION(int, mosquitto_loop_read, (ns_mosquitto *client, int packets))                                                \
    FUNCTION(int, mosquitto_loop_write, (ns_mosquitto *client, int packets))                                               \
    FUNCTION(int, mosquitto_loop_misc, (ns_mosquitto *client))                                                             \
    FUNCTION(int, mosquitto_publish, (ns_mosquitto *client, int *mid, const char *topic, int bytes, const void *payload,   \
        int qos, bool retain))                                                                                             \
    FUNCTION(int, mosquitto_subscribe, (ns_mosquitto *client, int *mid, const char *topics, int qos))                      \
    FUNCTION(void, mosquitto_user_data_set, (ns_mosquitto *client, void *context))                                         \
    FUNCTION(void, mosquitto_connect_callback_set, (ns_mosquitto *client, ns_mosquitto_on_connect callback))               \
    FUNCTION(void, mosquitto_message_callback_set, (ns_mosquitto *client, ns_mosquitto_on_message callback))               \
    FUNCTION(const char *, mosquitto_strerror, (int code))                                                                 \
    FUNCTION(const char *, mosquitto_connack_string, (int code))

struct ns_mosquitto_table {
#define NS_MOSQUITTO_POINTER(result, name, parameters) result(*name) parameters;
    NS_MOSQUITTO_FUNCTIONS(NS_MOSQUITTO_POINTER)
#undef NS_MOSQUITTO_POINTER
};

// Fills the table from the loaded library; false if a function is missing.
static inline bool ns_mosquitto_find(void *library, struct ns_mosquitto_table *functions) {
#define NS_MOSQUITTO_FIND(result, name, parameters) \
    if (!(*(void **)&functions->name = dlsym(library, #name))) return false;
    NS_MOSQUITTO_FUNCTIONS(NS_MOSQUITTO_FIND)
#undef NS_MOSQUITTO_FIND
    return true;
}
