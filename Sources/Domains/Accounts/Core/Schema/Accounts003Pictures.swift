import Storage

extension Migration {
    /// The pictures that people upload.
    static let accountsPictures = Migration(
        domain: "accounts", number: 3, name: "pictures",
        statements: [
            // `address` is random, and new with each picture. `bytes` is at most 40 kB, and `type` its media type.
            """
            CREATE TABLE person_pictures (
                user_id TEXT NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
                address TEXT NOT NULL,
                type TEXT NOT NULL,
                bytes \(Dialect.bytes) NOT NULL,
                created_at BIGINT NOT NULL
            )
            """,
            "CREATE UNIQUE INDEX person_pictures_by_address ON person_pictures (address)",
            // The same address, for lists of people; NULL without an uploaded picture.
            "ALTER TABLE users ADD COLUMN picture_address TEXT",
        ])
}
