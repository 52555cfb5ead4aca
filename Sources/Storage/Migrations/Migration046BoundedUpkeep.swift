extension Migration {
    /// Columns and indexes that keep the work of upkeep from growing over the years.
    static let boundedUpkeep = Migration(
        number: 46, name: "bounded upkeep",
        statements: [
            // The number of the last change of the library's songs: of the keys by which songs are found, or of their
            // tracks. A sync that finds nothing new does not change it.
            "ALTER TABLE libraries ADD COLUMN songs_change BIGINT NOT NULL DEFAULT 0",
            "UPDATE libraries SET songs_change = change",
            "CREATE INDEX libraries_by_songs_change ON libraries (songs_change)",
            // Until now, this was the time at which a sync or an import ended.
            "UPDATE listen_histories SET resolved_version = 0",
            // The key of the song that was added last; songs with keys above `resolved_song` have not been looked up.
            "ALTER TABLE listen_histories ADD COLUMN newest_song BIGINT NOT NULL DEFAULT 0",
            """
            UPDATE listen_histories SET newest_song = (
                SELECT COALESCE(MAX(s.id), 0) FROM listen_songs s WHERE s.history_id = listen_histories.id)
            """,
            """
            CREATE INDEX listen_histories_unresolved ON listen_histories (id) WHERE resolved_song < newest_song
            """,
            // When the first of the rows that record what the import added was deleted, so that the import can no
            // longer be undone, and when the last one was deleted.
            "ALTER TABLE library_imports ADD COLUMN pruning_since BIGINT",
            "ALTER TABLE library_imports ADD COLUMN pruned_at BIGINT",
            """
            CREATE INDEX library_imports_unpruned ON library_imports (finished_at)
            WHERE pruned_at IS NULL AND finished_at IS NOT NULL
            """,
            "CREATE INDEX library_copies_finished ON library_copies (finished_at) WHERE finished_at IS NOT NULL",
        ])
}
