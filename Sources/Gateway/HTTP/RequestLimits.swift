import Accounts
import HTTPTypes
import Hummingbird
import Model
import NIOCore
import Synchronization

/// Refuses requests beyond `limits.requestsPerSecond`.
final class RequestLimitMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    /// Which requests are counted together.
    enum Subject: String, Sendable {
        /// Those of one network address, before authentication.
        case address
        /// Those of one API token and of the sessions begun with it, or of one other session. Only behind
        /// ``AuthenticationMiddleware``.
        case token
    }

    private let subject: Subject
    private let limit: RequestLimit
    private let now: @Sendable () -> MonotonicInstant
    private let limiter: Mutex<RequestLimiter>

    init(
        per subject: Subject, _ limit: RequestLimit,
        now: @escaping @Sendable () -> MonotonicInstant = MonotonicInstant.now
    ) {
        self.subject = subject
        self.limit = limit
        self.now = now
        limiter = Mutex(RequestLimiter(requestsPerSecond: limit.requestsPerSecond, burst: limit.burst))
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let key =
            switch subject {
            case .address: limit.client(of: request, peer: context.remoteAddress)?.subscriber
            case .token: context.token?.hash ?? context.sessionTokenHash ?? context.session?.hash
            }
        guard let key else { return try await next(request, context) }
        let (verdict, standing) = limiter.withLock { limiter in
            let instant = now()
            let verdict = limiter.admit(key, at: instant)
            let (remaining, fill) = limiter.standing(of: key, at: instant)
            return (
                verdict,
                RequestLimitStanding(
                    name: subject.rawValue, burst: limit.burst, window: limiter.window.wholeSeconds,
                    remaining: remaining, reset: fill.wholeSeconds)
            )
        }
        context.visitor.limits.append(standing)
        if case .refused(let wait) = verdict { throw refusal(wait) }
        return try await next(request, context)
    }

    private func refusal(_ wait: Duration) -> Problem {
        Problem(
            .tooManyRequests, code: .tooManyRequests, title: "Too many requests",
            detail: "One \(subject.rawValue) may make \(limit.requestsPerSecond) requests per second. "
                + "Wait and send it again.",
            retryAfter: max(wait.wholeSeconds, 1))
    }
}

extension Duration {
    /// Rounded up.
    fileprivate var wholeSeconds: Int { Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0) }
}

extension SocketAddress {
    /// The key of one subscriber: an IPv4 address, or the 64-bit prefix of an IPv6 address, since a subscriber has at
    /// least one such prefix (RFC 6177) and may use any address in it; `nil` for Unix domain sockets.
    var subscriber: String? {
        switch self {
        case .v4(let address):
            return withUnsafeBytes(of: address.address.sin_addr) { $0.hexadecimal }
        case .v6(let address):
            return withUnsafeBytes(of: address.address.sin6_addr) { bytes in
                // An IPv4-mapped address (RFC 4291, section 2.5.5.2).
                let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
                return isMapped ? bytes.suffix(4).hexadecimal : bytes.prefix(8).hexadecimal
            }
        case .unixDomainSocket:
            return nil
        }
    }
}
