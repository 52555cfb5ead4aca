import Model
import Storage

extension ShareStore {
    /// A song that is shared, by the key of its content.
    package func song(_ content: Int64) throws -> ShareSong? {
        try transaction.row("SELECT \(ShareSong.columns) FROM share_contents WHERE key = \(content)")
            .map(ShareSong.init)
    }

    /// What a catalog has for a song: `nil` if it was not asked, or so long ago that it is asked again.
    ///
    /// - Parameter country: that of Apple Music's catalog; empty for Spotify.
    package func match(
        _ content: Int64, at source: MusicSource, country: String, now: Timestamp
    ) throws -> ShareMatch? {
        // Contents with the same id at a service are the same song, in other words or with another picture.
        let found = try transaction.map(
            """
            SELECT item, found_at FROM share_matches
            WHERE source = \(source.number) AND country = \(country) AND content IN (
                SELECT key FROM share_contents WHERE key = \(content)
                UNION SELECT same.key FROM share_contents
                    JOIN share_contents AS same ON same.spotify_id = share_contents.spotify_id
                WHERE share_contents.key = \(content)
                UNION SELECT same.key FROM share_contents
                    JOIN share_contents AS same
                        ON same.apple_id = share_contents.apple_id AND same.apple_country = share_contents.apple_country
                WHERE share_contents.key = \(content))
            ORDER BY content
            """
        ) { (item: try $0["item"] as String?, foundAt: try $0["found_at"] as Timestamp) }
        if let item = found.lazy.compactMap(\.item).first { return ShareMatch(item: item) }
        // A catalog may get the song later.
        let isKnown = found.contains { $0.foundAt.advanced(by: ShareMatch.lifetimeOfNone) > now }
        return isKnown ? ShareMatch(item: nil) : nil
    }
}

/// What a catalog has for a shared song.
package struct ShareMatch: Sendable, Equatable {
    /// The song's id there; `nil` if the catalog does not have it.
    package let item: String?

    package init(item: String?) { self.item = item }

    /// How long a catalog is not asked again for a song that it did not have.
    static let lifetimeOfNone = Duration.seconds(30 * 86_400)
}

extension ShareStore where Access == WriteTransaction {
    /// Stores what a catalog has for a song that is still shared.
    package func store(
        _ match: ShareMatch, of content: Int64, at source: MusicSource, country: String, now: Timestamp
    ) throws {
        guard try transaction.row("SELECT 1 FROM share_contents WHERE key = \(content)") != nil else { return }
        try transaction.run(
            """
            INSERT INTO share_matches (content, source, country, item, found_at)
            VALUES (\(content), \(source.number), \(country), \(match.item), \(now))
            ON CONFLICT (content, source, country) DO UPDATE SET item = excluded.item, found_at = excluded.found_at
            """)
    }

    /// The key of a content, which has one share more now.
    func addContent(_ song: ShareSong) throws -> Int64 {
        let hash = song.hash
        if let key: Int64 = try transaction.row("SELECT key FROM share_contents WHERE hash = \(hash)")?["key"] {
            try transaction.run("UPDATE share_contents SET shares = shares + 1 WHERE key = \(key)")
            return key
        }
        let last: Int64 = try transaction.row("SELECT MAX(key) AS key FROM share_contents")?["key"] ?? 0
        try transaction.run(
            """
            INSERT INTO share_contents (
                key, hash, shares, title, artists, album, duration_ms, isrc, is_explicit, pictures, preview, spotify_id,
                apple_id, apple_country)
            VALUES (
                \(last + 1), \(hash), 1, \(song.title), \(song.artistLines), \(song.album), \(song.durationMs),
                \(song.isrc), \(song.isExplicit), \(song.pictureLines), \(song.preview), \(song.spotifyID),
                \(song.apple?.id), \(song.apple?.country))
            """)
        return last + 1
    }

    /// A share of a content is gone; with the last one, the content goes.
    func removeContent(_ key: Int64) throws {
        try transaction.run("UPDATE share_contents SET shares = shares - 1 WHERE key = \(key)")
        guard try transaction.execute("DELETE FROM share_contents WHERE key = \(key) AND shares <= 0") == 1 else {
            return
        }
        try transaction.run("DELETE FROM share_matches WHERE content = \(key)")
    }
}
