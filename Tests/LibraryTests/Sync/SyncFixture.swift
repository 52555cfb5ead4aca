import Foundation
import Model
import Storage
import TestSupport

@testable import LibrarySync

/// A user with scripted libraries, whose syncs run in the test's process.
struct SyncFixture: Sendable {
    /// Ends a run as if its worker had been killed.
    struct KillError: Error {}

    enum Death: Sendable {
        case beforeCommit, afterCommit
    }

    let database: Database
    let userID: String
    let spotify: ScriptedLibrary
    let appleMusic: ScriptedLibrary

    static func run(
        pageSize: Int = 5, _ body: (SyncFixture) async throws -> Void
    ) async throws {
        try await withDatabase { database, _ in
            try await body(
                SyncFixture(
                    database: database, userID: try await database.addPerson(),
                    spotify: ScriptedLibrary(.spotify, pageSize: pageSize),
                    appleMusic: ScriptedLibrary(.appleMusic, pageSize: pageSize)))
        }
    }

    /// Gives both services small libraries that share some songs; Spotify also has a playlist and albums.
    func fill(tracks: Int = 12) {
        spotify.change { content in
            content.tracks = (1...tracks).reversed().map { .sample($0, .spotify) }
            var playlist = SourcePlaylist(sourceID: "p1", name: "First")
            playlist.version = "v1"
            content.playlists = [playlist]
            content.entries["p1"] = (0..<7).map { position in
                SourcePlaylistEntry(
                    position: position,
                    content: position == 3 ? .local(title: "File") : .track(.sample(position + 10, .spotify)),
                    addedAt: nil)
            }
            content.albums = (1...3).map { SourceAlbum(sourceID: "a\($0)", name: "Album \($0)", artist: "Artist") }
        }
        appleMusic.change { content in
            content.tracks = (10...tracks + 10).map { .sample($0, .appleMusic) }
        }
    }

    /// Adds a waiting sync, and returns its id.
    func ask(_ source: MusicSource? = nil, force: Bool = true) async throws -> String {
        let (id, request) = (UUIDv7.next(), LibrarySyncRequest(userID: userID, source: source, force: force))
        try await database.write { try $0.syncs.insert(sync: id, for: request, now: .now()) }
        return id
    }

    /// Runs a sync to its end, in as many runs as it takes.
    ///
    /// - Parameter deaths: the checkpoints at which the worker is killed, counted across all runs.
    @discardableResult
    func sync(
        _ source: MusicSource? = nil, force: Bool = true, connected: [MusicSource] = MusicSource.services,
        deaths: [Int: Death] = [:]
    ) async throws -> LibrarySyncView {
        let id = try await ask(source, force: force)
        let kept = LastResult<String>()
        let checkpoints = Collector<Int>()
        while true {
            do {
                try await run(id, source, force: force, connected: connected, from: kept) {
                    checkpoints.append(0)
                    return deaths[checkpoints.elements.count]
                }
                return try await latest()
            } catch is KillError {
                continue
            }
        }
    }

    /// Runs a sync once.
    ///
    /// - Parameter death: decides at each checkpoint whether the worker is killed.
    func run(
        _ id: String, _ source: MusicSource? = nil, force: Bool = true,
        connected: [MusicSource] = MusicSource.services, isLastAttempt: Bool = true, from kept: LastResult<String>,
        death: @escaping @Sendable () -> Death? = { nil }
    ) async throws {
        let job = SyncRun.Job(
            id: id, userID: userID, payload: LibrarySyncRequest(userID: userID, source: source, force: force).payload,
            isLastAttempt: isLastAttempt,
            checkpoint: { [database] state, rows in
                let death = death()
                if case .beforeCommit = death { throw KillError() }
                let json = try Self.json(state)
                guard json.utf8.count <= 64 << 10 else { throw KillError() }
                try await database.write { try rows($0) }
                kept.set(json)
                if case .afterCommit = death { throw KillError() }
            })
        let sync = SyncRun(
            job, database: database, sources: [appleMusic.librarySource, spotify.librarySource], connected: connected)
        let state = try kept.last.map { try JSONDecoder().decode(SyncState.self, from: Data($0.utf8)) }
        let outcome = try await sync.run(from: state)
        try await database.write { try outcome.write($0) }
    }

    static func json(_ state: SyncState) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(state), as: UTF8.self)
    }

    func latest() async throws -> LibrarySyncView {
        let view = try await database.read { [userID] in try $0.syncs.latest(userID: userID) }
        guard let view else { throw KillError() }
        return view
    }

    /// All rows of the library without ids and times, in an order of their own.
    func rows() async throws -> [String] {
        try await database.read { reader in
            let tracks = try reader.rows(
                """
                SELECT library_source_tracks.source AS source, source_id, library_source_tracks.is_saved AS is_saved,
                    CASE WHEN library_source_tracks.missing_since IS NULL THEN '' ELSE 'missing' END AS mark,
                    library_tracks.title AS title
                FROM library_source_tracks JOIN library_tracks ON library_tracks.id = track_id
                """
            ).map { row -> String in
                let (source, id, saved): (Int, String, Int) = (
                    try row["source"], try row["source_id"], try row["is_saved"]
                )
                let (mark, title): (String, String) = (try row["mark"], try row["title"])
                return "track \(source) \(id) \(saved) \(mark) \(title)"
            }
            let others = try reader.rows(
                """
                SELECT 'playlist' AS kind, source_id, entry_count AS number,
                    CASE WHEN missing_since IS NULL THEN '' ELSE 'missing' END AS mark FROM library_playlists
                UNION ALL
                SELECT 'album', source_id, 0, CASE WHEN missing_since IS NULL THEN '' ELSE 'missing' END
                FROM library_albums
                UNION ALL
                SELECT 'entry ' || library_playlists.source_id, kind, position, COALESCE(title, '')
                FROM library_playlist_entries JOIN library_playlists ON library_playlists.id = playlist_id
                    AND version = entries_version
                UNION ALL
                SELECT 'change', kind || ' ' || item, source, title FROM library_changes
                """
            ).map { row -> String in
                let (kind, id, number, mark): (String, String, Int, String) = (
                    try row["kind"], try row["source_id"], try row["number"], try row["mark"]
                )
                return "\(kind) \(id) \(number) \(mark)"
            }
            let sightings = try reader.rows("SELECT 1 AS found FROM library_sightings").map { _ in "sighting" }
            let pages = try reader.rows("SELECT 1 AS found FROM library_fetched_pages").map { _ in "fetched page" }
            return (tracks + others + sightings + pages).sorted()
        }
    }

    func missing() async throws -> [String] {
        try await database.read { reader in
            try reader.rows(
                "SELECT source_id FROM library_source_tracks WHERE missing_since IS NOT NULL ORDER BY source_id"
            ).map { try $0["source_id"] }
        }
    }
}
