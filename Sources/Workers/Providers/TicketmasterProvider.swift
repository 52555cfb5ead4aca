import Model
import Ticketmaster
import Upstream

/// Ticketmaster, with a person's key, the installation's key, or a key that is to be verified.
package struct TicketmasterProvider: OpenedProvider {
    private let calls: @Sendable (Secret?, RetryPolicy) -> UpstreamClient
    /// Makes calls with the installation's key, whose daily requests are shared between people.
    private let sharedCalls: @Sendable (Secret?, RetryPolicy) -> UpstreamClient
    private let candidateCalls: @Sendable (Secret?, RetryPolicy) -> UpstreamClient

    fileprivate init(providers: ProviderSet, runtime: UpstreamRuntime) throws {
        // The quota's day begins with the first counted call. Answers say when it ends.
        let day = providers.configuration.upstreams[.ticketmaster].requestsPerDay
        let quotas =
            day == 0
            ? []
            : [
                PermitQuota(
                    name: "requestsPerDay", unit: .requests, amount: day, window: .seconds(86_400), endsAtReset: true)
            ]
        func calls(
            forCandidates: Bool = false, timeout: Duration? = nil, dailyShare: Int? = nil
        ) throws -> @Sendable (Secret?, RetryPolicy) -> UpstreamClient {
            try providers.calls(
                .ticketmaster, by: runtime, quotas: quotas, forCandidates: forCandidates, timeout: timeout,
                dailyShare: dailyShare,
                classify: { TicketmasterClient.classify($0) }, quotaReset: { TicketmasterClient.quotaReset($0) })
        }
        self.calls = try calls()
        sharedCalls = try calls(dailyShare: providers.configuration.ticketmaster.dailyShare)
        candidateCalls = try calls(forCandidates: true, timeout: RetryPolicy.interactiveTimeout)
    }

    /// - Parameters:
    ///   - key: if it is `nil`, every call throws ``TicketmasterError/keyMissing``.
    ///   - isShared: whether it is the installation's key, whose daily requests are shared between people.
    ///   - urgency: whether somebody waits for the calls.
    package func client(
        key: Secret?, isShared: Bool, urgency: UpstreamRequest.Urgency = .interactive,
        _ policy: RetryPolicy = RetryPolicy()
    ) -> TicketmasterClient {
        TicketmasterClient(key: key, urgency: urgency, send: (isShared ? sharedCalls : calls)(key, policy).send)
    }

    /// A client for verifying a key while somebody waits.
    package func client(candidate key: Secret) -> TicketmasterClient {
        TicketmasterClient(key: key, send: candidateCalls(key, .interactive).send)
    }
}

extension ProviderSet {
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    package func ticketmaster() throws -> TicketmasterProvider {
        try opened { try TicketmasterProvider(providers: self, runtime: $0) }
    }
}
