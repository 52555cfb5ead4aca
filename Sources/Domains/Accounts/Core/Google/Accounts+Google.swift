import Contracts
import Model
import Storage
import Vault

extension Accounts {
    /// The prefix of the names of API tokens that apps get for ID tokens.
    private static let googleTokenName = "Google sign-in "
    /// How long the API token lasts that an app gets for an ID token.
    package static let googleTokenLifetime = Duration.seconds(90 * 86_400)

    /// Begins a session for the person whom a worker has identified for a browser's attempt. The attempt is used up.
    ///
    /// - Parameter former: the browser's session until now; it ends.
    /// - Returns: `nil` when no worker has identified a person, or the attempt has already been used or has expired.
    package func signIn(
        attempt id: String, userAgent: String?, replacing former: SessionToken? = nil, now: Timestamp = .now()
    ) async throws -> (SessionToken, Session)? {
        let key = SessionToken.random()
        let (keyHash, formerHash) = (key.hash, former?.hash)
        return try await database.write { transaction in
            guard let user = try Self.spend(.authorization(id: id), now: now, in: transaction) else { return nil }
            let session = try Self.insertSession(
                keyHash, user: user, tokenHash: nil, userAgent: userAgent, replacing: formerHash, now: now,
                in: transaction)
            return (key, session)
        }
    }

    /// The person of a proof, which is used up.
    private static func spend(
        _ proof: SignInProof, now: Timestamp, in transaction: WriteTransaction
    ) throws -> UserRecord? {
        // The person may have been suspended meanwhile.
        guard let userID = try transaction.vault.spend(proof, now: now),
            try !transaction.accounts.isSuspended(userID)
        else { return nil }
        return try transaction.accounts.user(id: userID)
    }

    /// Makes an API token for the person whom a worker has identified by an app's ID token. The ID token is used up,
    /// and never accepted again. If the person has ``maximumTokens``, an expired one is replaced, or else the oldest
    /// one that came from an ID token.
    ///
    /// - Returns: as ``signIn(attempt:userAgent:replacing:now:)``.
    /// - Throws: ``AccountError/idTokenUsed``; ``AccountError/tooManyTokens`` when the person made all of them, after
    ///   which the ID token may be sent again.
    package func signIn(
        candidate: GoogleIDTokenCandidate, now: Timestamp = .now()
    ) async throws -> (token: APIToken, user: UserRecord, expiresAt: Timestamp)? {
        let token = APIToken.random()
        let (tokenID, hash, expiry) = (UUIDv7.next(), token.hash, now.advanced(by: Self.googleTokenLifetime))
        return try await database.write { transaction in
            guard let user = try Self.spend(.candidate(id: candidate.id), now: now, in: transaction) else { return nil }
            let isFirst = try transaction.accounts.useIDToken(
                fingerprint: candidate.fingerprint, until: candidate.knownUntil(now: now))
            guard isFirst else { throw AccountError.idTokenUsed }
            // Programs get these tokens by themselves, and nobody deletes them. Only one is replaced, not every expired
            // one, since the clock may be wrong.
            let tokens = try transaction.accounts.tokens(ofUser: user.id)
            if tokens.count >= Self.maximumTokens {
                let expired = tokens.first { token in token.expiresAt.map { $0 <= now } ?? false }
                guard let replaced = expired ?? tokens.first(where: Self.isOfGoogleSignIn) else {
                    throw AccountError.tooManyTokens
                }
                _ = try transaction.accounts.deleteToken(id: replaced.id)
            }
            try transaction.accounts.insertToken(
                TokenRecord(
                    id: tokenID, userID: user.id, name: Self.googleTokenName + tokenID.suffix(8), createdAt: now,
                    expiresAt: expiry), hash: hash)
            return (token, user, expiry)
        }
    }

    /// Whether an app's ID token has already been accepted, so that a worker need not verify it.
    package func isUsed(_ candidate: GoogleIDTokenCandidate) async throws -> Bool {
        try await database.read { try $0.accounts.isIDTokenUsed(fingerprint: candidate.fingerprint) }
    }

    /// Whether a token came from an ID token. The name alone does not tell, since people choose names themselves.
    private static func isOfGoogleSignIn(_ token: TokenRecord) -> Bool {
        token.name.hasPrefix(googleTokenName) && token.expiresAt == token.createdAt.advanced(by: googleTokenLifetime)
    }
}
