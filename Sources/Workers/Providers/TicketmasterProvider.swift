import Model
import Ticketmaster
import Upstream

/// Ticketmaster, with whatever key: of a person, the installation's, or one that is to be proven.
package struct TicketmasterProvider: OpenedProvider {
    private let calls: @Sendable (Secret?, RetryPolicy) -> UpstreamClient
    private let candidateCalls: @Sendable (Secret?, RetryPolicy) -> UpstreamClient

    fileprivate init(providers: ProviderSet, runtime: UpstreamRuntime) throws {
        // The day begins with the first call that is counted, and answers tell when it ends.
        let day = providers.configuration.upstreams[.ticketmaster].requestsPerDay
        let quotas =
            day == 0
            ? []
            : [
                PermitQuota(
                    name: "requestsPerDay", unit: .requests, amount: day, window: .seconds(86_400), endsAtReset: true)
            ]
        func calls(
            forCandidates: Bool = false, timeout: Duration? = nil
        ) throws -> @Sendable (Secret?, RetryPolicy) -> UpstreamClient {
            try providers.calls(
                .ticketmaster, by: runtime, quotas: quotas, forCandidates: forCandidates, timeout: timeout,
                classify: { TicketmasterClient.classify($0) }, quotaReset: { TicketmasterClient.quotaReset($0) })
        }
        self.calls = try calls()
        candidateCalls = try calls(forCandidates: true, timeout: RetryPolicy.interactiveTimeout)
    }

    /// - Parameter key: without one every call throws ``TicketmasterError/keyMissing``.
    func client(key: Secret?, _ policy: RetryPolicy = RetryPolicy()) -> TicketmasterClient {
        TicketmasterClient(key: key, send: calls(key, policy).send)
    }

    /// For a key that is to be proven while somebody waits.
    func client(candidate key: Secret) -> TicketmasterClient {
        TicketmasterClient(key: key, send: candidateCalls(key, .interactive).send)
    }
}

extension ProviderSet {
    /// - Throws: ``UpstreamError/invalidBaseURL(_:)``.
    package func ticketmaster() throws -> TicketmasterProvider {
        try opened { try TicketmasterProvider(providers: self, runtime: $0) }
    }
}
