import Model
import Storage

/// What Google says about somebody who signs in for the first time.
package struct GoogleProfile: Sendable, Equatable {
    /// Google's `sub`.
    package var subject: String
    package var email: String?
    package var displayName: String?
    package var pictureURL: String?

    package init(subject: String, email: String? = nil, displayName: String? = nil, pictureURL: String? = nil) {
        self.subject = subject
        self.email = email
        self.displayName = displayName
        self.pictureURL = pictureURL
    }
}

extension AccountStore {
    /// The user of a Google account, the stored e-mail address, and whether the user is suspended.
    package func user(
        googleSubject: String
    ) throws -> (user: UserRecord, email: String?, isSuspended: Bool)? {
        try transaction.row(
            """
            SELECT \(UserRecord.columns), users.email, users.suspended_at FROM users
            WHERE google_subject = \(googleSubject)
            """
        ).map { row in
            let suspendedAt: Timestamp? = try row["suspended_at"]
            return (try UserRecord(row: row), try row["email"], suspendedAt != nil)
        }
    }
}

extension AccountStore where Access == WriteTransaction {
    package func setEmail(_ email: String, userID: String, now: Timestamp) throws {
        try transaction.run("UPDATE users SET email = \(email), updated_at = \(now) WHERE id = \(userID)")
    }
}
