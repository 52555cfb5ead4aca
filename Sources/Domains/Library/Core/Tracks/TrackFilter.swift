import Model
import Storage

/// Selects the tracks of a list by the sources that have them. The raw values are part of the API.
package enum TrackFilter: String, Sendable, Hashable, CaseIterable {
    case all
    case appleMusic
    case spotify
    /// Tracks that both services have.
    case both

    /// The SQL condition on a track's set of sources, beginning with ` AND`.
    var condition: SQL {
        switch self {
        case .all: ""
        case .appleMusic: " AND sources IN (1, 3, 5, 7)"
        case .spotify: " AND sources IN (2, 3, 6, 7)"
        case .both: " AND sources IN (3, 7)"
        }
    }

    /// The SQL condition that selects all other tracks, beginning with ` AND`.
    var complement: SQL {
        switch self {
        case .all: " AND sources = -1"
        case .appleMusic: " AND sources IN (2, 4, 6)"
        case .spotify: " AND sources IN (1, 4, 5)"
        case .both: " AND sources IN (1, 2, 4, 5, 6)"
        }
    }

    /// - Parameter sources: the sum of the numbers of a track's sources.
    func includes(sources: Int) -> Bool {
        switch self {
        case .all: true
        case .appleMusic: sources & MusicSource.appleMusic.number != 0
        case .spotify: sources & MusicSource.spotify.number != 0
        case .both: sources & 3 == MusicSource.appleMusic.number + MusicSource.spotify.number
        }
    }
}
