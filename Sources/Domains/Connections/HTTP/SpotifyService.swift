import Connections
import Contracts
import Gateway
import JobStorage
import Jobs
import Model
import Storage
import Vault

/// The gateway's side of connecting Spotify: starts attempts, accepts codes, waits for the worker's result,
/// disconnects.
package struct SpotifyService: Sendable {
    /// The path of the redirect URI.
    static let callbackPath = "/v1/setup/spotify/callback"
    /// Spotify's page on which a person withdraws the consent.
    static let revokeURL = "https://www.spotify.com/account/apps/"

    let queue: JobQueue
    /// `nil` when Spotify does not redirect to this site's address.
    let authorizations: SpotifyAuthorizations?

    package init(
        queue: JobQueue, authorizations: SpotifyAuthorizations?
    ) {
        self.queue = queue
        self.authorizations = authorizations
    }

    typealias Initiator = SpotifyAuthorizations.Initiator

    /// Starts an attempt. It asks for `scopes`, and for the scopes that kinds of jobs need, that the person's jobs are
    /// waiting for, and that were granted before, so that none is lost.
    ///
    /// - Returns: `nil` when too many attempts are under way.
    /// - Throws: ``SpotifyAuthorizations/AppMissing``, ``VaultError``, ``StorageError``.
    func begin(
        _ authorizations: SpotifyAuthorizations, by initiator: Initiator, redirectURI: String, scopes: [String],
        returnTo: String?
    ) async throws -> AuthorizationFlow.Attempt? {
        let (record, awaited) = try await queue.database.read { reader in
            (
                try reader.connections.spotifyConnection(of: initiator.userID),
                try reader.jobs.awaitedScopes(ofUser: initiator.userID)[Provider.spotify.rawValue] ?? []
            )
        }
        let granted = record?.scopes?.split(separator: " ").map(String.init) ?? []
        let former = awaited.union(granted).intersection(SpotifyScopes.all)
        let wanted = former.union(SpotifyScopes.needed(by: queue.kinds)).union(scopes).sorted()
        return try await queue.database.write { transaction in
            try authorizations.begin(
                by: initiator, redirectURI: redirectURI, scopes: wanted, returnTo: returnTo, in: transaction)
        }
    }

    /// The attempt that a state belongs to; see ``AuthorizationFlow/find(state:of:by:in:now:)``.
    func find(state: String, by initiator: Initiator) async throws -> AuthorizationRecord? {
        let state = Secret(state)
        return try await queue.database.read { try SpotifyAuthorizations.find(state: state, by: initiator, in: $0) }
    }

    /// Ends an attempt that did not yield a code.
    func fail(_ attempt: AuthorizationRecord, userID: String) async throws {
        try await queue.database.write { transaction in
            try SpotifyAuthorizations.fail(attemptID: attempt.id, userID: userID, in: transaction)
        }
    }

    /// Has a worker exchange a code, and waits for the result.
    ///
    /// - Returns: `nil` when the state was used meanwhile.
    /// - Throws: ``VaultError``, ``StorageError``.
    func finish(
        _ authorizations: SpotifyAuthorizations, _ attempt: AuthorizationRecord, code: String, userID: String
    ) async throws -> AuthorizationVerdict? {
        let code = Secret(code)
        do {
            return try await queue.run(
                .spotifyAuthorize, for: userID, within: JobQueue.upstreamAnswerTimeout
            ) { transaction in
                guard try authorizations.accept(code: code, of: attempt, in: transaction) else { return nil }
                return SpotifyAuthorizePayload(authorizationID: attempt.id)
            }
        } catch is JobWaitError {
            // The person sees that it failed, so it must not succeed later.
            try await fail(attempt, userID: userID)
            return .noVerdict
        }
    }

    /// Has a worker replace the connected account with the account of a person's open question, and waits for the
    /// result.
    ///
    /// - Parameter keepsFormerData: whether the data of the replaced account stays.
    /// - Returns: `nil` when the person has no such question.
    /// - Throws: `StorageError`.
    func replaceAccount(
        questionID: String, keepsFormerData: Bool, userID: String
    ) async throws -> AuthorizationVerdict? {
        do {
            return try await queue.run(.spotifyReplaceAccount, for: userID, within: JobQueue.upstreamAnswerTimeout) {
                transaction in
                guard try AccountQuestion.open(userID: userID, in: transaction, now: .now())?.id == questionID else {
                    return nil
                }
                return SpotifyReplaceAccountPayload(questionID: questionID, keepsFormerData: keepsFormerData)
            }
        } catch is JobWaitError {
            return .noVerdict
        }
    }

    /// Deletes a person's open question; the connection stays as it is.
    ///
    /// - Returns: `false` when the person has no such question.
    func withdrawQuestion(_ id: String, userID: String) async throws -> Bool {
        try await queue.database.write { transaction in
            let now = Timestamp.now()
            guard try AccountQuestion.open(userID: userID, in: transaction, now: now)?.id == id else { return false }
            try AccountQuestion.withdraw(userID: userID, in: transaction, now: now)
            return true
        }
    }

    /// Stores the client id of a person's own app, or deletes it. A connection with another app stays until the person
    /// connects with the new one.
    func setApp(_ clientID: String?, userID: String) async throws {
        try await queue.database.write { transaction in
            if let clientID {
                try transaction.connections.setSpotifyApp(clientID, userID: userID, now: .now())
            } else {
                try transaction.connections.deleteSpotifyApp(userID: userID, now: .now())
            }
        }
    }

    /// Deletes a person's connection.
    func disconnect(userID: String) async throws {
        try await queue.database.write { transaction in
            try SpotifyAuthorizations.disconnect(userID: userID, in: transaction)
            try transaction.connections.publishRemoval(of: .spotify, userID: userID)
        }
    }
}

extension AuthorizationVerdict {
    fileprivate static let noVerdict = failed(
        "noVerdict", .retryAt,
        "The answer did not arrive in time, and nothing has changed. Try again in a moment. If this continues, check "
            + "that a sync-worker is running.")
}

extension ConnectionStore {
    fileprivate func spotifyConnection(of userID: String) throws -> ConnectionRecord? {
        try record(userID: userID, provider: Provider.spotify.rawValue)
    }
}
