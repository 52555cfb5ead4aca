extension Migration {
    /// Schedules that domains set for people, beside those of the configuration.
    static let domainSchedules = Migration(
        number: 13, name: "domain schedules",
        statements: [
            // The interval is in microseconds. planned_at is when next_at was determined: a time in the future is from
            // a clock that has been set back since.
            """
            CREATE TABLE domain_schedules (
                kind TEXT NOT NULL,
                user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
                every BIGINT NOT NULL,
                next_at BIGINT NOT NULL,
                planned_at BIGINT NOT NULL,
                PRIMARY KEY (kind, user_id)
            ) \(Dialect.clusteredByPrimaryKey)
            """,
            "CREATE INDEX domain_schedules_by_time ON domain_schedules (next_at)",
            "CREATE INDEX domain_schedules_by_plan ON domain_schedules (planned_at)",
            "CREATE INDEX domain_schedules_of_user ON domain_schedules (user_id)",
        ])
}
