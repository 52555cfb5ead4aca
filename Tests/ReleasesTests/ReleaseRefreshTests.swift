import Contracts
import DomainEvents
import Jobs
import JobStorage
import Model
import Storage
import TestSupport
import Testing
import Timeline
import Visibility

@testable import Releases

@Suite("Refreshes and schedules", .timeLimit(.minutes(2)))
struct ReleaseRefreshTests {
    private static let kind = TypedJobKind.releasesRead.kind.name

    private struct Person: Sendable {
        let releases: ReleaseFixture
        let userID: String

        var database: Database { releases.database }

        func schedule() async throws -> DomainSchedule? {
            try await database.read { try $0.jobs.schedule(kind: ReleaseRefreshTests.kind, userID: userID) }
        }

        func refresh() async throws -> ReleaseRefresh? {
            try await database.read { try $0.releases.refresh(ofUser: userID) }
        }

        func end(asked: Int64, _ troubles: [ReleaseTrouble] = [], again: Timestamp? = nil, now: Timestamp) async throws
        {
            try await database.write {
                try $0.releases.endRefresh(
                    .done, done: 2, of: 2, troubles: troubles, asked: asked, again: again, userID: userID, now: now)
            }
        }
    }

    private func run(_ body: @escaping @Sendable (Person) async throws -> Void) async throws {
        try await ReleaseFixture.run { releases in
            releases.database.register(.releases(isOn: true))
            try await body(Person(releases: releases, userID: try await releases.database.addPerson()))
        }
    }

    @Test("A refresh is due at once, and the schedule daily after it")
    func beginning() async throws {
        try await run { person in
            let now = ReleaseFixture.noon
            try await person.database.write { try $0.releases.schedule(userID: person.userID, now: now) }
            let first = try #require(try await person.schedule())
            #expect(first.every == .seconds(86_400) && first.nextAt >= now)
            try await person.database.write { try $0.releases.beginRefresh(ofUser: person.userID, now: now) }
            #expect(try await person.schedule()?.nextAt == now)
            let begun = try #require(try await person.refresh())
            #expect(begun.state == .waiting && begun.asked == 1 && begun.begunAt == now)
            // Asking again does not move it.
            let later = now.advanced(by: .seconds(5))
            try await person.database.write { try $0.releases.beginRefresh(ofUser: person.userID, now: later) }
            #expect(try await person.schedule()?.nextAt == now)
        }
    }

    @Test("What a person asks for while the job runs begins again when it has ended")
    func askedMeanwhile() async throws {
        try await run { person in
            let now = ReleaseFixture.noon
            let (userID, database) = (person.userID, person.database)
            try await database.write { transaction in
                try transaction.releases.beginRefresh(ofUser: userID, now: now)
                try transaction.releases.storeProgress(1, of: 2, userID: userID, now: now)
            }
            let running = try #require(try await person.refresh())
            #expect(running.state == .running && running.done == 1 && running.total == 2)
            let tomorrow = ReleaseFixture.after(days: 1)
            try await database.write { transaction in
                try transaction.releases.beginRefresh(ofUser: userID, now: now)
                // As the dispatcher does when it submits the job.
                try transaction.run("UPDATE domain_schedules SET next_at = \(tomorrow)")
            }
            #expect(try await person.refresh()?.state == .running)
            try await person.end(asked: running.asked, now: now)
            #expect(try await person.refresh()?.state == .waiting)
            #expect(try await person.schedule()?.nextAt == now)
            let asked = try #require(try await person.refresh()).asked
            try await person.end(asked: asked, now: now)
            let ended = try #require(try await person.refresh())
            #expect(ended.state == .done && ended.endedAt == now && ended.troubles.isEmpty)
        }
    }

    @Test("What failed for now is tried again before the next day, and its reason is kept")
    func troubles() async throws {
        try await run { person in
            let (now, again) = (ReleaseFixture.noon, ReleaseFixture.noon.advanced(by: .seconds(3_600)))
            try await person.database.write { transaction in
                try transaction.releases.beginRefresh(ofUser: person.userID, now: now)
                try transaction.run("UPDATE domain_schedules SET next_at = \(ReleaseFixture.after(days: 1))")
            }
            let failure = ProviderFailure(.spotify, .quotaExhausted, until: again, message: "Spotify is used up.")
            try await person.end(asked: 1, [ReleaseTrouble(failure, at: .spotify)], again: again, now: now)
            #expect(try await person.schedule()?.nextAt == again)
            let trouble = try #require(try await person.refresh()?.troubles.first)
            #expect(trouble.code == "quotaExhausted" && trouble.until == again && trouble.recovery == "retryAt")
        }
    }

    @Test("Connecting a service, ranking a new artist and the first opening of the feed begin a refresh")
    func events() async throws {
        try await run { person in
            let (userID, database) = (person.userID, person.database)
            @Sendable func asked() async throws -> Int64 { try await person.refresh()?.asked ?? 0 }
            @Sendable func publish<Event: DomainEvent>(_ event: Event) async throws
            where Event.Context == JobSubmissions {
                try await database.write { transaction in
                    var submissions = JobSubmissions(maximumAttempts: 5, trace: nil)
                    try transaction.publish(event, with: &submissions)
                }
            }
            try await publish(AccountConnected(userID: userID, provider: .ticketmaster))
            #expect(try await asked() == 0)
            try await publish(FeedOpened(userID: userID, isFirst: false))
            #expect(try await asked() == 0)
            #expect(try await person.schedule() != nil)
            try await publish(FeedOpened(userID: userID, isFirst: true))
            try await publish(AccountConnected(userID: userID, provider: .spotify))
            #expect(try await asked() == 2)

            try await database.write { try $0.publish(RankedArtistsChanged(userID: userID, artistKeys: ["noravale"])) }
            #expect(try await asked() == 3)
            try await person.releases.record([.album("1", "Harbor", "2019")])
            try await database.write { try $0.publish(RankedArtistsChanged(userID: userID, artistKeys: ["noravale"])) }
            try await database.write { try $0.publish(RankedArtistsChanged(userID: userID, artistKeys: [])) }
            #expect(try await asked() == 3, "nothing is new to read")
        }
    }
}
