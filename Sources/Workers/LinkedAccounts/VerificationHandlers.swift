import Accounts
import Contracts
import Jobs
import LinkedAccounts

extension JobHandler {
    /// `setup.verify…`: decodes, verifies the candidate, replies.
    ///
    /// - Parameters:
    ///   - library: starts a sync once a token is accepted. Only for Apple Music; `nil` for services without a library.
    ///   - ask: makes the call that verifies the candidate.
    package static func verification(
        _ kind: VerificationKind, _ verification: CredentialVerification, library: LibraryHooks? = nil,
        ask: @escaping CredentialVerification.Ask
    ) -> JobHandler {
        .calling(kind) { payload, context in
            let outcome = try await verification.run(
                payload.candidateID, userID: context.job.userID, ask: ask)
            return JobResult(outcome.result) { transaction, submissions in
                guard try outcome.write(transaction), let library else { return }
                try library.submitLibrarySync(.appleMusic, context.job.userID, transaction, &submissions)
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
