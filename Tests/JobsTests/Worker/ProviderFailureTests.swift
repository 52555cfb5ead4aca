import Contracts
import Jobs
import Model
import Testing

@Suite("What a provider's failure means for a job")
struct ProviderFailureTests {
    private static let later = Timestamp(microseconds: 1_000_000)

    private func remedy(
        _ kind: ProviderFailure.Kind, until: Timestamp? = nil, recovery: Recovery? = nil
    ) -> String {
        "\(JobFailure(ProviderFailure(.gemini, kind, until: until, recovery: recovery, message: "")).remedy)"
    }

    @Test("What passes at a time is put off until then, what passes by itself is tried again")
    func passing() {
        for kind in [ProviderFailure.Kind.rateLimited, .quotaExhausted, .serverError] {
            #expect(remedy(kind, until: Self.later) == "\(JobFailure.Remedy.postpone(until: Self.later))")
        }
        for kind in [ProviderFailure.Kind.serverError, .timedOut, .notReached, .unreadable, .rateLimited] {
            #expect(remedy(kind) == "\(JobFailure.Remedy.retry(after: nil))")
        }
    }

    @Test("What its person has to mend is waited for, and what nobody can mend soon is a dead letter")
    func lasting() {
        let waiting = "\(JobFailure.Remedy.awaitCredential(.gemini))"
        for kind in [ProviderFailure.Kind.connectionNeeded, .grantRefused, .keyRefused] {
            #expect(remedy(kind) == waiting)
        }
        for kind in [ProviderFailure.Kind.forbidden, .requestRefused, .clientRefused, .accountNotAllowed] {
            #expect(remedy(kind) == "\(JobFailure.Remedy.none)")
        }
        // The key file may be back in a moment; what another key has sealed is to be entered again.
        #expect(remedy(.secretsSealed) == "\(JobFailure.Remedy.retry(after: nil))")
        #expect(remedy(.secretsSealed, recovery: .reconnect) == waiting)
    }

    @Test("A scope that is missing is waited for by its name, where it has one")
    func scopes() {
        func remedy(_ scope: String?) -> String {
            "\(JobFailure(ProviderFailure(.spotify, .scopeMissing, message: "", scope: scope)).remedy)"
        }
        #expect(remedy(nil) == "\(JobFailure.Remedy.awaitScopes([], at: .spotify))")
        #expect(remedy("one two") == "\(JobFailure.Remedy.awaitScopes(["one", "two"], at: .spotify))")
    }

    @Test("Its code is the kind's name, and its message says what was in the way")
    func words() {
        let failure = JobFailure(ProviderFailure(.spotify, .notReached, message: "For people.", cause: "no route"))
        #expect(failure.code == "notReached")
        #expect(failure.message == "Spotify was not asked, or did not answer: no route.")
        #expect(JobFailure(ProviderFailure(.spotify, .forbidden, message: "No.")).message == "No.")
    }
}
