import Model
import Testing
import Upstream

@Suite("Failures of calls to providers")
struct ProviderFailureTests {
    private static let later = Timestamp(microseconds: 2_000_000)

    @Test(
        "Each transport error is one failure, which knows whether anything can have been sent",
        arguments: [
            (
                UpstreamError.connectionFailed("no route"), ProviderFailure.Kind.notReached, nil,
                ProviderFailure.Outcome.unknown
            ),
            (.timedOut, .timedOut, nil, .unknown), (.responseTooLarge(limit: 9), .unreadable, nil, .unknown),
            (.paused(until: later), .rateLimited, later, .notSent),
            (.paused(until: later, reason: .quotaExhausted), .quotaExhausted, later, .notSent),
            (.shareUsed(until: later), .shareUsed, later, .notSent),
            (.circuitOpen(until: later), .serverError, later, .notSent),
            (.invalidBaseURL("none"), .addressUnusable, nil, .notSent),
            (.invalidRequest("a line break"), .requestUnsendable, nil, .notSent),
        ])
    func transportErrors(
        error: UpstreamError, kind: ProviderFailure.Kind, until: Timestamp?, outcome: ProviderFailure.Outcome
    ) {
        let failure = ProviderFailure(error, of: .spotify)
        #expect(failure.provider == .spotify && failure.kind == kind)
        #expect(failure.until == until && failure.outcome == outcome)
        #expect(failure.cause == error.description && failure.message.contains("Spotify"))
        #expect("\(failure)" == "Spotify was not asked, or did not answer: \(error).")
    }

    @Test("Errors that are not about the call, and failures, are thrown unchanged")
    func otherErrors() async {
        await #expect(throws: CancellationError.self) {
            try await ProviderFailure.translating(.gemini) { throw CancellationError() }
        }
        let google = ProviderFailure(.google, .forbidden, message: "no")
        await #expect(throws: google) { try await ProviderFailure.translating(.spotify) { throw google } }
        await #expect(throws: ProviderFailure(UpstreamError.timedOut, of: .gemini)) {
            try await ProviderFailure.translating(.gemini) { throw UpstreamError.timedOut }
        }
    }

    @Test("A wait is in whole seconds, and only exists for kinds with a time from the provider")
    func retryAfter() {
        func wait(_ kind: ProviderFailure.Kind, until microseconds: Int64?) -> Int? {
            ProviderFailure(.gemini, kind, until: microseconds.map { Timestamp(microseconds: $0) }, message: "")
                .retryAfter(at: Timestamp(microseconds: 1_000_000))
        }
        #expect(wait(.rateLimited, until: 27_000_000) == 26 && wait(.quotaExhausted, until: 1_500_000) == 1)
        #expect(wait(.rateLimited, until: 26_999_999) == 26 && wait(.rateLimited, until: 0) == 1)
        #expect(wait(.rateLimited, until: nil) == nil && wait(.serverError, until: 9_000_000) == nil)
    }

    @Test("A failure may have a different recovery than its kind")
    func differentRecovery() {
        var failure = ProviderFailure(.spotify, .secretsSealed, recovery: .reconnect, message: "")
        #expect(failure.recovery == .reconnect)
        failure = ProviderFailure(.spotify, .accessTokenRefused, message: "")
        #expect(failure.recovery == .refresh)
        failure.kind = .accessTokenRefusedAgain
        #expect(failure.recovery == .tellUser)
    }
}
