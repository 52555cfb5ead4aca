import Model
import Storage

/// A row of `credential_candidates`: a credential that was entered and is not verified yet.
package struct CandidateRecord: Sendable {
    package var id: String
    /// The person who entered it; `nil` for a sign-in.
    package var userID: String?
    /// A `Provider`'s raw value.
    package var provider: String
    package var secret: SealedSecret
    /// JSON, without secrets.
    package var details: String
    package var createdAt: Timestamp
    package var expiresAt: Timestamp

    package init(
        id: String, userID: String?, provider: String, secret: SealedSecret, details: String, createdAt: Timestamp,
        expiresAt: Timestamp
    ) {
        self.id = id
        self.userID = userID
        self.provider = provider
        self.secret = secret
        self.details = details
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }

    init(row: Row) throws {
        id = try row["id"]
        userID = try row["user_id"]
        provider = try row["provider"]
        secret = try SealedSecret(row: row)
        details = try row["details"]
        createdAt = try row["created_at"]
        expiresAt = try row["expires_at"]
    }
}

extension VaultStore {
    /// A candidate that has not expired.
    package func candidate(id: String, now: Timestamp) throws -> CandidateRecord? {
        try transaction.row(
            """
            SELECT id, user_id, provider, key_id, sealed, hint, details, created_at, expires_at
            FROM credential_candidates WHERE id = \(id) AND expires_at > \(now)
            """
        ).map(CandidateRecord.init)
    }

    /// The newest of a person's unexpired candidates for a provider.
    package func newestCandidate(userID: String, provider: String, now: Timestamp) throws -> CandidateRecord? {
        try transaction.row(
            """
            SELECT id, user_id, provider, key_id, sealed, hint, details, created_at, expires_at
            FROM credential_candidates
            WHERE user_id = \(userID) AND provider = \(provider) AND expires_at > \(now) ORDER BY id DESC LIMIT 1
            """
        ).map(CandidateRecord.init)
    }

    package func hasExpiredCandidates(at time: PruningTime) throws -> Bool {
        try transaction.row(
            "SELECT 1 AS found FROM credential_candidates WHERE expires_at <= \(time.moment) LIMIT 1") != nil
    }
}

extension VaultStore where Access == WriteTransaction {
    package func insertCandidate(_ candidate: CandidateRecord) throws {
        try transaction.run(
            """
            INSERT INTO credential_candidates
                (id, user_id, provider, key_id, sealed, hint, details, created_at, expires_at)
            VALUES (\(candidate.id), \(candidate.userID), \(candidate.provider), \(candidate.secret.keyID),
                \(candidate.secret.bytes), \(candidate.secret.hint), \(candidate.details), \(candidate.createdAt),
                \(candidate.expiresAt))
            """)
    }

    /// - Returns: whether it existed.
    @discardableResult
    package func deleteCandidate(id: String) throws -> Bool {
        try transaction.execute("DELETE FROM credential_candidates WHERE id = \(id)") == 1
    }

    package func deleteCandidates(userID: String, provider: String) throws {
        try transaction.run(
            "DELETE FROM credential_candidates WHERE user_id = \(userID) AND provider = \(provider)")
    }

    package func pruneCandidates(at time: PruningTime) throws {
        try transaction.run("DELETE FROM credential_candidates WHERE expires_at <= \(time.moment)")
    }
}
