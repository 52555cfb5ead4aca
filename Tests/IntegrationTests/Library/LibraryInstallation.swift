import Foundation
import Model
import Storage
import TestProcesses
import TestSupport
import Testing

/// A Backline installation whose sync-worker reads libraries from a simulated Spotify and Apple Music.
struct LibraryInstallation: Sendable {
    let base: Installation
    let upstreams: Simulator

    /// The longest wait of these tests for anything, on a machine that runs hundreds of tests at once.
    static let patience = Duration.seconds(300)

    /// The settings that make the number of requests independent of the machine's speed and of the time of day. The
    /// services' own limits are raised, so that no test waits for a window to pass. A slow request is not repeated, a
    /// worker that gets no processor time for a while keeps its jobs, and no schedule, whose first time is random,
    /// begins a sync.
    private static let settings = [
        "BACKLINE_UPSTREAMS_SPOTIFY_REQUESTS": "1000", "BACKLINE_UPSTREAMS_APPLE_MUSIC_REQUESTS": "1000",
        "BACKLINE_UPSTREAMS_SPOTIFY_TIMEOUT_MS": "120000", "BACKLINE_UPSTREAMS_APPLE_MUSIC_TIMEOUT_MS": "120000",
        "BACKLINE_JOBS_LEASE_SECONDS": "120", "BACKLINE_LIBRARY_SYNC_HOURS": "0",
    ]

    /// Runs everything while `body` runs.
    ///
    /// - Parameter hasAppleMusicKey: whether the installation has a developer key of its own for Apple Music.
    static func run(
        latencyMs: Int = 2, hasAppleMusicKey: Bool = false, environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: (LibraryInstallation) async throws -> Void
    ) async throws {
        try await Installation.run(
            environment: settings.merging(environment) { $1 }, sourceLocation: sourceLocation
        ) { base in
            let upstreams = try await base.startSimulator(latencyMs: latencyMs)
            try await upstreams.spotify.configure(["requestsPerWindow": 0])
            if hasAppleMusicKey { try await base.configure(upstreams.appleMusicKey()) }
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

    func upstream(of source: MusicSource) -> SimulatedUpstream {
        source == .spotify ? upstreams.spotify : upstreams.appleMusic
    }

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

    /// Makes the next sync read a service's lists completely.
    ///
    /// - Returns: the number of lists.
    func forgetReadings(of source: MusicSource) async throws -> Int {
        try await base.withDatabase { database in
            try await database.write {
                try $0.execute("UPDATE library_readings SET total = NULL WHERE source = \(source.number)")
            }
        }
    }

    // MARK: Connecting

    func connectSpotify(_ client: APIClient) async throws {
        let spotify = SpotifyInstallation(base: base, upstream: upstreams.spotify)
        try await connect(.spotify) { try await spotify.connect(client) }
    }

    func connectAppleMusic(_ client: APIClient) async throws {
        let key = try await upstreams.appleMusicKey()
        try await connect(.appleMusic) { try await client.saveAppleMusic(key) }
    }

    /// Connects Apple Music with the installation's developer key.
    func connectAppleMusicByToken(_ client: APIClient) async throws {
        let token = try await upstreams.appleMusicKey().userToken
        try await connect(.appleMusic) { try await client.save("apple-music", ["userToken": token]) }
    }

    /// Repeats requests that failed because the worker did not answer within the seconds for which a person waits in
    /// front of a page.
    private func connect(_ source: MusicSource, _ ask: () async throws -> APIResponse) async throws {
        try await eventually("\(source.displayName) to be connected", within: Self.patience) { () -> Bool in
            let response = try await ask()
            if response.status == 503 { return false }
            guard response.status == 200 else {
                throw UnexpectedAnswer(description: "\(source.displayName): \(response.status) \(response.text)")
            }
            return true
        }
    }

    // MARK: What there is

    /// All rows of libraries except ids and times, sorted.
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

    /// The service's ids of the tracks that are saved there according to Backline.
    func savedIDs(_ source: MusicSource) async throws -> Set<String> {
        try await base.withDatabase { database in
            try await database.read { reader in
                let rows = try reader.rows(
                    """
                    SELECT source_id FROM library_source_tracks
                    WHERE source = \(source.number) AND is_saved = 1 AND missing_since IS NULL
                    """)
                return Set(try rows.map { row -> String in try row["source_id"] })
            }
        }
    }
}

extension Installation {
    /// Gives the installation a developer key for Apple Music.
    func configure(_ key: Simulator.AppleMusicKey) throws {
        let file = folder + "/apple-music.p8"
        let isMade = FileManager.default.createFile(
            atPath: file, contents: Data(key.privateKey.utf8), attributes: [.posixPermissions: 0o600])
        guard isMade else { throw UnexpectedAnswer(description: "no file at \(file)") }
        configure([
            "BACKLINE_APPLE_MUSIC_TEAM_ID": key.teamId, "BACKLINE_APPLE_MUSIC_KEY_ID": key.keyId,
            "BACKLINE_APPLE_MUSIC_PRIVATE_KEY_FILE": file,
        ])
    }
}
