import Model
import NIOCore
import Synchronization

/// Counts requests and refuses those beyond `limits.requestsPerSecond`.
///
/// A request with a valid credential counts only for its person, never for its address: behind a proxy that
/// `http.trustedProxies` does not name, everybody has the same address.
final class RequestLimits: Sendable {
    /// Whose requests are counted together.
    enum Subject: Sendable {
        case person(userID: String)
        /// Requests of a person for pictures. A page shows hundreds of them, and an answer costs little.
        case pictures(userID: String)
        /// Requests without a valid credential, by ``NIOCore/SocketAddress/subscriber``.
        case address(String)

        /// Its name in `RateLimit-Policy`.
        var name: String {
            switch self {
            case .person: "person"
            case .pictures: "pictures"
            case .address: "address"
            }
        }
    }

    /// The factor by which more requests for pictures are allowed than others.
    static let pictureFactor = 10

    private struct Limiters {
        var people: RequestLimiter
        var pictures: RequestLimiter
        var addresses: RequestLimiter

        subscript(subject: Subject) -> (limiter: WritableKeyPath<Limiters, RequestLimiter>, key: String) {
            switch subject {
            case .person(let userID): (\.people, userID)
            case .pictures(let userID): (\.pictures, userID)
            case .address(let address): (\.addresses, address)
            }
        }
    }

    private let limit: RequestLimit
    private let now: @Sendable () -> MonotonicInstant
    private let limiters: Mutex<Limiters>

    init(_ limit: RequestLimit, now: @escaping @Sendable () -> MonotonicInstant = MonotonicInstant.now) {
        self.limit = limit
        self.now = now
        let (one, pictures) = (RequestLimiter(limit), RequestLimiter(limit * Self.pictureFactor))
        limiters = Mutex(Limiters(people: one, pictures: pictures, addresses: one))
    }

    /// Counts one request.
    ///
    /// - Returns: what its subject has left, and a ``Problem`` if the request is beyond the limit.
    func count(_ subject: Subject) -> (status: RequestLimitStatus, refusal: Problem?) {
        let limit = limit(of: subject)
        let (verdict, status) = limiters.withLock { limiters in
            let (path, key) = limiters[subject]
            let instant = now()
            let verdict = limiters[keyPath: path].admit(key, at: instant)
            let (remaining, fill) = limiters[keyPath: path].status(of: key, at: instant)
            return (
                verdict,
                RequestLimitStatus(
                    name: subject.name, burst: limit.burst, window: limiters[keyPath: path].window.wholeSeconds,
                    remaining: remaining, reset: fill.wholeSeconds)
            )
        }
        guard case .refused(let wait) = verdict else { return (status, nil) }
        return (status, .tooManyRequests(of: subject, limit, retryAfter: max(wait.wholeSeconds, 1)))
    }

    private func limit(of subject: Subject) -> RequestLimit {
        if case .pictures = subject { limit * Self.pictureFactor } else { limit }
    }
}

extension RequestLimiter {
    fileprivate init(_ limit: RequestLimit) {
        self.init(requestsPerSecond: limit.requestsPerSecond, burst: limit.burst)
    }
}

extension Problem {
    fileprivate static func tooManyRequests(
        of subject: RequestLimits.Subject, _ limit: RequestLimit, retryAfter: Int
    ) -> Problem {
        let rule =
            switch subject {
            case .person: "One person may make \(limit.requestsPerSecond) requests per second."
            case .pictures: "One person may ask for \(limit.requestsPerSecond) pictures per second."
            case .address:
                "One address may make \(limit.requestsPerSecond) requests per second without a valid token or session."
            }
        return Problem(
            .tooManyRequests, code: .tooManyRequests, title: "Too many requests",
            detail: rule + " Wait, then send the request again.", retryAfter: retryAfter)
    }
}

extension Duration {
    /// The seconds, rounded up.
    fileprivate var wholeSeconds: Int { Int(components.seconds) + (components.attoseconds > 0 ? 1 : 0) }
}
