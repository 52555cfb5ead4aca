import Model
import Testing

@testable import Concerts

@Suite("Failed calls in a search")
struct ConcertWarningTests {
    @Test(
        "Each failure has a warning, and leads to the next key or to smaller calls if these may succeed",
        arguments: [
            (ProviderFailure.Kind.notReached, ConcertWarningCode.networkError, false, true),
            (.timedOut, .networkError, false, true), (.unreadable, .invalidResponse, false, true),
            (.serverError, .upstreamError, false, true), (.requestRefused, .upstreamError, false, true),
            (.forbidden, .upstreamError, false, true), (.rateLimited, .rateLimited, false, false),
            (.quotaExhausted, .quotaExhausted, true, false), (.shareUsed, .dailyShareUsed, true, false),
            (.credentialMissing, .ticketmasterKeyMissing, true, false),
            (.keyRefused, .ticketmasterKeyInvalid, true, false),
        ])
    func warningsOfFailures(
        kind: ProviderFailure.Kind, code: ConcertWarningCode, concernsKey: Bool, isWorthSplitting: Bool
    ) {
        let failure = ProviderFailure(.ticketmaster, kind, message: "")
        #expect(ConcertWarningCode(failure) == code)
        #expect(failure.concernsKey == concernsKey && failure.isWorthSplitting == isWorthSplitting)
    }

    @Test("A call that is not sent because many have failed is not split")
    func unsentCallsAreNotSplit() {
        let failure = ProviderFailure(
            .ticketmaster, .serverError, until: Timestamp(microseconds: 1), outcome: .notSent, message: "")
        #expect(ConcertWarningCode(failure) == .upstreamError && !failure.isWorthSplitting)
    }

    @Test("Only a used-up quota or share is stored with the answer")
    func resetsAt() {
        let end = Timestamp(microseconds: 5)
        let kinds: [(ProviderFailure.Kind, Timestamp?)] = [
            (.quotaExhausted, end), (.shareUsed, end), (.rateLimited, nil),
        ]
        for (kind, kept) in kinds {
            let failure = ProviderFailure(.ticketmaster, kind, until: end, message: "")
            #expect(ConcertAnswer.failed("k", failure).resetsAt == kept)
        }
    }
}
