extension Migration {
    /// Columns with which edits avoid losing or duplicating anything, and columns that show that a playlist has to be
    /// read again.
    static let editRecovery = Migration(
        number: 44, name: "edit recovery",
        statements: [
            // When the entries were last read from the service; NULL before the first reading.
            "ALTER TABLE library_playlists ADD COLUMN read_at BIGINT",
            "UPDATE library_playlists SET read_at = synced_at WHERE entries_state = 'read'",
            // The number of entries that the service's list of playlists reports, and the number that it reported when
            // the entries were last read; NULL if it reports none.
            "ALTER TABLE library_playlists ADD COLUMN listed_count BIGINT",
            "ALTER TABLE library_playlists ADD COLUMN read_count BIGINT",
            // JSON: the songs that an edit has removed, should have put back, and has not; NULL for none.
            "ALTER TABLE library_edits ADD COLUMN missing TEXT",
            "CREATE INDEX library_edits_missing ON library_edits (user_id, id) WHERE missing IS NOT NULL",
            // How often the database had been restored from a backup when the writes were begun, or were last compared
            // with the service.
            "ALTER TABLE library_edits ADD COLUMN restores BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE library_copies ADD COLUMN restores BIGINT NOT NULL DEFAULT 0",
        ])
}
