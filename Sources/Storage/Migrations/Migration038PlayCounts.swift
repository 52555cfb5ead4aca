extension Migration {
    /// Play counts that include listens.
    static let playCounts = Migration(
        number: 38, name: "play counts",
        statements: [
            // The number of the person's listens with the track.
            "ALTER TABLE library_tracks ADD COLUMN listens BIGINT NOT NULL DEFAULT 0",
            // The greater of `listens` and `plays`; the latter is what the services report.
            "ALTER TABLE library_tracks ADD COLUMN total_plays BIGINT NOT NULL DEFAULT 0",
            "UPDATE library_tracks SET total_plays = plays",
            "DROP INDEX library_tracks_by_plays",
            "CREATE INDEX library_tracks_by_total_plays ON library_tracks (library_id, total_plays, id, sources)",
        ])
}
