#ifndef BACKLINE_CSQLITE_SHIM_H
#define BACKLINE_CSQLITE_SHIM_H

#include <sqlite3.h>

/* sqlite3_db_config is variadic, which Swift cannot call. */

/* Closing the last connection must not checkpoint: only the gateway does, under the write lock. */
static inline int csqlite_disable_checkpoint_on_close(sqlite3 *connection) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

#endif
