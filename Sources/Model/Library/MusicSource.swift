/// Where a part of a library comes from. The raw values are part of the API.
package enum MusicSource: String, Sendable, Hashable, Codable, CaseIterable {
    // The order is that in which a sync reads the services: Spotify's tracks are matched with those of Apple Music.
    case appleMusic
    case spotify
    /// Files that a person has imported, except for the library of Apple's Music app, which is ``appleMusic``.
    case file

    /// The services from which Backline reads libraries.
    package static let services: [MusicSource] = [.appleMusic, .spotify]

    /// Its number in the database, and its bit in a set of sources.
    package var number: Int {
        switch self {
        case .appleMusic: 1
        case .spotify: 2
        case .file: 4
        }
    }

    package init?(number: Int) {
        guard let source = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = source
    }

    /// A service by its name in the API; `nil` for other texts, including that of ``file``.
    package init?(service name: String) {
        guard let source = MusicSource(rawValue: name), source != .file else { return nil }
        self = source
    }

    /// The library that a provider keeps for people; `nil` for a provider without one.
    package init?(provider: Provider) {
        guard let source = Self.services.first(where: { $0.provider == provider }) else { return nil }
        self = source
    }

    /// The provider of the service; `nil` for files.
    package var provider: Provider? {
        switch self {
        case .appleMusic: .appleMusic
        case .spotify: .spotify
        case .file: nil
        }
    }

    package var displayName: String { provider?.displayName ?? "Files" }
}

extension String {
    /// Whether it has the form of Spotify's ids: 22 ASCII letters and digits.
    package var isSpotifyID: Bool {
        utf8.count == 22
            && utf8.allSatisfy {
                (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            }
    }
}
