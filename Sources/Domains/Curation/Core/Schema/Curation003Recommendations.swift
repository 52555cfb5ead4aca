import Storage

extension Migration {
    /// Which songs of recommendations are items of feeds.
    static let curationRecommendations = Migration(
        domain: "curation", number: 3, name: "recommendations",
        statements: [
            // A song of a person's recommendations in the person's feed; `number` is the item's in the timeline.
            // `dismissed_as` is the dismissal that hides it, which may name the song otherwise; NULL for none.
            """
            CREATE TABLE recommended_songs (
                user_id TEXT NOT NULL,
                number BIGINT NOT NULL,
                list_id TEXT NOT NULL,
                position BIGINT NOT NULL,
                made_at BIGINT NOT NULL,
                dismissed_as TEXT,
                PRIMARY KEY (user_id, number)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX recommended_songs_of_list ON recommended_songs (user_id, list_id, position)",
        ])
}
