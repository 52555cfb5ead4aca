extension Migration {
    /// The cleaning that is due after rows were deleted: one row. An older file may contain copies of deleted rows, so
    /// all of it is cleaned once.
    static let cleaning = Migration(
        number: 20, name: "cleaning",
        statements: [
            """
            CREATE TABLE cleaning (
                id BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
                log_due_since BIGINT,
                next_page BIGINT
            )
            """,
            "INSERT INTO cleaning (id, log_due_since, next_page) VALUES (1, NULL, 1)",
        ])
}
