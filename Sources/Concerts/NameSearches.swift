import Contracts
import Model

/// Which lookups of artists whose attraction is known search for the artist's name as well.
///
/// Only the name finds shows without a bill, such as those of other sellers. A search for it costs a call for each
/// artist, while one call asks for the attractions of fifty, so it is made every few days, and for a few artists at
/// once.
enum NameSearches {
    /// How long a search for a name counts.
    static let interval = Duration.seconds(3 * 86_400)
    /// The most names that one lookup searches for: so many calls it costs beyond those by attraction.
    static let mostAtOnce = 5
    /// How long a show that a name has found stays while searches for the name have more results than are asked for, so
    /// that they cannot show that it is gone.
    static let lifetime = Duration.seconds(30 * 86_400)

    /// An artist in a lookup of several.
    struct Target {
        var target: SearchTargetRecord
        var artist: ConcertLookupPayload.Artist
        /// When the name was last searched for.
        var searchedAt: Timestamp?
    }

    /// Marks the artists whose names are due, those first that were searched for the longest ago.
    static func mark(_ targets: inout [Target], now: Timestamp) {
        let due = targets.indices.filter { index in
            guard let searchedAt = targets[index].searchedAt else { return true }
            // A time in the future was stored while the clock was ahead.
            return !(.zero..<interval).contains(searchedAt.duration(to: now))
        }
        let longestAgo = due.sorted { left, right in
            let times = [left, right].map { targets[$0].searchedAt?.microseconds ?? .min }
            return (times[0], left) < (times[1], right)
        }
        for index in longestAgo.prefix(mostAtOnce) { targets[index].artist.searchesName = true }
    }
}
