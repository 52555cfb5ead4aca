import Connections
import Contracts
import Jobs
import Model
import Storage
import Vault

/// What the gateway does about connecting Spotify: begin, take the code in, wait for the worker's verdict, disconnect.
package struct SpotifyDesk: Sendable {
    /// Of the redirect address.
    static let callbackPath = "/v1/setup/spotify/callback"
    /// Where a person sees what Backline may do, and takes it back.
    static let revokeURL = "https://www.spotify.com/account/apps/"

    let queue: JobQueue
    /// `nil` when no client id is configured.
    let authorizations: SpotifyAuthorizations?
    private let kinds: [JobKind]

    /// - Parameter kinds: what they need of Spotify is asked for.
    package init(queue: JobQueue, authorizations: SpotifyAuthorizations?, kinds: [JobKind] = JobKind.all) {
        self.queue = queue
        self.authorizations = authorizations
        self.kinds = kinds
    }

    typealias Initiator = SpotifyAuthorizations.Initiator

    /// Begins an attempt. What kinds of jobs need is asked for, and `scopes` besides. What was granted before is asked
    /// for again, so that nothing is lost by asking for more, and so is what jobs of the person wait for.
    ///
    /// - Returns: `nil` when too many attempts are under way.
    /// - Throws: ``VaultError``, ``StorageError``.
    func begin(
        _ authorizations: SpotifyAuthorizations, by initiator: Initiator, redirectURI: String, scopes: [String],
        returnTo: String?
    ) async throws -> SpotifyAuthorizations.Attempt? {
        let (record, awaited) = try await queue.database.read { reader in
            (
                try reader.connections.spotifyConnection(of: initiator.userID),
                try reader.jobs.awaitedScopes(ofUser: initiator.userID)[CredentialProvider.spotify.rawValue] ?? []
            )
        }
        let granted = record?.scopes?.split(separator: " ").map(String.init) ?? []
        let former = awaited.union(granted).intersection(SpotifyScopes.all)
        let wanted = former.union(SpotifyScopes.needed(by: kinds)).union(scopes).sorted()
        return try await queue.database.write { transaction in
            try authorizations.begin(
                by: initiator, redirectURI: redirectURI, scopes: wanted, returnTo: returnTo, in: transaction)
        }
    }

    /// The attempt that a state belongs to, if whoever shows it began it.
    func find(state: String, by initiator: Initiator) async throws -> AuthorizationRecord? {
        let state = Secret(state)
        return try await queue.database.read { try SpotifyAuthorizations.find(state: state, by: initiator, in: $0) }
    }

    /// Ends an attempt that brought no code.
    func fail(_ attempt: AuthorizationRecord, userID: String) async throws {
        try await queue.database.write { transaction in
            try SpotifyAuthorizations.fail(attemptID: attempt.id, userID: userID, in: transaction)
        }
    }

    /// Has a worker exchange a code, and waits for what comes of it.
    ///
    /// - Returns: `nil` when the state was used by somebody quicker.
    /// - Throws: ``VaultError``, ``StorageError``.
    func finish(
        _ authorizations: SpotifyAuthorizations, _ attempt: AuthorizationRecord, code: String, userID: String
    ) async throws -> AuthorizationVerdict? {
        let code = Secret(code)
        do {
            return try await queue.run(.spotifyAuthorize, for: userID, within: WorkerVerdict.patience) { transaction in
                let sealed = try authorizations.seal(code: code, of: attempt, in: transaction)
                guard try transaction.vault.setAuthorizationCode(sealed, id: attempt.id, now: .now()) else {
                    return nil
                }
                return SpotifyAuthorizePayload(authorizationID: attempt.id)
            }
        } catch is AwaitedJobError {
            // What was not done in time is not done behind somebody's back either.
            try await fail(attempt, userID: userID)
            return .failed(
                "noVerdict", .retryAt,
                "There was no answer of Spotify's in time, and nothing was connected. Try again in a moment. If it stays "
                    + "so, see that a sync-worker runs.")
        }
    }

    func disconnect(userID: String) async throws {
        try await queue.database.write { try SpotifyAuthorizations.disconnect(userID: userID, in: $0) }
    }
}

extension ConnectionStore {
    fileprivate func spotifyConnection(of userID: String) throws -> ConnectionRecord? {
        try record(userID: userID, provider: CredentialProvider.spotify.rawValue)
    }
}
