/// A track of a library. Small, because libraries have 100,000 of them.
struct SavedTrack: Sendable, Equatable {
    enum Kind: UInt8, Sendable {
        case readable
        /// Apple: without an entry in its catalogue.
        case upload
        /// Counted in `total`, and on no page.
        case hidden
        /// Null on its page.
        case null
    }

    var entry: Entry
    /// Seconds since 1970.
    var addedAt: UInt32
    var kind = Kind.readable

    var isReadable: Bool { kind == .readable || kind == .upload }
}
