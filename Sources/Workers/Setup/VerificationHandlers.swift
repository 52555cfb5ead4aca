import Connections
import Contracts
import Jobs
import Model
import Upstream

extension JobHandler {
    /// `setup.verify…`: decode, prove the candidate, reply.
    ///
    /// - Parameter ask: makes the call that proves it.
    package static func verification(
        _ kind: VerificationKind, _ verification: CredentialVerification, ask: @escaping CredentialVerification.Ask
    ) -> JobHandler {
        JobHandler(kind) { payload, context in
            let outcome = try await verification.run(
                payload.candidateID, userID: context.job.userID, ask: ask)
            return JobReply(outcome.result) { transaction, _ in try outcome.write(transaction) }
        }
    }
}

extension RetryPolicy {
    /// Somebody looks at a form and waits: fifteen seconds are all there is. Each attempt has ``verificationTimeout``.
    static let verification = RetryPolicy(maximumAttempts: 2, patience: .seconds(5))
    /// Two of them, and the pause between, end before who waits gives up.
    static let verificationTimeout = Duration.seconds(6)
}

extension CredentialVerification.Verdict {
    /// The verdict of a call that brought no answer.
    ///
    /// - Throws: `error`, when it says nothing about upstream or candidate.
    init(_ error: any Error, provider: CredentialProvider) throws {
        guard let error = error as? UpstreamError else { throw error }
        let code: VerificationResult.Code
        switch error {
        case .connectionFailed, .timedOut: code = .networkError
        case .paused(_, .quotaExhausted): code = .quotaExhausted
        case .paused(_, .requested): code = .rateLimited
        case .circuitOpen: code = .upstreamError
        case .responseTooLarge, .invalidBaseURL: code = .invalidResponse
        case .invalidRequest:
            self = .other(
                .refused(code: .keyRefused, "What was entered holds characters that no key has. Copy it again."))
            return
        }
        self = .other(
            .unavailable(
                code: code, error.sentence(service: provider.displayName), retryAfter: error.retryAfter))
    }
}
