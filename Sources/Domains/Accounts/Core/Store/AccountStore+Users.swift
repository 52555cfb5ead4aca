import Model
import Storage
import Visibility

/// A person who uses this installation.
package struct UserRecord: Sendable, Equatable {
    package var id: String
    package var name: String
    /// Whether they may see and change what belongs to others.
    package var isAdmin: Bool
    package var createdAt: Timestamp

    package init(id: String, name: String, isAdmin: Bool, createdAt: Timestamp) {
        self.id = id
        self.name = name
        self.isAdmin = isAdmin
        self.createdAt = createdAt
    }

    static let columns = SQL("users.id, users.name, users.is_admin, users.created_at")

    init(row: Row) throws {
        id = try row["id"]
        name = try row["name"]
        isAdmin = try row["is_admin"]
        createdAt = try row["created_at"]
    }
}

/// An API token, without its secret.
package struct TokenRecord: Sendable, Equatable {
    package var id: String
    package var userID: String
    package var name: String
    package var createdAt: Timestamp
    /// To the minute; `nil` before its first use.
    package var lastUsedAt: Timestamp?
    /// When it stops working; `nil` for never.
    package var expiresAt: Timestamp?
    /// What it may be used for; `nil` for everything.
    package var scope: TokenScope?
    /// The hash of the token.
    package var hash: String?
    /// The hash of the token that it was made with, and ends with.
    package var madeWith: String?

    package init(
        id: String, userID: String, name: String, createdAt: Timestamp, expiresAt: Timestamp? = nil,
        scope: TokenScope? = nil, madeWith: String? = nil
    ) {
        self.id = id
        self.userID = userID
        self.name = name
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.scope = scope
        self.madeWith = madeWith
    }

    static let columns = SQL("hash, id, user_id, name, created_at, last_used_at, expires_at, scope, made_with")

    init(row: Row) throws {
        id = try row["id"]
        userID = try row["user_id"]
        name = try row["name"]
        createdAt = try row["created_at"]
        lastUsedAt = try row["last_used_at"]
        expiresAt = try row["expires_at"]
        scope = try (row["scope"] as String?).map(TokenScope.init)
        hash = try row["hash"]
        madeWith = try row["made_with"]
    }
}

extension AccountStore {
    package func users() throws -> [UserRecord] {
        try transaction.rows("SELECT \(UserRecord.columns) FROM users ORDER BY name").map(UserRecord.init)
    }

    package func user(id: String) throws -> UserRecord? {
        try transaction.row("SELECT \(UserRecord.columns) FROM users WHERE id = \(id)").map(UserRecord.init)
    }

    /// The owner of a token without a scope, and its end; `nil` when it is unknown or has expired.
    package func user(tokenHash: String, now: Timestamp) throws -> (user: UserRecord, expiresAt: Timestamp?)? {
        guard let holder = try holder(tokenHash: tokenHash, now: now), holder.scope == nil else { return nil }
        return (holder.user, holder.expiresAt)
    }

    /// The owner of a token; `nil` when it is unknown or has expired, or its owner is suspended.
    package func holder(tokenHash: String, now: Timestamp) throws -> TokenHolder? {
        try transaction.row(
            """
            SELECT \(UserRecord.columns), tokens.expires_at, tokens.scope
            FROM tokens JOIN users ON users.id = tokens.user_id
            WHERE tokens.hash = \(tokenHash) AND (tokens.expires_at IS NULL OR tokens.expires_at > \(now))
                AND users.suspended_at IS NULL
            """
        ).map { row in
            TokenHolder(
                user: try UserRecord(row: row), expiresAt: try row["expires_at"],
                scope: try (row["scope"] as String?).map(TokenScope.init))
        }
    }

    /// - Parameter name: in any spelling that folds to the same key.
    package func user(named name: String) throws -> UserRecord? {
        try transaction.row(
            "SELECT \(UserRecord.columns) FROM users WHERE name_key = \(Username.key(of: name))"
        ).map(UserRecord.init)
    }

    /// The names of the users with these ids, by id. Unknown ids are left out.
    package func names(ofUsers ids: some Sequence<String>) throws -> [String: String] {
        try transaction.rows("SELECT id, name FROM users WHERE id IN (\(list: Set(ids)))")
            .reduce(into: [:]) { names, row in names[try row["id"]] = try row["name"] as String }
    }

    /// A user's tokens, oldest first.
    package func tokens(ofUser userID: String) throws -> [TokenRecord] {
        try transaction.rows(
            "SELECT \(TokenRecord.columns) FROM tokens WHERE user_id = \(userID) ORDER BY created_at, id"
        )
        .map(TokenRecord.init)
    }
}

extension AccountStore where Access == WriteTransaction {
    /// Inserts a new user, whom others may see and find from then on.
    ///
    /// - Parameters:
    ///   - state: how the user came by the name.
    ///   - google: the account at Google with which the user signs in.
    package func insertUser(
        _ user: UserRecord, nameState state: NameState = .chosen, googleProfile google: GoogleProfile? = nil
    ) throws {
        try transaction.run(
            """
            INSERT INTO users (
                id, name, name_key, name_state, is_admin, created_at, shows_onboarding, google_subject, email,
                display_name, picture_url)
            VALUES (
                \(user.id), \(user.name), \(Username.key(of: user.name)), \(state), \(user.isAdmin),
                \(user.createdAt), 1, \(google?.subject), \(google?.email), \(google?.displayName),
                \(google?.pictureURL))
            """)
        try transaction.visibility.add(userID: user.id)
        try setWords(ofUser: user.id)
    }

    package func setAdmin(_ isAdmin: Bool, userID: String, now: Timestamp) throws {
        try transaction.run("UPDATE users SET is_admin = \(isAdmin), updated_at = \(now) WHERE id = \(userID)")
    }

    package func insertToken(_ token: TokenRecord, hash: String) throws {
        try transaction.run(
            """
            INSERT INTO tokens (hash, id, user_id, name, created_at, expires_at, scope, made_with)
            VALUES (\(hash), \(token.id), \(token.userID), \(token.name), \(token.createdAt), \(token.expiresAt),
                \(token.scope?.rawValue), \(token.madeWith))
            """)
    }

    /// Deletes a token with the sessions and tokens that began with it; returns `nil` when no token has that id.
    package func deleteToken(id: String) throws -> TokenRecord? {
        guard
            let token = try transaction.row("SELECT \(TokenRecord.columns) FROM tokens WHERE id = \(id)").map(
                TokenRecord.init)
        else { return nil }
        try transaction.run("DELETE FROM tokens WHERE id = \(id)")
        transaction.recordChange(of: [token.userID], topic: .credentials)
        return token
    }

    /// Deletes one of a user's tokens with the sessions and tokens that began with it; returns whether there was one.
    package func deleteToken(id: String, userID: String) throws -> Bool {
        guard try transaction.execute("DELETE FROM tokens WHERE id = \(id) AND user_id = \(userID)") > 0 else {
            return false
        }
        transaction.recordChange(of: [userID], topic: .credentials)
        return true
    }

    package func setTokenLastUsed(hash: String, at time: Timestamp) throws {
        try transaction.run("UPDATE tokens SET last_used_at = \(time) WHERE hash = \(hash)")
        try recordSeen("SELECT user_id FROM tokens WHERE hash = \(hash)", at: time)
    }
}
