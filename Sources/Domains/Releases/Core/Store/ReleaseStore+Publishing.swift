import DomainEvents
import Model
import Storage
import Timeline

extension ReleaseStore {
    /// Whether a release that was announced is out.
    package func isAnyOut(at now: Timestamp) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS found FROM releases WHERE out_at IS NOT NULL AND out_at <= \(now) LIMIT 1") != nil
    }
}

extension ReleaseStore where Access == WriteTransaction {
    /// Adds announced releases that are out to the timeline, the earliest first.
    ///
    /// - Returns: how many they were.
    package func publishDue(now: Timestamp, limit: Int) throws -> Int {
        let due = try transaction.map(
            "SELECT number FROM releases WHERE out_at IS NOT NULL AND out_at <= \(now) ORDER BY out_at LIMIT \(limit)"
        ) { try $0["number"] as Int64 }
        for number in due { try publish(number, now: now) }
        return due.count
    }

    /// Adds a release to the timeline, for those who want one of its artists. It is the item of this moment, so that
    /// nobody finds it below what they have read.
    func publish(_ number: Int64, now: Timestamp) throws {
        let authors = try authors(of: number)
        try transaction.run("UPDATE releases SET out_at = NULL, published_at = \(now) WHERE number = \(number)")
        guard !authors.isEmpty else { return }
        try transaction.timeline.insert(.release, number: number, by: authors, moment: now)
        // The release may have been announced, with a number that is older than what open streams have seen.
        try transaction.timeline.touch(.release, number: number, by: authors, moment: now)
        try transaction.publish(
            TopicNews(
                kind: .release, subject: "", topics: authors.map(\.rawValue), itemID: String(number), time: now))
    }

    /// Makes what a release shows from its editions: the earliest of them, in its plainest form.
    ///
    /// A release without editions is gone. One that is announced follows its date.
    func summarize(_ number: Int64, now: Timestamp) throws {
        let editions = try transaction.map(
            """
            SELECT source, album_id, title, name, artists, type, release_date, track_count, picture, url
            FROM release_editions WHERE release_number = \(number) ORDER BY source, album_id
            """, ListedAlbum.init(row:))
        guard
            let row = try transaction.row(
                """
                SELECT number, id, artist_key, title, artists, type, release_date, picture, first_seen_at, out_at,
                    published_at
                FROM releases WHERE number = \(number)
                """)
        else { return }
        let (release, outAt) = (try Release(row: row), try row["out_at"] as Timestamp?)
        let published: Timestamp? = try row["published_at"]
        guard let shown = editions.min(by: Self.precedes) else {
            return try delete(release, publishedAt: published, now: now)
        }
        let picture = shown.picture ?? editions.lazy.compactMap(\.picture).first
        try transaction.run(
            """
            UPDATE releases SET title = \(shown.name), artists = \(try JSONColumn.encode(shown.artists)),
                type = \(shown.type.rawValue), release_date = \(shown.date?.text), picture = \(picture?.releaseText)
            WHERE number = \(number)
            """)
        if let published {
            try transaction.timeline.touch(.release, number: number, by: try authors(of: number), moment: published)
        } else if outAt != nil, let date = shown.date {
            let outAt = ReleaseNews.outMoment(date)
            try transaction.run("UPDATE releases SET out_at = \(outAt) WHERE number = \(number)")
            if outAt <= now { try publish(number, now: now) }
        }
    }

    /// Whether an edition stands for its release before another one.
    private static func precedes(_ one: ListedAlbum, _ other: ListedAlbum) -> Bool {
        func key(_ album: ListedAlbum) -> (Int, Int, Int) {
            // Of dates that may mean the same day, the more precise one ends first.
            (album.date?.days.upperBound ?? .max, album.type.isShort ? 1 : 0, album.name.utf8.count)
        }
        let (left, right) = (key(one), key(other))
        return left == right ? one.id < other.id : left < right
    }

    /// Deletes a release with its editions, also from the timeline.
    func delete(_ release: Release, publishedAt: Timestamp?, now: Timestamp) throws {
        if let publishedAt {
            try transaction.timeline.remove(
                .release, number: release.number, id: release.id, by: try authors(of: release.number),
                moment: publishedAt, now: now)
        }
        try transaction.run("DELETE FROM release_editions WHERE release_number = \(release.number)")
        try transaction.run("DELETE FROM release_credits WHERE release_number = \(release.number)")
        try transaction.run("DELETE FROM releases WHERE number = \(release.number)")
    }

    /// The topics of a release's artists.
    private func authors(of number: Int64) throws -> [TimelineAuthor] {
        let keys = try transaction.map(
            "SELECT artist_key FROM release_credits WHERE release_number = \(number) ORDER BY artist_key"
        ) { try $0["artist_key"] as String }
        return try keys.map { try transaction.timeline.author(of: .releases(ofArtist: $0)) }
    }
}
