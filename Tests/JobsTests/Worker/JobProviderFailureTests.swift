import Contracts
import Jobs
import Model
import Testing

@Suite("Failures of providers in jobs")
struct JobProviderFailureTests {
    private static let later = Timestamp(microseconds: 1_000_000)

    private func remedy(
        _ kind: ProviderFailure.Kind, until: Timestamp? = nil, recovery: Recovery? = nil
    ) -> String {
        "\(JobFailure(ProviderFailure(.gemini, kind, until: until, recovery: recovery, message: "")).remedy)"
    }

    @Test("A failure with a time postpones the job, and a temporary one is retried")
    func temporaryFailures() {
        for kind in [ProviderFailure.Kind.rateLimited, .quotaExhausted, .serverError] {
            #expect(remedy(kind, until: Self.later) == "\(JobFailure.Remedy.postpone(until: Self.later))")
        }
        for kind in [ProviderFailure.Kind.serverError, .timedOut, .notReached, .unreadable, .rateLimited] {
            #expect(remedy(kind) == "\(JobFailure.Remedy.retry(after: nil))")
        }
    }

    @Test("A failure that the owner can remedy is waited for, and one without remedy makes a dead letter")
    func permanentFailures() {
        let waiting = "\(JobFailure.Remedy.awaitCredential(.gemini))"
        for kind in [ProviderFailure.Kind.connectionNeeded, .grantRefused, .keyRefused] {
            #expect(remedy(kind) == waiting)
        }
        for kind in [ProviderFailure.Kind.forbidden, .requestRefused, .clientRefused, .accountNotAllowed] {
            #expect(remedy(kind) == "\(JobFailure.Remedy.none)")
        }
        // The key file may soon be back; secrets sealed with another key have to be entered again.
        #expect(remedy(.secretsSealed) == "\(JobFailure.Remedy.retry(after: nil))")
        #expect(remedy(.secretsSealed, recovery: .reconnect) == waiting)
    }

    @Test("A job waits for a missing scope by name if the failure names one")
    func missingScopes() {
        func remedy(_ scope: String?) -> String {
            "\(JobFailure(ProviderFailure(.spotify, .scopeMissing, message: "", scope: scope)).remedy)"
        }
        #expect(remedy(nil) == "\(JobFailure.Remedy.awaitScopes([], at: .spotify))")
        #expect(remedy("one two") == "\(JobFailure.Remedy.awaitScopes(["one", "two"], at: .spotify))")
    }

    @Test("The error code is the failure's kind, and the message describes it")
    func errorCodesAndMessages() {
        let failure = JobFailure(ProviderFailure(.spotify, .notReached, message: "For people.", cause: "no route"))
        #expect(failure.code == "notReached")
        #expect(failure.message == "Spotify was not asked, or did not answer: no route.")
        #expect(JobFailure(ProviderFailure(.spotify, .forbidden, message: "No.")).message == "No.")
    }
}
