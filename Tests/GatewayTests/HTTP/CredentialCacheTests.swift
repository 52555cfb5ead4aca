import Accounts
import HTTPTypes
import Hummingbird
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite("The cache of tokens and their users")
struct CredentialCacheTests {
    /// A clock that stands still until a test sets it.
    final class Clock: Sendable {
        private let instant = Mutex(MonotonicInstant(microseconds: 5_000_000))

        var now: MonotonicInstant { instant.withLock { $0 } }

        func advance(by duration: Duration) { instant.withLock { $0 = $0.advanced(by: duration) } }
    }

    @Test("A token is cached for its lifetime, and not longer")
    func lifetimeOfAToken() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let clock = Clock()
            let cache = CredentialCache(accounts: accounts) { clock.now }
            let token = try await accounts.addUser(name: "ada")
            #expect(try await cache.user(for: token)?.name == "ada")
            try await database.write { try $0.run("DELETE FROM tokens") }
            clock.advance(by: CredentialCache.lifetime - .microseconds(1))
            #expect(try await cache.user(for: token)?.name == "ada")
            clock.advance(by: .microseconds(1))
            #expect(try await cache.user(for: token) == nil)
            // A token that was found revoked is not accepted again.
            #expect(try await cache.user(for: token) == nil)
        }
    }

    @Test("An unknown token is not cached")
    func unknownToken() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let cache = CredentialCache(accounts: accounts)
            let token = APIToken.random()
            #expect(try await cache.user(for: token) == nil)
            try await database.write { transaction in
                try transaction.accounts.insertUser(UserRecord(id: "u", name: "ada", isAdmin: false, createdAt: .now()))
                try transaction.accounts.insertToken(
                    TokenRecord(id: "t", userID: "u", name: "first", createdAt: .now()), hash: token.hash)
            }
            #expect(try await cache.user(for: token)?.id == "u")
        }
    }

    /// The reads of a cache, which wait for the test.
    private final class Reads: Sendable {
        private let begun = Collector<Int>()
        private let opened = Collector<Void>()

        func cache(of accounts: Accounts) -> CredentialCache {
            CredentialCache(accounts: accounts, now: MonotonicInstant.now) { [begun, opened] credentials in
                begun.append(credentials.count)
                await opened.wait(for: 1)
                return try await accounts.owners(of: credentials)
            }
        }

        /// How many credentials each read looked up.
        var sizes: [Int] { begun.elements }
        func first() async { await begun.wait(for: 1) }
        func open() { opened.append(()) }
    }

    @Test("A flood of wrong tokens causes few reads, and does not keep valid ones from being cached")
    func floodOfWrongTokens() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let token = try await accounts.addUser(name: "ada")
            let reads = Reads()
            let cache = reads.cache(of: accounts)
            async let right = cache.user(for: token)
            await reads.first()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<1_000 {
                    group.addTask {
                        let user = try await cache.user(for: APIToken.random())
                        #expect(user == nil)
                    }
                }
                // All of them wait for the read that is under way.
                while cache.waitingCount < 1_000 { await Task.yield() }
                reads.open()
                try await group.waitForAll()
            }
            let name = try await right?.name
            #expect(name == "ada")
            #expect(reads.sizes == [1, 256, 256, 256, 232])
            // This one is answered from memory.
            #expect(try await cache.user(for: token)?.name == "ada")
            #expect(reads.sizes.count == 5)
        }
    }

    @Test("A credential that is removed while it is read is not cached")
    func removedMeanwhile() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let token = try await accounts.addUser(name: "ada")
            let id = try #require(try await accounts.user(for: token)).id
            let (key, _) = try #require(try await accounts.signIn(token: token))
            for forget in [{ (cache: CredentialCache) in cache.forget(userID: id) }, { $0.forget(key) }] {
                let reads = Reads()
                let cache = reads.cache(of: accounts)
                async let found = cache.user(for: key)
                await reads.first()
                forget(cache)
                reads.open()
                let name = try await found?.name
                #expect(name == "ada")
                #expect(try await cache.user(for: key)?.name == "ada")
                #expect(reads.sizes == [1, 1])
                #expect(try await cache.user(for: key)?.name == "ada")
                #expect(reads.sizes == [1, 1])
            }
        }
    }

    @Test("Each token finds its own user, from the database and from memory")
    func twoPeople() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let cache = CredentialCache(accounts: accounts)
            let tokens = [try await accounts.addUser(name: "ada"), try await accounts.addUser(name: "bob")]
            for _ in 0..<2 {
                for (token, name) in zip(tokens, ["ada", "bob"]) {
                    #expect(try await cache.user(for: token)?.name == name)
                }
            }
        }
    }

    @Test("The context gets the user and the token; the scheme's case does not matter")
    func contextOfARequest() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let token = try await accounts.addUser(name: "ada")
            let middleware = AuthenticationMiddleware(
                admission: .sample(CredentialCache(accounts: accounts)), site: SiteOrigin(publicURL: nil),
                throttle: SignInThrottle())
            for scheme in ["Bearer", "bearer", "BEARER"] {
                let request = Request(headers: [.authorization: "\(scheme) \(token.secret.reveal())"])
                let response = try await middleware.handle(request, context: .from()) { _, context in
                    #expect(context.user?.name == "ada" && context.token?.hash == token.hash)
                    return Response(status: .ok)
                }
                #expect(response.status == .ok)
            }
        }
    }
}

@Suite("Last uses of tokens and sessions")
struct CredentialUseTests {
    @Test("Uses are collected and written together; a failed write is repeated later")
    func timesOfUse() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let cache = CredentialCache(accounts: accounts)
            let token = try await accounts.addUser(name: "ada")
            let (key, session) = try #require(await accounts.signIn(token: token))
            for _ in 0..<3 {
                #expect(try await cache.user(for: token) != nil)
                #expect(try await cache.user(for: key) != nil)
            }
            #expect(try await accounts.tokens(of: "ada").first?.lastUsedAt == nil)
            try await database.write { try $0.run("ALTER TABLE tokens RENAME TO away") }
            await #expect(throws: StorageError.self) { try await cache.writeUses() }
            try await database.write { try $0.run("ALTER TABLE away RENAME TO tokens") }
            try await cache.writeUses()
            #expect(try await accounts.tokens(of: "ada").first?.lastUsedAt != nil)
            #expect(try #require(try await accounts.session(key)).expiresAt > session.expiresAt)
            // Without a use in between nothing is written.
            try await database.write { try $0.run("UPDATE tokens SET last_used_at = NULL") }
            try await cache.writeUses()
            #expect(try await accounts.tokens(of: "ada").first?.lastUsedAt == nil)
        }
    }
}
