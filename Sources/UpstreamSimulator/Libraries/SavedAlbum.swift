/// An album of a library.
struct SavedAlbum: Sendable, Equatable {
    var release: Release
    /// Seconds since 1970.
    var addedAt: UInt32
}
