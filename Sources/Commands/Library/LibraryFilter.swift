import ArgumentParser
import Model

extension MusicSource: ExpressibleByArgument {}

/// The tracks of a list, by the services that have them.
enum LibraryFilter: String, CaseIterable, Sendable, ExpressibleByArgument {
    case all, appleMusic, spotify, both
}

/// The order of a list of tracks.
enum LibrarySort: String, CaseIterable, Sendable, ExpressibleByArgument {
    case recentlyAdded, title, artist, album, playCount
}
