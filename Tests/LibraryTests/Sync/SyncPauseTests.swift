import Contracts
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import LibrarySync

@Suite("Syncs that run while another waits for the end of a pause", .timeLimit(.minutes(5)))
struct SyncPauseTests {
    private static let tomorrow = Timestamp.now().advanced(by: .seconds(86_400))
    private static let limited = ProviderFailure(.spotify, .rateLimited, until: tomorrow, message: "Tomorrow.")

    /// Runs a sync of all sources until Spotify has requested a pause and Apple Music is complete.
    private func pause(_ fixture: SyncFixture) async throws -> (id: String, kept: LastResult<String>) {
        fixture.fill()
        fixture.spotify.change { $0.failures["tracks"] = Self.limited }
        let (id, kept) = (try await ask(fixture), LastResult<String>())
        await #expect(throws: Self.limited) { try await fixture.run(id, from: kept) }
        #expect(try await fixture.latest().sources.map(\.state) == ["complete", "waiting"])
        _ = (fixture.spotify.takeRequests(), fixture.appleMusic.takeRequests())
        return (id, kept)
    }

    /// Adds a sync with its job.
    private func ask(_ fixture: SyncFixture, _ source: MusicSource? = nil, force: Bool = true) async throws -> String {
        let id = try await fixture.ask(source, force: force)
        let job = JobInsertion(
            id: id, userID: fixture.userID, kind: "library.sync", version: 1, payload: "{}", priority: 0,
            maximumAttempts: 5, createdAt: .now(), runAt: Self.tomorrow)
        try await fixture.database.write { try $0.jobs.insert(job) }
        return id
    }

    private func begin(_ fixture: SyncFixture, _ id: String, _ source: MusicSource?) async throws -> SyncStart {
        let payload = LibrarySyncRequest(userID: fixture.userID, source: source, force: true).payload
        return try await fixture.database.write { [fixture] in
            try $0.syncs.beginRun(
                ofSync: id, payload, connected: MusicSource.services, userID: fixture.userID, now: .now())
        }
    }

    private func sources(_ beginning: SyncStart) -> [MusicSource]? {
        if case .runs(_, _, let sources, _) = beginning { sources } else { nil }
    }

    @Test("Requests for the other source do not join the waiting sync, and read that source immediately")
    func otherSource() async throws {
        try await SyncFixture.run { fixture in
            let paused = try await pause(fixture)
            let requests: [(MusicSource?, Bool, joins: Bool)] = [
                (.appleMusic, false, false), (.appleMusic, true, false), (nil, true, false), (.spotify, false, true),
            ]
            for (source, force, joins) in requests {
                let request = LibrarySyncRequest(userID: fixture.userID, source: source, force: force)
                let decision = try await fixture.database.read { try $0.syncs.decide(request) }
                #expect((decision == .joins(id: paused.id, state: "running")) == joins, "\(request)")
            }
            let view = try await fixture.sync(.appleMusic)
            #expect(view.state == "complete" && view.sources[0].state == "complete")
            #expect(!fixture.appleMusic.takeRequests().isEmpty && fixture.spotify.takeRequests().isEmpty)
        }
    }

    @Test("A sync of all sources leaves the paused source to the waiting sync, and shows its progress")
    func pausedSource() async throws {
        try await SyncFixture.run { fixture in
            let (paused, user) = (try await pause(fixture), fixture.userID)
            let id = try await ask(fixture)
            // This is before it begins.
            #expect(try await fixture.latest().sources.map(\.errorMessage) == ["Tomorrow."])
            try await fixture.run(id, from: LastResult())
            #expect(!fixture.appleMusic.takeRequests().isEmpty && fixture.spotify.takeRequests().isEmpty)
            var view = try await fixture.latest()
            #expect(view.id == id && view.state == "partial")
            #expect(view.sources.map(\.state) == ["complete", "waiting"])
            #expect(view.sources.map(\.errorMessage) == [nil, "Tomorrow."])
            _ = try await fixture.database.write { try $0.syncs.dismissErrors(userID: user, now: .now()) }
            view = try await fixture.latest()
            #expect(view.sources.map(\.state) == ["complete", "waiting"] && view.sources[1].errorCode == nil)

            fixture.spotify.change { $0.failures = [:] }
            try await fixture.run(paused.id, from: paused.kept)
            #expect(fixture.spotify.takeRequests().contains("tracks 0") && fixture.appleMusic.takeRequests().isEmpty)
            let end = try await fixture.latest()
            #expect(end.id == id && end.state == "complete")
            #expect(end.sources.map(\.state) == ["complete", "complete"])
            // Event streams report that, too.
            let changed = try await fixture.database.read { [view] in
                try $0.syncs.changed(userID: user, after: view.change, limit: 10).map(\.id)
            }
            #expect(Set(changed) == [id, paused.id])
        }
    }

    @Test("The paused source and its error are shown in the latest sync, which is for the other source")
    func latestSyncShowsThePause() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            // An older error, which the pause replaces.
            let cancelled = try await fixture.ask(.spotify)
            guard case .runs = try await begin(fixture, cancelled, .spotify) else {
                Issue.record("The first sync does not run.")
                return
            }
            try await fixture.database.write { [user = fixture.userID] in
                try $0.syncs.endSync(cancelled, userID: user, as: .cancelled, now: .now())
            }
            let paused = try await pause(fixture)
            var view = try await fixture.sync(.appleMusic)
            #expect(view.sources.map(\.state) == ["complete", "waiting"])
            #expect(view.sources.map(\.errorCode) == [nil, "rateLimited"])
            try await fixture.database.write { [user = fixture.userID] in
                try $0.syncs.endSync(paused.id, userID: user, as: .cancelled, now: .now())
            }
            let before = view.change
            view = try await fixture.latest()
            #expect(view.sources.map(\.errorCode) == [nil, "cancelled"] && view.change > before)
        }
    }

    @Test("A sync that waits for the same pause does not keep any sync from reading the other source")
    func twoWaiting() async throws {
        try await SyncFixture.run { fixture in
            _ = try await pause(fixture)
            let second = try await ask(fixture, .spotify)
            #expect(sources(try await begin(fixture, second, .spotify)) == nil)
            let (apple, all) = (try await ask(fixture, .appleMusic), try await ask(fixture))
            #expect(sources(try await begin(fixture, apple, .appleMusic)) == [.appleMusic])
            // That sync is currently reading Apple Music.
            #expect(sources(try await begin(fixture, all, nil)) == nil)
            try await fixture.run(apple, .appleMusic, from: LastResult())
            #expect(sources(try await begin(fixture, all, nil)) == [.appleMusic])
        }
    }

    @Test("A source that is connected again in the meantime is read by a sync of its own")
    func connectedAnew() async throws {
        try await SyncFixture.run { fixture in
            let paused = try await pause(fixture)
            let all = try await ask(fixture)
            let request = LibrarySyncRequest(userID: fixture.userID, source: .spotify, isRestart: true)
            let decision = try await fixture.database.read { try $0.syncs.decide(request) }
            #expect(decision == .submits(NewLibrarySync(payload: request.payload)), "\(paused) \(all)")
        }
    }
}
