import Contracts
import Model

/// Decides which lookups of artists with a known attraction also search for the artist's name.
///
/// Only the name finds shows without a bill, such as those of other sellers. Searching for it costs one call per
/// artist, while a single call covers the attractions of fifty, so it is done every few days, and for a few artists at
/// once.
enum NameSearches {
    /// How long a search for a name remains valid.
    static let interval = Duration.seconds(3 * 86_400)
    /// The most names that one lookup searches for, which is how many more calls it costs than those by attraction.
    static let mostAtOnce = 5
    /// How long a show that was found by name is kept while searches for the name have more results than are
    /// requested, so that they cannot prove that it is gone.
    static let lifetime = Duration.seconds(30 * 86_400)

    /// An artist in a lookup of several.
    struct Target {
        var target: SearchTargetRecord
        var artist: ConcertLookupPayload.Artist
        /// When the name was last searched for.
        var searchedAt: Timestamp?
    }

    /// Marks the artists whose names are due, beginning with those whose last search was longest ago.
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
