extension Migration {
    /// Files that people import (docs/imports.md).
    static let libraryImports = Migration(
        number: 32, name: "library imports",
        statements: [
            // `file` is the name of the file beside the database, until it has been read. `kind` is appleMusicLibrary,
            // backline, csv, jspf or zip, once that is known; `state` is queued, running, complete, failed, undoing or
            // undone. The counts are of rows of the file.
            """
            CREATE TABLE library_imports (
                user_id TEXT NOT NULL,
                id BIGINT NOT NULL,
                filename TEXT NOT NULL,
                file TEXT NOT NULL,
                bytes BIGINT NOT NULL,
                kind TEXT,
                state TEXT NOT NULL,
                rows_new BIGINT NOT NULL,
                rows_joined BIGINT NOT NULL,
                rows_skipped BIGINT NOT NULL,
                error TEXT,
                created_at BIGINT NOT NULL,
                finished_at BIGINT,
                change BIGINT NOT NULL,
                PRIMARY KEY (user_id, id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX library_imports_by_change ON library_imports (user_id, change)",
            // For removing files that no import needs any longer.
            "CREATE INDEX library_imports_of_files ON library_imports (file)",
            """
            CREATE TABLE library_import_skips (
                user_id TEXT NOT NULL,
                import_id BIGINT NOT NULL,
                number BIGINT NOT NULL,
                line BIGINT NOT NULL,
                reason TEXT NOT NULL,
                PRIMARY KEY (user_id, import_id, number)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // What an import added: source tracks and playlists. `item` is track or playlist.
            """
            CREATE TABLE library_import_items (
                user_id TEXT NOT NULL,
                import_id BIGINT NOT NULL,
                item TEXT NOT NULL,
                item_id BIGINT NOT NULL,
                PRIMARY KEY (user_id, import_id, item, item_id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            // For finding out whether another import added the same item.
            "CREATE INDEX library_import_items_of_item ON library_import_items (user_id, item, item_id)",
        ])
}
