/// What happened to an item of a library. The raw values are in the database and in the API.
package enum LibraryChangeKind: String, Sendable, Hashable, CaseIterable {
    case added
    /// It left the source's library.
    case missing
    /// It is there again.
    case returned
    /// The source describes it in another way, or a playlist has other entries.
    case changed
}
