// SPDX-License-Identifier: Apache-2.0
// SQLite's C interface. A function is below only if C's own cannot be imported into Swift: variadic functions, and macros that cast.
#pragma once

#include <sqlite3.h>

// sqlite3_config is variadic. The options without an argument (the threading modes).
static inline int ns_sqlite3_config(int option) { return sqlite3_config(option); }

// sqlite3_config is variadic. The options with one int (memory statistics).
static inline int ns_sqlite3_config_int(int option, int value) { return sqlite3_config(option, value); }

// sqlite3_config is variadic. The option for the page cache's memory.
static inline int ns_sqlite3_config_page_cache(void *memory, int slot_bytes, int slots) {
    return sqlite3_config(SQLITE_CONFIG_PAGECACHE, memory, slot_bytes, slots);
}

// sqlite3_db_config is variadic. The options that switch something on or off.
static inline int ns_sqlite3_db_config(sqlite3 *db, int option, int on) {
    return sqlite3_db_config(db, option, on, (void *)0);
}

// SQLITE_TRANSIENT is a macro that casts -1 to a function pointer: SQLite copies the bytes before it returns.
static inline int ns_sqlite3_bind_text(sqlite3_stmt *statement, int place, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, place, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// The same for a blob.
static inline int ns_sqlite3_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, place, bytes, count, SQLITE_TRANSIENT);
}

// sqlite3_bind_pointer needs a name that lives as long as the program. Returns FTS5's interface with its tokenizers.
static inline fts5_api *ns_sqlite3_fts5(sqlite3 *db) {
    fts5_api *api = (fts5_api *)0;
    sqlite3_stmt *statement = (sqlite3_stmt *)0;
    if (sqlite3_prepare_v2(db, "SELECT fts5(?)", -1, &statement, (const char **)0) != SQLITE_OK) return api;
    sqlite3_bind_pointer(statement, 1, (void *)&api, "fts5_api_ptr", (void (*)(void *))0);
    sqlite3_step(statement);
    sqlite3_finalize(statement);
    return api;
}
