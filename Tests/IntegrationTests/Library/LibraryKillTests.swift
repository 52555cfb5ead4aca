import TestProcesses
import TestSupport
import Testing

@Suite("Syncs of libraries under SIGKILL", .timeLimit(.minutes(30)))
struct LibraryKillTests {
    private enum Target {
        case worker, gateway
    }

    private struct Kill {
        /// How many pages were requested before.
        var page: Int
        var victim: Target
        /// Whether the last page has been answered, so that its rows are being written; otherwise its answer is held
        /// back.
        var meetsWrites: Bool
    }

    private static let size = DisturbedSync.Size(tracks: 1_000, playlists: 70, albums: 120)
    private static let workerKills = 20
    private static let gatewayKills = 5

    @Test("A sync whose worker is killed 20 times and gateway 5 times leaves the rows of an undisturbed one")
    func killedProcesses() async throws {
        let seed = UInt64.random(in: 0...(.max - 1))
        print("seed \(seed)")
        let undisturbed = try await DisturbedSync.run(Self.size)
        let changes = undisturbed.rows.filter { $0.hasPrefix("library_changes") }
        for kind in ["added", "missing"] {
            #expect(changes.contains { $0.contains("kind=\(kind) ") }, "\(kind)")
        }

        var random = SeededRandom(seed: seed)
        let kills = try Self.kills(pages: undisturbed.pages, using: &random)
        let disturbed = try await DisturbedSync.run(Self.size) { library, sync in
            try await Self.carryOut(kills, in: library, during: sync)
        }
        disturbed.expectRows(of: undisturbed)
        let repeated = disturbed.pages - undisturbed.pages
        print("\(undisturbed.pages) pages, \(repeated) fetched again")
        // A killed worker loses the page that it has fetched and not yet written durably. A killed gateway loses none:
        // the worker continues by itself.
        #expect(repeated >= 0 && repeated <= Self.workerKills)
    }

    /// Kills at random pages, one in each part of the sync.
    private static func kills(pages: Int, using random: inout SeededRandom) throws -> [Kill] {
        let victims =
            Array(repeating: Target.worker, count: workerKills)
            + Array(repeating: Target.gateway, count: gatewayKills)
        // The last pages are left out, so that the last kill does not come after the end.
        let part = (pages - 6) / victims.count
        try #require(part >= 5, "\(pages) pages are too few")
        var kills: [Kill] = []
        for (index, victim) in victims.shuffled(using: &random).enumerated() {
            let page = index * part + Int.random(in: 1...(part - 2), using: &random)
            kills.append(Kill(page: page, victim: victim, meetsWrites: Bool.random(using: &random)))
        }
        return kills
    }

    private static func carryOut(_ kills: [Kill], in library: LibraryInstallation, during sync: String) async throws {
        var left = kills[...]
        var (pages, lastState): (Int, String?) = (0, nil)
        while let requested = try await library.nextPage(after: pages, ofSync: sync) {
            pages = requested
            // A job whose worker dies repeatedly before it has written anything is set aside as poison. So each kill
            // waits for a checkpoint after the one before it.
            if let kill = left.first, pages >= kill.page, try await library.checkpoint(ofJob: sync) != lastState {
                left.removeFirst()
                if kill.meetsWrites { try await library.releasePages() }
                switch kill.victim {
                case .worker: try await library.killWorker()
                case .gateway: try await library.killGateway()
                }
                lastState = try await library.checkpoint(ofJob: sync)
            }
            try await library.releasePages()
        }
        #expect(left.isEmpty, "\(left.count) kills were not carried out")
    }
}
