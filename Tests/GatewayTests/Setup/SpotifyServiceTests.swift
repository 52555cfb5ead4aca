import Composition
import Contracts
import Domains
import Foundation
import Jobs
import JobStorage
import Connections
import Logging
import Model
import TestSupport
import Testing

@testable import ConnectionsHTTP
@testable import Gateway

@Suite("Connecting Spotify", .timeLimit(.minutes(5)))
struct SpotifyServiceTests {
    /// The scopes that everybody is asked for and further ones, as in a request.
    private static func needed(and further: String...) -> String {
        SpotifyScopes.needed(by: JobKinds(of: .all)).union(further).sorted().joined(separator: " ")
    }

    @Test("An attempt leads to Spotify's page, and its code to a connection")
    func attemptLeadsToAConnection() async throws {
        try await SpotifyFixture.run { fixture in
            let address = try #require(try await fixture.begin())
            #expect(address.host == "accounts.test" && address.path == "/authorize")
            #expect(address.parameter("redirect_uri") == "https://backline.test/callback")
            #expect(address.parameter("scope") == Self.needed())
            #expect(try await fixture.connection?.state == "authorizing")
            let state = try #require(address.parameter("state"))
            let attempt = try #require(try await fixture.service.find(state: state, by: fixture.initiator))
            #expect(attempt.returnTo == "/setup")
            #expect(try await fixture.finish(attempt, code: "the-code") == .connected)
            #expect(fixture.redeemed.elements == ["the-code"])
            let connection = try #require(try await fixture.connection)
            #expect(connection.state == "connected" && connection.accountName == "Dana")
            #expect(connection.scopes == Self.needed())
            #expect(try await fixture.attempts == 0)
        }
    }

    @Test("The scopes that were granted before are requested again, with the new ones")
    func requestedScopes() async throws {
        try await SpotifyFixture.run { _ in
            .sample(scopes: ["user-read-private", "user-top-read", "of-another-time"])
        } _: { fixture in
            let attempt = try await fixture.attempt(scopes: ["user-top-read"])
            #expect(attempt.scopes == Self.needed(and: "user-top-read"))
            #expect(try await fixture.finish(attempt, code: "c") == .connected)
            let next = try await fixture.attempt(scopes: ["user-follow-read"])
            #expect(next.scopes == Self.needed(and: "user-top-read", "user-follow-read"))
        }
    }

    @Test("The scopes that a kind of job needs are requested when people connect")
    func neededScopes() async throws {
        try await SpotifyFixture.run { fixture in
            let kind = JobKind(
                name: "test.reading", version: 1, submitter: .user, maximumRunTime: .seconds(1),
                needs: [
                    .init(.spotify, scopes: ["user-top-read"]), .init(.appleMusic, scopes: ["no-scope-of-spotify"]),
                ])
            let queue = fixture.service.queue
            let dispatcher = Dispatcher(
                database: queue.database, events: queue.events, settings: JobSettings(),
                kinds: JobKinds(queue.kinds.all + [kind]), logger: Logger(label: "test"))
            let service = SpotifyService(
                queue: JobQueue(database: queue.database, dispatcher: dispatcher, events: queue.events),
                authorizations: fixture.authorizations)
            let attempt = try #require(
                try await service.begin(
                    fixture.authorizations, by: fixture.initiator, redirectURI: "https://backline.test/callback",
                    scopes: [], returnTo: nil))
            let address = try #require(URLComponents(string: attempt.authorizeURL))
            #expect(address.parameter("scope") == Self.needed(and: "user-top-read"))
        }
    }

    @Test("The scopes that a person's jobs wait for are requested, and the jobs stop waiting after the consent")
    func awaitedScopes() async throws {
        try await SpotifyFixture.run { fixture in
            _ = try await fixture.database.makeWaitingJob(
                userID: fixture.userID, scopes: ["user-top-read", "of-another-time"])
            let attempt = try await fixture.attempt()
            #expect(attempt.scopes == Self.needed(and: "user-top-read"))
            #expect(try await fixture.finish(attempt, code: "c") == .connected)
            let awaited = try await fixture.database.read { [userID = fixture.userID] in
                try $0.jobs.awaitedScopes(ofUser: userID)
            }
            #expect(awaited == [:])
        }
    }

    @Test("An attempt is found by its state, only for the person and the session that began it")
    func attemptOfAnotherSession() async throws {
        try await SpotifyFixture.run { fixture in
            let session = SpotifyService.Initiator(userID: fixture.userID, sessionHash: "session")
            let state = try #require(try await fixture.begin(by: session)?.parameter("state"))
            let strangers = [
                fixture.initiator, .init(userID: fixture.userID, sessionHash: "other"),
                .init(userID: "bob", sessionHash: "session"), .init(userID: "bob", sessionHash: nil),
            ]
            for stranger in strangers { #expect(try await fixture.service.find(state: state, by: stranger) == nil) }
            #expect(try await fixture.service.find(state: state + "x", by: session) == nil)
            #expect(try await fixture.service.find(state: "", by: session) == nil)
            #expect(try await fixture.service.find(state: state, by: session) != nil)
        }
    }

    @Test("A person may have twenty attempts at once")
    func tooMany() async throws {
        try await SpotifyFixture.run { fixture in
            for _ in 0..<20 { #expect(try await fixture.begin() != nil) }
            #expect(try await fixture.begin() == nil)
            #expect(try await fixture.attempts == 20)
            try await fixture.service.disconnect(userID: fixture.userID)
            #expect(try await fixture.begin() != nil)
        }
    }

    @Test("An attempt without a code changes nothing")
    func attemptWithoutACode() async throws {
        try await SpotifyFixture.run { fixture in
            let first = try await fixture.attempt()
            try await fixture.service.fail(first, userID: fixture.userID)
            #expect(try await fixture.connection?.state == "disconnected")
            let second = try await fixture.attempt()
            #expect(try await fixture.finish(second, code: "c") == .connected)
            let third = try await fixture.attempt()
            try await fixture.service.fail(third, userID: fixture.userID)
            #expect(try await fixture.connection?.state == "connected")
            #expect(try await fixture.attempts == 0)
            #expect(try await fixture.finish(third, code: "c") == nil)
        }
    }

    @Test("A state is used once")
    func stateIsUsedOnce() async throws {
        let (asked, answered) = (Collector<Void>(), Collector<Void>())
        try await SpotifyFixture.run { _ in
            asked.append(())
            await answered.wait(for: 1)
            return .sample()
        } _: { fixture in
            let attempt = try await fixture.attempt()
            async let first = fixture.finish(attempt, code: "first")
            await asked.wait(for: 1)
            #expect(try await fixture.finish(attempt, code: "second") == nil)
            answered.append(())
            #expect(try await first == .connected)
            #expect(fixture.redeemed.elements == ["first"])
        }
    }

    @Test("A refusal by Spotify is answered with what to do, and ends the attempt")
    func refusalBySpotify() async throws {
        try await SpotifyFixture.run { code in
            throw ProviderFailure(.spotify, code == "old" ? .grantRefused : .serverError, message: "No.")
        } _: { fixture in
            let verdict = try #require(try await fixture.finish(fixture.attempt(), code: "old"))
            #expect(!verdict.isConnected && verdict.code == "codeRefused" && verdict.recovery == "reconnect")
            #expect(verdict.detail == "No." && verdict.retryAt == nil)
            let other = try #require(try await fixture.finish(fixture.attempt(), code: "new"))
            #expect(other.code == "serverError" && other.recovery == "retryAt")
            #expect(try await fixture.connection?.state == "disconnected")
            #expect(try await fixture.attempts == 0)
        }
    }

    @Test("An exchange that does not end in time connects nothing, then or later")
    func notInTime() async throws {
        let (asked, ended) = (Collector<Void>(), Collector<Void>())
        try await SpotifyFixture.run { _ in
            asked.append(())
            defer { ended.append(()) }
            // Ends when the job is cancelled.
            try await Task.sleep(for: .seconds(3_600))
            return .sample()
        } _: { fixture in
            let attempt = try await fixture.attempt()
            async let finished = fixture.finish(attempt, code: "c")
            await asked.wait(for: 1)
            // A stopping gateway ends the wait.
            fixture.service.queue.events.close()
            let verdict = try #require(try await finished)
            #expect(!verdict.isConnected && verdict.code == "noVerdict" && verdict.recovery == "retryAt")
            await ended.wait(for: 1)
            #expect(try await fixture.connection?.state == "disconnected")
            #expect(try await fixture.attempts == 0)
        }
    }

    @Test("Another account is connected only after the person's answer, and nobody answers another person's question")
    func anotherAccount() async throws {
        try await SpotifyFixture.run { fixture in
            #expect(try await fixture.finish(fixture.attempt(), code: "c") == .connected)
            fixture.accounts.append("erik")
            #expect(try await fixture.finish(fixture.attempt(), code: "c")?.code == "otherAccount")
            #expect(try await fixture.connection?.accountUserID == "dana")
            let first = try #require(try await fixture.question())
            for (id, userID) in [("", fixture.userID), (first, "bob")] {
                let verdict = try await fixture.service.replaceAccount(
                    questionID: id, keepsFormerData: true, userID: userID)
                #expect(verdict == nil)
                #expect(try await !fixture.service.withdrawQuestion(id, userID: userID))
            }
            #expect(try await fixture.service.withdrawQuestion(first, userID: fixture.userID))
            #expect(try await !fixture.service.withdrawQuestion(first, userID: fixture.userID))
            #expect(try await fixture.connection?.accountUserID == "dana")

            #expect(try await fixture.finish(fixture.attempt(), code: "c")?.code == "otherAccount")
            let second = try #require(try await fixture.question())
            let verdict = try await fixture.service.replaceAccount(
                questionID: second, keepsFormerData: true, userID: fixture.userID)
            #expect(verdict == .connected)
            let connection = try #require(try await fixture.connection)
            #expect(connection.accountUserID == "erik" && connection.accountID == "account-erik")
            #expect(connection.clientID == "app" && connection.state == "connected")
            #expect(try await fixture.question() == nil)
        }
    }

    @Test("Disconnecting deletes the tokens and attempts at once")
    func disconnecting() async throws {
        try await SpotifyFixture.run { fixture in
            #expect(try await fixture.finish(fixture.attempt(), code: "c") == .connected)
            _ = try await fixture.attempt()
            try await fixture.service.disconnect(userID: fixture.userID)
            let connection = try #require(try await fixture.connection)
            #expect(connection.state == "disconnected" && connection.accountName == nil)
            #expect(try await fixture.attempts == 0)
            let secrets: Int? = try await fixture.database.read {
                try $0.row("SELECT COUNT(*) AS count FROM secrets").map { try $0["count"] }
            }
            #expect(secrets == 0)
        }
    }
}
