import Contracts
import Domains
import Foundation
import Model
import Storage
import TestSupport
import Testing
import Vault

@testable import Accounts

@Suite("The rows of sign-ins with Google", .timeLimit(.minutes(5)))
struct GoogleSignInStoreTests {
    private static let endpoint = "https://accounts.example.com/auth"

    /// A new ID token of the person "1".
    private func newIDToken() -> Secret { Secret("1.\(UUIDv7.next()).signature") }

    /// A worker that uses the first character of each ID token and code as its Google account.
    private func worker(
        _ database: Database, _ vault: CurrentVault, signUp: SignUpPolicy = .everyone
    ) -> GoogleSignIn {
        GoogleSignIn(
            database: database, vault: vault, signUp: signUp,
            redeem: { code, _, _ in code },
            verify: { idToken, _ in
                GoogleSignIn.Identity(subject: String(idToken.reveal().prefix(1)), name: "Ada Lovelace")
            })
    }

    private func withVault(
        _ body: (_ database: Database, _ vault: CurrentVault, _ folder: TemporaryFolder) async throws -> Void
    ) async throws {
        try await withDatabase { database, folder in
            let file = VaultKeyFile(path: folder.file("vault.key"))
            _ = try file.make()
            try await body(database, CurrentVault(keyFile: file), folder)
        }
    }

    /// Signs in with an ID token: a worker verifies it, and the result is used.
    private func signIn(_ idToken: Secret, _ database: Database, _ vault: CurrentVault) async throws -> UserRecord? {
        let candidate = GoogleIDTokenCandidate(idToken: idToken, nonce: nil)
        try await database.write { try candidate.insert(sealedBy: vault, in: $0) }
        let outcome = try await worker(database, vault).run(GoogleSignInPayload(.idToken, id: candidate.id))
        try await database.write { try outcome.write($0) }
        return try await Accounts(database: database).signIn(candidate: candidate)?.user
    }

    @Test("A verified ID token signs in once, and not after its candidate has expired")
    func spentOnce() async throws {
        try await withVault { database, vault, _ in
            let accounts = Accounts(database: database)
            func candidate(at time: Timestamp = .now()) async throws -> GoogleIDTokenCandidate {
                let candidate = GoogleIDTokenCandidate(idToken: newIDToken(), nonce: nil)
                try await database.write { try candidate.insert(sealedBy: vault, in: $0, now: time) }
                return candidate
            }
            let brought = try await candidate()
            let id = brought.id
            #expect(try await accounts.signIn(candidate: brought) == nil, "nobody has said whose it is")
            let outcome = try await worker(database, vault).run(GoogleSignInPayload(.idToken, id: id))
            #expect(outcome.result == .verified)
            try await database.write { try outcome.write($0) }
            // The id of a candidate is not the id of a browser's attempt.
            #expect(try await accounts.signIn(attempt: id, userAgent: nil) == nil)
            let late = Timestamp.now().advanced(by: GoogleIDTokenCandidate.lifetime)
            #expect(try await accounts.signIn(candidate: brought, now: late) == nil)
            let signedIn = try #require(try await accounts.signIn(candidate: brought))
            #expect(signedIn.user.name == "ada_lovelace")
            #expect(try await accounts.user(for: signedIn.token)?.id == signedIn.user.id)
            #expect(try await accounts.signIn(candidate: brought) == nil)
            let over = try await candidate(at: Timestamp.now().advanced(by: .zero - GoogleIDTokenCandidate.lifetime))
            #expect(
                try await worker(database, vault).run(GoogleSignInPayload(.idToken, id: over.id)).result.code
                    == .stateUnknown)
        }
    }

    @Test("An ID token is accepted once, by many gateways at once, and stays known until it has expired")
    func acceptedOnce() async throws {
        try await withVault { database, vault, folder in
            // A second gateway on the same database.
            let other = try Database.open(path: folder.file("test.sqlite"), schema: database.schema)
            defer { other.close() }
            let gateways = [Accounts(database: database), Accounts(database: other)]
            let now = Timestamp.now()
            let end = now.advanced(by: .seconds(3_600))
            let claims = Data(#"{"exp":\#(end.microseconds / 1_000_000)}"#.utf8).base64EncodedString()
                .replacing("=", with: "")
            let idToken = "1.\(claims)."
            func verified(_ signature: String) async throws -> GoogleIDTokenCandidate {
                let candidate = GoogleIDTokenCandidate(idToken: Secret(idToken + signature), nonce: nil)
                try await database.write { try candidate.insert(sealedBy: vault, in: $0) }
                let outcome = try await worker(database, vault).run(GoogleSignInPayload(.idToken, id: candidate.id))
                try await database.write { try outcome.write($0) }
                return candidate
            }
            var candidates: [GoogleIDTokenCandidate] = []
            // Two spellings of one signature count as one token.
            for number in 0..<20 { candidates.append(try await verified(["AAA", "AAB"][number / 2 % 2])) }
            #expect(try await !gateways[0].isUsed(candidates[0]))
            let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
                for (number, candidate) in candidates.enumerated() {
                    group.addTask {
                        do {
                            return try await gateways[number % 2].signIn(candidate: candidate) != nil
                        } catch AccountError.idTokenUsed {
                            return false
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(accepted == 1)
            #expect(try await gateways[0].isUsed(candidates[0]))
            // A token stays known until it has expired, and for another hour, because clocks may be slow.
            for early in [now, end, end.advanced(by: .seconds(3_500))] {
                try await gateways[0].prune(at: .unguarded(early))
                #expect(try await gateways[1].isUsed(candidates[0]), "\(early)")
            }
            try await gateways[0].prune(at: .unguarded(end.advanced(by: .seconds(3_601))))
            #expect(try await !gateways[0].isUsed(candidates[0]))
        }
    }

    @Test("An ID token that was refused because the user has too many tokens may be sent again")
    func notAccepted() async throws {
        try await withVault { database, vault, _ in
            let accounts = Accounts(database: database)
            let idToken = newIDToken()
            func signIn(_ idToken: Secret) async throws -> UserRecord? {
                try await self.signIn(idToken, database, vault)
            }
            let user = try #require(try await signIn(newIDToken()))
            for token in try await accounts.tokens(userID: user.id) { try await accounts.revokeToken(id: token.id) }
            for number in 0..<Accounts.maximumTokens {
                _ = try await accounts.addToken(userID: user.id, name: "\(number)", expiresAt: nil)
            }
            await #expect(throws: AccountError.tooManyTokens) { try await signIn(idToken) }
            try await accounts.revokeToken(id: try #require(try await accounts.tokens(userID: user.id).first).id)
            #expect(try await signIn(idToken)?.id == user.id)
            await #expect(throws: AccountError.idTokenUsed) { try await signIn(idToken) }
        }
    }

    @Test("A candidate that cannot be opened reports why: the key is missing, or another key sealed it")
    func unopenedCandidates() async throws {
        try await withVault { database, vault, folder in
            let candidate = GoogleIDTokenCandidate(idToken: newIDToken(), nonce: nil)
            try await database.write { try candidate.insert(sealedBy: vault, in: $0) }
            let other = VaultKeyFile(path: folder.file("other.key"))
            let payload = GoogleSignInPayload(.idToken, id: candidate.id)
            for trouble in [VaultTrouble.vaultUnavailable, .vaultKeyLost] {
                let result = try await worker(database, CurrentVault(keyFile: other)).run(payload).result
                #expect(result.code == .vaultUnavailable && result.detail == trouble.sentence)
                if trouble == .vaultUnavailable { _ = try other.make() }
            }
        }
    }

    @Test("An attempt that is dropped while Google is asked signs nobody in")
    func givenUp() async throws {
        try await withVault { database, vault, _ in
            let authorizations = GoogleAuthorizations(sealer: vault, clientID: "client")
            let browser = SignInBrowser.random()
            let begun = try await database.write { transaction in
                try authorizations.begin(
                    endpoint: Self.endpoint, browser: browser, redirectURI: "http://127.0.0.1/", returnTo: nil,
                    in: transaction)
            }
            let items = URLComponents(string: begun.authorizeURL)?.queryItems ?? []
            let state = Secret(try #require(items.first { $0.name == "state" }?.value))
            let attempt = try await database.write { transaction in
                let found = try GoogleAuthorizations.find(state: state, browser: browser, in: transaction)
                let attempt = try #require(found)
                #expect(try authorizations.accept(code: Secret("1"), of: attempt, in: transaction))
                return attempt
            }
            let outcome = try await worker(database, vault).run(GoogleSignInPayload(.code, id: attempt.id))
            try await database.write { transaction in
                try transaction.vault.drop(.authorization(id: attempt.id))
                try outcome.write(transaction)
            }
            #expect(try await database.read { try $0.accounts.users() } == [])
        }
    }

    @Test("A user who is erased while Google is asked returns only as a new user who may sign up")
    func erasedMeanwhile() async throws {
        try await withVault { database, vault, _ in
            let accounts = Accounts(database: database)
            func outcome(_ signUp: SignUpPolicy) async throws -> (GoogleIDTokenCandidate, GoogleSignIn.Outcome) {
                let candidate = GoogleIDTokenCandidate(idToken: newIDToken(), nonce: nil)
                try await database.write { try candidate.insert(sealedBy: vault, in: $0) }
                let payload = GoogleSignInPayload(.idToken, id: candidate.id)
                return (candidate, try await worker(database, vault, signUp: signUp).run(payload))
            }
            let (first, welcome) = try await outcome(.everyone)
            try await database.write { try welcome.write($0) }
            let user = try #require(try await accounts.signIn(candidate: first)).user
            let (second, known) = try await outcome(.nobody)
            #expect(known.result == .verified)
            try await database.write { transaction in
                try transaction.accounts.beginErasure(ofUser: user.id, now: .now())
                try known.write(transaction)
            }
            #expect(try await accounts.signIn(candidate: second) == nil)
            #expect(try await accounts.users() == [])
            #expect(try await outcome(.nobody).1.result.code == .signUpClosed)
        }
    }

    @Test("Expired tokens make room for a hundredth, then apps' oldest ones; a user's own tokens stay")
    func oldTokensMakeRoom() async throws {
        try await withVault { database, vault, _ in
            let accounts = Accounts(database: database)
            func signIn() async throws -> UserRecord? {
                try await self.signIn(newIDToken(), database, vault)
            }
            let user = try #require(try await signIn())
            let past = Timestamp.now().advanced(by: .seconds(-1))
            _ = try await accounts.addToken(userID: user.id, name: "expired", expiresAt: past)
            for number in 2..<Accounts.maximumTokens {
                _ = try await accounts.addToken(userID: user.id, name: "\(number)", expiresAt: nil)
            }
            let own = "Google sign-in of mine"
            try await database.write { try $0.run("UPDATE tokens SET name = \(own) WHERE name = '2'") }
            func tokens() async throws -> [TokenRecord] { try await accounts.tokens(userID: user.id) }
            let first = try #require(try await tokens().first)
            #expect(try await signIn()?.id == user.id)
            let full = try await tokens()
            #expect(full.count == Accounts.maximumTokens && full.contains { $0.id == first.id })
            // An app may sign in at each start.
            for _ in 0..<3 { #expect(try await signIn()?.id == user.id) }
            let after = try await tokens()
            #expect(after.count == Accounts.maximumTokens && !after.contains { $0.id == first.id })
            #expect(Set(full.map(\.id)).subtracting(after.map(\.id)).count == 2)
            #expect(after.contains { $0.name == own } && after.contains { $0.name == "99" })

            for token in after where token.name.hasPrefix("Google sign-in ") && token.name != own {
                try await accounts.revokeToken(id: token.id)
            }
            for name in ["own 1", "own 2"] {
                _ = try await accounts.addToken(userID: user.id, name: name, expiresAt: nil)
            }
            await #expect(throws: AccountError.tooManyTokens) { try await signIn() }
        }
    }

    @Test("A newcomer gets a username from the name, is asked to choose one, and a suspended person gets nothing")
    func newcomer() async throws {
        try await withVault { database, vault, _ in
            let accounts = Accounts(database: database)
            let user = try #require(try await signIn(newIDToken(), database, vault))
            let profile = try #require(try await accounts.profile(userID: user.id))
            #expect(profile.mustChooseUsername && profile.showsOnboarding && profile.visibility == .public)
            let candidate = GoogleIDTokenCandidate(idToken: newIDToken(), nonce: nil)
            try await database.write { try candidate.insert(sealedBy: vault, in: $0) }
            let before = try await worker(database, vault).run(GoogleSignInPayload(.idToken, id: candidate.id))
            #expect(before.result == .verified)
            try await accounts.suspend(user: user.name)
            // The worker had verified the person before.
            try await database.write { try before.write($0) }
            #expect(try await accounts.signIn(candidate: candidate) == nil)
            let later = GoogleIDTokenCandidate(idToken: newIDToken(), nonce: nil)
            try await database.write { try later.insert(sealedBy: vault, in: $0) }
            let refused = try await worker(database, vault).run(GoogleSignInPayload(.idToken, id: later.id))
            #expect(refused.result.code == .accountSuspended)
            try await accounts.reinstate(user: user.name)
            #expect(try await signIn(newIDToken(), database, vault)?.id == user.id)
        }
    }
}
