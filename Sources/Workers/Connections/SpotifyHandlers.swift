import Connections
import Contracts
import Jobs
import Model
import Storage

extension JobHandler {
    /// `spotify.authorize`: decode, exchange, reply. That Spotify refuses is a result, too: somebody waits for it.
    package static func spotifyAuthorize(_ calls: SpotifyCalls) -> JobHandler {
        .calling(.spotifyAuthorize) { payload, context in
            let outcome = try await calls.exchange.run(
                attemptID: payload.authorizationID, userID: context.job.userID)
            return JobReply(outcome.verdict) { transaction, submissions in
                guard let question = try outcome.write(transaction) else { return }
                try submissions.submit(
                    NewJob(.spotifyProfile, NoPayload(), runAt: question.notBefore),
                    userID: context.job.userID, in: transaction)
            }
        }
    }

    /// How often it is tried to ask for an account's name when all attempts have met trouble that passes.
    private static let profileInterval = Duration.seconds(900)

    /// `spotify.profile`: ask, store the name, reply.
    ///
    /// It is no dead letter for trouble that passes: people read that Backline tries again by itself, and no other
    /// call has to be due.
    package static func spotifyProfile(_ calls: SpotifyCalls) -> JobHandler {
        .calling(.spotifyProfile) { _, context in
            let userID = context.job.userID
            let (account, authorizedAt): (SpotifyExchange.Account, Timestamp?)
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
