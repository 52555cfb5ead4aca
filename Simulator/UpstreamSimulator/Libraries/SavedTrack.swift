/// A track of a library. It is small because libraries have 100,000 of them.
struct SavedTrack: Sendable, Equatable {
    enum Kind: UInt8, Sendable {
        case readable
        /// Apple: an upload without an entry in the catalog.
        case upload
        /// Counted in `total`, but on no page.
        case hidden
        /// Null on its page.
        case null
    }

    var entry: Entry
    /// When it was saved, in seconds since 1970.
    var addedAt: UInt32
    var kind = Kind.readable

    var isReadable: Bool { kind == .readable || kind == .upload }
}
