import Connections
import Contracts
import Foundation
import Jobs
import Model
import Upstream

extension JobHandler {
    /// `setup.verify…`: decode, prove the candidate, reply.
    ///
    /// - Parameter ask: makes the call that proves it.
    package static func verification(
        _ kind: JobKind, _ verification: CredentialVerification, ask: @escaping CredentialVerification.Ask
    ) -> JobHandler {
        JobHandler(kind) { context in
            let payload: VerificationPayload = try context.decodePayload()
            let outcome = try await verification.run(
                payload.candidateID, userID: context.job.userID, ask: ask)
            let result = String(decoding: try JSONEncoder().encode(outcome.result), as: UTF8.self)
            return JobOutcome(result: result) { transaction, _ in try outcome.write(transaction) }
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
        let name = provider.displayName
        switch error {
        case UpstreamError.connectionFailed, UpstreamError.timedOut:
            self = .other(
                .unavailable(
                    code: .networkError, "\(name) could not be reached. See that this Backline has a network, and try "
                        + "again."))
        case UpstreamError.paused(let until, let reason):
            self = .other(
                .unavailable(
                    code: reason == .quotaExhausted ? .quotaExhausted : .rateLimited,
                    "\(name) asked for a pause until \(until). Try again after that.",
                    retryAfter: max(1, Int(Timestamp.now().duration(to: until).components.seconds))))
        case UpstreamError.circuitOpen:
            self = .other(
                .unavailable(code: .upstreamError, "\(name) has had trouble lately. Try again in a minute."))
        case UpstreamError.responseTooLarge, UpstreamError.invalidBaseURL:
            self = .other(.unavailable(code: .upstreamError, "\(name)'s answer could not be used. Try again later."))
        case UpstreamError.invalidRequest:
            self = .other(
                .refused(code: .keyRefused, "What was entered holds characters that no key has. Copy it again."))
        default: throw error
        }
    }
}
