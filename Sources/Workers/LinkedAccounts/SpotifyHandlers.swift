import Contracts
import Jobs
import LinkedAccounts
import Model
import Storage

extension JobHandler {
    /// `spotify.authorize`: decodes, exchanges the code, replies. A refusal by Spotify is a result too, since somebody
    /// waits for it.
    package static func spotifyAuthorize(_ calls: SpotifyCalls) -> JobHandler {
        .calling(.spotifyAuthorize) { payload, context in
            let outcome = try await calls.exchange.run(
                attemptID: payload.authorizationID, userID: context.job.userID)
            return JobReply(outcome.verdict) { transaction, submissions in
                guard let request = try outcome.write(transaction) else { return }
                try submissions.submit(
                    NewJob(.spotifyProfile, NoPayload(), runAt: request.notBefore),
                    userID: context.job.userID, in: transaction)
            }
        }
    }

    /// `spotify.replaceAccount`: decodes, connects the other account, replies.
    package static func spotifyReplaceAccount(_ calls: SpotifyCalls) -> JobHandler {
        JobHandler(.spotifyReplaceAccount) { payload, context in
            let outcome = try await calls.exchange.replaceAccount(
                questionID: payload.questionID, userID: context.job.userID, keepsFormerData: payload.keepsFormerData)
            return JobReply(outcome.verdict) { transaction, _ in _ = try outcome.write(transaction) }
        }
    }

    /// The pause between attempts to read an account's name, after all attempts of the job met temporary trouble.
    private static let profileInterval = Duration.seconds(900)

    /// `spotify.profile`: reads the account, stores its name, replies.
    ///
    /// Temporary trouble never makes it a dead letter: people read that Backline tries again by itself, and no other
    /// call may be due.
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
            return JobReply(SpotifyProfileResult(account: account.displayName)) { transaction, _ in
                try account.store(userID: userID, authorizedAt: authorizedAt, in: transaction)
            }
        }
    }
}
