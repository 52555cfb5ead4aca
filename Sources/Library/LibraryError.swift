/// An error of writing a library. The texts are for operators.
package enum LibraryError: Error, Sendable, Hashable {
    /// The source was disconnected, or the person deleted, since the reading began. Nothing was written.
    case readingEnded
    /// The library has no such playlist any more, for the same reasons.
    case noPlaylist
}

extension LibraryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .readingEnded:
            "The source was disconnected, or its owner deleted, while its library was read. Nothing more was written."
        case .noPlaylist:
            "The playlist was deleted while its entries were read. Nothing more was written."
        }
    }
}
