import Accounts
import HTTPTypes
import Hummingbird
import Model
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite("Whose token it is")
struct TokenCacheTests {
    /// A clock that stands until it is moved.
    final class Clock: Sendable {
        private let instant = Mutex(MonotonicInstant(microseconds: 5_000_000))

        var now: MonotonicInstant { instant.withLock { $0 } }

        func advance(by duration: Duration) { instant.withLock { $0 = $0.advanced(by: duration) } }
    }

    @Test("a token is remembered for its lifetime, and not longer")
    func lifetime() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let clock = Clock()
            let cache = TokenCache(accounts: accounts) { clock.now }
            let token = try await accounts.addUser(name: "ada")
            #expect(try await cache.user(for: token)?.name == "ada")
            try await database.write { try $0.execute("DELETE FROM tokens") }
            clock.advance(by: TokenCache.lifetime - .microseconds(1))
            #expect(try await cache.user(for: token)?.name == "ada")
            clock.advance(by: .microseconds(1))
            #expect(try await cache.user(for: token) == nil)
            // Once it is known to be gone it does not come back.
            #expect(try await cache.user(for: token) == nil)
        }
    }

    @Test("a token that is unknown now may be known the next moment")
    func unknown() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let cache = TokenCache(accounts: accounts)
            let token = AccessToken.random()
            #expect(try await cache.user(for: token) == nil)
            try await database.write { transaction in
                try transaction.insertUser(UserRecord(id: "u", name: "ada", isAdmin: false, createdAt: .now()))
                try transaction.insertToken(
                    TokenRecord(id: "t", userID: "u", name: "first", createdAt: .now()), hash: token.hash)
            }
            #expect(try await cache.user(for: token)?.id == "u")
        }
    }

    @Test("two people are told apart, from the database and from memory")
    func twoPeople() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let cache = TokenCache(accounts: accounts)
            let tokens = [try await accounts.addUser(name: "ada"), try await accounts.addUser(name: "bob")]
            for _ in 0..<2 {
                for (token, name) in zip(tokens, ["ada", "bob"]) {
                    #expect(try await cache.user(for: token)?.name == name)
                }
            }
        }
    }

    @Test("the request goes on with its user and token, under a scheme in any case")
    func middleware() async throws {
        try await withDatabase { database, _ in
            let accounts = Accounts(database: database)
            let token = try await accounts.addUser(name: "ada")
            let middleware = AuthenticationMiddleware(users: TokenCache(accounts: accounts))
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
