import Model
import Testing

@testable import Concerts

@Suite("What a failed call means for a search")
struct ConcertWarningTests {
    @Test(
        "Each failure leads to a warning, and to the next key or to smaller questions where those may help",
        arguments: [
            (ProviderFailure.Kind.notReached, ConcertWarningCode.networkError, false, true),
            (.timedOut, .networkError, false, true), (.unreadable, .invalidResponse, false, true),
            (.serverError, .upstreamError, false, true), (.requestRefused, .upstreamError, false, true),
            (.forbidden, .upstreamError, false, true), (.rateLimited, .rateLimited, false, false),
            (.quotaExhausted, .quotaExhausted, true, false), (.shareUsed, .dailyShareUsed, true, false),
            (.credentialMissing, .ticketmasterKeyMissing, true, false),
            (.keyRefused, .ticketmasterKeyInvalid, true, false),
        ])
    func kinds(kind: ProviderFailure.Kind, code: ConcertWarningCode, isOfKey: Bool, mayBeOneCulprit: Bool) {
        let failure = ProviderFailure(.ticketmaster, kind, message: "")
        #expect(ConcertWarningCode(failure) == code)
        #expect(failure.isOfKey == isOfKey && failure.mayBeOneCulprit == mayBeOneCulprit)
    }

    @Test("Where so many calls fail that none is sent, no smaller question helps")
    func general() {
        let failure = ProviderFailure(
            .ticketmaster, .serverError, until: Timestamp(microseconds: 1), outcome: .notSent, message: "")
        #expect(ConcertWarningCode(failure) == .upstreamError && !failure.mayBeOneCulprit)
    }

    @Test("Only the end of a quota or share is kept with the answer")
    func resetsAt() {
        let end = Timestamp(microseconds: 5)
        let kinds: [(ProviderFailure.Kind, Timestamp?)] = [(.quotaExhausted, end), (.shareUsed, end), (.rateLimited, nil)]
        for (kind, kept) in kinds {
            let failure = ProviderFailure(.ticketmaster, kind, until: end, message: "")
            #expect(ConcertAnswer.failed("k", failure).resetsAt == kept)
        }
    }
}
