import Contracts
import Crypto
import Foundation
import Model
import Storage
import TestSupport
import Testing

@testable import Vault

@Suite("The authorization code flow")
struct AuthorizationFlowTests {
    private static let initiator = AuthorizationFlow.Initiator(userID: nil, browserHash: "browser")

    private static func request(nonce: String? = nil) -> AuthorizationFlow.Request {
        AuthorizationFlow.Request(
            endpoint: "https://accounts.test/authorize", redirectURI: "https://backline.test/back?a=b",
            scopes: "one two", nonce: nonce, parameters: [("prompt", "select_account")], returnTo: "/setup")
    }

    private func withFlow(
        _ body: (AuthorizationFlow, CurrentVault, Database) async throws -> Void
    ) async throws {
        try await withDatabase { database, folder in
            let file = VaultKeyFile(path: folder.file("vault.key"))
            _ = try file.make()
            let vault = CurrentVault(keyFile: file)
            try await body(AuthorizationFlow(provider: .google, clientID: "app", sealer: vault), vault, database)
        }
    }

    private func state(of attempt: AuthorizationFlow.Attempt) throws -> Secret {
        let items = try #require(URLComponents(string: attempt.authorizeURL)?.queryItems)
        return Secret(try #require(items.first { $0.name == "state" }?.value))
    }

    @Test("The address has all parameters and an S256 challenge, and the row contains no plain state or verifier")
    func addressAndRow() async throws {
        try await withFlow { flow, vault, database in
            let attempt = try await database.write {
                try flow.begin(Self.request(nonce: "n"), by: Self.initiator, in: $0, now: .now())
            }
            let items = try #require(URLComponents(string: attempt.authorizeURL)?.queryItems)
            let parameters = Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
            #expect(attempt.authorizeURL.hasPrefix("https://accounts.test/authorize?"))
            #expect(parameters["client_id"] == "app" && parameters["response_type"] == "code")
            #expect(parameters["redirect_uri"] == "https://backline.test/back?a=b" && parameters["scope"] == "one two")
            #expect(parameters["nonce"] == "n" && parameters["prompt"] == "select_account")
            #expect(parameters["code_challenge_method"] == "S256")
            let state = try state(of: attempt)
            let record = try #require(
                try await database.write { transaction in
                    let record = try AuthorizationFlow.find(
                        state: state, of: .google, by: Self.initiator, in: transaction, now: .now())
                    guard let record else { return record }
                    #expect(try flow.accept(code: Secret("code"), of: record, in: transaction))
                    return try transaction.vault.authorization(id: record.id)
                })
            #expect(record.stateHash != state.reveal() && record.returnTo == "/setup" && record.nonce == "n")
            let opened = try #require(try record.open(by: vault))
            #expect(opened.code.reveal() == "code")
            #expect(AuthorizationSecrets.challenge(of: opened.verifier) == parameters["code_challenge"])
            // Values sealed for one attempt cannot be opened in another.
            var other = record
            other.id = UUIDv7.next()
            #expect(throws: VaultError.self) { try other.open(by: vault) }
        }
    }

    @Test("A state is accepted once, for ten minutes, and only from its initiator and for its provider")
    func stateIsAcceptedOnce() async throws {
        try await withFlow { flow, _, database in
            let now = Timestamp.now()
            let end = now.advanced(by: AuthorizationFlow.lifetime)
            let attempt = try await database.write {
                try flow.begin(Self.request(), by: Self.initiator, in: $0, now: now)
            }
            #expect(attempt.expiresAt == end)
            let state = try state(of: attempt)
            try await database.write { transaction in
                func find(
                    _ state: Secret = state, of provider: Provider = .google,
                    by initiator: AuthorizationFlow.Initiator = Self.initiator, at time: Timestamp = now
                ) throws -> AuthorizationRecord? {
                    try AuthorizationFlow.find(state: state, of: provider, by: initiator, in: transaction, now: time)
                }
                #expect(try find(Secret("")) == nil)
                #expect(try find(Secret(state.reveal() + "x")) == nil)
                #expect(try find(of: .spotify) == nil)
                for stranger in [
                    AuthorizationFlow.Initiator(userID: nil, browserHash: nil),
                    .init(userID: nil, browserHash: "other"),
                    .init(userID: "ada", browserHash: "browser"),
                ] {
                    #expect(try find(by: stranger) == nil)
                }
                #expect(try find(at: end) == nil)
                let record = try #require(try find(at: end.advanced(by: .microseconds(-1))))
                #expect(try !flow.accept(code: Secret("late"), of: record, in: transaction, now: end))
                #expect(try flow.accept(code: Secret("first"), of: record, in: transaction, now: now))
                #expect(try !flow.accept(code: Secret("second"), of: record, in: transaction, now: now))
                #expect(try find() == nil)
            }
        }
    }
}
