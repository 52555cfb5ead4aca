import ArgumentParser
import Model

extension MusicSource: ExpressibleByArgument {
    // Files are imported, and not synced.
    package init?(argument: String) { self.init(service: argument) }

    package static var allValueStrings: [String] { services.map(\.rawValue) }
}

/// The tracks of a list, by the services that have them.
enum LibraryFilter: String, CaseIterable, Sendable, ExpressibleByArgument {
    case all, appleMusic, spotify, both
}

/// The order of a list of tracks.
enum LibrarySort: String, CaseIterable, Sendable, ExpressibleByArgument {
    case recentlyAdded, title, artist, album, playCount
}
