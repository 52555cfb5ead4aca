import Storage
import TestProcesses
import TestSupport
import Testing

/// The requests of a sync for the pages of libraries. A test can hold their answers back, so that it acts at a certain
/// page on a machine of any speed.
extension LibraryInstallation {
    private static let lists = ["me/library", "me/tracks", "me/albums", "me/playlists", "/items"]

    /// The requests so far for the lists of a library, including entries of playlists.
    func requests(_ upstream: SimulatedUpstream) async throws -> Int {
        try await upstream.callsByEndpoint()
            .filter { endpoint, _ in Self.lists.contains { endpoint.contains($0) } }.values.reduce(0, +)
    }

    /// The requests so far for lists of both services.
    func pages() async throws -> Int {
        try await requests(upstreams.spotify) + requests(upstreams.appleMusic)
    }

    // MARK: Pages that are held back

    /// Holds back the answers to all requests for pages from now on, each until ``releasePages()``.
    ///
    /// - Returns: how many were held back before.
    @discardableResult
    func holdPages() async throws -> Int {
        let before = try await heldPages()
        for upstream in [upstreams.spotify, upstreams.appleMusic] {
            for list in Self.lists { try await upstream.injectFault("hold", endpoint: list) }
        }
        return before
    }

    /// Sends the answers that are held back. The answers to further requests are held back again.
    func releasePages() async throws {
        for upstream in [upstreams.spotify, upstreams.appleMusic] { try await upstream.order("faults/release") }
    }

    /// Stops holding back answers, and sends those that are held back.
    func letPagesPass() async throws {
        for upstream in [upstreams.spotify, upstreams.appleMusic] { try await upstream.heal() }
    }

    /// How many answers have been held back so far.
    private func heldPages() async throws -> Int {
        try await upstreams.spotify.counters().reduce(0) { $0 + $1.faults }
            + upstreams.appleMusic.counters().reduce(0) { $0 + $1.faults }
    }

    /// Waits for the next page that is held back. A sync has one request at a time under way.
    ///
    /// - Parameter count: how many were held back before.
    /// - Returns: how many were kept back by now; `nil` when the sync ends instead.
    func nextPage(after count: Int, ofSync id: String) async throws -> Int? {
        try await eventually("page \(count + 1) of the sync", within: Self.patience) { () -> Int?? in
            let held = try await heldPages()
            if held > count { return .some(held) }
            return try await hasEnded(id) ? .some(nil) : nil
        }
    }

    /// Lets a sync continue until it has requested the given number of pages. The last of them is held back.
    ///
    /// - Parameter before: what ``holdPages()`` returned before the sync was requested.
    func advance(sync id: String, toPage number: Int, after before: Int = 0) async throws {
        var held = before
        while held < before + number {
            if held > before { try await releasePages() }
            held = try #require(try await nextPage(after: held, ofSync: id), "The sync ended before page \(number).")
        }
    }

    // MARK: Writes

    /// Kills the sync-worker at each of some writes at Spotify.
    ///
    /// - Parameters:
    ///   - count: how many writes.
    ///   - begin: begins what writes.
    /// - Returns: what `begin` returned.
    func killWorker<Value>(
        atWrites count: Int, random: inout SeededRandom, begin: () async throws -> Value
    ) async throws -> Value {
        let spotify = upstreams.spotify
        func writes() async throws -> Int {
            try await spotify.callsByEndpoint().filter { $0.key.hasPrefix("POST /spotify/v1") }.values.reduce(0, +)
        }
        for endpoint in ["POST /spotify/v1/me/playlists", "POST /spotify/v1/playlists/{id}/items"] {
            try await spotify.injectFault("hold", endpoint: endpoint)
        }
        var seen = try await writes()
        let begun = try await begin()
        for _ in 0..<count {
            let before = seen
            try await eventually("a write", within: Self.patience) { try await writes() > before }
            seen = try await writes()
            // The answer is on its way, being stored, or never arrives.
            if Bool.random(using: &random) { try await releasePages() }
            try await killWorker()
        }
        try await letPagesPass()
        return begun
    }

    // MARK: The job

    private func hasEnded(_ job: String) async throws -> Bool {
        try await base.withDatabase { database in
            try await database.read { reader in
                try reader.row("SELECT 1 AS found FROM jobs WHERE id = \(job) AND finished_at IS NOT NULL") != nil
            }
        }
    }

    /// The state that a job wrote last; `nil` before the first.
    func checkpoint(ofJob id: String) async throws -> String? {
        try await base.withDatabase { database in
            try await database.read { reader -> String? in
                try reader.row("SELECT state FROM job_checkpoints WHERE job_id = \(id)")?["state"]
            }
        }
    }
}

extension SimulatedUpstream {
    /// What arrived at an endpoint.
    struct EndpointCounters: Decodable, Sendable {
        var arrivals: Int
        /// The number of answers by status.
        var statuses: [String: Int]
        /// The number of calls to which a fault rule applied.
        var faults: Int
    }

    /// The counters of the endpoints whose name contains the text.
    func counters(_ text: String = "") async throws -> [EndpointCounters] {
        let endpoints: [String: EndpointCounters] = try await ask("counters")
        return endpoints.filter { text.isEmpty || $0.key.contains(text) }.map(\.value)
    }

    /// How often endpoints whose name contains the text have answered with a status.
    func answers(_ status: Int, _ text: String = "") async throws -> Int {
        try await counters(text).reduce(0) { $0 + ($1.statuses["\(status)"] ?? 0) }
    }
}
