/// What happened to an item of a library. The raw values are stored in the database and are part of the API.
package enum LibraryChangeKind: String, Sendable, Hashable, CaseIterable {
    case added
    /// The item is no longer in the source's library.
    case missing
    /// The item is back after it was missing.
    case returned
    /// The source describes the item differently, or a playlist has different entries.
    case changed
}
