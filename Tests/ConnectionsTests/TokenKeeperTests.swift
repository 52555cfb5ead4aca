import Contracts
import Foundation
import Model
import Storage
import Synchronization
import TestSupport
import Testing
import Vault

@testable import Connections

@Suite("Access tokens", .timeLimit(.minutes(5)))
struct TokenKeeperTests {
    @Test("A token that is good for a while is used as it is; one about to end is refreshed first")
    func margin() async throws {
        try await Bench.run { bench in
            try await bench.connect(tokenEndsIn: .seconds(90))
            #expect(try await bench.use() == "access-0" && bench.refreshes == [])
            try await bench.connect(tokenEndsIn: .seconds(30))
            #expect(try await bench.use() == "access-1" && bench.refreshes == ["refresh-0"])
            #expect(try await bench.use() == "access-1" && bench.refreshes.count == 1)
        }
    }

    @Test("A rotated refresh token takes the place of the one before it, which is kept when none comes")
    func rotation() async throws {
        try await Bench.run { bench in
            try await bench.connect(tokenEndsIn: .zero)
            let steps = [("refresh-1" as String?, "refresh-1"), (nil, "refresh-1"), ("refresh-2", "refresh-2")]
            for (next, expected) in steps {
                bench.answer { number in
                    ConnectionTokens(
                        accessToken: Secret("access-\(number)"), expiresAt: .now(),
                        refreshToken: next.map { Secret($0) }, scopes: nil)
                }
                _ = try await bench.use()
                #expect(try await bench.secret("refreshToken") == expected)
            }
            #expect(bench.refreshes == ["refresh-0", "refresh-1", "refresh-1"])
        }
    }

    @Test("Of twenty at once, in two processes' keepers, one refreshes and the others use what it got")
    func once() async throws {
        try await Bench.run { bench in
            try await bench.connect(tokenEndsIn: .zero)
            let (opened, door) = AsyncStream<Void>.makeStream()
            let (asked, bell) = AsyncStream<Void>.makeStream()
            bench.answer { number in
                bell.yield()
                for await _ in opened { break }
                return ConnectionTokens(
                    accessToken: Secret("access-\(number)"), expiresAt: .now().advanced(by: .seconds(3_600)),
                    refreshToken: Secret("refresh-\(number)"), scopes: nil)
            }
            let users = (0..<20).map { _ in Task { try await bench.use() } }
            for await _ in asked { break }
            door.yield()
            for user in users { #expect(try await user.value == "access-1") }
            #expect(bench.refreshes == ["refresh-0"])
        }
    }

    @Test("Who is cancelled while the provider refreshes the token does not lose it")
    func cancelled() async throws {
        try await Bench.run { bench in
            try await bench.connect(tokenEndsIn: .zero)
            let (arrivals, arrival) = AsyncStream<Void>.makeStream()
            let (opened, door) = AsyncStream<Void>.makeStream()
            bench.answer { number in
                arrival.yield()
                for await _ in opened { break }
                // As a call does that is given up: nobody reads its answer.
                try Task.checkCancellation()
                return ConnectionTokens(
                    accessToken: Secret("access-\(number)"), expiresAt: .now().advanced(by: .seconds(3_600)),
                    refreshToken: Secret("refresh-\(number)"), scopes: nil)
            }
            let user = Task { try await bench.use() }
            for await _ in arrivals { break }
            user.cancel()
            door.yield()
            _ = await user.result
            #expect(try await bench.secret("refreshToken") == "refresh-1")
        }
    }

    @Test("New tokens are kept until a database that is locked takes them")
    func locked() async throws {
        try await Bench.run { bench in
            try await bench.connect(tokenEndsIn: .zero)
            let lock = try FileHandle(forUpdating: URL(filePath: bench.database.path + ".lock"))
            let (arrivals, arrival) = AsyncStream<Void>.makeStream()
            bench.answer { [descriptor = lock.fileDescriptor] number in
                #expect(flock(descriptor, LOCK_EX) == 0)
                arrival.yield()
                return ConnectionTokens(
                    accessToken: Secret("access-\(number)"), expiresAt: .now().advanced(by: .seconds(3_600)),
                    refreshToken: Secret("refresh-\(number)"), scopes: nil)
            }
            let user = Task { try await bench.use() }
            for await _ in arrivals { break }
            // The first is refused at about the same time as the tokens, the second after them.
            for _ in 0..<2 {
                await #expect(throws: StorageError.self) { try await bench.database.write { _ in } }
            }
            try lock.close()
            #expect(try await user.value == "access-1")
            #expect(try await bench.secret("refreshToken") == "refresh-1")
        }
    }

    @Test("A refused token is refreshed once and its call made once more, and no third time")
    func noLoop() async throws {
        try await Bench.run { bench in
            try await bench.connect(tokenEndsIn: .seconds(3_600))
            let calls = Mutex<[String]>([])
            let failure = try await #require(throws: ConnectionFailure.self) {
                try await bench.keeper.call(userID: bench.userID) { token in
                    calls.withLock { $0.append(token.reveal()) }
                    throw ConnectionFailure(.accessTokenRefused, message: "no")
                }
            }
            #expect(failure.fault == .accessTokenRefusedAgain && failure.recovery == .tellUser)
            #expect(calls.withLock { $0 } == ["access-0", "access-1"])
            #expect(try await bench.state == .degraded(.accessRefused, until: nil))
        }
    }

    @Test(
        "A refresh that brings trouble keeps the refresh token and the connection", arguments: ConnectionFault.allCases)
    func trouble(fault: ConnectionFault) async throws {
        try await Bench.run { bench in
            try await bench.connect(tokenEndsIn: .zero)
            bench.answer { _ in throw ConnectionFailure(fault, message: "no") }
            let failure = try await #require(throws: ConnectionFailure.self) { try await bench.use() }
            #expect(failure.message == "no")
            if fault == .grantRefused || fault == .keyRefused {
                #expect(try await bench.state.name == .needsReconnect)
            } else {
                #expect(try await bench.state.isUsable)
                #expect(try await bench.secret("refreshToken") == "refresh-0")
            }
        }
    }

    @Test("Refused after an answer that never came, the token was lost; without such an answer, it was revoked")
    func lost() async throws {
        for (first, reason) in [
            (ConnectionFault.notReached, ConnectionState.ReconnectReason.tokenLost), (.serverError, .tokenLost),
            (.rateLimited, .revoked), (.clientRefused, .revoked),
        ] {
            try await Bench.run { bench in
                try await bench.connect(tokenEndsIn: .zero)
                bench.answer { _ in throw ConnectionFailure(first, message: "") }
                _ = try? await bench.use()
                // What is certain about a later one does not make up for it.
                bench.answer { _ in throw ConnectionFailure(.rateLimited, message: "") }
                _ = try? await bench.use()
                bench.answer { _ in throw ConnectionFailure(.grantRefused, message: "") }
                _ = try? await bench.use()
                #expect(try await bench.state == .needsReconnect(reason), "\(first)")
                #expect(try await bench.secret("refreshToken") == nil)
            }
        }
    }

    @Test("A connection that has nothing to refresh with says so itself, to its person as to the call")
    func empty() async throws {
        try await Bench.run { bench in
            try await bench.connect(tokenEndsIn: .zero)
            try await bench.database.write { [userID = bench.userID] in
                try $0.deleteSecrets(userID: userID, provider: "spotify")
            }
            let unavailable = try await #require(throws: ConnectionUnavailable.self) { try await bench.use() }
            #expect(unavailable.state == .needsReconnect(.tokenLost))
            #expect(try await bench.state == .needsReconnect(.tokenLost))
            #expect(bench.refreshes == [])
        }
    }

    @Test("A dead holder's lease is waited for and then taken over; one of an earlier boot is taken at once")
    func takenOver() async throws {
        try await Bench.run { bench in
            try await bench.connect(tokenEndsIn: .zero)
            let ends = MonotonicInstant.now().advanced(by: .milliseconds(300))
            try await bench.setLease(.init(owner: "dead", expiresAt: ends, boot: BootID.current))
            #expect(try await bench.use() == "access-1")
            #expect(MonotonicInstant.now() >= ends)
            try await bench.connect(tokenEndsIn: .zero)
            let far = MonotonicInstant.now().advanced(by: .seconds(100_000))
            try await bench.setLease(.init(owner: "dead", expiresAt: far, boot: "another"))
            #expect(try await bench.use() == "access-2")
        }
    }

    @Test("Tokens that come back for a connection that was disconnected or made anew meanwhile are not kept")
    func fence() async throws {
        try await Bench.run { bench in
            try await bench.connect(tokenEndsIn: .zero)
            bench.answer { [database = bench.database, userID = bench.userID] number in
                try await database.write { try SpotifyAuthorizations.disconnect(userID: userID, in: $0) }
                return ConnectionTokens(
                    accessToken: Secret("access-\(number)"), expiresAt: .now(), refreshToken: Secret("x"), scopes: nil)
            }
            await #expect(throws: ConnectionUnavailable.self) { try await bench.use() }
            #expect(try await bench.state == .disconnected)
            for field in ["accessToken", "refreshToken"] { #expect(try await bench.secret(field) == nil) }
        }
    }

    @Test("Without a scope that a call needs nothing is sent, and the scope is named")
    func scope() async throws {
        try await Bench.run { bench in
            try await bench.connect(tokenEndsIn: .seconds(3_600))
            let failure = try await #require(throws: ConnectionFailure.self) {
                try await bench.keeper.call(userID: bench.userID, scope: "user-library-read") { _ in }
            }
            #expect(failure.recovery == .askScope && failure.scope == "user-library-read")
            #expect(try await bench.state == .connected)
        }
    }

    @Test("Without the vault's key nothing is asked for, nothing is forgotten, and the connection says why")
    func sealed() async throws {
        try await Bench.run { bench in
            try await bench.connect(tokenEndsIn: .zero)
            let strange = TokenKeeper(
                provider: .spotify, serviceName: "Spotify", database: bench.database,
                vault: CurrentVault(keyFile: VaultKeyFile(path: bench.folder.file("none.key"))),
                refresh: { _ in throw ConnectionFailure(.grantRefused, message: "never asked") })
            let failure = try await #require(throws: ConnectionFailure.self) {
                try await strange.call(userID: bench.userID) { _ in }
            }
            #expect(failure.fault == .secretsSealed)
            #expect(try await bench.state == .degraded(.secretsSealed, until: nil))
            #expect(try await bench.use() == "access-1")
            #expect(try await bench.state == .connected)
        }
    }
}

/// A person with a connection, and a provider that answers as a test says.
private struct Bench: Sendable {
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

    let database: Database
    let folder: TemporaryFolder
    let userID: String
    let vault: CurrentVault
    let script: Script
    let keeper: TokenKeeper

    static func run(_ body: (Bench) async throws -> Void) async throws {
        try await withDatabase { database, folder in
            let user = UserRecord(id: UUIDv7.next(), name: "ada", isAdmin: false, createdAt: .now())
            try await database.write { try $0.insertUser(user) }
            let file = VaultKeyFile(path: folder.file("vault.key"))
            _ = try file.make()
            let vault = CurrentVault(keyFile: file)
            let script = Script { number in
                ConnectionTokens(
                    accessToken: Secret("access-\(number)"), expiresAt: .now().advanced(by: .seconds(3_600)),
                    refreshToken: Secret("refresh-\(number)"), scopes: nil)
            }
            let keeper = TokenKeeper(
                provider: .spotify, serviceName: "Spotify", database: database, vault: vault,
                refresh: { try await script.ask($0.reveal()) })
            try await body(
                Bench(
                    database: database, folder: folder, userID: user.id, vault: vault, script: script, keeper: keeper))
        }
    }

    var refreshes: [String] { script.asked }

    func answer(_ answer: @escaping Answer) {
        script.set(answer)
    }

    /// Connects with access-0 and refresh-0.
    func connect(tokenEndsIn rest: Duration) async throws {
        let (userID, now) = (userID, Timestamp.now())
        let secrets = try ["accessToken": "access-0", "refreshToken": "refresh-0"].map { field, text in
            (field, try vault.vault().seal(Secret(text), as: SecretName(userID: userID, provider: .spotify, field: field)))
        }
        try await database.write { transaction in
            for (field, secret) in secrets {
                try transaction.putSecret(secret, userID: userID, provider: "spotify", field: field, now: now)
            }
            try transaction.handle(.accepted, userID: userID, provider: .spotify, now: now) { record in
                record.tokenExpiresAt = now.advanced(by: rest)
                record.scopes = "user-read-private"
                record.refresh = nil
            }
        }
    }

    func setLease(_ lease: ConnectionRecord.RefreshLease) async throws {
        let userID = userID
        try await database.write { try $0.setRefreshLease(lease, userID: userID, provider: "spotify") }
    }

    /// The token that a call is made with.
    func use() async throws -> String {
        try await keeper.call(userID: userID) { $0.reveal() }
    }

    var state: ConnectionState {
        get async throws {
            let userID = userID
            let record = try await database.read { try $0.connection(userID: userID, provider: "spotify") }
            return try ConnectionState(try #require(record))
        }
    }

    func secret(_ field: String) async throws -> String? {
        let userID = userID
        let sealed = try await database.read { try $0.sealedSecret(userID: userID, provider: "spotify", field: field) }
        return try sealed.map {
            try vault.open($0, as: SecretName(userID: userID, provider: .spotify, field: field)).reveal()
        }
    }
}
