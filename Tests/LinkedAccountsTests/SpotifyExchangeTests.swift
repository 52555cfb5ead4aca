import Contracts
import Model
import Storage
import Synchronization
import TestSupport
import Testing
import Vault

@testable import LinkedAccounts

@Suite("The exchange of Spotify's code", .timeLimit(.minutes(5)))
struct SpotifyExchangeTests {
    @Test("A missing vault key is reported with its path to the operator, and without it to the person")
    func sealed() async throws {
        try await ExchangeBench.run { bench in
            let attemptID = try await bench.begin()
            let path = bench.folder.file("none.key")
            let told = Mutex<[VaultError]>([])
            let strange = bench.exchange(CurrentVault(keyFile: VaultKeyFile(path: path))) { error in
                told.withLock { $0.append(error) }
            }
            let verdict = try await strange.run(attemptID: attemptID, userID: bench.userID).verdict
            #expect(verdict.code == "secretsSealed" && verdict.recovery == "fixConfiguration")
            #expect(verdict.detail == VaultTrouble.vaultUnavailable.sentence)
            #expect(told.withLock { $0 } == [.unavailable(.missing(path: path))])
        }
    }

    @Test("If another key sealed the code, the person has to connect again, and the verdict says so")
    func keyLost() async throws {
        try await ExchangeBench.run { bench in
            let attemptID = try await bench.begin()
            let other = VaultKeyFile(path: bench.folder.file("other.key"))
            _ = try other.make()
            let strange = bench.exchange(CurrentVault(keyFile: other)) { _ in }
            let verdict = try await strange.run(attemptID: attemptID, userID: bench.userID).verdict
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
        try await ExchangeBench.run { bench in
            for until in [nil, Timestamp.now().advanced(by: .seconds(60))] {
                let exchange = bench.exchange(scopes: scopes.split(separator: " ").map(String.init)) { _ in
                    throw ProviderFailure(.spotify, fault, until: until, message: "trouble")
                }
                let outcome = try await exchange.run(attemptID: bench.begin(), userID: bench.userID)
                #expect(outcome.verdict == .connected)
                let settlement = try await bench.database.write { try outcome.write($0) }
                #expect(settlement.isConnected)
                #expect(settlement.profile == (isAsked ? .init(notBefore: until) : nil))
                // An attempt that has ended by then connects nothing and starts no request.
                let late = try await bench.database.write { try outcome.write($0) }
                #expect(late == .nothing)
            }
            let named = try await bench.exchange(account: "dana").run(attemptID: bench.begin(), userID: bench.userID)
            let settlement = try await bench.database.write { try named.write($0) }
            #expect(settlement.isConnected && settlement.profile == nil)
        }
    }

    @Test("A late answer about a former account neither changes nor repairs the connection that replaced it")
    func otherAccount() async throws {
        try await ExchangeBench.run { bench in
            try await bench.connect("dana")
            let former = try #require(try await bench.record.authorizedAt)
            var dana = ExchangeBench.account("dana")
            dana.name = "Dana Novák"
            try await bench.write { [dana] in try dana.store(userID: $1, authorizedAt: former, in: $0) }
            #expect(try await bench.record.accountName == "Dana Novák")
            // A connection never switches to another account.
            try await bench.write {
                try ExchangeBench.account("erik").store(userID: $1, authorizedAt: former, in: $0)
            }
            #expect(try await bench.record.accountName == "Dana Novák")
            try await bench.write { try SpotifyAuthorizations.disconnect(userID: $1, in: $0) }
            try await bench.connect("erik")
            try await bench.write { [dana] in
                try $0.connections.handle(
                    .troubled(.forbidden, until: nil), userID: $1, provider: .spotify, now: .now())
                try dana.store(userID: $1, authorizedAt: former, in: $0)
            }
            let record = try await bench.record
            #expect(record.accountID == "account-erik" && record.accountName == "Erik")
            #expect(record.state == "degraded" && record.reason == "forbidden")
        }
    }
}

@Suite("A person's own Spotify app")
struct PersonalAppTests {
    @Test("An attempt and its connection stay with the app that the person started with")
    func attempts() async throws {
        try await ExchangeBench.run { bench in
            func enter(_ clientID: String) async throws {
                try await bench.write { try $0.connections.setSpotifyApp(clientID, userID: $1, now: .now()) }
            }
            func finish(_ attempt: String) async throws {
                let outcome = try await bench.exchange().run(attemptID: attempt, userID: bench.userID)
                #expect(outcome.verdict == .connected)
                _ = try await bench.database.write { try outcome.write($0) }
            }
            let first = try await bench.begin()
            try await enter("mine")
            try await finish(first)
            #expect(bench.redeemedFor.elements == [ExchangeBench.clientID])
            #expect(try await bench.record.clientID == ExchangeBench.clientID)

            let second = try await bench.begin()
            try await bench.write { try $0.connections.deleteSpotifyApp(userID: $1, now: .now()) }
            try await finish(second)
            #expect(bench.redeemedFor.elements == [ExchangeBench.clientID, "mine"])
            #expect(try await bench.record.clientID == "mine")
        }
    }

    @Test("Without an app of the person or the installation, no attempt begins")
    func noApp() async throws {
        try await ExchangeBench.run { bench in
            let authorizations = SpotifyAuthorizations(
                sealer: bench.vault, clientID: nil, accountsURL: "https://accounts.test")
            func begin() async throws -> String? {
                try await bench.write { transaction, userID in
                    try authorizations.begin(
                        by: .init(userID: userID, sessionHash: nil), redirectURI: "https://backline.test", scopes: [],
                        returnTo: nil, in: transaction)?.authorizeURL
                }
            }
            await #expect(throws: SpotifyAuthorizations.AppMissing()) { _ = try await begin() }
            try await bench.write { try $0.connections.setSpotifyApp("mine", userID: $1, now: .now()) }
            #expect(try await begin()?.contains("client_id=mine&") == true)
        }
    }

    @Test("Disconnecting retains the client id; each change to it is a change of the setup step")
    func disconnecting() async throws {
        try await ExchangeBench.run { bench in
            func change() async throws -> Int64 { try await bench.record.change }
            try await bench.write { try $0.connections.setSpotifyApp("mine", userID: $1, now: .now()) }
            let entered = try await change()
            try await bench.connect("dana")
            try await bench.write { try SpotifyAuthorizations.disconnect(userID: $1, in: $0) }
            let apps = try await bench.write { try $0.connections.spotifyApps(userID: $1, installation: nil) }
            #expect(apps == SpotifyApps(own: "mine", installation: nil))
            let before = try await change()
            try await bench.write { try $0.connections.deleteSpotifyApp(userID: $1, now: .now()) }
            let removed = try await change()
            #expect(entered < before && before < removed)
            try await bench.write { try $0.connections.deleteSpotifyApp(userID: $1, now: .now()) }
            #expect(try await change() == removed)
        }
    }
}
