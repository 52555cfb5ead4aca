import Contracts
import Model
import Storage
import TestSupport
import Testing

@testable import Library
@testable import LibrarySync
@testable import LibraryWriting

@Suite("Requests for syncs")
struct SyncRequestTests {
    private func decision(
        _ fixture: SyncFixture, _ source: MusicSource? = nil, force: Bool = false
    ) async throws -> LibrarySyncDecision {
        let request = LibrarySyncRequest(userID: fixture.userID, source: source, force: force)
        return try await fixture.database.read { try $0.syncs.decide(request) }
    }

    private func joins(_ decision: LibrarySyncDecision, _ id: String) -> Bool {
        guard case .joins(id, _) = decision else { return false }
        return true
    }

    /// Begins a sync of both sources, and returns its id.
    private func beginAll(_ fixture: SyncFixture) async throws -> String {
        let id = try await fixture.ask(force: true)
        let begun = try await fixture.database.write { [fixture] in
            try $0.syncs.beginRun(
                ofSync: id, .init(force: true), connected: MusicSource.services, userID: fixture.userID, now: .now())
        }
        guard case .runs = begun else {
            Issue.record("It does not run: \(begun)")
            return id
        }
        return id
    }

    @Test("A request joins a waiting sync that covers it; otherwise, a new sync is queued")
    func joiningAWaitingSync() async throws {
        try await SyncFixture.run { fixture in
            #expect(try await decision(fixture) == .submits(NewLibrarySync(payload: .init(source: nil, force: false))))
            let all = try await fixture.ask(force: false)
            #expect(joins(try await decision(fixture), all))
            // The sync of all sources may skip a source that finished just before it.
            #expect(!joins(try await decision(fixture, .spotify), all))
            #expect(!joins(try await decision(fixture, force: true), all))
            let forced = try await fixture.ask(force: true)
            #expect(joins(try await decision(fixture, force: true), forced))
            #expect(joins(try await decision(fixture, .spotify), forced))
        }
    }

    @Test("A running sync covers what it reads, unless it skips the source or failed there")
    func joiningARunningSync() async throws {
        try await SyncFixture.run { fixture in
            try await fixture.sync(.spotify)
            let id = try await fixture.ask(force: false)
            let begun = try await fixture.database.write { [fixture] in
                try $0.syncs.beginRun(
                    ofSync: id, .init(), connected: [.appleMusic, .spotify], userID: fixture.userID, now: .now())
            }
            guard case .runs(_, _, let sources, _) = begun else {
                Issue.record("It does not run: \(begun)")
                return
            }
            #expect(sources == [.appleMusic])
            #expect(joins(try await decision(fixture), id))
            #expect(joins(try await decision(fixture, .appleMusic), id))
            #expect(!joins(try await decision(fixture, .spotify), id))
            #expect(!joins(try await decision(fixture, force: true), id))
            try await fixture.database.write { [fixture] transaction in
                try transaction.syncs.setSourceState(
                    "failed", SourceError(code: "forbidden", message: "No."), sync: id, source: .appleMusic,
                    userID: fixture.userID)
            }
            #expect(!joins(try await decision(fixture), id))
        }
    }

    @Test("A running sync covers a source that it finished only while a new sync would skip that")
    func finishedSource() async throws {
        try await SyncFixture.run { fixture in
            let (id, user) = (try await beginAll(fixture), fixture.userID)
            let library = try await fixture.database.write { try $0.library.open(userID: user, now: .now()) }
            let account = ScriptedLibrary.Content().account
            _ = try await fixture.database.write {
                try $0.library.beginSource(.appleMusic, account: account, library: library, now: .now())
            }
            #expect(joins(try await decision(fixture, .appleMusic), id))
            #expect(joins(try await decision(fixture, force: true), id))
            for (seconds, isCovered) in [(60, true), (600, false)] {
                let end = Timestamp.now().advanced(by: .seconds(-seconds))
                try await fixture.database.write { transaction in
                    try transaction.library.recordCompletion(of: .appleMusic, library: library, now: end)
                    try transaction.syncs.setSourceState(
                        "complete", sync: id, source: .appleMusic, userID: user, finishedAt: end)
                }
                #expect(joins(try await decision(fixture), id) == isCovered)
                // These requests would read it again.
                #expect(!joins(try await decision(fixture, .appleMusic), id))
                #expect(!joins(try await decision(fixture, .appleMusic, force: true), id))
                #expect(!joins(try await decision(fixture, force: true), id))
                #expect(joins(try await decision(fixture, .spotify), id))
            }
        }
    }

    @Test("Connecting a source, or saying whose library it is, has it read even if a sync is already reading it")
    func connectedSource() async throws {
        try await SyncFixture.run { fixture in
            let user = fixture.userID
            let id = try await beginAll(fixture)
            func connect() async throws -> String {
                try await fixture.database.write { transaction in
                    try transaction.syncs.submitSync(
                        afterConnecting: .spotify, userID: user, interval: nil, now: .now()
                    ) { _ in UUIDv7.next() }
                }
            }
            // The running sync has not reached Spotify yet.
            #expect(try await connect() == id)
            let paused = SourceError(code: "rateLimited", message: "Later.")
            let statuses: [(String, SourceError?)] = [("running", nil), ("waiting", paused), ("complete", nil)]
            for (state, error) in statuses {
                try await fixture.database.write { transaction in
                    try transaction.syncs.setSourceState(
                        state, error, sync: id, source: .spotify, userID: user, finishedAt: .now())
                }
                let request = LibrarySyncRequest(userID: user, source: .spotify, isRestart: true)
                let decided = try await fixture.database.read { try $0.syncs.decide(request) }
                #expect(!joins(decided, id), "\(state)")
            }
            let second = try await connect()
            #expect(second != id)
            // That sync is waiting, so it will read whatever is connected by then.
            #expect(try await connect() == second)
        }
    }

    @Test("A source that finished within five minutes is skipped, unless forced or requested alone")
    func recentlyFinishedSource() async throws {
        try await SyncFixture.run { fixture in
            try await fixture.sync(.spotify)
            _ = fixture.spotify.takeRequests()
            let view = try await fixture.sync(force: false)
            #expect(view.sources.map(\.state) == ["complete", "skipped"])
            #expect(fixture.spotify.takeRequests().isEmpty)
            try await fixture.sync(.spotify, force: false)
            #expect(!fixture.spotify.takeRequests().isEmpty)
            try await fixture.sync(force: true)
            #expect(!fixture.spotify.takeRequests().isEmpty)
        }
    }

    @Test("A source that failed since it finished is not skipped")
    func failedSince() async throws {
        try await SyncFixture.run { fixture in
            try await fixture.sync(force: true)
            let id = try await beginAll(fixture)
            try await fixture.database.write { [user = fixture.userID] transaction in
                let syncs = transaction.syncs
                let error = SourceError(code: "forbidden", message: "No.")
                try syncs.setSourceState("failed", error, sync: id, source: .spotify, userID: user, finishedAt: .now())
                try syncs.setSourceState("complete", sync: id, source: .appleMusic, userID: user, finishedAt: .now())
                try syncs.finish(sync: id, as: .partial, userID: user, now: .now())
            }
            _ = (fixture.spotify.takeRequests(), fixture.appleMusic.takeRequests())
            let view = try await fixture.sync(force: false)
            #expect(view.sources.map(\.state) == ["skipped", "complete"])
            #expect(!fixture.spotify.takeRequests().isEmpty && fixture.appleMusic.takeRequests().isEmpty)
            let second = try await fixture.sync(force: false)
            #expect(second.sources.map(\.state) == ["skipped", "skipped"])
        }
    }

    @Test("A scheduled sync joins one in progress, and reads nothing without a connected source")
    func scheduledSync() async throws {
        try await SyncFixture.run { fixture in
            try await fixture.run(UUIDv7.next(), force: false, connected: [], from: LastResult())
            _ = try await fixture.ask()
            try await fixture.run(UUIDv7.next(), force: false, from: LastResult())
            #expect(fixture.spotify.takeRequests().isEmpty)
            let count = try await fixture.database.read {
                try $0.row("SELECT COUNT(*) AS count FROM library_syncs")?["count"] ?? 0
            }
            #expect(count == 1)
        }
    }

    @Test("A scheduled sync does not join one that reads another source")
    func scheduledBesideOther() async throws {
        try await SyncFixture.run { fixture in
            let id = try await fixture.ask(.spotify)
            func begin(_ id: String, _ source: MusicSource?, _ connected: [MusicSource]) async throws -> SyncStart {
                let payload = LibrarySyncRequest(userID: fixture.userID, source: source).payload
                return try await fixture.database.write { [fixture] in
                    try $0.syncs.beginRun(
                        ofSync: id, payload, connected: connected, userID: fixture.userID, now: .now())
                }
            }
            guard case .runs = try await begin(id, .spotify, MusicSource.services) else {
                Issue.record("The first sync does not run.")
                return
            }
            #expect(try await begin(UUIDv7.next(), nil, [.spotify]) == .joined)
            #expect(try await begin(UUIDv7.next(), nil, MusicSource.services) != .joined)
        }
    }

    @Test("Old syncs are deleted, except those that the change log refers to")
    func deletionOfOldSyncs() async throws {
        try await SyncFixture.run { fixture in
            let user = fixture.userID
            fixture.fill()
            try await fixture.sync(.spotify)
            let (first, second) = (try await fixture.latest().id, try await fixture.sync(.spotify).id)
            #expect(first != second)
            for _ in 0..<60 {
                let id = try await fixture.ask(.spotify)
                try await fixture.database.write {
                    try $0.syncs.endSync(id, userID: user, as: .cancelled, now: .now())
                }
            }
            let (syncs, sources, changes) = try await fixture.database.read { reader in
                (
                    try reader.rows("SELECT id FROM library_syncs").map { try $0["id"] as String },
                    try reader.rows("SELECT sync_id FROM library_sync_sources").map { try $0["sync_id"] as String },
                    try reader.libraryChanges.page(userID: user, ChangeListQuery(limit: 200)).items
                )
            }
            #expect(syncs.count == 51 && syncs.contains(first) && !syncs.contains(second))
            #expect(sources == [first])
            #expect(!changes.isEmpty && changes.allSatisfy { $0.syncID == first })
        }
    }

    @Test("A failed job ends its sync with the error, and a requeued one continues under a new number")
    func requeuedSync() async throws {
        try await SyncFixture.run { fixture in
            let user = fixture.userID
            let first = try await fixture.ask(.spotify)
            try await fixture.database.write {
                try $0.syncs.endSync(first, userID: user, as: .failed(code: "poison"), now: .now())
            }
            #expect(try await fixture.latest().state == "failed")
            try await fixture.sync(.spotify)
            try await fixture.database.write {
                try $0.syncs.requeueSync(first, userID: user, code: "poison")
            }
            let view = try await fixture.latest()
            #expect(view.id == first && view.state == "queued" && view.finishedAt == nil)
            try await fixture.database.write {
                try $0.syncs.endSync(first, userID: user, as: .cancelled, now: .now())
            }
            #expect(try await fixture.latest().state == "failed")
        }
    }
}
