import Storage

extension Migration {
    /// When people ended to watch what they had got the coming shows of.
    static let concertsEndedWatches = Migration(
        domain: "concerts", number: 3, name: "endedWatches",
        statements: [
            // NULL as long as the topic is watched.
            "ALTER TABLE concert_coming_shows ADD COLUMN ended_at BIGINT",
            """
            UPDATE concert_coming_shows SET ended_at = at WHERE NOT EXISTS (
                SELECT 1 FROM concert_watches WHERE concert_watches.user_id = concert_coming_shows.user_id
                    AND concert_watches.topic = concert_coming_shows.topic)
            """,
            "CREATE INDEX concert_coming_shows_ended ON concert_coming_shows (ended_at) WHERE ended_at IS NOT NULL",
            // Events by when a lookup last found them.
            "CREATE INDEX concert_events_by_update ON concert_events (updated_at)",
        ])
}
