/// A service whose library Backline reads. The raw values are in the API.
package enum MusicSource: String, Sendable, Hashable, Codable, CaseIterable {
    // In the order in which a sync reads them: Spotify's tracks find those of Apple Music.
    case appleMusic
    case spotify

    /// Its number in the database, and its bit in a set of sources.
    package var number: Int {
        switch self {
        case .appleMusic: 1
        case .spotify: 2
        }
    }

    package init?(number: Int) {
        guard let source = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = source
    }

    package var provider: Provider {
        switch self {
        case .appleMusic: .appleMusic
        case .spotify: .spotify
        }
    }

    package var displayName: String { provider.displayName }
}
