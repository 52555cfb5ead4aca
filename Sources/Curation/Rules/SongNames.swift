import Foundation
import Identity

/// Finds the song that a title and an artist name among those that a search has found.
package struct SongNames: Sendable {
    private let rules: IdentityRules

    package init(rules: IdentityRules) { self.rules = rules }

    /// The texts to search for, one after the other until songs are found.
    package func searches(title: String, artist: String) -> [String] {
        let first = "\(artist) \(title)"
        return [String(first.prefix(200)), String(title.prefix(200))]
    }

    /// The first song whose artists, title and version are those that are named. Who names a song knows neither its
    /// album nor its duration, so these do not count.
    ///
    /// - Returns: its place; `nil` when none is certainly the one.
    package func choose(title: String, artist: String, among records: [IdentityRecord]) -> Int? {
        records.firstIndex { record in
            let wanted = IdentityRecord(
                title: title, artist: artist, album: record.album, durationMs: record.durationMs)
            var other = record
            // A code, or a mark, that only one of the two has says nothing.
            (other.isrc, other.isExplicit) = (nil, nil)
            return rules.compare(wanted, other).verdict == .same
        }
    }
}
