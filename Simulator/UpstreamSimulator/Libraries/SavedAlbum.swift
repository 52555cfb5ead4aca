/// An album of a library.
struct SavedAlbum: Sendable, Equatable {
    var release: Release
    /// When it was saved, in seconds since 1970.
    var addedAt: UInt32
}
