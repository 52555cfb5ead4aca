import Model
import Storage
import Timeline
import Visibility

extension ReleaseStore {
    /// The most artists that are noted for a person; the ones named longest ago are left out.
    private static var mostNamed: Int { 1_000 }

    /// The artists whom the jobs of a person have named, by their keys.
    func artists(namedBy userID: String) throws -> [String] {
        try transaction.row("SELECT artists FROM release_refreshes WHERE user_id = \(userID)")?.json("artists") ?? []
    }

    /// Those of artists, by their keys, that are stored.
    private func stored(_ keys: some Sequence<String>) throws -> Set<String> {
        try Array(keys).listParts.reduce(into: []) { stored, part in
            stored.formUnion(
                try transaction.map(
                    "SELECT artist_key FROM release_artists WHERE artist_key IN (\(list: part))"
                ) { try $0["artist_key"] as String })
        }
    }

    /// Artists that are stored because of a person alone, by their keys: the person's jobs have named them, and nobody
    /// else has their releases in the feed.
    func artists(neededOnlyBy userID: String, among keys: [String]? = nil) throws -> [String] {
        let named = try stored(keys ?? artists(namedBy: userID))
        let topics = named.map { TimelineTopic.releases(ofArtist: $0) }
        let read = try transaction.timeline.topics(
            topics, readByOthersThan: try transaction.visibility.key(ofUser: userID))
        return named.filter { !read.contains(.releases(ofArtist: $0)) }.sorted()
    }
}

extension ReleaseStore where Access == WriteTransaction {
    /// Notes which artists a person's job names, so that the person's erasure finds them. Those that the person has
    /// named before stay noted as long as they are stored.
    func note(_ artists: [WantedArtist], namedBy userID: String) throws {
        let known = try self.artists(namedBy: userID)
        let keys = artists.map(\.key)
        guard !Set(keys).isSubset(of: known) else { return }
        let former = known.filter { !keys.contains($0) }
        let stored = try stored(former)
        let all = (keys + former.filter(stored.contains)).prefix(Self.mostNamed)
        try transaction.run(
            "UPDATE release_refreshes SET artists = \(try JSONColumn.encode(Array(all))) WHERE user_id = \(userID)")
    }
}

extension ErasureStep {
    /// The artists whom nobody else needs: their names may say what the person heard. An artist with many releases is
    /// deleted in parts.
    static let artists = ErasureStep { reader, userID, limit in
        try reader.releases.artists(neededOnlyBy: userID).prefix(limit).map { Item($0) }
    } erase: { transaction, userID, keys in
        // Somebody else may want them since.
        for key in try transaction.releases.artists(neededOnlyBy: userID, among: keys) {
            _ = try transaction.releases.forget(key, limit: 10, now: .now())
        }
    }

    /// The row of the person, which names the artists.
    static let refresh = ErasureStep { reader, userID, _ in
        let rows = try reader.rows("SELECT 1 FROM release_refreshes WHERE user_id = \(userID)")
        return rows.isEmpty ? [] : ["refresh"]
    } erase: { transaction, userID, _ in
        try transaction.run("DELETE FROM release_refreshes WHERE user_id = \(userID)")
    }
}
