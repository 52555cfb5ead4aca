import Model
import Storage

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
    /// The user of a Google account, and the stored e-mail address.
    package func user(googleSubject: String) throws -> (user: UserRecord, email: String?)? {
        try transaction.row(
            "SELECT \(UserRecord.columns), users.email FROM users WHERE google_subject = \(googleSubject)"
        )
        .map { (try UserRecord(row: $0), try $0["email"]) }
    }
}

extension AccountStore where Access == WriteTransaction {
    package func insertGoogleUser(_ record: GoogleUserRecord) throws {
        let user = record.user
        try transaction.run(
            """
            INSERT INTO users (id, name, name_key, is_admin, created_at,
                google_subject, email, display_name, picture_url)
            VALUES (\(user.id), \(user.name), \(UserRecord.key(ofName: user.name)), \(user.isAdmin), \(user.createdAt),
                \(record.subject), \(record.email), \(record.displayName), \(record.pictureURL))
            """)
    }

    package func setEmail(_ email: String, userID: String, now: Timestamp) throws {
        try transaction.run("UPDATE users SET email = \(email), updated_at = \(now) WHERE id = \(userID)")
    }
}
