import Contracts
import Model
import Storage
import TestSupport
import Testing
import Vault

@testable import Connections

/// A person who has returned from Spotify with a code.
struct ExchangeFixture: Sendable {
    static let clientID = "app"

    let database: Database
    let folder: TemporaryFolder
    let userID: String
    let vault: CurrentVault
    /// The client ids with which codes were exchanged.
    let redeemedFor = Collector<String>()

    static func run(_ body: (ExchangeFixture) async throws -> Void) async throws {
        try await withVault { database, folder, vault in
            let userID = try await database.addPerson()
            try await body(ExchangeFixture(database: database, folder: folder, userID: userID, vault: vault))
        }
    }

    /// - Returns: the attempt's id.
    func begin() async throws -> String {
        let authorizations = SpotifyAuthorizations(
            sealer: vault, clientID: Self.clientID, accountsURL: "https://accounts.test")
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
            #expect(try authorizations.accept(code: Secret("code"), of: found, in: transaction))
            return found.id
        }
    }

    /// An account with the ids `account-NAME` and `user-NAME`.
    static func account(_ name: String) -> SpotifyAccount {
        SpotifyAccount(accountID: "account-\(name)", spotifyUserID: "user-\(name)", name: name.capitalized)
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (WriteTransaction, _ userID: String) throws -> Value
    ) async throws -> Value {
        let userID = userID
        return try await database.write { try body($0, userID) }
    }

    /// Connects an account, from the attempt to the stored tokens.
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

    /// An exchange in which every code returns the tokens of `account`.
    func exchange(
        _ vault: CurrentVault? = nil, account: String = "dana",
        onVaultTrouble: @escaping @Sendable (VaultError) -> Void = { Issue.record($0) }
    ) -> SpotifyExchange {
        exchange(vault, tokens: account, onVaultTrouble: onVaultTrouble) { _ in
            Self.account(account)
        }
    }

    /// An exchange in which `account` reads the account.
    func exchange(
        _ vault: CurrentVault? = nil, scopes: [String]? = nil, tokens: String = "dana",
        onVaultTrouble: @escaping @Sendable (VaultError) -> Void = { Issue.record($0) },
        account: @escaping @Sendable (Secret) async throws -> SpotifyAccount
    ) -> SpotifyExchange {
        SpotifyExchange(
            database: database, vault: vault ?? self.vault, clientID: Self.clientID,
            redeem: { _, clientID, _, _ in
                redeemedFor.append(clientID)
                return ConnectionTokens(
                    accessToken: Secret("access \(tokens)"), expiresAt: .now().advanced(by: .seconds(3_600)),
                    refreshToken: Secret("refresh \(tokens)"), scopes: scopes)
            },
            account: { token, _ in try await account(token) }, onVaultTrouble: onVaultTrouble)
    }
}
