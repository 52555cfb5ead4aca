import Contracts
import Model
import Storage

extension Accounts {
    /// How long the token lasts that an app gets for an ID token. It gets another with the next.
    package static let googleTokenLifetime = Duration.seconds(90 * 86_400)

    /// Begins a session for whoever a worker has found a browser's attempt to be of. The attempt is spent with it.
    ///
    /// - Returns: `nil` when it is not known who it is, or the attempt was spent or is over.
    package func signIn(
        attempt id: String, userAgent: String?, now: Timestamp = .now()
    ) async throws -> (SessionKey, Session)? {
        let key = SessionKey.random()
        let keyHash = key.hash
        return try await database.write { transaction in
            guard let user = try transaction.spend(.authorization(id: id), now: now) else { return nil }
            let session = try Self.insertSession(
                keyHash, user: user, tokenHash: nil, userAgent: userAgent, now: now, in: transaction)
            return (key, session)
        }
    }

    /// Makes a token for whoever a worker has found an app's ID token to be of, which is spent with it.
    ///
    /// - Returns: as ``signIn(attempt:userAgent:now:)``.
    /// - Throws: ``AccountError/tooManyTokens``.
    package func signIn(
        candidate id: String, now: Timestamp = .now()
    ) async throws -> (token: AccessToken, user: UserRecord, expiresAt: Timestamp)? {
        let token = AccessToken.random()
        let (tokenID, hash, expiry) = (UUIDv7.next(), token.hash, now.advanced(by: Self.googleTokenLifetime))
        return try await database.write { transaction in
            guard let user = try transaction.spend(.candidate(id: id), now: now) else { return nil }
            // Nobody looks after tokens that programs get by themselves.
            try transaction.deleteExpiredTokens(ofUser: user.id, now: now)
            guard try transaction.tokens(ofUser: user.id).count < Self.maximumTokens else {
                throw AccountError.tooManyTokens
            }
            try transaction.insertToken(
                TokenRecord(
                    id: tokenID, userID: user.id, name: "Google sign-in \(tokenID.suffix(8))", createdAt: now,
                    expiresAt: expiry), hash: hash)
            return (token, user, expiry)
        }
    }
}
