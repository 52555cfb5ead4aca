import Gateway
import Hummingbird
import Model
import Synchronization

/// Limits how many sign-ins with Google one network address starts.
///
/// A start needs no credential and leaves a row for ten minutes, and only the newest rows are kept
/// (`GoogleAuthorizations.maximumCount`). An address can leave 700 of them, so it takes some seventy addresses to end
/// other people's attempts.
///
/// Behind a proxy on the same machine that `http.trustedProxies` does not name, everybody has the proxy's address.
/// There is no limit then, since one client could use it up for all.
final class SignInStarts: Sendable {
    /// The most starts of one address at once; after that, one a second.
    static let burst = 100

    private let proxies: TrustedProxies
    private let now: @Sendable () -> MonotonicInstant
    private let limiter = Mutex(RequestLimiter(requestsPerSecond: 1, burst: burst))

    init(proxies: TrustedProxies, now: @escaping @Sendable () -> MonotonicInstant) {
        (self.proxies, self.now) = (proxies, now)
    }

    /// - Throws: a ``Problem`` when the address has reached the limit.
    func count(_ request: Request, _ context: GatewayContext) throws {
        if proxies.isEmpty, context.remoteAddress?.isLoopback == true { return }
        // A local socket has no address.
        guard let address = proxies.client(of: request, peer: context.remoteAddress)?.subscriber else { return }
        guard limiter.withLock({ $0.admit(address, at: now()) }) == .admitted else { throw Problem.tooManyStarts }
    }
}

extension Problem {
    fileprivate static let tooManyStarts = Problem(
        .tooManyRequests, code: .tooManyRequests, title: "Too many sign-ins were started",
        detail: "Too many sign-ins with Google were started from this network address. Wait a few seconds, and start "
            + "again.", retryAfter: 2)
}
