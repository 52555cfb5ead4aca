#ifndef BACKLINE_CSQLITE_SHIM_H
#define BACKLINE_CSQLITE_SHIM_H

#include <sqlite3.h>

/* sqlite3_db_config and sqlite3_config are variadic, which Swift cannot call. */

/* Closing the last connection must not checkpoint: only the gateway does, under the write lock. */
static inline int csqlite_disable_checkpoint_on_close(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/* Without its statistics of memory SQLite takes no global lock for each allocation. Before the first connection. */
static inline int csqlite_disable_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

/* SQLITE_TRANSIENT is a cast that Swift cannot import: SQLite copies the bytes before this returns. */
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
    return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

#endif
