import Connections
import Contracts
import DomainEvents
import Jobs
import Model
import Storage
import Workers

extension JobHandler {
    /// `spotify.authorize`: decodes, exchanges the code, replies. A refusal by Spotify is also a result, since somebody
    /// waits for it.
    package static func spotifyAuthorize(_ calls: SpotifyCalls) -> JobHandler {
        .calling(.spotifyAuthorize) { payload, context in
            let outcome = try await calls.exchange.run(
                attemptID: payload.authorizationID, userID: context.job.userID)
            return JobResult(outcome.verdict) { transaction, submissions in
                let (result, userID) = (try outcome.write(transaction), context.job.userID)
                if let request = result.profile {
                    try submissions.submit(
                        NewJob(.spotifyProfile, NoPayload(), runAt: request.notBefore), userID: userID,
                        in: transaction)
                }
                if result.isConnected {
                    try transaction.publish(AccountConnected(userID: userID, provider: .spotify), with: &submissions)
                }
            }
        }
    }

    /// `spotify.replaceAccount`: decodes, connects the other account, replies.
    package static func spotifyReplaceAccount(_ calls: SpotifyCalls) -> JobHandler {
        JobHandler(.spotifyReplaceAccount) { payload, context in
            let outcome = try await calls.exchange.replaceAccount(
                questionID: payload.questionID, userID: context.job.userID, keepsFormerData: payload.keepsFormerData)
            return JobResult(outcome.verdict) { transaction, submissions in
                let userID = context.job.userID
                guard try outcome.write(transaction).isConnected else { return }
                try transaction.publish(
                    AccountReplaced(
                        userID: userID, provider: .spotify, keepsFormerData: payload.keepsFormerData))
                try transaction.publish(AccountConnected(userID: userID, provider: .spotify), with: &submissions)
            }
        }
    }

    /// The pause before the account's name is read again once all attempts of the job have failed temporarily.
    private static let profileInterval = Duration.seconds(900)

    /// `spotify.profile`: reads the account, stores its name, replies.
    ///
    /// A temporary failure never makes it a dead letter: the page says that Backline tries again by itself, and no
    /// other call may be due.
    package static func spotifyProfile(_ spotify: SpotifyProvider) -> JobHandler {
        .calling(.spotifyProfile) { _, context in
            let userID = context.job.userID
            let (account, authorizedAt): (SpotifyAccount, Timestamp?)
            do {
                (account, authorizedAt) = try await spotify.account(userID: userID)
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
