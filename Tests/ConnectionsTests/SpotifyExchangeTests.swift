import Contracts
import Model
import Storage
import Synchronization
import TestSupport
import Testing
import Vault

@testable import Connections

@Suite("The exchange of Spotify's code", .timeLimit(.minutes(5)))
struct SpotifyExchangeTests {
    @Test("A missing vault key is reported with its path to the operator, and without it to the person")
    func missingVaultKey() async throws {
        try await ExchangeFixture.run { fixture in
            let attemptID = try await fixture.begin()
            let path = fixture.folder.file("none.key")
            let told = Mutex<[VaultError]>([])
            let strange = fixture.exchange(CurrentVault(keyFile: VaultKeyFile(path: path))) { error in
                told.withLock { $0.append(error) }
            }
            let verdict = try await strange.run(attemptID: attemptID, userID: fixture.userID).verdict
            #expect(verdict.code == "secretsSealed" && verdict.recovery == "fixConfiguration")
            #expect(verdict.detail == VaultTrouble.vaultUnavailable.sentence)
            #expect(told.withLock { $0 } == [.unavailable(.missing(path: path))])
        }
    }

    @Test("If another key sealed the code, the person has to connect again, and the verdict says so")
    func keyLost() async throws {
        try await ExchangeFixture.run { fixture in
            let attemptID = try await fixture.begin()
            let other = VaultKeyFile(path: fixture.folder.file("other.key"))
            _ = try other.make()
            let strange = fixture.exchange(CurrentVault(keyFile: other)) { _ in }
            let verdict = try await strange.run(attemptID: attemptID, userID: fixture.userID).verdict
            #expect(verdict.code == "secretsSealed" && verdict.recovery == "reconnect")
            #expect(verdict.detail == VaultTrouble.vaultKeyLost.sentence)
        }
    }

    @Test(
        "An account without a name is requested again after a temporary failure, if the scopes allow it",
        arguments: [
            (ProviderFailure.Kind.serverError, "user-read-private", true), (.timedOut, "user-read-private", true),
            (.quotaExhausted, "user-library-read user-read-private", true), (.unreadable, "user-read-private", true),
            (.accessTokenRefused, "user-read-private", true), (.forbidden, "user-read-private", false),
            (.scopeMissing, "user-read-private", false), (.serverError, "user-library-read", false),
        ])
    func unnamedAccount(fault: ProviderFailure.Kind, scopes: String, isAsked: Bool) async throws {
        try await ExchangeFixture.run { fixture in
            for until in [nil, Timestamp.now().advanced(by: .seconds(60))] {
                let exchange = fixture.exchange(scopes: scopes.split(separator: " ").map(String.init)) { _ in
                    throw ProviderFailure(.spotify, fault, until: until, message: "trouble")
                }
                let outcome = try await exchange.run(attemptID: fixture.begin(), userID: fixture.userID)
                #expect(outcome.verdict == .connected)
                let result = try await fixture.database.write { try outcome.write($0) }
                #expect(result.isConnected)
                #expect(result.profile == (isAsked ? .init(notBefore: until) : nil))
                // An attempt that has ended by then connects nothing and starts no request.
                let late = try await fixture.database.write { try outcome.write($0) }
                #expect(late == .nothing)
            }
            let named = try await fixture.exchange(account: "dana").run(
                attemptID: fixture.begin(), userID: fixture.userID)
            let result = try await fixture.database.write { try named.write($0) }
            #expect(result.isConnected && result.profile == nil)
        }
    }

    @Test("A late answer about a former account neither changes nor repairs the connection that replaced it")
    func otherAccount() async throws {
        try await ExchangeFixture.run { fixture in
            try await fixture.connect("dana")
            let former = try #require(try await fixture.record.authorizedAt)
            var dana = ExchangeFixture.account("dana")
            dana.name = "Dana Novák"
            try await fixture.write { [dana] in try dana.store(userID: $1, authorizedAt: former, in: $0) }
            #expect(try await fixture.record.accountName == "Dana Novák")
            // A connection never switches to another account.
            try await fixture.write {
                try ExchangeFixture.account("erik").store(userID: $1, authorizedAt: former, in: $0)
            }
            #expect(try await fixture.record.accountName == "Dana Novák")
            try await fixture.write { try SpotifyAuthorizations.disconnect(userID: $1, in: $0) }
            try await fixture.connect("erik")
            try await fixture.write { [dana] in
                try $0.connections.handle(
                    .troubled(.forbidden, until: nil), userID: $1, provider: .spotify, now: .now())
                try dana.store(userID: $1, authorizedAt: former, in: $0)
            }
            let record = try await fixture.record
            #expect(record.accountID == "account-erik" && record.accountName == "Erik")
            #expect(record.state == "degraded" && record.reason == "forbidden")
        }
    }
}

@Suite("A person's own Spotify app")
struct PersonalAppTests {
    @Test("An attempt and its connection stay with the app that the person started with")
    func appOfAnAttempt() async throws {
        try await ExchangeFixture.run { fixture in
            func enter(_ clientID: String) async throws {
                try await fixture.write { try $0.connections.setSpotifyApp(clientID, userID: $1, now: .now()) }
            }
            func finish(_ attempt: String) async throws {
                let outcome = try await fixture.exchange().run(attemptID: attempt, userID: fixture.userID)
                #expect(outcome.verdict == .connected)
                _ = try await fixture.database.write { try outcome.write($0) }
            }
            let first = try await fixture.begin()
            try await enter("mine")
            try await finish(first)
            #expect(fixture.redeemedFor.elements == [ExchangeFixture.clientID])
            #expect(try await fixture.record.clientID == ExchangeFixture.clientID)

            let second = try await fixture.begin()
            try await fixture.write { try $0.connections.deleteSpotifyApp(userID: $1, now: .now()) }
            try await finish(second)
            #expect(fixture.redeemedFor.elements == [ExchangeFixture.clientID, "mine"])
            #expect(try await fixture.record.clientID == "mine")
        }
    }

    @Test("Without an app of the person or the installation, no attempt begins")
    func noApp() async throws {
        try await ExchangeFixture.run { fixture in
            let authorizations = SpotifyAuthorizations(
                sealer: fixture.vault, clientID: nil, accountsURL: "https://accounts.test")
            func begin() async throws -> String? {
                try await fixture.write { transaction, userID in
                    try authorizations.begin(
                        by: .init(userID: userID, sessionHash: nil), redirectURI: "https://backline.test", scopes: [],
                        returnTo: nil, in: transaction)?.authorizeURL
                }
            }
            await #expect(throws: SpotifyAuthorizations.AppMissing()) { _ = try await begin() }
            try await fixture.write { try $0.connections.setSpotifyApp("mine", userID: $1, now: .now()) }
            #expect(try await begin()?.contains("client_id=mine&") == true)
        }
    }

    @Test("Disconnecting retains the client id; each change to it is a change of the setup step")
    func clientIDAfterDisconnecting() async throws {
        try await ExchangeFixture.run { fixture in
            func change() async throws -> Int64 { try await fixture.record.change }
            try await fixture.write { try $0.connections.setSpotifyApp("mine", userID: $1, now: .now()) }
            let entered = try await change()
            try await fixture.connect("dana")
            try await fixture.write { try SpotifyAuthorizations.disconnect(userID: $1, in: $0) }
            let apps = try await fixture.write { try $0.connections.spotifyApps(userID: $1, installation: nil) }
            #expect(apps == SpotifyApps(own: "mine", installation: nil))
            let before = try await change()
            try await fixture.write { try $0.connections.deleteSpotifyApp(userID: $1, now: .now()) }
            let removed = try await change()
            #expect(entered < before && before < removed)
            try await fixture.write { try $0.connections.deleteSpotifyApp(userID: $1, now: .now()) }
            #expect(try await change() == removed)
        }
    }
}
