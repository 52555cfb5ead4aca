import Hummingbird
import Model
import NIOCore
import Synchronization

/// Slows those who try tokens, sessions and sign-in links that nobody has, by their network address.
///
/// Only what failed counts, and only where it came from: nobody elsewhere is kept out by it. Whoever is known to the
/// gateway already (``CredentialCache``) is not asked, so that neighbours behind one address go on working.
final class SignInThrottle: Sendable {
    /// So many failures may come at once; then one a second.
    static let burst = 30

    private let addresses: RequestLimit
    private let now: @Sendable () -> MonotonicInstant
    private let failures = Mutex(RequestLimiter(requestsPerSecond: 1, burst: burst))

    /// - Parameter trustedProxies: whose word about where a request comes from is believed.
    init(
        trustedProxies: [AddressRange] = [], now: @escaping @Sendable () -> MonotonicInstant = MonotonicInstant.now
    ) {
        addresses = RequestLimit(requestsPerSecond: 1, trustedProxies: trustedProxies)
        self.now = now
    }

    /// Tries a credential.
    ///
    /// - Parameter body: `nil` says that nobody has it.
    /// - Throws: a ``Problem``, without trying, when too many from there were wrong lately.
    func attempt<Value: Sendable>(
        _ request: Request, _ context: GatewayContext, _ body: () async throws -> Value?
    ) async throws -> Value? {
        guard let key = addresses.client(of: request, peer: context.remoteAddress)?.subscriber else {
            return try await body()
        }
        let remaining = failures.withLock { $0.standing(of: key, at: now()).remaining }
        guard remaining > 0 else { throw Problem.tooManyAttempts }
        let value = try await body()
        if value == nil { failures.withLock { _ = $0.admit(key, at: now()) } }
        return value
    }
}

extension Problem {
    static let tooManyAttempts = Problem(
        .tooManyRequests, code: "tooManyAttempts", title: "Too many wrong credentials",
        detail: "Too many tokens, sessions or links from this network address were not anybody's. Wait, and look "
            + "whether the token is complete and was not revoked.",
        retryAfter: 1)
}
