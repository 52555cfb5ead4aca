import Accounts
import Connections
import Contracts
import DomainEvents
import Jobs
import Storage
import Workers

extension JobHandler {
    /// `setup.verify…`: decodes, verifies the candidate, replies.
    ///
    /// - Parameter ask: makes the call that verifies the candidate.
    package static func verification(
        _ kind: VerificationKind, _ verification: CredentialVerification, ask: @escaping CredentialVerification.Ask
    ) -> JobHandler {
        .calling(kind) { payload, context in
            let outcome = try await verification.run(
                payload.candidateID, userID: context.job.userID, ask: ask)
            return JobResult(outcome.result) { transaction, submissions in
                guard let account = try outcome.write(transaction) else { return }
                try transaction.publish(account, with: &submissions)
            }
        }
    }
}

extension WorkerProcess {
    /// Verifies the credentials that people enter. The home city among them is stored in the account.
    var verification: CredentialVerification {
        CredentialVerification(database: database, vault: vault) { city, userID, now, transaction in
            try transaction.accounts.setHomeCity(city, userID: userID, now: now)
        }
    }
}
