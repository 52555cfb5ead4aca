extension Migration {
    /// What is still to be cleaned of rows that are deleted: one row. The file may hold copies of rows since before
    /// this step, so that all of it is gone through once.
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
