extension Migration {
    /// Details of the songs that people do not want in lists.
    static let dismissedSongs = Migration(
        number: 42, name: "dismissed songs",
        statements: [
            // The song as the library or the list had it, so that it is also recognized by other ids. `title` and
            // `artist` are NULL if neither had it, and for songs that were dismissed in earlier releases.
            "ALTER TABLE curation_dismissals ADD COLUMN title TEXT",
            "ALTER TABLE curation_dismissals ADD COLUMN artist TEXT",
            "ALTER TABLE curation_dismissals ADD COLUMN album TEXT",
            "ALTER TABLE curation_dismissals ADD COLUMN duration_ms BIGINT",
            "ALTER TABLE curation_dismissals ADD COLUMN isrc TEXT",
        ])
}
