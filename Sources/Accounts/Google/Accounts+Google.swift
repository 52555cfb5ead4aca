import Contracts
import Model
import Storage
import Vault

extension Accounts {
    /// What the names of such tokens begin with.
    private static let googleTokenName = "Google sign-in "
    /// How long the token lasts that an app gets for an ID token. It gets another with the next.
    package static let googleTokenLifetime = Duration.seconds(90 * 86_400)

    /// Begins a session for whoever a worker has found a browser's attempt to be of. The attempt is spent with it.
    ///
    /// - Parameter former: the browser's session until now.
    /// - Returns: `nil` when it is not known who it is, or the attempt was spent or is over.
    package func signIn(
        attempt id: String, userAgent: String?, replacing former: SessionKey? = nil, now: Timestamp = .now()
    ) async throws -> (SessionKey, Session)? {
        let key = SessionKey.random()
        let (keyHash, formerHash) = (key.hash, former?.hash)
        return try await database.write { transaction in
            guard let user = try Self.spend(.authorization(id: id), now: now, in: transaction) else { return nil }
            let session = try Self.insertSession(
                keyHash, user: user, tokenHash: nil, userAgent: userAgent, replacing: formerHash, now: now,
                in: transaction)
            return (key, session)
        }
    }

    /// Whom a proof is of, which is spent with it.
    private static func spend(
        _ proof: SignInProof, now: Timestamp, in transaction: WriteTransaction
    ) throws -> UserRecord? {
        try transaction.vault.spend(proof, now: now).flatMap { try transaction.accounts.user(id: $0) }
    }

    /// Makes a token for whoever a worker has found an app's ID token to be of, which is spent with it, and accepted
    /// never again. Where a person has as many tokens as they may, one that has expired goes, or else the oldest that
    /// was got in this way.
    ///
    /// - Returns: as ``signIn(attempt:userAgent:replacing:now:)``.
    /// - Throws: ``AccountError/idTokenUsed``; ``AccountError/tooManyTokens``, when all of them were got otherwise,
    ///   after which the ID token may be sent again.
    package func signIn(
        candidate: GoogleIDTokenCandidate, now: Timestamp = .now()
    ) async throws -> (token: AccessToken, user: UserRecord, expiresAt: Timestamp)? {
        let token = AccessToken.random()
        let (tokenID, hash, expiry) = (UUIDv7.next(), token.hash, now.advanced(by: Self.googleTokenLifetime))
        return try await database.write { transaction in
            guard let user = try Self.spend(.candidate(id: candidate.id), now: now, in: transaction) else { return nil }
            let isFirst = try transaction.accounts.useIDToken(
                fingerprint: candidate.fingerprint, until: candidate.knownUntil(now: now))
            guard isFirst else { throw AccountError.idTokenUsed }
            // Nobody looks after tokens that programs get by themselves. One goes, and not all that have expired:
            // the clock may be wrong.
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

    /// Whether an app's ID token was accepted before, so that nobody has to verify it again.
    package func isUsed(_ candidate: GoogleIDTokenCandidate) async throws -> Bool {
        try await database.read { try $0.accounts.isIDTokenUsed(fingerprint: candidate.fingerprint) }
    }

    /// Not one that a person has only named like those.
    private static func isOfGoogleSignIn(_ token: TokenRecord) -> Bool {
        token.name.hasPrefix(googleTokenName) && token.expiresAt == token.createdAt.advanced(by: googleTokenLifetime)
    }
}
