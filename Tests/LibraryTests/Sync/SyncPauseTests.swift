import Contracts
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import Library

@Suite("Syncs that run while another waits for the end of a pause", .timeLimit(.minutes(5)))
struct SyncPauseTests {
    private static let tomorrow = Timestamp.now().advanced(by: .seconds(86_400))
    private static let limited = ProviderFailure(.spotify, .rateLimited, until: tomorrow, message: "Tomorrow.")

    /// Runs a sync of all sources until Spotify has requested a pause and Apple Music is complete.
    private func pause(_ bench: SyncBench) async throws -> (id: String, kept: LastResult<String>) {
        bench.fill()
        bench.spotify.change { $0.failures["tracks"] = Self.limited }
        let (id, kept) = (try await ask(bench), LastResult<String>())
        await #expect(throws: Self.limited) { try await bench.run(id, from: kept) }
        #expect(try await bench.latest().sources.map(\.state) == ["complete", "waiting"])
        _ = (bench.spotify.takeRequests(), bench.appleMusic.takeRequests())
        return (id, kept)
    }

    /// Adds a sync with its job.
    private func ask(_ bench: SyncBench, _ source: MusicSource? = nil, force: Bool = true) async throws -> String {
        let id = try await bench.ask(source, force: force)
        let job = JobInsertion(
            id: id, userID: bench.userID, kind: "library.sync", version: 1, payload: "{}", priority: 0,
            maximumAttempts: 5, createdAt: .now(), runAt: Self.tomorrow)
        try await bench.database.write { try $0.jobs.insert(job) }
        return id
    }

    private func begin(_ bench: SyncBench, _ id: String, _ source: MusicSource?) async throws -> SyncBeginning {
        let payload = LibrarySyncRequest(userID: bench.userID, source: source, force: true).payload
        return try await bench.database.write { [bench] in
            try $0.syncs.beginRun(
                ofSync: id, payload, connected: MusicSource.services, userID: bench.userID, now: .now())
        }
    }

    private func sources(_ beginning: SyncBeginning) -> [MusicSource]? {
        if case .runs(_, _, let sources, _) = beginning { sources } else { nil }
    }

    @Test("Requests for the other source do not join the waiting sync, and read that source immediately")
    func otherSource() async throws {
        try await SyncBench.run { bench in
            let paused = try await pause(bench)
            let requests: [(MusicSource?, Bool, joins: Bool)] = [
                (.appleMusic, false, false), (.appleMusic, true, false), (nil, true, false), (.spotify, false, true),
            ]
            for (source, force, joins) in requests {
                let request = LibrarySyncRequest(userID: bench.userID, source: source, force: force)
                let decision = try await bench.database.read { try $0.syncs.decide(request) }
                #expect((decision == .joins(id: paused.id, state: "running")) == joins, "\(request)")
            }
            let view = try await bench.sync(.appleMusic)
            #expect(view.state == "complete" && view.sources[0].state == "complete")
            #expect(!bench.appleMusic.takeRequests().isEmpty && bench.spotify.takeRequests().isEmpty)
        }
    }

    @Test("A sync of all sources leaves the paused source to the waiting sync, and shows its progress")
    func all() async throws {
        try await SyncBench.run { bench in
            let (paused, user) = (try await pause(bench), bench.userID)
            let id = try await ask(bench)
            // This is before it begins.
            #expect(try await bench.latest().sources.map(\.errorMessage) == ["Tomorrow."])
            try await bench.run(id, from: LastResult())
            #expect(!bench.appleMusic.takeRequests().isEmpty && bench.spotify.takeRequests().isEmpty)
            var view = try await bench.latest()
            #expect(view.id == id && view.state == "partial")
            #expect(view.sources.map(\.state) == ["complete", "waiting"])
            #expect(view.sources.map(\.errorMessage) == [nil, "Tomorrow."])
            _ = try await bench.database.write { try $0.syncs.dismissErrors(userID: user, now: .now()) }
            view = try await bench.latest()
            #expect(view.sources.map(\.state) == ["complete", "waiting"] && view.sources[1].errorCode == nil)

            bench.spotify.change { $0.failures = [:] }
            try await bench.run(paused.id, from: paused.kept)
            #expect(bench.spotify.takeRequests().contains("tracks 0") && bench.appleMusic.takeRequests().isEmpty)
            let end = try await bench.latest()
            #expect(end.id == id && end.state == "complete")
            #expect(end.sources.map(\.state) == ["complete", "complete"])
            // Event streams report that, too.
            let changed = try await bench.database.read { [view] in
                try $0.syncs.changed(userID: user, after: view.change, limit: 10).map(\.id)
            }
            #expect(Set(changed) == [id, paused.id])
        }
    }

    @Test("The paused source and its error are shown in the latest sync, which is for the other source")
    func latest() async throws {
        try await SyncBench.run { bench in
            bench.fill()
            // An older error, which the pause replaces.
            let cancelled = try await bench.ask(.spotify)
            guard case .runs = try await begin(bench, cancelled, .spotify) else {
                Issue.record("The first sync does not run.")
                return
            }
            try await bench.database.write { [user = bench.userID] in
                try $0.syncs.endSync(cancelled, userID: user, as: .cancelled, now: .now())
            }
            let paused = try await pause(bench)
            var view = try await bench.sync(.appleMusic)
            #expect(view.sources.map(\.state) == ["complete", "waiting"])
            #expect(view.sources.map(\.errorCode) == [nil, "rateLimited"])
            try await bench.database.write { [user = bench.userID] in
                try $0.syncs.endSync(paused.id, userID: user, as: .cancelled, now: .now())
            }
            let before = view.change
            view = try await bench.latest()
            #expect(view.sources.map(\.errorCode) == [nil, "cancelled"] && view.change > before)
        }
    }

    @Test("A sync that waits for the same pause does not keep any sync from reading the other source")
    func twoWaiting() async throws {
        try await SyncBench.run { bench in
            _ = try await pause(bench)
            let second = try await ask(bench, .spotify)
            #expect(sources(try await begin(bench, second, .spotify)) == nil)
            let (apple, all) = (try await ask(bench, .appleMusic), try await ask(bench))
            #expect(sources(try await begin(bench, apple, .appleMusic)) == [.appleMusic])
            // That sync is currently reading Apple Music.
            #expect(sources(try await begin(bench, all, nil)) == nil)
            try await bench.run(apple, .appleMusic, from: LastResult())
            #expect(sources(try await begin(bench, all, nil)) == [.appleMusic])
        }
    }

    @Test("A source that is connected again in the meantime is read by a sync of its own")
    func connectedAnew() async throws {
        try await SyncBench.run { bench in
            let paused = try await pause(bench)
            let all = try await ask(bench)
            let request = LibrarySyncRequest(userID: bench.userID, source: .spotify, isAnew: true)
            let decision = try await bench.database.read { try $0.syncs.decide(request) }
            #expect(decision == .submits(NewLibrarySync(payload: request.payload)), "\(paused) \(all)")
        }
    }
}
