import TestProcesses
import TestSupport
import Testing

@Suite("Syncs of libraries under SIGKILL", .timeLimit(.minutes(10)))
struct LibraryKillTests {
    private enum Victim {
        case worker, gateway
    }

    private static let workerKills = 20
    private static let gatewayKills = 5

    @Test("A sync whose worker is killed 20 times and gateway 5 times leaves the rows of an undisturbed one")
    func killed() async throws {
        let seed = UInt64.random(in: 0...(.max - 1))
        print("seed \(seed)")
        let undisturbed = try await sync { _, _ in }
        let changes = undisturbed.rows.filter { $0.hasPrefix("library_changes") }
        for kind in ["added", "missing"] {
            #expect(changes.contains { $0.contains("kind=\(kind) ") }, "\(kind)")
        }

        var random = SeededRandom(seed: seed)
        let moments = try Self.moments(pages: undisturbed.pages, using: &random)
        let disturbed = try await sync { library, pagesBefore in
            var last = 0
            for (page, victim) in moments {
                // Two further requests after a kill: the first page's rows are written by then. A job whose worker
                // dies again and again without progress would be set aside as poison.
                let reached = max(page, last + 2)
                try await eventually("page \(reached) of \(undisturbed.pages)") {
                    try await library.pages() - pagesBefore >= reached
                }
                switch victim {
                case .worker: try await library.killWorker()
                case .gateway: try await library.killGateway()
                }
                last = try await library.pages() - pagesBefore
            }
        }

        let differences = LibraryRows.differences(undisturbed.rows, disturbed.rows)
        let some = differences.prefix(20).map { String($0.prefix(400)) }
        #expect(differences.isEmpty, "\(differences.count): \(some)")
        let repeated = disturbed.pages - undisturbed.pages
        print("\(undisturbed.pages) pages, \(repeated) fetched again")
        // A killed worker loses the page that it has fetched and not yet written durably. A killed gateway costs none:
        // the worker goes on by itself.
        #expect(repeated >= 0 && repeated <= Self.workerKills)
    }

    /// Random moments, by the number of pages that were requested until then: one in each part of the sync, and some
    /// pages apart.
    private static func moments(
        pages: Int, using random: inout SeededRandom
    ) throws -> [(page: Int, victim: Victim)] {
        let victims =
            Array(repeating: Victim.worker, count: workerKills)
            + Array(repeating: Victim.gateway, count: gatewayKills)
        // The last pages are left, so that the last kill does not come after the end.
        let part = (pages - 6) / victims.count
        try #require(part >= 5, "\(pages) pages are too few")
        var moments: [(page: Int, victim: Victim)] = []
        for (index, victim) in victims.shuffled(using: &random).enumerated() {
            moments.append((index * part + Int.random(in: 1...(part - 2), using: &random), victim))
        }
        return moments
    }

    /// Reads other libraries of both services than those that the person had there before, in one sync: songs,
    /// playlists and albums come, stay and go.
    ///
    /// - Parameter disturb: gets the number of pages that were requested before the sync, and acts while it runs.
    /// - Returns: the rows afterwards, and the number of pages that the sync requested.
    private func sync(
        _ disturb: (LibraryInstallation, _ pagesBefore: Int) async throws -> Void
    ) async throws -> (rows: [String], pages: Int) {
        var (rows, pages): ([String], Int) = ([], 0)
        try await LibraryInstallation.run { library in
            let (spotify, apple) = (library.upstreams.spotify, library.upstreams.appleMusic)
            // More at Spotify than later: where the total has not risen, the next sync reads all pages.
            try await library.fill(spotify, tracks: 1_050, first: 500, playlists: 3, albums: 10)
            try await library.fill(apple, tracks: 300, playlists: 3, albums: 10)
            let ada = try await library.base.addUser()
            try await library.connectAppleMusic(ada)
            try await ada.syncsEnded()
            try await library.connectSpotify(ada)
            try await ada.syncsEnded()

            try await library.fill(spotify, tracks: 1_000, playlists: 70, albums: 120)
            try await library.fill(apple, tracks: 1_000, first: 300, playlists: 70, albums: 120)
            for upstream in [spotify, apple] { try await upstream.configure(["latencyMs": 20]) }
            let before = try await library.pages()
            _ = try await ada.askForSync(#"{"force":true}"#)
            try await disturb(library, before)
            let end = try await ada.syncsEnded(within: .seconds(300))
            #expect(end.state == "complete" && end.sources.count == 2, "\(end)")
            pages = try await library.pages() - before
            rows = try await library.base.withDatabase { database in
                try await database.read { try LibraryRows($0).lines() }
            }
        }
        return (rows, pages)
    }
}
