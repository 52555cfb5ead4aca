extension Migration {
    /// So that a new item of an author does not look like a change of the author's profile.
    package static let storageAuthorProfiles = Migration(
        domain: "storage", number: 4, name: "authorProfiles",
        statements: [
            // The last change of what the author shows besides items; 0 if there was none. It is at most `change`.
            "ALTER TABLE author_log ADD COLUMN profile_change BIGINT NOT NULL DEFAULT 0",
            // What earlier changes of people were about is not known, so they count as both.
            "UPDATE author_log SET profile_change = change WHERE author > 0",
            "CREATE INDEX author_log_by_profile ON author_log (profile_change) WHERE profile_change > 0",
        ])
}
