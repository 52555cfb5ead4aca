import Model
import Storage

/// The SQL of new releases: artists, their lists at services, releases with their editions, and how far people's artists
/// were read. Read or written in a transaction: `transaction.releases`.
package struct ReleaseStore<Access: SQLReader> {
    let transaction: Access
}

extension SQLReader {
    package var releases: ReleaseStore<Self> { ReleaseStore(transaction: self) }
}

extension ReleaseStore {
    /// The numbers of releases, by their ids. Unknown ids are left out.
    package func numbers(ofReleases ids: [String]) throws -> [String: Int64] {
        try ids.listParts.reduce(into: [:]) { numbers, part in
            try transaction.forEachRow("SELECT id, number FROM releases WHERE id IN (\(list: part))") { row in
                numbers[try row["id"]] = try row["number"]
                return .continue
            }
        }
    }

    /// The published releases with the given numbers, with their editions. Those that are unknown, announced or no news
    /// are left out.
    package func published(_ numbers: [Int64]) throws -> [Int64: Release] {
        var releases: [Int64: Release] = [:]
        for part in numbers.listParts {
            let found = try transaction.map(
                """
                SELECT number, id, artist_key, title, artists, type, release_date, picture, first_seen_at FROM releases
                WHERE number IN (\(list: part)) AND published_at IS NOT NULL
                """, Release.init)
            for release in found { releases[release.number] = release }
            let editions = try transaction.map(
                """
                SELECT release_number, source, album_id, title, release_date, track_count, url FROM release_editions
                WHERE release_number IN (\(list: part)) ORDER BY release_number, source, album_id
                """
            ) { row in (number: try row["release_number"] as Int64, edition: try ReleaseEdition(row: row)) }
            for (number, edition) in editions { releases[number]?.editions.append(edition) }
        }
        return releases.mapValues { release in
            var release = release
            release.editions.sort(by: ReleaseEdition.precedes)
            return release
        }
    }
}

extension ReleaseEdition {
    /// By service; among those of a service the earliest first, and the plain title before longer ones.
    static func precedes(_ one: ReleaseEdition, _ other: ReleaseEdition) -> Bool {
        func key(_ edition: ReleaseEdition) -> (Int, Int, Int) {
            (edition.source == .spotify ? 0 : 1, edition.date?.days.upperBound ?? .max, edition.title.utf8.count)
        }
        let (left, right) = (key(one), key(other))
        return left == right ? one.albumID < other.albumID : left < right
    }

    init(row: Row) throws {
        self.init(
            source: try row.word("source"), albumID: try row["album_id"], title: try row["title"],
            date: (try row["release_date"] as String?).flatMap { ReleaseDate($0) }, trackCount: try row["track_count"],
            url: try row["url"])
    }
}

extension Release {
    init(row: Row) throws {
        let type: Int64 = try row["type"]
        self.init(
            number: try row["number"], id: try row["id"], artistKey: try row["artist_key"], title: try row["title"],
            artists: try row.json("artists") ?? [], type: ReleaseType(rawValue: type) ?? .album,
            date: (try row["release_date"] as String?).flatMap { ReleaseDate($0) },
            picture: (try row["picture"] as String?).flatMap { Picture(releaseText: $0) },
            firstSeenAt: try row["first_seen_at"])
    }
}

extension Picture {
    /// One size per line: its width, if known, and its address.
    var releaseText: String {
        offers.map { ($0.width.map { "\($0) " } ?? "") + $0.address }.joined(separator: "\n")
    }

    init?(releaseText text: String) {
        self.init(
            text.split(separator: "\n").map { line in
                let parts = line.split(separator: " ", maxSplits: 1)
                guard parts.count == 2 else { return Offer(address: String(line)) }
                return Offer(address: String(parts[1]), width: Int(decimal: parts[0], in: 0...1_000_000))
            })
    }
}
