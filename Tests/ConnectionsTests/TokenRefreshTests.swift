import Foundation
import Model
import Platform
import Storage
import Synchronization
import TestSupport
import Testing
import Vault

@testable import Connections

@Suite("Refreshes of access tokens", .timeLimit(.minutes(5)))
struct TokenRefreshTests {
    @Test("A new refresh token replaces the former one, which stays when there is no new one")
    func rotationOfRefreshTokens() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .zero)
            let steps = [("refresh-1" as String?, "refresh-1"), (nil, "refresh-1"), ("refresh-2", "refresh-2")]
            for (next, expected) in steps {
                fixture.answer { number in
                    ConnectionTokens(
                        accessToken: Secret("access-\(number)"), expiresAt: .now(),
                        refreshToken: next.map { Secret($0) }, scopes: nil)
                }
                _ = try await fixture.use()
                #expect(try await fixture.secret("refreshToken") == expected)
            }
            #expect(fixture.refreshes == ["refresh-0", "refresh-1", "refresh-1"])
        }
    }

    @Test("One of twenty concurrent calls refreshes the token, and the others use the result")
    func oneRefreshForConcurrentCalls() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .zero)
            let (opened, door) = AsyncStream<Void>.makeStream()
            let (asked, bell) = AsyncStream<Void>.makeStream()
            fixture.answer { number in
                bell.yield()
                for await _ in opened { break }
                return ConnectionTokens(
                    accessToken: Secret("access-\(number)"), expiresAt: .now().advanced(by: .seconds(3_600)),
                    refreshToken: Secret("refresh-\(number)"), scopes: nil)
            }
            let users = (0..<20).map { _ in Task { try await fixture.use() } }
            for await _ in asked { break }
            // Open for all, so that a second refresh fails the test instead of waiting forever.
            door.finish()
            for user in users { #expect(try await user.value == "access-1") }
            #expect(fixture.refreshes == ["refresh-0"])
        }
    }

    @Test("A call cancelled during the refresh does not lose the new tokens")
    func cancelledCall() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .zero)
            let (arrivals, arrival) = AsyncStream<Void>.makeStream()
            let (opened, door) = AsyncStream<Void>.makeStream()
            fixture.answer { number in
                arrival.yield()
                for await _ in opened { break }
                // A cancelled call throws instead of returning its answer.
                try Task.checkCancellation()
                return ConnectionTokens(
                    accessToken: Secret("access-\(number)"), expiresAt: .now().advanced(by: .seconds(3_600)),
                    refreshToken: Secret("refresh-\(number)"), scopes: nil)
            }
            let user = Task { try await fixture.use() }
            for await _ in arrivals { break }
            user.cancel()
            door.yield()
            _ = await user.result
            #expect(try await fixture.secret("refreshToken") == "refresh-1")
        }
    }

    @Test("A stopping process waits for the answer to a sent refresh, and sends no other")
    func processEnds() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .zero)
            let (arrivals, arrival) = AsyncStream<Void>.makeStream()
            let (opened, door) = AsyncStream<Void>.makeStream()
            let keeper = fixture.keeper { _, gate in
                guard gate.markSent() else {
                    throw ProviderFailure(.spotify, .notReached, message: "it did not leave")
                }
                arrival.yield()
                for await _ in opened { break }
                return ConnectionTokens(
                    accessToken: Secret("access-1"), expiresAt: .now(), refreshToken: Secret("refresh-1"), scopes: nil)
            }
            let user = Task { try await keeper.call(userID: fixture.userID) { _ in } }
            for await _ in arrivals { break }
            user.cancel()
            // A deadline in the past only ends the wait.
            await keeper.finish(by: .now())
            #expect(keeper.refreshesEnd != nil)
            #expect(try await fixture.secret("refreshToken") == "refresh-0")
            let end = Task { await keeper.finish(by: .now().advanced(by: .seconds(200))) }
            door.yield()
            await end.value
            #expect(try await fixture.secret("refreshToken") == "refresh-1")
            #expect(keeper.refreshesEnd == nil)

            let failure = await #expect(throws: ProviderFailure.self) {
                try await keeper.call(userID: fixture.userID) { _ in }
            }
            #expect(failure?.kind == .notReached)
            #expect(try await fixture.lease == nil)
        }
    }

    @Test("A refresh that gets no permit in time is cancelled before it is sent, and its lease is freed")
    func neverLeft() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .zero)
            let gates = Mutex<[RefreshSendGate]>([])
            var keeper = fixture.keeper { _, gate in
                gates.withLock { $0.append(gate) }
                // Waits for a permit that is never granted.
                for await _ in AsyncStream<Void>.makeStream().stream {}
                throw CancellationError()
            }
            keeper.sendLimit = .milliseconds(10)
            let impatient = keeper
            let failure = try await #require(throws: ProviderFailure.self) {
                try await impatient.call(userID: fixture.userID) { _ in }
            }
            #expect(failure.kind == .timedOut)
            #expect(gates.withLock { $0.map { $0.markSent() } } == [false])
            #expect(try await fixture.lease == nil)
            #expect(try await fixture.use() == "access-1")
        }
    }

    @Test("A refresh that was sent is not cancelled, however long it takes")
    func sentRefreshIsCompleted() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .zero)
            let (sent, isSent) = AsyncStream<Void>.makeStream()
            let isOver = Collector<Void>()
            var keeper = fixture.keeper { _, gate in
                #expect(gate.markSent())
                isSent.yield()
                await isOver.wait(for: 1)
                // The limit would have cancelled the refresh by now.
                try await Task.sleep(for: .milliseconds(200))
                return ConnectionTokens(
                    accessToken: Secret("access-1"), expiresAt: .now().advanced(by: .seconds(3_600)),
                    refreshToken: Secret("refresh-1"), scopes: nil)
            }
            keeper.waitForSendLimit = { _ in
                for await _ in sent { break }
                isOver.append(())
            }
            #expect(try await keeper.call(userID: fixture.userID) { $0.reveal() } == "access-1")
            #expect(try await fixture.secret("refreshToken") == "refresh-1")
        }
    }

    @Test("New tokens are stored once a locked database accepts them")
    func lockedDatabase() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .zero)
            let lock = try FileHandle(forUpdating: URL(filePath: fixture.database.path + ".lock"))
            let (arrivals, arrival) = AsyncStream<Void>.makeStream()
            fixture.answer { [descriptor = lock.fileDescriptor] number in
                #expect(flock(descriptor, LOCK_EX) == 0)
                arrival.yield()
                return ConnectionTokens(
                    accessToken: Secret("access-\(number)"), expiresAt: .now().advanced(by: .seconds(3_600)),
                    refreshToken: Secret("refresh-\(number)"), scopes: nil)
            }
            let user = Task { try await fixture.use() }
            for await _ in arrivals { break }
            // The first write is refused at about the same time as that of the tokens, the second after it.
            for _ in 0..<2 {
                await #expect(throws: StorageError.self) { try await fixture.database.write { _ in } }
            }
            try lock.close()
            #expect(try await user.value == "access-1")
            #expect(try await fixture.secret("refreshToken") == "refresh-1")
        }
    }

    @Test(
        "New tokens are stored even if another process took the lease and is refused with the old one",
        arguments: [true, false])
    func overtakenRefresh(isRefusedFirst: Bool) async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .zero)
            var keeper = fixture.keeper
            // The wait ends with the other process's tokens.
            keeper.successorPatience = .seconds(60)
            let second = keeper
            let (arrivals, arrival) = AsyncStream<Void>.makeStream()
            let (stored, isStored) = AsyncStream<Void>.makeStream()
            fixture.answer { number in
                guard number == 1 else {
                    arrival.yield()
                    if !isRefusedFirst { for await _ in stored { break } }
                    throw ProviderFailure(.spotify, .grantRefused, message: "rotated")
                }
                // The lease has expired, as it does while the database is locked.
                try await fixture.setLease(.init(owner: "first", expiresAt: .now(), boot: BootID.current))
                for await _ in arrivals { break }
                return ConnectionTokens(
                    accessToken: Secret("access-1"), expiresAt: .now().advanced(by: .seconds(3_600)),
                    refreshToken: Secret("refresh-1"), scopes: nil)
            }
            let first = Task { try await fixture.use() }
            while try await fixture.lease?.owner != "first" { try await Task.sleep(for: .milliseconds(5)) }
            let other = Task { try await second.call(userID: fixture.userID) { $0.reveal() } }
            #expect(try await first.value == "access-1")
            isStored.yield()
            #expect(try await other.value == "access-1")
            #expect(fixture.refreshes == ["refresh-0", "refresh-0"])
            #expect(try await fixture.secret("refreshToken") == "refresh-1")
            #expect(try await fixture.state == .connected)
        }
    }

    @Test("New tokens are stored even if the vault's key was rotated in the meantime")
    func rotatedKey() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .zero)
            fixture.answer { number in
                _ = try await VaultRotation(files: fixture.files, database: fixture.database).run()
                return ConnectionTokens(
                    accessToken: Secret("access-\(number)"), expiresAt: .now().advanced(by: .seconds(3_600)),
                    refreshToken: Secret("refresh-\(number)"), scopes: nil)
            }
            #expect(try await fixture.use() == "access-1")
            #expect(try await fixture.secret("refreshToken") == "refresh-1")
        }
    }

    @Test("The lease of a dead process is taken over when it expires; one from an earlier boot, at once")
    func takenOver() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .zero)
            let ends = MonotonicInstant.now().advanced(by: .milliseconds(300))
            try await fixture.setLease(.init(owner: "dead", expiresAt: ends, boot: BootID.current))
            #expect(try await fixture.use() == "access-1")
            #expect(MonotonicInstant.now() >= ends)
            try await fixture.connect(tokenEndsIn: .zero)
            let far = MonotonicInstant.now().advanced(by: .seconds(100_000))
            try await fixture.setLease(.init(owner: "dead", expiresAt: far, boot: "another"))
            #expect(try await fixture.use() == "access-2")
        }
    }

    @Test("Tokens for a connection that was disconnected or replaced in the meantime are not stored")
    func tokensOfAReplacedConnection() async throws {
        try await TokenFixture.run { fixture in
            try await fixture.connect(tokenEndsIn: .zero)
            fixture.answer { [database = fixture.database, userID = fixture.userID] number in
                try await database.write { try SpotifyAuthorizations.disconnect(userID: userID, in: $0) }
                return ConnectionTokens(
                    accessToken: Secret("access-\(number)"), expiresAt: .now(), refreshToken: Secret("x"), scopes: nil)
            }
            await #expect(throws: ProviderFailure.self) { try await fixture.use() }
            #expect(try await fixture.state == .disconnected)
            for field in ["accessToken", "refreshToken"] { #expect(try await fixture.secret(field) == nil) }
        }
    }
}
