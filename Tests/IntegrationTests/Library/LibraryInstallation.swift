import Storage
import TestProcesses
import Testing

/// A Backline whose sync-worker reads libraries of a simulated Spotify and Apple Music.
struct LibraryInstallation: Sendable {
    let base: Installation
    let upstreams: Simulator

    /// Starts everything for the length of `body`.
    static func run(
        latencyMs: Int = 2, environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (LibraryInstallation) async throws -> Void
    ) async throws {
        // The services' own limits are raised, so that no test waits for a window to pass.
        let limits = [
            "BACKLINE_UPSTREAMS_SPOTIFY_REQUESTS": "1000", "BACKLINE_UPSTREAMS_APPLE_MUSIC_REQUESTS": "1000",
        ]
        try await Installation.run(
            environment: limits.merging(environment) { $1 }, sourceLocation: sourceLocation
        ) { base in
            let upstreams = try await base.startSimulator(latencyMs: latencyMs)
            try await upstreams.spotify.configure(["requestsPerWindow": 0])
            try await base.startGateway()
            _ = try await base.startWorker(.sync)
            try await base.connected(workers: 1)
            try await body(LibraryInstallation(base: base, upstreams: upstreams))
        }
    }

    /// Kills the sync-worker and starts another.
    func killWorker() async throws {
        for worker in base.running("sync-worker") {
            worker.kill()
            try await worker.waitForEnd()
        }
        _ = try await base.startWorker(.sync)
    }

    /// Kills the gateway and starts another.
    func killGateway() async throws {
        for gateway in base.running("api-gateway") {
            gateway.kill()
            try await gateway.waitForEnd()
        }
        try await base.startGateway()
    }

    // MARK: Libraries

    /// Gives the usual person of a service a library.
    ///
    /// - Parameter oddities: whether there are special playlists, duplicates and missing attributes.
    func fill(
        _ upstream: SimulatedUpstream, tracks: Int, first: Int = 0, playlists: Int = 0, albums: Int = 0,
        oddities: Bool = true
    ) async throws {
        let plan: [String: JSON] = [
            "tracks": .integer(tracks), "first": .integer(first), "playlists": .integer(playlists),
            "albums": .integer(albums), "entries": 30, "oddities": .bool(oddities),
        ]
        try await upstream.order("library", .object(plan))
    }

    func change(_ upstream: SimulatedUpstream, _ numbers: [String: Int]) async throws {
        try await upstream.order("library/changes", .object(numbers.mapValues { .integer($0) }))
    }

    // MARK: Connecting

    func connectSpotify(_ client: APIClient) async throws {
        let spotify = SpotifyInstallation(base: base, upstream: upstreams.spotify)
        let response = try await spotify.connect(client)
        guard response.status == 200 else {
            throw UnexpectedAnswer(description: "Spotify: \(response.status) \(response.text)")
        }
    }

    func connectAppleMusic(_ client: APIClient) async throws {
        let response = try await client.saveAppleMusic(upstreams.appleMusicKey())
        guard response.status == 200 else {
            throw UnexpectedAnswer(description: "Apple Music: \(response.status) \(response.text)")
        }
    }

    // MARK: What there is

    /// All rows of libraries but ids and moments, in an order of their own.
    func rows() async throws -> [String] {
        try await base.withDatabase { database in
            try await database.read { reader in
                let tracks = try reader.rows(
                    """
                    SELECT library_source_tracks.source AS source, source_id,
                        library_source_tracks.is_saved AS is_saved,
                        CASE WHEN library_source_tracks.missing_since IS NULL THEN '' ELSE 'missing' END AS mark,
                        library_tracks.title AS title, library_tracks.sources AS sources,
                        COALESCE(library_tracks.isrc, '') AS isrc
                    FROM library_source_tracks JOIN library_tracks ON library_tracks.id = track_id
                    """
                ).map { row -> String in
                    let (source, id, saved, sources): (Int, String, Int, Int) = (
                        try row["source"], try row["source_id"], try row["is_saved"], try row["sources"]
                    )
                    let (mark, title, isrc): (String, String, String) = (
                        try row["mark"], try row["title"], try row["isrc"]
                    )
                    return "track \(source) \(id) \(saved) \(mark) \(sources) \(isrc) \(title)"
                }
                let others = try reader.rows(
                    """
                    SELECT 'playlist' AS kind, source_id, entry_count AS number, name AS text FROM library_playlists
                    UNION ALL SELECT 'album', source_id, source, name FROM library_albums
                    UNION ALL
                    SELECT 'entry ' || library_playlists.source_id, kind, position, COALESCE(title, '')
                    FROM library_playlist_entries JOIN library_playlists ON library_playlists.id = playlist_id
                        AND version = entries_version
                    """
                ).map { row -> String in
                    let (kind, id, number, text): (String, String, Int, String) = (
                        try row["kind"], try row["source_id"], try row["number"], try row["text"]
                    )
                    return "\(kind) \(id) \(number) \(text)"
                }
                return (tracks + others).sorted()
            }
        }
    }

    /// The requests so far for the lists of a library, with entries of playlists.
    func requests(_ upstream: SimulatedUpstream) async throws -> Int {
        let lists = ["me/library", "me/tracks", "me/albums", "me/playlists", "/items"]
        return try await upstream.callsByEndpoint().filter { endpoint, _ in lists.contains { endpoint.contains($0) } }
            .values.reduce(0, +)
    }

    /// The requests so far for lists of both services.
    func pages() async throws -> Int {
        try await requests(upstreams.spotify) + requests(upstreams.appleMusic)
    }
}

/// `GET /v1/library/syncs/latest`.
struct LibrarySyncAnswer: Decodable, Sendable {
    struct Source: Decodable, Sendable {
        struct Failure: Decodable, Sendable {
            var code: String
            var message: String
        }

        var source: String
        var state: String
        var phase: String?
        var found: Int
        var new: Int
        var changed: Int
        var total: Int?
        var error: Failure?
    }

    var id: String
    var state: String
    var sources: [Source]
    var merged: Int
    var finishedAt: String?

    var isFinished: Bool { ["complete", "partial", "failed"].contains(state) }

    func source(_ name: String) -> Source? { sources.first { $0.source == name } }
}

extension APIClient {
    struct SyncAsked: Decodable, Sendable {
        var id: String
        var state: String
    }

    func askForSync(_ body: String = "{}") async throws -> SyncAsked {
        let response = try await post("/v1/library/syncs", body)
        guard response.status == 202 else {
            throw UnexpectedAnswer(description: "sync: \(response.status) \(response.text)")
        }
        return try response.decode()
    }

    func latestSync() async throws -> LibrarySyncAnswer {
        try await get("/v1/library/syncs/latest").decode()
    }

    /// Waits until no sync of the person is unfinished; returns the last.
    @discardableResult
    func syncsEnded(within limit: Duration = .seconds(120)) async throws -> LibrarySyncAnswer {
        try await eventually("the end of the syncs", within: limit) { () -> LibrarySyncAnswer? in
            // The gateway may be restarting, and before the first sync there is none.
            guard let latest = try? await latestSync(), latest.isFinished,
                try await allJobs().filter({ $0.kind == "library.sync" }).allSatisfy(\.isFinished)
            else { return nil }
            return latest
        }
    }
}
