import Model

/// What people call a release. The raw values are stored.
package enum ReleaseType: Int64, Sendable, CaseIterable {
    case album = 1
    case single = 2
    case ep = 3
    case compilation = 4

    /// The name in the API.
    package var name: String {
        switch self {
        case .album: "album"
        case .single: "single"
        case .ep: "ep"
        case .compilation: "compilation"
        }
    }

    /// Whether it has few songs. A single and the album of the same name are two releases.
    var isShort: Bool { self == .single || self == .ep }
}

/// A release as the feed shows it: what its editions at all services have in common.
package struct Release: Sendable, Equatable {
    /// Its key in the database, and its subject in the timeline.
    package let number: Int64
    /// Its id in the API.
    package let id: String
    /// The folded name of the artist in whose list it was found first.
    package let artistKey: String
    package let title: String
    /// The names of its artists; empty if no service says.
    package let artists: [String]
    package let type: ReleaseType
    /// `nil` if no service says.
    package let date: ReleaseDate?
    package let picture: Picture?
    /// When Backline saw it first.
    package let firstSeenAt: Timestamp
    /// By service and date; the first one of a service is its link.
    package var editions: [ReleaseEdition] = []
}

/// An album or single in the list of a service.
package struct ReleaseEdition: Sendable, Equatable {
    package let source: MusicSource
    /// Its id at the service.
    package let albumID: String
    /// As the service has it, such as `Harbor (Deluxe Edition)`.
    package let title: String
    package let date: ReleaseDate?
    package let trackCount: Int?
    /// The address of its page at the service.
    package let url: String?
}
