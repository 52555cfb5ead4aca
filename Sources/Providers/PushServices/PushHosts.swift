import Model
import Synchronization
import Upstream

/// Calls to the hosts of people's receivers, each with its own permits and circuit breaker (``PushHostTable``).
package final class PushHosts: Sendable {
    /// How often a host is called.
    struct Limits: Sendable {
        var usual: PermitLimit
        var other: PermitLimit
        var quotas: [PermitQuota] = []
    }

    private static let limits = TransferLimits(
        connectTimeout: .seconds(5), totalTimeout: .seconds(10), maximumResponseBytes: 65_536)
    /// A message that could not be sent is sent again by its job. A call waits only a little for a paused host, so that
    /// the messages to other hosts are not late.
    private static let policy = RetryPolicy(
        maximumAttempts: 2, baseDelay: .milliseconds(250), maximumDelay: .seconds(1), waitLimit: .seconds(3))
    /// The longest pause that a host of somebody's choice can ask for. The usual services may ask for a day.
    static let longestPause = Duration.seconds(3_600)

    private let runtime: UpstreamRuntime
    private let provider: String
    private let rates: Limits
    private let table = Mutex(PushHostTable())

    init(runtime: UpstreamRuntime, provider: String, rates: Limits) {
        (self.runtime, self.provider, self.rates) = (runtime, provider, rates)
    }

    /// The push services of browsers. They publish no limits for senders; the limit protects them from a backlog.
    package static func webPush(_ runtime: UpstreamRuntime) -> PushHosts {
        PushHosts(
            runtime: runtime, provider: "webPush",
            rates: Limits(
                usual: PermitLimit(requests: 40, window: .seconds(1)),
                other: PermitLimit(requests: 5, window: .seconds(1))))
    }

    /// ntfy servers, which by default accept 60 messages at once from one address, and one more every five seconds
    /// (https://docs.ntfy.sh/publish/#limitations).
    package static func ntfy(_ runtime: UpstreamRuntime) -> PushHosts {
        PushHosts(
            runtime: runtime, provider: "ntfy",
            rates: Limits(
                usual: PermitLimit(requests: 5, window: .seconds(1)),
                other: PermitLimit(requests: 5, window: .seconds(1)),
                quotas: [PermitQuota(name: "burst", unit: .requests, amount: 60, window: .seconds(300))]))
    }

    /// Sends a request to a host.
    ///
    /// - Parameters:
    ///   - host: the name of the host, in lower case, with its port unless that is the one of https.
    ///   - base: the host's address.
    /// - Throws: ``UpstreamError``; `CancellationError`; ``StorageError``.
    func send(_ request: UpstreamRequest, to host: String, at base: BaseURL) async throws -> UpstreamResponse {
        try await client(of: table.withLock { $0.place(of: host, at: .now()) }, at: base).send(request)
    }

    private func client(of place: PushHostTable.Place, at base: BaseURL) -> UpstreamClient {
        // The host is the credential, of which only a fingerprint is stored: it may show whose it is.
        let (key, limit): (String, PermitLimit) =
            switch place {
            case .usual(let host): (host, rates.usual)
            case .own(let host): (host, rates.other)
            case .shared: ("", rates.other)
            }
        return UpstreamClient(
            runtime: runtime, provider: provider, baseURL: base, credential: Secret(key), limit: limit,
            quotas: place == .shared ? [] : rates.quotas, limits: Self.limits, policy: Self.policy,
            hasCircuitBreaker: place != .shared, classify: { Self.classify($0, of: place) })
    }

    /// A 429 is about one receiver (RFC 8030, section 8.4), so only a failure of the service pauses its host.
    static func classify(_ response: UpstreamResponse, of place: PushHostTable.Place) -> ResponseVerdict {
        guard (500...599).contains(response.status) else { return response.isSuccess ? .success : .final }
        let pause = RetryAfter.duration(in: response)
        return switch place {
        case .usual: .retryable(after: pause)
        case .own: .retryable(after: pause.map { min($0, longestPause) })
        // It must not pause other hosts.
        case .shared: .final
        }
    }
}
