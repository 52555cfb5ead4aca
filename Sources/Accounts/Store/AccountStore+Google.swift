import Model
import Storage

/// What somebody brought from Google, by where it waits.
package enum SignInProof: Sendable, Equatable {
    /// A row of `authorizations`.
    case authorization(id: String)
    /// A row of `credential_candidates`.
    case candidate(id: String)

    fileprivate var id: String {
        switch self {
        case .authorization(let id), .candidate(let id): id
        }
    }

    fileprivate var table: SQL {
        switch self {
        case .authorization: "authorizations"
        case .candidate: "credential_candidates"
        }
    }
}

/// Somebody who signs in with Google for the first time.
package struct GoogleUserRecord: Sendable, Equatable {
    package var user: UserRecord
    /// Google's `sub`.
    package var subject: String
    package var email: String?
    package var displayName: String?
    package var pictureURL: String?

    package init(
        user: UserRecord, subject: String, email: String?, displayName: String?, pictureURL: String?
    ) {
        self.user = user
        self.subject = subject
        self.email = email
        self.displayName = displayName
        self.pictureURL = pictureURL
    }
}

extension AccountStore {
    /// Who signs in with this Google account, and the address that is kept of them.
    package func user(googleSubject: String) throws -> (user: UserRecord, email: String?)? {
        try transaction.row(
            "SELECT \(UserRecord.columns), users.email FROM users WHERE google_subject = \(googleSubject)"
        )
        .map { (try UserRecord(row: $0), try $0["email"]) }
    }

    /// Whether somebody waits to learn whom a proof is of.
    package func isWaiting(_ proof: SignInProof, now: Timestamp) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 AS found FROM \(proof.table)
            WHERE id = \(proof.id) AND user_id IS NULL AND expires_at > \(now)
            """) != nil
    }
}

extension AccountStore where Access == WriteTransaction {
    package func insertGoogleUser(_ record: GoogleUserRecord) throws {
        let user = record.user
        try transaction.execute(
            """
            INSERT INTO users (id, name, name_key, is_admin, created_at,
                google_subject, email, display_name, picture_url)
            VALUES (\(user.id), \(user.name), \(UserRecord.key(ofName: user.name)), \(user.isAdmin), \(user.createdAt),
                \(record.subject), \(record.email), \(record.displayName), \(record.pictureURL))
            """)
    }

    package func setEmail(_ email: String, userID: String) throws {
        try transaction.execute("UPDATE users SET email = \(email) WHERE id = \(userID)")
    }

    /// Says whom a proof is of, for ``spend(_:now:)``.
    package func settle(_ proof: SignInProof, userID: String) throws {
        try transaction.execute(
            "UPDATE \(proof.table) SET user_id = \(userID) WHERE id = \(proof.id) AND user_id IS NULL")
    }

    /// Takes away a proof that a worker has settled, of however many who try only once.
    ///
    /// - Returns: whom it is of; `nil` when it is not settled, gone or over.
    package func spend(_ proof: SignInProof, now: Timestamp) throws -> UserRecord? {
        let user = try transaction.row(
            """
            SELECT \(UserRecord.columns) FROM \(proof.table) AS proofs JOIN users ON users.id = proofs.user_id
            WHERE proofs.id = \(proof.id) AND proofs.expires_at > \(now)
            """
        ).map(UserRecord.init)
        if user != nil { try drop(proof) }
        return user
    }

    package func drop(_ proof: SignInProof) throws {
        try transaction.execute("DELETE FROM \(proof.table) WHERE id = \(proof.id)")
    }

    /// Deletes a user's tokens that have expired.
    package func deleteExpiredTokens(ofUser userID: String, now: Timestamp) throws {
        try transaction.execute("DELETE FROM tokens WHERE user_id = \(userID) AND expires_at <= \(now)")
    }
}
