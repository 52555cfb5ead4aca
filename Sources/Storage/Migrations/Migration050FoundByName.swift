extension Migration {
    /// Which shows a search by name has found, how often the announcement of an event has changed, and how many songs
    /// people have removed from lists.
    static let foundByName = Migration(
        number: 50, name: "shows found by name, and songs taken out",
        statements: [
            // 1 for an event that names the artist only in its name, which later lookups by the attraction do not find.
            "ALTER TABLE concert_subject_events ADD COLUMN by_name BIGINT NOT NULL DEFAULT 0",
            // When the artist's name was last searched for; NULL before the first time, and for earlier rows.
            "ALTER TABLE concert_subjects ADD COLUMN name_searched_at BIGINT",
            // What calendars show about the event (NULL for earlier rows until they are fetched again), how often that
            // has changed, and when it last did.
            "ALTER TABLE concert_events ADD COLUMN announcement TEXT",
            "ALTER TABLE concert_events ADD COLUMN revision BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE concert_events ADD COLUMN changed_at BIGINT",
            // How many songs the person has removed from the list since it was made; removals before this migration are
            // not counted.
            "ALTER TABLE curated_lists ADD COLUMN removed_songs BIGINT NOT NULL DEFAULT 0",
        ])
}
