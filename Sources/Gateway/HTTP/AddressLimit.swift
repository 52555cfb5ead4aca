import Hummingbird
import Model
import Synchronization

/// A limit of the requests of each network address, for routes that work without an account.
package final class AddressLimit: Sendable {
    private let limiter: Mutex<RequestLimiter>
    private let proxies: TrustedProxies
    private let now: @Sendable () -> MonotonicInstant

    /// - Parameters:
    ///   - requestsPerMinute: the most requests of an address at once, which come back over a minute.
    ///   - now: the clock of the limit.
    package init(
        requestsPerMinute: Int, proxies: TrustedProxies, now: @escaping @Sendable () -> MonotonicInstant
    ) {
        limiter = Mutex(RequestLimiter(requests: requestsPerMinute, per: .seconds(60)))
        (self.proxies, self.now) = (proxies, now)
    }

    /// Counts a request.
    ///
    /// - Returns: the seconds to wait, 1 to 60; `nil` for a request within the limit, or without an address.
    package func wait(of request: Request, _ context: GatewayContext) -> Int? {
        guard let address = proxies.client(of: request, peer: context.remoteAddress)?.subscriber,
            case .refused(let delay) = limiter.withLock({ $0.admit(address, at: now()) })
        else { return nil }
        return Int(clamping: (delay.microseconds + 999_999) / 1_000_000, to: 1...60)
    }
}
