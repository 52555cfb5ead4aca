import Model

/// A song that a user names, such as one to save or to add to a playlist.
package enum SongReference: Sendable, Hashable {
    case library(LibraryID)
    /// An id in a service's catalog.
    case catalog(MusicSource, String)

    /// Parses an id as used in the API: the id of a track of the library, `spotify:ID` or `appleMusic:ID`; returns
    /// `nil` for any other text.
    package init?(_ text: String) {
        if let id = LibraryID(text) {
            self = .library(id)
            return
        }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let source = MusicSource(service: String(parts[0])), !parts[1].isEmpty else {
            return nil
        }
        self = .catalog(source, String(parts[1]))
    }

    /// The texts that `init(_:)` parses, for the refusal of another one.
    package static let expectation = "expected the id of a song in your library, spotify:ID or appleMusic:ID"

    /// The reference in the form that `init(_:)` parses.
    package var text: String {
        switch self {
        case .library(let id): id.text
        case .catalog(let source, let id): "\(source.rawValue):\(id)"
        }
    }
}
