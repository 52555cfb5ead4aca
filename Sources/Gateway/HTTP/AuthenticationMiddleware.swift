import Accounts
import HTTPTypes
import Hummingbird
import Model
import Storage
import Synchronization

/// Lets only requests with a known bearer token through, and says whose they are.
struct AuthenticationMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    let users: TokenCache

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let header = request.headers[.authorization] else { throw Problem.unauthorized }
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= 200 else {
            throw Problem.unauthorized
        }
        let token = AccessToken(secret: Secret(String(parts[1])))
        guard let user = try await users.user(for: token) else { throw Problem.unauthorized }
        var context = context
        (context.user, context.token) = (user, token)
        return try await next(request, context)
    }
}

/// Remembers for a few seconds whose token it was, so that not every request reads the database.
final class TokenCache: Sendable {
    /// How long a token that was withdrawn may still work.
    static let lifetime = Duration.seconds(5)
    private static let capacity = 10_000

    private let accounts: Accounts
    private let now: @Sendable () -> MonotonicInstant
    private let known = Mutex<[String: (user: UserRecord, until: MonotonicInstant)]>([:])

    init(accounts: Accounts, now: @escaping @Sendable () -> MonotonicInstant = MonotonicInstant.now) {
        self.accounts = accounts
        self.now = now
    }

    func user(for token: AccessToken) async throws -> UserRecord? {
        let hash = token.hash
        let now = now()
        if let entry = known.withLock({ $0[hash] }), entry.until > now { return entry.user }
        guard let user = try await accounts.user(for: token) else {
            known.withLock { $0[hash] = nil }
            return nil
        }
        known.withLock { known in
            if known.count >= Self.capacity { known.removeAll() }
            known[hash] = (user, now.advanced(by: Self.lifetime))
        }
        return user
    }
}
