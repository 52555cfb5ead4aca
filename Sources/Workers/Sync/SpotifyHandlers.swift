import Connections
import Contracts
import Foundation
import Jobs
import Model
import Storage

extension JobHandler {
    /// `spotify.authorize`: decode, exchange, reply. That Spotify refuses is a result, too: somebody waits for it.
    package static func spotifyAuthorize(_ calls: SpotifyCalls) -> JobHandler {
        JobHandler(.spotifyAuthorize) { context in
            let payload: SpotifyAuthorizePayload = try context.decodePayload()
            let outcome = try await calls.exchange.run(
                attemptID: payload.authorizationID, userID: context.job.userID)
            return JobOutcome(result: outcome.verdict.text) { transaction, _ in
                try outcome.write(transaction)
            }
        }
    }

    /// `spotify.profile`: ask, store the name, reply.
    package static func spotifyProfile(_ calls: SpotifyCalls) -> JobHandler {
        JobHandler(.spotifyProfile) { context in
            let userID = context.job.userID
            let account: SpotifyExchange.Account
            do {
                account = try await calls.account(userID: userID)
            } catch {
                throw JobFailure(connecting: error) ?? error
            }
            let name = account.name ?? account.id
            let result = try JSONEncoder().encode(["account": name])
            return JobOutcome(result: String(decoding: result, as: UTF8.self)) { transaction, _ in
                try transaction.handle(.answered, userID: userID, provider: .spotify, now: .now()) { record in
                    guard record.state == ConnectionState.Name.connected.rawValue else { return }
                    (record.accountID, record.accountName) = (account.id, name)
                }
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
                case (.reconnect, _): .awaitCredential(.spotify)
                default: .none
                }
            self.init(code: failure.fault.rawValue, message: failure.message, remedy: remedy)
        case let unavailable as ConnectionUnavailable:
            let step = unavailable.state == .disconnected ? "is not connected" : "has to be connected again"
            self.init(code: "connectionNeeded", message: "Spotify \(step).", remedy: .awaitCredential(.spotify))
        default:
            return nil
        }
    }
}
