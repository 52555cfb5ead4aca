extension Migration {
    /// Which track a person has split.
    static let splitTracks = Migration(
        number: 41, name: "split tracks",
        statements: [
            // The track whose id stays with the first side while the decision is in force, and returns to where it was
            // when the decision is undone; NULL for a merge, and for decisions of earlier releases.
            "ALTER TABLE library_decisions ADD COLUMN split_track_id BIGINT"
        ])
}
