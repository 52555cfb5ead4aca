extension Migration {
    /// What the songs are that people do not want in lists.
    static let dismissedSongs = Migration(
        number: 42, name: "dismissed songs",
        statements: [
            // As the library or the list had the song, so that it is known by other ids as well. `title` and `artist` are
            // NULL where neither had it, and for songs that were dismissed in earlier releases.
            "ALTER TABLE curation_dismissals ADD COLUMN title TEXT",
            "ALTER TABLE curation_dismissals ADD COLUMN artist TEXT",
            "ALTER TABLE curation_dismissals ADD COLUMN album TEXT",
            "ALTER TABLE curation_dismissals ADD COLUMN duration_ms BIGINT",
            "ALTER TABLE curation_dismissals ADD COLUMN isrc TEXT",
        ])
}
