import Contracts
import Jobs
import LinkedAccounts
import Model
import Storage

extension JobHandler {
    /// `spotify.authorize`: decodes, exchanges the code, replies. A refusal by Spotify is also a result, since somebody
    /// waits for it. A new connection starts a sync.
    package static func spotifyAuthorize(_ calls: SpotifyCalls, library: LibraryHooks) -> JobHandler {
        .calling(.spotifyAuthorize) { payload, context in
            let outcome = try await calls.exchange.run(
                attemptID: payload.authorizationID, userID: context.job.userID)
            return JobResult(outcome.verdict) { transaction, submissions in
                let (settlement, userID) = (try outcome.write(transaction), context.job.userID)
                if let request = settlement.profile {
                    try submissions.submit(
                        NewJob(.spotifyProfile, NoPayload(), runAt: request.notBefore), userID: userID,
                        in: transaction)
                }
                if settlement.isConnected {
                    try library.submitLibrarySync(.spotify, userID, transaction, &submissions)
                }
            }
        }
    }

    /// `spotify.replaceAccount`: decodes, connects the other account, replies. The former account's data is deleted
    /// unless the person wants to keep it, and a sync of the new account starts.
    package static func spotifyReplaceAccount(_ calls: SpotifyCalls, library: LibraryHooks) -> JobHandler {
        JobHandler(.spotifyReplaceAccount) { payload, context in
            let outcome = try await calls.exchange.replaceAccount(
                questionID: payload.questionID, userID: context.job.userID, keepsFormerData: payload.keepsFormerData)
            return JobResult(outcome.verdict) { transaction, submissions in
                let userID = context.job.userID
                guard try outcome.write(transaction).isConnected else { return }
                if !payload.keepsFormerData { try library.scheduleLibraryRemoval(.spotify, userID, transaction) }
                try library.submitLibrarySync(.spotify, userID, transaction, &submissions)
            }
        }
    }

    /// The pause before the account's name is read again once all attempts of the job have failed temporarily.
    private static let profileInterval = Duration.seconds(900)

    /// `spotify.profile`: reads the account, stores its name, replies.
    ///
    /// A temporary failure never makes it a dead letter: the page says that Backline tries again by itself, and no
    /// other call may be due.
    package static func spotifyProfile(_ calls: SpotifyCalls) -> JobHandler {
        .calling(.spotifyProfile) { _, context in
            let userID = context.job.userID
            let (account, authorizedAt): (SpotifyAccount, Timestamp?)
            do {
                (account, authorizedAt) = try await calls.account(userID: userID)
            } catch let error as ProviderFailure {
                var failure = JobFailure(error)
                if case .retry(after: nil) = failure.remedy, context.job.attempt >= context.job.maximumAttempts {
                    failure.remedy = .postpone(until: .now().advanced(by: profileInterval))
                }
                throw failure
            }
            return JobResult(SpotifyProfileResult(account: account.displayName)) { transaction, _ in
                try account.store(userID: userID, authorizedAt: authorizedAt, in: transaction)
            }
        }
    }
}
