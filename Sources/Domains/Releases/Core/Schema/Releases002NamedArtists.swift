import Storage

extension Migration {
    /// Whose artists they are, as far as an erasure has to know.
    static let releasesNamedArtists = Migration(
        domain: "releases", number: 2, name: "named artists",
        statements: [
            // The keys of the artists whom the person's jobs have named, as JSON, those of now first.
            "ALTER TABLE release_refreshes ADD COLUMN artists TEXT NOT NULL DEFAULT '[]'"
        ])
}
