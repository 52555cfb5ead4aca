import Contracts
import JobStorage
import Model
import Storage
import TestSupport
import Testing

@testable import Library
@testable import LibrarySync

@Suite("Failures of sources during a sync", .timeLimit(.minutes(5)))
struct SyncFailureTests {
    @Test("A source that fails does not stop the other, and its error is shown until it is dismissed")
    func failingSource() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            let refused = ProviderFailure(.appleMusic, .userTokenRefused, message: "Connect Apple Music again.")
            fixture.appleMusic.change { $0.failures["playlists"] = refused }
            var view = try await fixture.sync()
            #expect(view.state == "partial" && view.sources.map(\.state) == ["failed", "complete"])
            #expect(view.sources[0].errorCode == "userTokenRefused")
            view = try await fixture.sync(.spotify)
            #expect(view.state == "complete" && view.sources[0].errorCode == "userTokenRefused")
            let count = try await fixture.database.write { [fixture] in
                try $0.syncs.dismissErrors(userID: fixture.userID, now: .now())
            }
            let left = try await fixture.latest()
            #expect(count == 1 && left.sources.allSatisfy { $0.errorCode == nil })
        }
    }

    @Test("An account without a library is read to its end, and the sync says why it found nothing")
    func noLibrary() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            let user = fixture.userID
            fixture.appleMusic.change { $0.lacksLibrary = true }
            var view = try await fixture.sync()
            #expect(view.state == "complete" && view.sources.map(\.state) == ["complete", "complete"])
            #expect(view.sources.map(\.errorCode) == ["noCloudLibrary", nil])
            #expect(view.sources[0].errorMessage?.contains("Sync Library") == true)
            view = try await fixture.sync(.spotify)
            #expect(view.state == "complete" && view.sources[0].errorCode == "noCloudLibrary")
            _ = try await fixture.database.write { try $0.syncs.dismissErrors(userID: user, now: .now()) }
            view = try await fixture.sync()
            #expect(view.state == "complete" && view.sources.allSatisfy { $0.errorCode == nil })
            // The account has a library for a while.
            fixture.appleMusic.change { $0.lacksLibrary = false }
            view = try await fixture.sync()
            #expect(view.sources.allSatisfy { $0.errorCode == nil })
            fixture.appleMusic.change { $0.lacksLibrary = true }
            view = try await fixture.sync()
            #expect(view.state == "complete" && view.sources[0].errorCode == "noCloudLibrary")
            #expect(try await fixture.missing() == [])
        }
    }

    @Test("A sync that read nothing is not the last one, and a source that failed is not skipped")
    func nothingRead() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            let user = fixture.userID
            let unscoped = ProviderFailure(.spotify, .scopeMissing, message: "Connect Spotify again.")
            fixture.spotify.change { $0.failures["tracks"] = unscoped }
            var view = try await fixture.sync(.spotify)
            #expect(view.state == "partial")
            var summary = try await fixture.database.read { try $0.library.summary(userID: user) }
            #expect(summary.lastSyncedAt == nil)
            fixture.spotify.change { $0.failures = [:] }
            try await fixture.sync(.spotify)
            summary = try await fixture.database.read { try $0.library.summary(userID: user) }
            #expect(summary.lastSyncedAt != nil)
            view = try await fixture.sync(force: false, connected: [.spotify])
            #expect(view.sources.map(\.state) == ["skipped"])
            let unread = try await fixture.database.read { try $0.library.summary(userID: user) }
            #expect(unread.lastSyncedAt == summary.lastSyncedAt)

            fixture.spotify.change { $0.failures["tracks"] = unscoped }
            try await fixture.sync(.spotify)
            view = try await fixture.sync(force: false)
            #expect(view.sources.map(\.state) == ["complete", "failed"])
            #expect(view.sources[1].errorCode == "scopeMissing")
            fixture.spotify.change { $0.failures = [:] }
            view = try await fixture.sync(force: false)
            #expect(view.sources.map(\.state) == ["skipped", "complete"] && view.sources[1].errorCode == nil)
        }
    }

    @Test("A failure with a known end postpones the sync, which shows it and continues where it was")
    func putOff() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            let (id, kept) = (try await fixture.ask(), LastResult<String>())
            let limited = ProviderFailure(
                .spotify, .rateLimited, until: .now().advanced(by: .seconds(3_600)), message: "Later.")
            fixture.spotify.change { $0.failures["playlists"] = limited }
            await #expect(throws: limited) { try await fixture.run(id, from: kept) }
            var view = try await fixture.latest()
            #expect(view.state == "running" && view.sources[1].state == "waiting")
            #expect(view.sources[1].errorCode == "rateLimited")
            fixture.spotify.change { $0.failures = [:] }
            _ = (fixture.spotify.takeRequests(), fixture.appleMusic.takeRequests())
            try await fixture.run(id, from: kept)
            view = try await fixture.latest()
            #expect(view.state == "complete" && view.sources.allSatisfy { $0.errorCode == nil })
            #expect(fixture.appleMusic.takeRequests().isEmpty)
            #expect(fixture.spotify.takeRequests().allSatisfy { !$0.hasPrefix("tracks") })
        }
    }

    @Test("A source that requests a pause is read last, and its pause does not keep the other from being read again")
    func postponeSource() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            let (id, kept) = (try await fixture.ask(), LastResult<String>())
            let tomorrow = Timestamp.now().advanced(by: .seconds(86_400))
            let limited = ProviderFailure(.appleMusic, .rateLimited, until: tomorrow, message: "Tomorrow.")
            fixture.appleMusic.change(afterRequests: 3) { $0.failures["tracks"] = limited }
            await #expect(throws: limited) { try await fixture.run(id, from: kept) }
            let view = try await fixture.latest()
            #expect(view.state == "running" && view.sources.map(\.state) == ["waiting", "complete"])
            #expect(view.sources.map(\.errorCode) == ["rateLimited", nil])
            #expect(view.sources[0].errorMessage == "Tomorrow.")

            let user = fixture.userID
            let job = JobInsertion(
                id: id, userID: user, kind: "library.sync", version: 1, payload: "{}", priority: 0,
                maximumAttempts: 5, createdAt: .now(), runAt: tomorrow)
            try await fixture.database.write { try $0.jobs.insert(job) }
            let cases: [(MusicSource?, [MusicSource]?)] = [
                (.spotify, [.spotify]), (.appleMusic, nil), (nil, [.spotify]),
            ]
            for (source, free) in cases {
                let other = try await fixture.ask(source)
                let payload = LibrarySyncRequest(userID: user, source: source, force: true).payload
                let begun = try await fixture.database.write {
                    try $0.syncs.beginRun(
                        ofSync: other, payload, connected: MusicSource.services, userID: user, now: .now())
                }
                if case .runs(_, _, let read, _) = begun {
                    #expect(read == free)
                } else {
                    #expect(free == nil, "\(begun)")
                }
                try await fixture.database.write {
                    try $0.syncs.endSync(other, userID: user, as: .cancelled, now: .now())
                }
            }

            fixture.appleMusic.change { $0.failures = [:] }
            _ = (fixture.spotify.takeRequests(), fixture.appleMusic.takeRequests())
            try await fixture.run(id, from: kept)
            #expect(fixture.spotify.takeRequests().isEmpty)
            #expect(fixture.appleMusic.takeRequests().first { $0.hasPrefix("tracks") } != "tracks 0")
            let rows = try await fixture.rows()
            #expect(rows.count { $0.hasPrefix("track 1 ") } == 13 && !rows.contains("sighting"))
        }
    }

    @Test("A source that requests a pause does not delay one with momentary failures, which uses up its attempts")
    func momentAndPause() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            let down = ProviderFailure(.appleMusic, .serverError, message: "Down.")
            let tomorrow = Timestamp.now().advanced(by: .seconds(86_400))
            let limited = ProviderFailure(.spotify, .rateLimited, until: tomorrow, message: "Tomorrow.")
            fixture.appleMusic.change { $0.failures["tracks"] = down }
            fixture.spotify.change { $0.failures["tracks"] = limited }
            let (id, kept) = (try await fixture.ask(), LastResult<String>())
            await #expect(throws: down) { try await fixture.run(id, isLastAttempt: false, from: kept) }
            let state = kept.last
            await #expect(throws: down) { try await fixture.run(id, isLastAttempt: false, from: kept) }
            // Nothing more was done, so the job's attempts are not reset.
            #expect(kept.last == state)
            #expect(try await fixture.latest().sources.map(\.errorCode) == ["serverError", "rateLimited"])
            fixture.appleMusic.change { $0.failures = [:] }
            await #expect(throws: limited) { try await fixture.run(id, isLastAttempt: false, from: kept) }
            #expect(try await fixture.latest().sources.map(\.state) == ["complete", "waiting"])

            fixture.appleMusic.change { $0.failures["tracks"] = down }
            let (second, place) = (try await fixture.ask(), LastResult<String>())
            // After the job's last attempt, the source is given up, and the other one waits. By then its account is
            // known, which does not count as progress.
            await #expect(throws: limited) { try await fixture.run(second, from: place) }
            #expect(try await fixture.latest().sources.map(\.state) == ["failed", "waiting"])
        }
    }

    @Test("An error is shown while a sync has not begun to read the source again")
    func errorWhileWaiting() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            let unscoped = ProviderFailure(.spotify, .scopeMissing, message: "Connect Spotify again.")
            fixture.spotify.change { $0.failures["tracks"] = unscoped }
            try await fixture.sync()
            let id = try await fixture.ask()
            _ = try await fixture.database.write { [fixture] in
                try $0.syncs.beginRun(
                    ofSync: id, .init(force: true), connected: MusicSource.services, userID: fixture.userID, now: .now()
                )
            }
            var view = try await fixture.latest()
            #expect(view.sources.map(\.state) == ["waiting", "waiting"])
            #expect(view.sources.map(\.errorCode) == [nil, "scopeMissing"])
            try await fixture.database.write { [fixture] in
                try $0.syncs.recordSourceStart(sync: id, source: .spotify, userID: fixture.userID)
            }
            view = try await fixture.latest()
            #expect(view.sources.map(\.errorCode) == [nil, nil])
        }
    }

    @Test("A source with a momentary failure is tried again after the other, within the same run")
    func momentaryFailure() async throws {
        try await SyncFixture.run { fixture in
            fixture.fill()
            let down = ProviderFailure(.appleMusic, .serverError, message: "Down.")
            fixture.appleMusic.change { $0.failures["tracks"] = down }
            // Spotify's first request comes after Apple Music's failure.
            let apple = fixture.appleMusic
            fixture.spotify.change(afterRequests: 1) { _ in apple.change { $0.failures = [:] } }
            let (id, kept) = (try await fixture.ask(), LastResult<String>())
            try await fixture.run(id, isLastAttempt: false, from: kept)
            let view = try await fixture.latest()
            #expect(view.state == "complete" && view.sources.map(\.state) == ["complete", "complete"])
        }
    }
}
