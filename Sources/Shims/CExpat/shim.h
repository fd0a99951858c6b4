// SPDX-License-Identifier: Apache-2.0
// The part of expat that Nightstand uses, only in the fetching process, for the feeds of podcasts. The library is loaded with the first
// feed and never linked. The header is not needed to build: the declarations below are those of expat 2.4 and later.
#pragma once

#include <dlfcn.h>
#include <iconv.h>
#include <stddef.h>

typedef void *ns_expat_parser;
typedef void (*ns_expat_start)(void *context, const char *name, const char **attributes);
typedef void (*ns_expat_end)(void *context, const char *name);
typedef void (*ns_expat_text)(void *context, const char *bytes, int count);
typedef void (*ns_expat_entity)(
    void *context, const char *name, int is_parameter, const char *value, int count, const char *base, const char *system,
    const char *public_name, const char *notation);
// Result, name, parameters: one line for each function, the source of the table and the loader.
#define NS_EXPAT_FUNCTIONS(F) \
    F(ns_expat_parser, XML_ParserCreate, (const char *encoding)) \
    F(void, XML_ParserFree, (ns_expat_parser parser)) \
    F(void, XML_SetUserData, (ns_expat_parser parser, void *context)) \
    F(void, XML_SetElementHandler, (ns_expat_parser parser, ns_expat_start start, ns_expat_end end)) \
    F(void, XML_SetCharacterDataHandler, (ns_expat_parser parser, ns_expat_text text)) \
    F(void, XML_SetEntityDeclHandler, (ns_expat_parser parser, ns_expat_entity entity)) \
    F(int, XML_Parse, (ns_expat_parser parser, const char *bytes, int count, int is_final)) \
    F(int, XML_StopParser, (ns_expat_parser parser, unsigned char is_resumable)) \
    F(int, XML_GetErrorCode, (ns_expat_parser parser)) \
    F(unsigned long, XML_GetCurrentLineNumber, (ns_expat_parser parser)) \
    F(const char *, XML_ErrorString, (int code))

#define NS_EXPAT_MEMBER(RESULT, NAME, PARAMETERS) RESULT (*NAME) PARAMETERS;
struct ns_expat_table { NS_EXPAT_FUNCTIONS(NS_EXPAT_MEMBER) };

// Fills the table. Returns NULL, or the dynamic linker's message.
static inline const char *ns_expat_load(struct ns_expat_table *table) {
    void *library = dlopen("libexpat.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return dlerror();
#define NS_EXPAT_LOAD(RESULT, NAME, PARAMETERS) \
    table->NAME = (RESULT (*) PARAMETERS)dlsym(library, #NAME); \
    if (!table->NAME) return #NAME " is missing in libexpat.so.1";
    NS_EXPAT_FUNCTIONS(NS_EXPAT_LOAD)
    return NULL;
}

// The C library's converter to UTF-8. NULL for an unknown encoding.
typedef void *ns_expat_converter;
static inline ns_expat_converter ns_expat_open_converter(const void *name) {
    iconv_t converter = iconv_open("UTF-8", (const char *)name);
    return converter == (iconv_t)-1 ? NULL : (ns_expat_converter)converter;
}
static inline void ns_expat_close_converter(ns_expat_converter converter) { iconv_close((iconv_t)converter); }
// Returns the numbers of produced and consumed bytes. Both are 0 if there is no character, or only the beginning of one.
static inline size_t ns_expat_convert(
    ns_expat_converter converter, const void *bytes, size_t count, ptrdiff_t *used, void *out, size_t room) {
    char *from = (char *)bytes, *to = (char *)out;
    size_t left = count, free_bytes = room;
    iconv((iconv_t)converter, &from, &left, &to, &free_bytes);
    *used = (ptrdiff_t)(count - left);
    return room - free_bytes;
}
