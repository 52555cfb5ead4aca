import Model
import Storage
import TestSupport

@testable import Library
@testable import LibraryWriting

/// A user's library with rows that syncs would have written.
struct SampleLibrary: Sendable {
    let database: Database
    let userID: String
    let id: Int64
    private let cache = LibraryListCache()

    static let began = Timestamp(microseconds: 1_763_000_000_000_000)

    init(_ database: Database, person: String = "ada") async throws {
        self.database = database
        let userID = try await database.addPerson(person)
        self.userID = userID
        id = try await database.write { try $0.library.open(userID: userID, now: Self.began) }
    }

    /// The scan of a source by the first sync.
    func scan(_ source: MusicSource) async throws -> SourceScan {
        let (userID, id) = (userID, id)
        return try await database.write { transaction in
            SourceScan(
                userID: userID, libraryID: id, sync: 1, source: source,
                accountID: try transaction.library.account(
                    "account", of: source, library: id, now: Self.began))
        }
    }

    func save(_ tracks: [SourceTrack], at source: MusicSource, now: Timestamp = SampleLibrary.began) async throws {
        let scan = try await scan(source)
        for start in stride(from: 0, to: tracks.count, by: 100) {
            let page = Array(tracks[start..<min(start + 100, tracks.count)])
            try await database.write { transaction in
                _ = try transaction.tracks.storeSavedTracks(page, by: scan, isWhole: false, now: now)
            }
        }
    }

    /// Deletes tracks without their source tracks, as a removal does.
    func remove(_ ids: [Int64]) async throws {
        let library = id
        try await database.write { transaction in
            try transaction.run("DELETE FROM library_tracks WHERE id IN (\(list: ids)) AND library_id = \(library)")
            try transaction.librarySearch.unindex(ids, library: library)
            try transaction.run(
                "UPDATE libraries SET change = \(try transaction.nextChange()) WHERE id = \(library)")
        }
    }

    func tracks(_ query: TrackListQuery, isCached: Bool = true) async throws -> LibraryPage<LibraryTrack> {
        let (userID, cache) = (userID, isCached ? cache : nil)
        return try await database.read { try $0.tracks.page(userID: userID, query, cache: cache) }
    }

    // MARK: What the lists should be

    /// A row of the table, to be sorted and searched in Swift.
    struct Expected: Sendable {
        var id: Int64
        var title: String
        var artist: String
        var album: String
        var albumPosition: Int64
        var addedAt: Int64
        var plays: Int64
        var sources: Int
    }

    func expected() async throws -> [Expected] {
        let library = id
        return try await database.read { reader in
            try reader.map(
                """
                SELECT id, title, artist, album, album_position, added_at, plays, sources FROM library_tracks
                WHERE library_id = \(library)
                """
            ) { row in
                Expected(
                    id: try row["id"], title: try row["title"], artist: try row["artist"], album: try row["album"],
                    albumPosition: try row["album_position"], addedAt: try row["added_at"], plays: try row["plays"],
                    sources: try row["sources"])
            }
        }
    }
}

extension [SampleLibrary.Expected] {
    func sorted(by sort: TrackSort) -> Self {
        func key(_ text: String) -> [UInt8] { [UInt8](LibrarySortKey.sortKey(text).utf8) }
        /// The first parts that differ decide.
        func precedes(_ parts: [([UInt8], [UInt8])], _ left: [Int64], _ right: [Int64]) -> Bool {
            for (one, other) in parts where one != other { return one.lexicographicallyPrecedes(other) }
            return left.lexicographicallyPrecedes(right)
        }
        return sorted { left, right in
            switch sort {
            case .recentlyAdded: precedes([], [right.addedAt, right.id], [left.addedAt, left.id])
            case .playCount: precedes([], [right.plays, right.id], [left.plays, left.id])
            case .title: precedes([(key(left.title), key(right.title))], [left.id], [right.id])
            case .album:
                precedes(
                    [(key(left.album), key(right.album))], [left.albumPosition, left.id],
                    [right.albumPosition, right.id])
            case .artist:
                precedes(
                    [(key(left.artist), key(right.artist)), (key(left.album), key(right.album))],
                    [left.albumPosition, left.id], [right.albumPosition, right.id])
            }
        }
    }

    func filtered(by filter: TrackFilter) -> Self {
        self.filter { track in
            switch filter {
            case .all: true
            case .appleMusic: track.sources == 1 || track.sources == 3
            case .spotify: track.sources == 2 || track.sources == 3
            case .both: track.sources == 3
            }
        }
    }

    func containing(_ text: String) -> Self {
        let sought = [UInt8](SearchText.folded(text).utf8)
        return self.filter { track in
            [track.title, track.artist, track.album].contains { field in
                let folded = [UInt8](SearchText.folded(field).utf8)
                guard folded.count >= sought.count else { return false }
                return (0...folded.count - sought.count).contains { start in
                    folded[start..<start + sought.count].elementsEqual(sought)
                }
            }
        }
    }
}

/// Songs in many scripts, many of them with equal titles, dates and play counts.
enum SampleSongs {
    private static let words = [
        "Love", "Ágætis", "byrjun", "Sigur", "Rós", "the", "Straße", "STRASSE", "Łódź", "Çok", "İstanbul", "naïve",
        "don’t", "Αγάπη", "μου", "Калинка", "ёлка", "がんばれ", "ガラス", "ｶﾞﾗｽ", "カラス", "한글", "하늘", "爱情", "שלום", "سلام",
        "ความรัก", "हिन्दी", "🎵", "(Live)", "Remastered", "2011", "feat.", "A", "b", "Ｗｉｄｅ", "ﬁre",
    ]

    static func text(_ random: inout SeededRandom, words count: ClosedRange<Int> = 1...3) -> String {
        (0..<Int.random(in: count, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
            .joined(separator: [" ", " ", "  ", "-", "\t"].randomElement(using: &random) ?? " ")
    }

    /// - Parameter prefix: the prefix of the source's ids.
    static func tracks(_ count: Int, prefix: String, _ random: inout SeededRandom) -> [SourceTrack] {
        (0..<count).map { number in
            var track = SourceTrack(
                sourceID: "\(prefix)\(number)", title: text(&random), artist: text(&random, words: 1...1),
                album: text(&random, words: 0...1))
            track.addedAt = SampleLibrary.began.advanced(by: .seconds(Int.random(in: 0...20, using: &random)))
            track.playCount = [nil, 0, 1, 2, 500].randomElement(using: &random) ?? nil
            track.trackNumber = Bool.random(using: &random) ? Int.random(in: 1...4, using: &random) : nil
            track.isrc = "XX000\(prefix == "a" ? "A" : "B")" + String("00000\(number)".suffix(6))
            return track
        }
    }

    /// A part of a sample text, or a few characters that do not occur in any.
    static func query(_ random: inout SeededRandom) -> String {
        let text = Array(Self.text(&random).unicodeScalars)
        let start = Int.random(in: 0..<text.count, using: &random)
        let end = Int.random(in: start..<min(text.count, start + 5), using: &random)
        var query = String.UnicodeScalarView()
        query.append(contentsOf: text[start...end])
        return String(query)
    }
}
