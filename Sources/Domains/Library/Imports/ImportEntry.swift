import Model

/// A playlist entry from a file.
struct ImportEntry: Sendable, Hashable {
    /// The key of its song in the file.
    var key: String?
    var title: String?
    var addedAt: Timestamp?
    /// The kind as stored in the table: `track`, `local`, `episode` or `unavailable`.
    var kind = "track"
}
