import Contracts
import Model
import Storage
import Synchronization
import TestSupport
import Testing
import Vault

@testable import Connections

/// A person with a connection, and a provider whose answers are set by a test.
struct TokenFixture: Sendable {
    typealias Answer = @Sendable (Int) async throws -> ConnectionTokens

    final class Script: Sendable {
        private let state: Mutex<(answer: Answer, asked: [String])>

        init(_ answer: @escaping Answer) {
            state = Mutex((answer, []))
        }

        var asked: [String] { state.withLock { $0.asked } }

        func set(_ answer: @escaping Answer) {
            state.withLock { $0.answer = answer }
        }

        func ask(_ token: String) async throws -> ConnectionTokens {
            let (answer, number) = state.withLock { state in
                state.asked.append(token)
                return (state.answer, state.asked.count)
            }
            return try await answer(number)
        }
    }

    static let clientID = "app"

    let database: Database
    let folder: TemporaryFolder
    let userID: String
    let vault: CurrentVault
    let script: Script
    let keeper: TokenKeeper

    static func run(_ body: (TokenFixture) async throws -> Void) async throws {
        try await withVault { database, folder, vault in
            let userID = try await database.addPerson()
            let script = Script { number in
                ConnectionTokens(
                    accessToken: Secret("access-\(number)"), expiresAt: .now().advanced(by: .seconds(3_600)),
                    refreshToken: Secret("refresh-\(number)"), scopes: nil)
            }
            let keeper = TokenKeeper(
                provider: .spotify, clientID: Self.clientID, database: database, vault: vault,
                refresh: { refreshToken, gate in
                    #expect(gate.markSent())
                    return try await script.ask(refreshToken.reveal())
                },
                onVaultTrouble: { Issue.record($0) })
            try await body(
                TokenFixture(
                    database: database, folder: folder, userID: userID, vault: vault, script: script, keeper: keeper))
        }
    }

    var files: VaultFiles {
        VaultFiles(keys: vault.keyFile, publicKey: VaultPublicKeyFile(path: folder.file("vault.pub")))
    }

    /// Another process's keeper, with its own refresh.
    ///
    /// - Parameter clientID: the client id that the other process is configured with.
    func keeper(clientID: String = Self.clientID, refresh: @escaping TokenKeeper.Refresh) -> TokenKeeper {
        TokenKeeper(
            provider: .spotify, clientID: clientID, database: database, vault: vault, refresh: refresh,
            onVaultTrouble: { Issue.record($0) })
    }

    var refreshes: [String] { script.asked }

    func answer(_ answer: @escaping Answer) {
        script.set(answer)
    }

    /// Stores a connection with the tokens `access-0` and `refresh-0`.
    func connect(tokenEndsIn rest: Duration) async throws {
        let (userID, now) = (userID, Timestamp.now())
        let secrets = try ["accessToken": "access-0", "refreshToken": "refresh-0"].map { field, text in
            let name = SecretName(userID: userID, provider: .spotify, field: field)
            return (field, try vault.vault().seal(Secret(text), as: name))
        }
        try await database.write { transaction in
            for (field, secret) in secrets {
                try transaction.vault.putSecret(secret, userID: userID, provider: "spotify", field: field, now: now)
            }
            try transaction.connections.handle(.accepted, userID: userID, provider: .spotify, now: now) { record in
                record.tokenExpiresAt = now.advanced(by: rest)
                record.scopes = "user-read-private"
                record.refresh = nil
            }
        }
    }

    func setLease(_ lease: ConnectionRecord.RefreshLease) async throws {
        let userID = userID
        try await database.write { try $0.connections.setRefreshLease(lease, userID: userID, provider: "spotify") }
    }

    var lease: ConnectionRecord.RefreshLease? {
        get async throws {
            let userID = userID
            return try await database.read { try $0.connections.record(userID: userID, provider: "spotify")?.refresh }
        }
    }

    /// Makes a call; returns its access token.
    func use() async throws -> String {
        try await keeper.call(userID: userID) { $0.reveal() }
    }

    var state: ConnectionState {
        get async throws {
            let userID = userID
            let record = try await database.read { try $0.connections.record(userID: userID, provider: "spotify") }
            return try ConnectionState(try #require(record))
        }
    }

    func secret(_ field: String) async throws -> String? {
        let userID = userID
        let sealed = try await database.read {
            try $0.vault.sealedSecret(userID: userID, provider: "spotify", field: field)
        }
        return try sealed.map {
            try vault.open($0, as: SecretName(userID: userID, provider: .spotify, field: field)).reveal()
        }
    }
}
