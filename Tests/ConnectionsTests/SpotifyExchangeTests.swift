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
    @Test("A vault without its key is told to the operator by its path, and to the person in words of their own")
    func sealed() async throws {
        try await Bench.run { bench in
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

    @Test("What another key sealed is to be connected again, which the verdict says")
    func keyLost() async throws {
        try await Bench.run { bench in
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
        "An account whose name passing trouble kept back is asked for again, when that makes sense and it was allowed",
        arguments: [
            (ProviderFailure.Kind.serverError, "user-read-private", true), (.timedOut, "user-read-private", true),
            (.quotaExhausted, "user-library-read user-read-private", true), (.unreadable, "user-read-private", true),
            (.accessTokenRefused, "user-read-private", true), (.forbidden, "user-read-private", false),
            (.scopeMissing, "user-read-private", false), (.serverError, "user-library-read", false),
        ])
    func unnamedAccount(fault: ProviderFailure.Kind, scopes: String, isAsked: Bool) async throws {
        try await Bench.run { bench in
            for until in [nil, Timestamp.now().advanced(by: .seconds(60))] {
                let exchange = bench.exchange(scopes: scopes.split(separator: " ").map(String.init)) { _ in
                    throw ProviderFailure(.spotify, fault, until: until, message: "trouble")
                }
                let outcome = try await exchange.run(attemptID: bench.begin(), userID: bench.userID)
                #expect(outcome.verdict == .connected)
                let question = try await bench.database.write { try outcome.write($0) }
                #expect(question == (isAsked ? .init(notBefore: until) : nil))
                // Of an attempt that is over by then nothing is connected, and nothing is asked.
                #expect(try await bench.database.write { try outcome.write($0) } == nil)
            }
            let named = try await bench.exchange(account: "dana").run(attemptID: bench.begin(), userID: bench.userID)
            #expect(try await bench.database.write { try named.write($0) } == nil)
        }
    }

    @Test("What was heard of an account is not written to the connection that took its place, nor mends it")
    func otherAccount() async throws {
        try await Bench.run { bench in
            try await bench.connect("dana")
            let former = try #require(try await bench.record.authorizedAt)
            let dana = SpotifyExchange.Account(id: "dana", name: "Dana Novák")
            try await bench.database.write { [userID = bench.userID] in
                try dana.store(userID: userID, authorizedAt: former, in: $0)
            }
            #expect(try await bench.record.accountName == "Dana Novák")
            try await bench.connect("erik")
            try await bench.database.write { [userID = bench.userID] in
                try $0.connections.handle(
                    .troubled(.forbidden, until: nil), userID: userID, provider: .spotify, now: .now())
                try dana.store(userID: userID, authorizedAt: former, in: $0)
            }
            let record = try await bench.record
            #expect(record.accountID == "erik" && record.accountName == "Erik")
            #expect(record.state == "degraded" && record.reason == "forbidden")
        }
    }
}

/// Somebody who has come back from Spotify with a code.
private struct Bench: Sendable {
    let database: Database
    let folder: TemporaryFolder
    let userID: String
    let vault: CurrentVault

    static func run(_ body: (Bench) async throws -> Void) async throws {
        try await withDatabase { database, folder in
            let userID = UUIDv7.next()
            try await database.write { try $0.insertPerson(id: userID, name: "ada") }
            let file = VaultKeyFile(path: folder.file("vault.key"))
            _ = try file.make()
            try await body(
                Bench(database: database, folder: folder, userID: userID, vault: CurrentVault(keyFile: file)))
        }
    }

    /// - Returns: the attempt's id.
    func begin() async throws -> String {
        let authorizations = SpotifyAuthorizations(sealer: vault, clientID: "app", accountsURL: "https://accounts.test")
        let initiator = SpotifyAuthorizations.Initiator(userID: userID, sessionHash: nil)
        return try await database.write { transaction in
            let attempt = try #require(
                try authorizations.begin(
                    by: initiator, redirectURI: "https://backline.test", scopes: ["user-read-private"], returnTo: nil,
                    in: transaction))
            let state = try #require(attempt.authorizeURL.split(separator: "&").first { $0.hasPrefix("state=") })
            let found = try #require(
                try SpotifyAuthorizations.find(
                    state: Secret(String(state.dropFirst("state=".count))), by: initiator, in: transaction))
            let code = try authorizations.seal(code: Secret("code"), of: found, in: transaction)
            #expect(try transaction.vault.setAuthorizationCode(code, id: found.id, now: .now()))
            return found.id
        }
    }

    /// All of it.
    func connect(_ account: String) async throws {
        let outcome = try await exchange(account: account).run(attemptID: begin(), userID: userID)
        _ = try await database.write { try outcome.write($0) }
    }

    var record: ConnectionRecord {
        get async throws {
            let found = try await database.read { [userID] in
                try $0.connections.record(userID: userID, provider: "spotify")
            }
            return try #require(found)
        }
    }

    /// One at which every code is good for the tokens of `account`.
    func exchange(
        _ vault: CurrentVault? = nil, account: String = "dana",
        onVaultTrouble: @escaping @Sendable (VaultError) -> Void = { Issue.record($0) }
    ) -> SpotifyExchange {
        exchange(vault, onVaultTrouble: onVaultTrouble) { _ in
            SpotifyExchange.Account(id: account, name: account.capitalized)
        }
    }

    /// One that says of the account what `account` does.
    func exchange(
        _ vault: CurrentVault? = nil, scopes: [String]? = nil,
        onVaultTrouble: @escaping @Sendable (VaultError) -> Void = { Issue.record($0) },
        account: @escaping @Sendable (Secret) async throws -> SpotifyExchange.Account
    ) -> SpotifyExchange {
        SpotifyExchange(
            database: database, vault: vault ?? self.vault,
            redeem: { _, _, _ in
                ConnectionTokens(
                    accessToken: Secret("access"), expiresAt: .now().advanced(by: .seconds(3_600)),
                    refreshToken: Secret("refresh"), scopes: scopes)
            },
            account: account, onVaultTrouble: onVaultTrouble)
    }
}
