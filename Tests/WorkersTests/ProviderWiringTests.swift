import AccountsWorker
import Composition
import ConcertsWorker
import ConnectionsWorker
import Contracts
import Connections
import Domains
import Model
import Spotify
import Synchronization
import Testing
import Upstream

@testable import UpstreamSimulator
@testable import Workers

@Suite("Providers of worker processes", .timeLimit(.minutes(5)))
struct ProviderWiringTests {
    @Test("Every worker can call Spotify, and two kinds of worker refresh a token once")
    func oneRefresh() async throws {
        try await WorkerFixture.run { fixture in
            try await fixture.withWorker("sync-worker") { sync in
                try await fixture.connect(by: sync)
                try await fixture.withWorker("ai-worker") { ai in
                    let spotify = try [sync, ai].map { try $0.providers.spotify() }
                    for round in 1...3 {
                        fixture.expireAccessTokens()
                        let names = try await withThrowingTaskGroup(of: String?.self) { group in
                            for provider in spotify {
                                for _ in 0..<8 {
                                    group.addTask {
                                        try await provider.call(userID: fixture.userID, scopes: WorkerFixture.scopes) {
                                            try await $0.me().name
                                        }
                                    }
                                }
                            }
                            return try await group.reduce(into: []) { $0.append($1) }
                        }
                        #expect(names == Array(repeating: "Dana Novák", count: 16))
                        #expect(fixture.refreshCount == round)
                    }
                    #expect(try await fixture.state == .connected)
                }
            }
        }
    }

    private struct Document: Decodable, Sendable {}

    @Test("An answer that a call expects does not degrade the connection; the same answer to another call does")
    func expectedAnswers() async throws {
        try await WorkerFixture.run { fixture in
            try await fixture.withWorker("ai-worker") { process in
                try await fixture.connect(by: process)
                let spotify = try process.providers.spotify()
                func read(_ expected: SpotifyClient.Expectation) async throws -> Bool {
                    fixture.simulator.spotify.recorder.add([FaultRule(fault: .forbidden403, times: 1)])
                    return try await spotify.call(userID: fixture.userID) { client in
                        let answer = try await client.read("/me", as: Document.self, expecting: expected)
                        guard case .forbidden(nil) = answer else { return false }
                        return true
                    }
                }
                #expect(try await read(.forbidden))
                #expect(try await fixture.state == .connected)
                let failure = try await #require(throws: ProviderFailure.self) { _ = try await read(.notFound) }
                #expect(failure.kind == .forbidden && failure.provider == .spotify)
                #expect(try await fixture.state == .degraded(.forbidden, until: nil))
                // A successful answer repairs the connection.
                #expect(try await read(.forbidden))
                #expect(try await fixture.state == .connected)
            }
        }
    }

    @Test("A provider is opened once, when first used; shutting down ends all open ones")
    func openedOnFirstUse() async throws {
        try await WorkerFixture.run { fixture in
            let (first, second) = (Ends(), Ends())
            try await fixture.withWorker("sync-worker") { process in
                let providers = process.providers
                #expect(throws: CancellationError.self) {
                    try providers.opened { _ -> First in throw CancellationError() }
                }
                var openings = 0
                for _ in 0..<3 {
                    _ = try providers.opened { _ in
                        openings += 1
                        return First(ends: first)
                    }
                }
                _ = try providers.opened { _ in Second(ends: second) }
                #expect(openings == 1)
                let deadline = MonotonicInstant.now().advanced(by: .seconds(3))
                await providers.shutdown(by: deadline)
                #expect(first.deadlines == [deadline] && second.deadlines == [deadline])
            }
            // A provider that was never called also ends.
            try await fixture.withWorker("concert-worker") { _ in }
        }
    }

    @Test("Every kind of job has a handler in some worker, of the version that is written")
    func everyKind() async throws {
        try await WorkerFixture.run { fixture in
            var configuration = fixture.configuration
            configuration.google.clientIDs = ["client"]
            let whole = WorkerFixture(
                simulator: fixture.simulator, database: fixture.database, userID: fixture.userID,
                configuration: configuration)
            try await whole.withWorker("sync-worker") { process in
                for kind in JobKinds(of: .all).all {
                    let workers = try WorkerProgram.allCases.map([WorkerDomain].all(of:)).filter { domains in
                        try process.handlers(of: domains).contains {
                            $0.kind.name == kind.name && $0.versions.contains(kind.version)
                        }
                    }
                    #expect(!workers.isEmpty, "\(kind.name) waits forever: no worker's list has its domain")
                }
            }
        }
    }

    @Test("An unconfigured provider has no handlers, but people can bring their own Spotify app")
    func unconfiguredProvider() async throws {
        try await WorkerFixture.run { fixture in
            var configuration = fixture.configuration
            configuration.spotify.clientID = nil
            let other = WorkerFixture(
                simulator: fixture.simulator, database: fixture.database, userID: fixture.userID,
                configuration: configuration)
            try await other.withWorker("sync-worker") { process in
                #expect(try process.providers.google() == nil)
                #expect(try WorkerDomain.accounts.handlers(process).isEmpty)
                #expect(try !WorkerDomain.spotifyConnections.handlers(process).isEmpty)
                let failure = try await #require(throws: ProviderFailure.self) {
                    try await process.providers.spotify().call(userID: fixture.userID) { _ in }
                }
                #expect(failure.kind == .connectionNeeded && failure.message.contains("your own"))
            }
            try await fixture.withWorker("ai-worker") { process in
                let domains: [WorkerDomain] = [
                    .spotifyConnections, .concerts, .geminiConnections, .ticketmasterConnections,
                    .appleMusicConnections,
                ]
                let kinds = try domains.flatMap { try $0.handlers(process).map(\.kind.name) }
                #expect(
                    kinds == [
                        "spotify.authorize", "spotify.replaceAccount", "spotify.profile", "concerts.lookup",
                        "concerts.nearby",
                        "setup.verifyGemini", "setup.verifyTicketmaster", "setup.verifyAppleMusic",
                        "setup.appleMusicPageToken",
                    ])
            }
        }
    }
}

/// Counts the shutdowns of a provider.
private final class Ends: Sendable {
    private let state = Mutex<[MonotonicInstant]>([])

    var deadlines: [MonotonicInstant] { state.withLock { $0 } }

    func add(_ deadline: MonotonicInstant) { state.withLock { $0.append(deadline) } }
}

private struct First: OpenedProvider {
    let ends: Ends

    func finish(by deadline: MonotonicInstant) async { ends.add(deadline) }
}

private struct Second: OpenedProvider {
    let ends: Ends

    func finish(by deadline: MonotonicInstant) async { ends.add(deadline) }
}
