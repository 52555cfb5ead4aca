import Foundation
import Identity
import Model
import TestSupport
import Testing

@testable import Library
@testable import LibrarySync
@testable import LibraryWriting
@testable import Storage

/// A user's library that a test writes.
struct TestLibrary {
    let database: Database
    let userID: String
    let libraryID: Int64

    /// The moment `seconds` after the test's first moment.
    static func moment(_ seconds: Int64) -> Timestamp {
        Timestamp(microseconds: 1_700_000_000_000_000 + seconds * 1_000_000)
    }

    static func new(in database: Database, name: String = "ada") async throws -> TestLibrary {
        let userID = try await database.addPerson(name)
        let id = try await database.write { try $0.library.open(userID: userID, now: moment(0)) }
        return TestLibrary(database: database, userID: userID, libraryID: id)
    }

    /// The id by which playlists refer to the account as their owner.
    static let ownerID = "own"

    func scan(_ source: MusicSource, account: String = "one", sync: Int64 = 1) async throws -> SourceScan {
        let id = try await database.write {
            try $0.library.account(account, of: source, library: libraryID, now: Self.moment(0))
        }
        var scan = SourceScan(
            userID: userID, libraryID: libraryID, sync: sync, source: source, accountID: id)
        scan.ownerIDs = [Self.ownerID]
        return scan
    }

    // MARK: Writing

    @discardableResult
    func save(
        _ tracks: [SourceTrack], _ source: MusicSource, account: String = "one", isWhole: Bool = false,
        at seconds: Int64 = 0
    ) async throws -> PageEffect {
        let scan = try await scan(source, account: account)
        return try await database.write {
            try $0.tracks.storeSavedTracks(tracks, by: scan, isWhole: isWhole, now: Self.moment(seconds))
        }
    }

    /// Reads the whole list of tracks, and marks what is no longer in it.
    func readWhole(
        _ tracks: [SourceTrack], _ source: MusicSource, account: String = "one", at seconds: Int64
    ) async throws {
        let scan = try await scan(source, account: account)
        while try await database.write({ try $0.scans.clearSeen(.tracks, by: scan, limit: 7) }) > 0 {}
        try await save(tracks, source, account: account, isWhole: true, at: seconds)
        while try await database.write({
            try $0.scans.markMissing(.tracks, by: scan, limit: 3, now: Self.moment(seconds))
        }) > 0 {}
    }

    /// Lists a playlist and reads its entries.
    ///
    /// - Returns: whether its entries were shown in place of others; `nil` if they were not due.
    @discardableResult
    func read(
        _ playlist: SourcePlaylist, _ entries: [SourcePlaylistEntry], _ source: MusicSource, account: String = "one",
        at seconds: Int64 = 0
    ) async throws -> Bool? {
        let scan = try await scan(source, account: account)
        let now = Self.moment(seconds)
        let due = try await database.write {
            try $0.playlists.storePlaylists([playlist], by: scan, isWhole: false, now: now).toRead
        }
        guard let due = due.first else { return nil }
        return try await database.write { transaction in
            try transaction.playlists.dropStagedEntries(of: due.id, library: libraryID)
            for entry in entries {
                _ = try transaction.playlists.stageEntries([entry], of: due.id, by: scan, now: now)
            }
            return try transaction.playlists.showStagedEntries(of: due, by: scan, now: now)
        }
    }

    /// Regroups the library, as a sync and the gateway's upkeep do.
    ///
    /// - Returns: the number of tracks that were merged into others.
    @discardableResult
    func regroup() async throws -> Int {
        var regrouping = LibraryRegrouping(database: database, libraryID: libraryID, userID: userID)
        var sum = 0
        while let merged = try await regrouping.step({ body in (try await database.write { try body($0) }, .zero) }) {
            sum += merged
        }
        return sum
    }

    /// Resets the library to the state of one with earlier rules, without identity keys.
    func forgetKeys(_ stage: RegroupStage = .dropKeys) async throws {
        try await database.write { transaction in
            try transaction.run("DELETE FROM library_identity_keys WHERE library_id = \(libraryID)")
            try transaction.run(
                "UPDATE libraries SET identity_stage = \(stage.rawValue), identity_after = 0 WHERE id = \(libraryID)")
        }
    }

    /// Disconnects a source, and deletes its rows in steps.
    func remove(_ source: MusicSource, limit: Int = 3) async throws {
        try await database.write {
            try $0.sourceRemovals.scheduleRemoval(of: source, userID: userID, now: Self.moment(5))
        }
        while try await database.write({
            try $0.sourceRemovals.removeStep(
                of: source, libraryID: libraryID, userID: userID, limit: limit, now: Self.moment(6))
        }) > 0 {}
    }

    // MARK: Reading

    /// A track with its source tracks.
    struct Track: Sendable {
        let id: Int64
        let values: TrackValues
        let parts: [SourceTrackRow]
    }

    /// The tracks with their source tracks, oldest first.
    func tracks() async throws -> [Track] {
        try await database.read { reader in
            let ids: [Int64] = try reader.map(
                "SELECT id FROM library_tracks WHERE library_id = \(libraryID) ORDER BY id"
            ) { try $0["id"] }
            let group = try reader.tracks.trackGroup(ids, library: libraryID)
            return try ids.map { id in
                Track(id: id, values: try #require(group.before[id]), parts: group.parts[id] ?? [])
            }
        }
    }

    /// The source tracks of each track by the services' ids, in an order of their own.
    func songs() async throws -> [[String]] {
        try await tracks().map { $0.parts.map(\.track.sourceID).sorted() }.sorted { $0.joined() < $1.joined() }
    }

    /// The track of a source track.
    func track(of sourceID: String) async throws -> LibraryID {
        let track = try await tracks().first { $0.parts.contains { $0.track.sourceID == sourceID } }
        return LibraryID(key: try #require(track).id)
    }

    func sourceTrack(_ sourceID: String) async throws -> LibraryID {
        let rows = try await tracks().flatMap(\.parts)
        return LibraryID(key: try #require(rows.first { $0.track.sourceID == sourceID }).id)
    }

    /// The change log without times: `added track Airbag`.
    func changes() async throws -> [String] {
        try await database.read { reader in
            try reader.map(
                "SELECT kind, item, title FROM library_changes WHERE library_id = \(libraryID) ORDER BY id"
            ) { "\(try $0["kind"] as String) \(try $0["item"] as String) \(try $0["title"] as String)" }
        }
    }

    /// The number of entries in each version of the library's playlists.
    func entryCounts() async throws -> [Int64: Int] {
        try await database.read { reader in
            try reader.rows(
                """
                SELECT version, COUNT(*) AS entries FROM library_playlist_entries WHERE playlist_id IN (
                    SELECT id FROM library_playlists WHERE library_id = \(libraryID)) GROUP BY version
                """
            ).reduce(into: [:]) { $0[try $1["version"] as Int64] = try $1["entries"] as Int }
        }
    }

    /// All rows of libraries.
    func rows() async throws -> [String: [[SQLValue]]] {
        try await database.read { reader in
            var rows: [String: [[SQLValue]]] = [:]
            for table in Self.tables {
                let order =
                    switch table {
                    case "library_keys": "1"
                    case "library_decision_tracks": "1, 2, 3, 4"
                    default: "1, 2, 3"
                    }
                rows[table] = try reader.rows(SQL(stringLiteral: "SELECT * FROM \(table) ORDER BY \(order)"))
                    .map(\.values)
            }
            return rows
        }
    }

    static let tables = [
        "library_keys", "libraries", "library_accounts", "library_sources", "library_tracks", "library_source_tracks",
        "library_playlists", "library_playlist_entries", "library_albums", "library_changes", "library_sightings",
        "library_fetched_pages", "library_search_blocks", "library_identity_keys", "library_former_tracks",
        "library_decisions", "library_decision_tracks", "library_duplicates",
    ]

    /// Recomputes all stored counts, compares every track with its source tracks and its search text, and applies the
    /// rules to all tracks again.
    func expectSound(_ comment: Comment? = nil) async throws {
        let tracks = try await tracks()
        for track in tracks {
            #expect(!track.parts.isEmpty, comment)
            if !track.parts.isEmpty { #expect(track.values == TrackValues(of: track.parts), comment) }
        }
        try await database.read { reader in
            var counts = LibraryCounts()
            for track in tracks { counts.countTrack(track.values, 1) }
            counts.playlists = try reader.rows(
                "SELECT id FROM library_playlists WHERE library_id = \(libraryID)"
            ).count
            counts.albums = try reader.rows("SELECT id FROM library_albums WHERE library_id = \(libraryID)").count
            let found = try reader.row("SELECT * FROM libraries WHERE id = \(libraryID)")
            let row = try #require(found)
            let stored = LibraryCounts(
                tracks: try row["tracks"], appleTracks: try row["apple_tracks"],
                spotifyTracks: try row["spotify_tracks"], sharedTracks: try row["shared_tracks"],
                missingTracks: try row["missing_tracks"], playlists: try row["playlists"], albums: try row["albums"])
            #expect(stored == counts, comment)
            let blocks = try reader.map(
                "SELECT entries, texts FROM library_search_blocks WHERE library_id = \(libraryID)"
            ) { try SearchBlock(entries: $0["entries"], texts: $0["texts"]) }
            let texts = Dictionary(blocks.flatMap(\.tracks).map { ($0.id, $0.text) }) { first, _ in first }
            let expected = Dictionary(
                uniqueKeysWithValues: tracks.map { track in
                    let values = track.values
                    let text = SearchText(title: values.title, artist: values.artist, album: values.album)
                    return (track.id, text.bytes)
                })
            #expect(texts == expected, comment)
            let lost = try reader.rows(
                """
                SELECT id FROM library_source_tracks WHERE library_id = \(libraryID)
                    AND track_id NOT IN (SELECT id FROM library_tracks WHERE library_id = \(libraryID))
                """)
            #expect(lost.isEmpty, comment)
            let dangling = try reader.rows(
                """
                SELECT position FROM library_playlist_entries
                WHERE playlist_id NOT IN (SELECT id FROM library_playlists)
                    OR source_track_id NOT IN (SELECT id FROM library_source_tracks)
                """)
            #expect(dangling.isEmpty, comment)
            try expectFound(tracks, in: reader, comment)
        }
    }

    /// Compares the tracks with those that the rules find in the whole library.
    private func expectFound(_ tracks: [Track], in reader: ReadTransaction, _ comment: Comment?) throws {
        let rows = tracks.flatMap(\.parts)
        let result = try reader.trackIdentity.identity(ofLibrary: libraryID).run(
            rows.map { Clustering.Member(listing: $0.listing, profile: $0.profile) })
        let expected = TrackArrangement(result, rows: rows)
        let songs = Set(tracks.map { Set($0.parts.map(\.listing)) })
        #expect(songs == Set(expected.clusters.map { Set($0.map(\.listing)) }), comment)
        guard songs.count == expected.clusters.count else { return }
        let trackIDs = expected.clusters.map { Optional($0[0].trackID) }
        let pairs = try reader.map(
            "SELECT \(DuplicateRow.columns) FROM library_duplicates WHERE library_id = \(libraryID)", DuplicateRow.init)
        #expect(Set(pairs) == expected.duplicates(trackIDs), comment)
        let keys = try reader.map(
            "SELECT identity_key, source_track_id FROM library_identity_keys WHERE library_id = \(libraryID)"
        ) { [try $0["source_track_id"] as Int64, try $0["identity_key"] as Int64] }
        #expect(Set(keys) == Set(rows.flatMap { row in row.profile.keys.map { [row.id, $0] } }), comment)
        let lost = try reader.rows(
            """
            SELECT id FROM library_former_tracks WHERE library_id = \(libraryID) AND (
                track_id NOT IN (SELECT id FROM library_tracks WHERE library_id = \(libraryID))
                OR id <> track_id AND id IN (SELECT id FROM library_tracks WHERE library_id = \(libraryID)))
            """)
        #expect(lost.isEmpty, comment)
    }
}

extension SourceTrack {
    /// Creates a track for tests.
    static func made(
        _ id: String, _ title: String = "Airbag", by artist: String = "Radiohead", on album: String = "OK Computer",
        isrc: String? = nil, ms: Int? = nil, added: Int64? = nil
    ) -> SourceTrack {
        var track = SourceTrack(sourceID: id, title: title, artist: artist, album: album)
        track.isrc = isrc
        track.durationMs = ms
        track.addedAt = added.map(TestLibrary.moment)
        return track
    }
}
