import Contracts
import Model
import Storage
import Synchronization
import TestSupport
import Testing
import Vault

@testable import Connections

@Suite("Access tokens", .timeLimit(.minutes(5)))
struct TokenKeeperTests {
    @Test("A token with enough time left is used; one about to expire is refreshed first")
    func tokenAboutToExpire() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .seconds(90))
            #expect(try await fixture.use() == "access-0" && fixture.refreshes == [])
            try await fixture.connect(tokenEndsIn: .seconds(30))
            #expect(try await fixture.use() == "access-1" && fixture.refreshes == ["refresh-0"])
            #expect(try await fixture.use() == "access-1" && fixture.refreshes.count == 1)
        }
    }

    @Test("After a refused token there is one refresh and one more call, and no third")
    func noLoop() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .seconds(3_600))
            let calls = Mutex<[String]>([])
            let failure = try await #require(throws: ProviderFailure.self) {
                try await fixture.keeper.call(userID: fixture.userID) { token in
                    calls.withLock { $0.append(token.reveal()) }
                    throw ProviderFailure(.spotify, .accessTokenRefused, message: "no")
                }
            }
            #expect(failure.kind == .accessTokenRefusedAgain && failure.recovery == .tellUser)
            #expect(calls.withLock { $0 } == ["access-0", "access-1"])
            #expect(try await fixture.state == .degraded(.accessRefused, until: nil))
        }
    }

    @Test(
        "A failed refresh leaves the refresh token and the connection in place",
        arguments: ProviderFailure.Kind.allCases)
    func failedRefresh(fault: ProviderFailure.Kind) async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .zero)
            fixture.answer { _ in throw ProviderFailure(.spotify, fault, message: "no") }
            let failure = try await #require(throws: ProviderFailure.self) { try await fixture.use() }
            #expect(failure.message == "no")
            if [.grantRefused, .keyRefused, .userTokenRefused, .privateKeyUnreadable].contains(fault) {
                #expect(try await fixture.state.name == .needsReconnect)
            } else {
                #expect(try await fixture.state.isUsable)
                #expect(try await fixture.secret("refreshToken") == "refresh-0")
            }
        }
    }

    @Test("A token refused after a lost answer counts as lost; otherwise it counts as revoked")
    func refusalAfterALostAnswer() async throws {
        for (first, reason) in [
            (ProviderFailure.Kind.notReached, ConnectionState.ReconnectReason.tokenLost), (.serverError, .tokenLost),
            (.rateLimited, .revoked), (.clientRefused, .revoked),
        ] {
            try await TokenFixture.run { fixture in
                try await fixture.connect(tokenEndsIn: .zero)
                fixture.answer { _ in throw ProviderFailure(.spotify, first, message: "") }
                _ = try? await fixture.use()
                // A later refresh with a definite answer does not change that.
                fixture.answer { _ in throw ProviderFailure(.spotify, .rateLimited, message: "") }
                _ = try? await fixture.use()
                fixture.answer { _ in throw ProviderFailure(.spotify, .grantRefused, message: "") }
                _ = try? await fixture.use()
                #expect(try await fixture.state == .needsReconnect(reason), "\(first)")
                #expect(try await fixture.secret("refreshToken") == nil)
            }
        }
    }

    @Test("A refresh that was not sent frees its lease at once, and a later refusal counts as revoked")
    func unsentRefresh() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .zero)
            for error in [
                ProviderFailure(.spotify, .notReached, message: ""), ProviderFailure(.spotify, .timedOut, message: ""),
                StorageError.closed as any Error,
            ] {
                let keeper = fixture.keeper { _, _ in throw error }
                _ = try? await keeper.call(userID: fixture.userID) { _ in }
                #expect(try await fixture.lease == nil, "\(error)")
            }
            fixture.answer { _ in throw ProviderFailure(.spotify, .grantRefused, message: "") }
            _ = try? await fixture.use()
            #expect(try await fixture.state == .needsReconnect(.revoked))
        }
    }

    @Test("A connection without a refresh token has to be made again, as the person and the call are informed")
    func missingRefreshToken() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .zero)
            try await fixture.database.write { [userID = fixture.userID] in
                try $0.vault.deleteSecrets(userID: userID, provider: "spotify")
            }
            let unavailable = try await #require(throws: ProviderFailure.self) { try await fixture.use() }
            #expect(unavailable.kind == .connectionNeeded && unavailable.recovery == .reconnect)
            #expect(try await fixture.state == .needsReconnect(.tokenLost))
            #expect(fixture.refreshes == [])
        }
    }

    @Test("A scope that the provider reports as missing is no longer listed, so the setup asks for it again")
    func refusedScope() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .seconds(3_600))
            let failure = try await #require(throws: ProviderFailure.self) {
                try await fixture.keeper.call(userID: fixture.userID, scopes: ["user-read-private"]) {
                    (_: Secret) -> Void in
                    throw ProviderFailure(.spotify, .scopeMissing, message: "")
                }
            }
            #expect(failure.kind == .scopeMissing && failure.outcome == .refused)
            let record = try await fixture.database.read { [userID = fixture.userID] in
                try $0.connections.record(userID: userID, provider: "spotify")
            }
            #expect(record?.scopes == "" && record?.state == "connected")
            // Until then, calls that need it are not sent; other calls are.
            let unsent = try await #require(throws: ProviderFailure.self) {
                try await fixture.keeper.call(userID: fixture.userID, scopes: ["user-read-private"]) { _ in
                    Issue.record("it was sent")
                }
            }
            #expect(unsent.kind == .scopeMissing && unsent.outcome == .notSent)
            try await fixture.keeper.call(userID: fixture.userID) { _ in }
        }
    }

    @Test("A call that lacks a scope is not sent, and the error names the scope")
    func missingScope() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .seconds(3_600))
            let failure = try await #require(throws: ProviderFailure.self) {
                try await fixture.keeper.call(userID: fixture.userID, scopes: ["user-library-read"]) { _ in }
            }
            #expect(failure.recovery == .askScope && failure.scope == "user-library-read")
            let several = try await #require(throws: ProviderFailure.self) {
                try await fixture.keeper.call(
                    userID: fixture.userID, scopes: ["playlist-read-private", "user-read-private", "user-library-read"]
                ) { _ in }
            }
            #expect(several.scope == "playlist-read-private user-library-read")
            #expect(several.message.contains("'playlist-read-private' and 'user-library-read'"))
            #expect(try await fixture.state == .connected)
        }
    }

    @Test("Tokens for another client id are retained but not used; a refresh stores an unknown client id")
    func clientID() async throws {
        try await TokenFixture.run { fixture in
            func record() async throws -> ConnectionRecord {
                let userID = fixture.userID
                let found = try await fixture.database.read { reader in
                    try reader.connections.record(userID: userID, provider: "spotify")
                }
                return try #require(found)
            }
            try await fixture.connect(tokenEndsIn: .seconds(3_600))
            #expect(try await record().clientID == nil)
            #expect(try await fixture.use() == "access-0")
            try await fixture.connect(tokenEndsIn: .zero)
            #expect(try await fixture.use() == "access-1")
            #expect(try await record().clientID == TokenFixture.clientID)

            let other = fixture.keeper(clientID: "other") { _, _ in
                throw ProviderFailure(.spotify, .grantRefused, message: "never asked")
            }
            let failure = try await #require(throws: ProviderFailure.self) {
                try await other.call(userID: fixture.userID) { _ in Issue.record("it was called") }
            }
            #expect(failure.kind == .connectionNeeded)
            let now = Timestamp.now()
            #expect(try await record().connectionState(at: now, clientID: "other") == .needsReconnect(.clientChanged))
            // The former client id is configured again.
            #expect(try await fixture.use() == "access-1" && fixture.refreshes == ["refresh-0"])
        }
    }

    @Test("After the end of the consent nothing is sent, stored or deleted; once the clock is set back, calls continue")
    func consentEnded() async throws {
        try await TokenFixture.run { fixture in
            @Sendable func setEnd(_ end: Timestamp) async throws {
                let userID = fixture.userID
                try await fixture.database.write { transaction in
                    var record = try #require(try transaction.connections.record(userID: userID, provider: "spotify"))
                    record.renewBy = end
                    try transaction.connections.put(record, now: .now())
                }
            }
            try await fixture.connect(tokenEndsIn: .zero)
            try await setEnd(.now())
            let failure = try await #require(throws: ProviderFailure.self) { try await fixture.use() }
            #expect(failure.kind == .connectionNeeded && failure.recovery == .reconnect)
            #expect(try await fixture.state == .connected && fixture.refreshes == [])
            #expect(try await fixture.secret("refreshToken") == "refresh-0")
            try await setEnd(.now().advanced(by: .seconds(3_600)))
            #expect(try await fixture.use() == "access-1" && fixture.refreshes == ["refresh-0"])

            // The clock jumps ahead while a refresh is under way: its answer may contain the only valid token.
            try await fixture.connect(tokenEndsIn: .zero)
            fixture.answer { _ in
                try await setEnd(.now())
                return ConnectionTokens(
                    accessToken: Secret("access-2"), expiresAt: .now().advanced(by: .seconds(3_600)),
                    refreshToken: Secret("refresh-2"), scopes: nil)
            }
            _ = try await fixture.use()
            #expect(try await fixture.secret("refreshToken") == "refresh-2")
        }
    }

    @Test("Without the vault's key nothing is sent or deleted, and the connection shows the reason")
    func missingVaultKey() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .zero)
            let path = fixture.folder.file("none.key")
            let told = Mutex<[VaultError]>([])
            let strange = TokenKeeper(
                provider: .spotify, clientID: TokenFixture.clientID, database: fixture.database,
                vault: CurrentVault(keyFile: VaultKeyFile(path: path)),
                refresh: { _, _ in throw ProviderFailure(.spotify, .grantRefused, message: "never asked") },
                onVaultTrouble: { error in told.withLock { $0.append(error) } })
            let failure = try await #require(throws: ProviderFailure.self) {
                try await strange.call(userID: fixture.userID) { _ in }
            }
            #expect(failure.kind == .secretsSealed && failure.recovery == .fixConfiguration)
            // The file's path is only for the operator.
            #expect(!failure.message.contains(path))
            #expect(told.withLock { $0 } == [.unavailable(.missing(path: path))])
            #expect(try await fixture.state == .degraded(.secretsSealed, until: nil))
            #expect(try await fixture.use() == "access-1")
            #expect(try await fixture.state == .connected)
        }
    }
}
