import Accounts
import Contracts
import Jobs
import LinkedAccounts

extension JobHandler {
    /// `setup.verify…`: decodes, verifies the candidate, replies.
    ///
    /// - Parameter ask: makes the call that verifies it.
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

extension WorkerProcess {
    /// Verifies the credentials that people enter. The home city is part of the account.
    var verification: CredentialVerification {
        CredentialVerification(database: database, vault: vault) { city, userID, now, transaction in
            try transaction.accounts.setHomeCity(city, userID: userID, now: now)
        }
    }
}
