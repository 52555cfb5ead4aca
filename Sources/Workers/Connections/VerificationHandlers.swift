import Connections
import Contracts
import Jobs

extension JobHandler {
    /// `setup.verify…`: decode, prove the candidate, reply.
    ///
    /// - Parameter ask: makes the call that proves it.
    package static func verification(
        _ kind: VerificationKind, _ verification: CredentialVerification, ask: @escaping CredentialVerification.Ask
    ) -> JobHandler {
        .calling(kind) { payload, context in
            let outcome = try await verification.run(
                payload.candidateID, userID: context.job.userID, ask: ask)
            return JobReply(outcome.result) { transaction, _ in try outcome.write(transaction) }
        }
    }
}
