/// An error while writing a library. The texts are for operators.
package enum LibraryError: Error, Sendable, Hashable {
    /// The source was disconnected, or the user was deleted, after the scan began. Nothing was written.
    case scanEnded
    /// The playlist is no longer in the library, for the same reasons.
    case noPlaylist
}

extension LibraryError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .scanEnded:
            "The source was disconnected, or its owner was deleted, while its library was being read. "
                + "Nothing more was written."
        case .noPlaylist:
            "The playlist was deleted while its entries were being read. Nothing more was written."
        }
    }
}
