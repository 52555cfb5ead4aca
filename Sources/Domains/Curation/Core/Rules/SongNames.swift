import Foundation
import Identity

/// Finds the song with a given title and artist among search results.
package struct SongNames: Sendable {
    private let rules: IdentityRules

    package init(rules: IdentityRules) { self.rules = rules }

    /// The texts to search for, one after another until songs are found.
    package func searches(title: String, artist: String) -> [String] {
        let first = "\(artist) \(title)"
        return [String(first.prefix(200)), String(title.prefix(200))]
    }

    /// The first song whose artists, title and version match the given ones. Album and duration do not count, since
    /// whoever names a song gives neither.
    ///
    /// - Returns: its index; `nil` if there is no certain match.
    package func choose(title: String, artist: String, among records: [IdentityRecord]) -> Int? {
        records.firstIndex { record in
            let wanted = IdentityRecord(
                title: title, artist: artist, album: record.album, durationMs: record.durationMs)
            var other = record
            // A code or an explicit flag that only one of the two has is not significant.
            (other.isrc, other.isExplicit) = (nil, nil)
            return rules.compare(wanted, other).verdict == .same
        }
    }
}
