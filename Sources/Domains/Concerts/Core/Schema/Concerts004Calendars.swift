import Storage

extension Migration {
    /// The calendars to which people's programs subscribe.
    static let concertsCalendars = Migration(
        domain: "concerts", number: 4, name: "calendars",
        statements: [
            // A person's calendar. `places` is a `CalendarPlaces`, `token` the hash of the secret in its address, `made_at`
            // when that was made, and `read_at` when a program last read it there.
            """
            CREATE TABLE concert_calendars (
                user_id TEXT NOT NULL PRIMARY KEY,
                places BIGINT NOT NULL,
                token TEXT NOT NULL,
                made_at BIGINT NOT NULL,
                read_at BIGINT
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE UNIQUE INDEX concert_calendars_by_token ON concert_calendars (token)",
        ])
}
