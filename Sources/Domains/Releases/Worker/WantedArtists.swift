import Accounts
import Concerts
import Model
import People
import Releases
import Storage
import Visibility

/// The artists whose releases a person gets: those that the person ranks, then those to whom the person listens most.
enum WantedArtists {
    /// - Parameter activity: how long ago the person may have opened Backline at most; `nil` reads nobody's artists.
    /// - Returns: at most the two lists; `nil` for somebody who has not opened Backline for longer, or is suspended.
    static func of(
        _ userID: String, in reader: ReadTransaction, activity: Duration?, now: Timestamp
    ) throws -> [WantedArtist]? {
        guard let activity, let viewer = try reader.visibility.viewer(userID: userID) else { return nil }
        let limit = now.advanced(by: .zero - activity)
        // When somebody was last seen is written a few minutes later.
        let isActive =
            try reader.accounts.isSeen(userID, since: limit)
            || reader.releases.refresh(ofUser: userID).map { $0.begunAt >= limit } ?? false
        guard isActive else { return nil }
        var artists: [WantedArtist] = []
        var places: [String: Int] = [:]
        for ranked in try reader.concerts.rankedArtists(userID: userID) {
            let key = FoldedName(ranked.name).key
            guard !key.isEmpty, places[key] == nil else { continue }
            places[key] = artists.count
            let id = ranked.spotify.flatMap { $0.id.isSpotifyID ? $0.id : nil }
            artists.append(WantedArtist(key: key, name: ranked.name, ids: id.map { [.spotify: $0] } ?? [:]))
        }
        for top in try reader.people.artists(of: viewer.key) {
            let key = FoldedName(top.name).key
            guard !key.isEmpty, places[key] == nil else { continue }
            places[key] = artists.count
            artists.append(WantedArtist(key: key, name: top.name))
        }
        return artists
    }
}
