import Connections
import Contracts
import JobStorage
import Model
import Storage
import Testing

@testable import Jobs

@Suite("Jobs that wait for scopes", .timeLimit(.minutes(5)))
struct AwaitedScopeTests {
    /// The Spotify scopes that are missing at a job's first run.
    private static func handler(_ kind: JobKind) -> JobHandler {
        JobHandler(kind) { context in
            guard context.job.run.run == 1 else { return .effect(of: context.job) }
            throw ProviderFailure(
                .spotify, .scopeMissing, message: "No.", scope: context.job.payload == "[]" ? "one two" : nil)
        }
    }

    @Test("A job waits for the scopes that its failure names, or for those of its kind, until they are granted")
    func waitingForScopes() async throws {
        try await Engine.run { engine in
            let profile = TypedJobKind.spotifyProfile.kind
            engine.startWorker("w1", handlers: [Self.handler(.test), Self.handler(profile)])
            let named = try await engine.submit(payload: "[]")[0]
            let ofKind = try await engine.submit(kind: profile)[0]
            try await engine.untilCounts { $0 == [.scheduled: 2] }
            for (id, scopes) in [(named, ["one", "two"]), (ofKind, ["user-read-private"])] {
                let job = try #require(try await engine.job(id))
                #expect(job.awaits == "spotify" && job.awaitedScopes == scopes)
                #expect(job.attempt == 0 && job.errorCode == nil)
            }
            let awaited = try await engine.database.read { try $0.jobs.awaitedScopes(ofUser: "u") }
            #expect(awaited == ["spotify": ["one", "two", "user-read-private"]])
            #expect(try await engine.database.read { try $0.jobs.awaitedScopes(ofUser: "other") } == [:])
            try await engine.database.write { try $0.jobs.resumeJobs(userID: "u", awaiting: "spotify", now: .now()) }
            #expect(try await engine.database.read { try $0.jobs.awaitedScopes(ofUser: "u") } == [:])
            try await engine.untilCounts { $0 == [.succeeded: 2] }
            #expect(try await engine.job(named)?.awaitedScopes == [])
        }
    }

    @Test("A job of a kind without scopes fails instead of waiting forever")
    func kindWithoutScopes() async throws {
        try await Engine.run { engine in
            engine.startWorker("w1", handlers: [Self.handler(.test)])
            let id = try await engine.submit()[0]
            try await engine.untilCounts { $0 == [.failed: 1] }
            let job = try #require(try await engine.job(id))
            #expect(job.errorCode == "scopeMissing" && job.attempt == 1 && job.awaits == nil)
        }
    }

    @Test("A cancelled or due job no longer waits for scopes")
    func endOfTheWait() async throws {
        try await Engine.run { engine in
            engine.startWorker("w1", handlers: [Self.handler(.test)])
            let id = try await engine.submit(payload: "[]")[0]
            try await engine.untilCounts { $0 == [.scheduled: 1] }
            _ = try await engine.queue.cancel(id: id, userID: "u")
            #expect(try await engine.job(id)?.awaitedScopes == [])
            let other = try await engine.submit(payload: "[]")[0]
            try await engine.untilCounts { $0 == [.scheduled: 1, .cancelled: 1] }
            // This is the same as when its time comes.
            _ = try await engine.database.write { try $0.jobs.makeDue(jobID: other) }
            #expect(try await engine.job(other)?.awaitedScopes == [])
        }
    }
}
