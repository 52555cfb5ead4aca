import Connections
import Contracts
import Jobs
import Model
import Storage

extension JobHandler {
    /// `spotify.authorize`: decode, exchange, reply. That Spotify refuses is a result, too: somebody waits for it.
    package static func spotifyAuthorize(_ calls: SpotifyCalls) -> JobHandler {
        JobHandler(.spotifyAuthorize) { payload, context in
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
        JobHandler(.spotifyProfile) { _, context in
            let userID = context.job.userID
            let (account, authorizedAt): (SpotifyExchange.Account, Timestamp?)
            do {
                (account, authorizedAt) = try await calls.account(userID: userID)
            } catch {
                guard var failure = JobFailure(connecting: error) else { throw error }
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

extension JobFailure {
    /// A job's failure from that of a call for a person; `nil` for other errors.
    init?(connecting error: any Error) {
        switch error {
        case let failure as ConnectionFailure:
            let remedy: Remedy =
                switch (failure.recovery, failure.until) {
                case (.retryAt, let until?): .postpone(until: until)
                case (.retryAt, nil): .retry(after: nil)
                // A new consent brings a scope that is missing, too.
                case (.reconnect, _), (.askScope, _): .awaitCredential(.spotify)
                // The key file may be away for a moment only.
                case (.fixConfiguration, _) where failure.vaultTrouble == .vaultUnavailable: .retry(after: nil)
                default: .none
                }
            self.init(code: failure.fault.rawValue, message: failure.message, remedy: remedy)
        case is ConnectionUnavailable:
            // A job that waits shows what for, and neither this code nor these words.
            self.init(
                code: "connectionNeeded", message: "Spotify has to be connected.", remedy: .awaitCredential(.spotify))
        default:
            return nil
        }
    }
}
