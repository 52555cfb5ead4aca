import Contracts
import Foundation
import Jobs
import Connections
import Model
import Storage
import TestSupport
import Testing
import Vault

@testable import ConnectionsHTTP
@testable import Gateway

/// A person who connects Spotify at a gateway with a worker, and a Spotify whose answers a test determines.
struct SpotifyFixture: Sendable {
    let database: Database
    let userID: String
    let service: SpotifyService
    let authorizations: SpotifyAuthorizations
    /// The codes that were exchanged.
    let redeemed: Collector<String>
    /// The last element is the account of the tokens that Spotify returns.
    let accounts: Collector<String>

    typealias Redeem = @Sendable (_ code: String) async throws -> ConnectionTokens

    /// - Parameter redeem: exchanges a code. All requested scopes are granted unless it returns others.
    static func run(redeem: @escaping Redeem = { _ in .sample() }, _ body: (SpotifyFixture) async throws -> Void)
        async throws
    {
        try await withDatabase { database, folder in
            let keyFile = VaultKeyFile(path: folder.file("vault.key"))
            _ = try keyFile.make()
            let vault = CurrentVault(keyFile: keyFile)
            let userID = try await database.addPerson()
            let redeemed = Collector<String>()
            let accounts = Collector<String>()
            accounts.append("dana")
            let exchange = SpotifyExchange(
                database: database, vault: vault, clientID: "app",
                redeem: { code, _, _, _ in
                    redeemed.append(code.reveal())
                    return try await redeem(code.reveal())
                },
                account: { _, _ in
                    let name = accounts.elements.last ?? ""
                    return .init(accountID: "account-\(name)", spotifyUserID: name, name: name.capitalized)
                }, onVaultTrouble: { Issue.record($0) })
            let authorizations = SpotifyAuthorizations(
                sealer: vault, clientID: "app", accountsURL: "https://accounts.test")
            let handlers: [JobHandler] = [.exchanging(exchange), .replacing(exchange)]
            try await WorkerEnd.run(database: database, handlers: handlers) { worker in
                try await body(
                    SpotifyFixture(
                        database: database, userID: userID,
                        service: SpotifyService(queue: worker.queue, authorizations: authorizations),
                        authorizations: authorizations, redeemed: redeemed, accounts: accounts))
            }
        }
    }

    var initiator: SpotifyService.Initiator { .init(userID: userID, sessionHash: nil) }

    // MARK: The person's actions

    /// The address of Spotify's consent page; `nil` when the person has too many attempts.
    func begin(scopes: [String] = [], by initiator: SpotifyService.Initiator? = nil) async throws -> URLComponents? {
        let attempt = try await service.begin(
            authorizations, by: initiator ?? self.initiator, redirectURI: "https://backline.test/callback",
            scopes: scopes, returnTo: "/setup")
        return attempt.flatMap { URLComponents(string: $0.authorizeURL) }
    }

    /// An attempt whose person came back from Spotify.
    func attempt(scopes: [String] = []) async throws -> AuthorizationRecord {
        let address = try #require(try await begin(scopes: scopes))
        let state = try #require(address.parameter("state"))
        return try #require(try await service.find(state: state, by: initiator))
    }

    func finish(_ attempt: AuthorizationRecord, code: String) async throws -> AuthorizationVerdict? {
        try await service.finish(authorizations, attempt, code: code, userID: userID)
    }

    // MARK: The present state

    /// The person's connection; `nil` before the first attempt.
    var connection: ConnectionRecord? {
        get async throws {
            try await database.read { [userID] in
                try $0.connections.record(userID: userID, provider: Provider.spotify.rawValue)
            }
        }
    }

    /// The id of the open question.
    func question() async throws -> String? {
        try await database.read { [userID] in try AccountQuestion.open(userID: userID, in: $0, now: .now())?.id }
    }

    var attempts: Int {
        get async throws {
            try await database.read {
                try $0.row("SELECT COUNT(*) AS count FROM authorizations").map { try $0["count"] } ?? 0
            }
        }
    }
}

extension JobHandler {
    /// `spotify.authorize` with an exchange that makes no calls.
    fileprivate static func exchanging(_ exchange: SpotifyExchange) -> JobHandler {
        JobHandler(.spotifyAuthorize) { payload, context in
            let outcome = try await exchange.run(attemptID: payload.authorizationID, userID: context.job.userID)
            return JobResult(outcome.verdict) { transaction, _ in _ = try outcome.write(transaction) }
        }
    }
}

extension JobHandler {
    /// `spotify.replaceAccount` with an exchange that makes no calls.
    fileprivate static func replacing(_ exchange: SpotifyExchange) -> JobHandler {
        JobHandler(.spotifyReplaceAccount) { payload, context in
            let outcome = try await exchange.replaceAccount(
                questionID: payload.questionID, userID: context.job.userID, keepsFormerData: payload.keepsFormerData)
            return JobResult(outcome.verdict) { transaction, _ in _ = try outcome.write(transaction) }
        }
    }
}

extension ConnectionTokens {
    /// - Parameter scopes: the granted scopes; `nil` when Spotify does not return them.
    static func sample(scopes: [String]? = nil) -> ConnectionTokens {
        ConnectionTokens(
            accessToken: Secret("access"), expiresAt: .now().advanced(by: .seconds(3_600)),
            refreshToken: Secret("refresh"), scopes: scopes)
    }
}

extension URLComponents {
    func parameter(_ name: String) -> String? { queryItems?.first { $0.name == name }?.value }
}
