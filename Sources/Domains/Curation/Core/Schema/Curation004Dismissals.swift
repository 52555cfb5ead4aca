import Storage

extension Migration {
    /// For the end of dismissals.
    static let curationDismissals = Migration(
        domain: "curation", number: 4, name: "dismissals",
        statements: [
            // The songs that a dismissal hides, among those of years.
            """
            CREATE INDEX recommended_songs_dismissed ON recommended_songs (user_id, dismissed_as)
            WHERE dismissed_as IS NOT NULL
            """
        ])
}
