import Model
import Storage

/// The people who may use this installation, and their API tokens, sessions and sign-ins.
package struct Accounts: Sendable {
    let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// Recognizes and holds the names of people who were erased; `nil` where its file cannot be used.
    var heldNames: RecognitionKey? { .load(besideDatabase: database) }

    // MARK: Users

    /// All users, by name.
    package func users() async throws -> [UserRecord] {
        try await database.read { try $0.accounts.users() }
    }

    /// - Throws: ``AccountError/unknownUser(_:)``.
    package func user(named name: String) async throws -> UserRecord {
        try await database.read { try $0.accounts.requireUser(named: name) }
    }

    /// Adds a user with a first token, which is named ``firstTokenName``.
    ///
    /// - Parameters:
    ///   - name: follows ``Username/rule``, and nobody has it. Reserved words are allowed except those of
    ///     ``Username/isPath(_:)``.
    ///   - isAdmin: whether they may see and change what belongs to others.
    /// - Throws: ``AccountError``.
    package func addUser(name: String, isAdmin: Bool = false) async throws -> APIToken {
        guard Username.isValid(name) else { throw AccountError.invalidName(name) }
        guard !Username.isPath(name) else { throw AccountError.nameReserved(name) }
        let token = APIToken.random()
        let (hash, heldNames) = (token.hash, self.heldNames)
        try await database.write { transaction in
            let now = Timestamp.now()
            guard try !transaction.accounts.isTaken(name, for: nil, heldNames: heldNames, now: now) else {
                throw AccountError.nameTaken(name)
            }
            let user = UserRecord(id: UUIDv7.next(), name: name, isAdmin: isAdmin, createdAt: now)
            try transaction.accounts.insertUser(user)
            try transaction.accounts.insertToken(
                TokenRecord(id: UUIDv7.next(), userID: user.id, name: Self.firstTokenName, createdAt: now), hash: hash)
        }
        return token
    }

    /// Makes a user an administrator, or an administrator a plain user. A running gateway applies it within seconds.
    package func setAdmin(_ isAdmin: Bool, user name: String) async throws {
        try await database.write { transaction in
            try transaction.accounts.setAdmin(
                isAdmin, userID: transaction.accounts.requireUser(named: name).id, now: .now())
        }
    }

    /// Erases a user like ``erase(userID:tables:by:cancelJobs:whenGone:)``, from a process without a dispatcher.
    ///
    /// - Parameter whenGone: called with the user's id when the user is gone and signed out, before their other rows
    ///   are deleted.
    /// - Returns: how many jobs were cancelled.
    @discardableResult
    package func removeUser(
        named name: String, tables: PersonalTables, whenGone: (String) async -> Void = { _ in }
    ) async throws -> Int {
        let id = try await database.read { try $0.accounts.requireUser(named: name).id }
        return try await erase(
            userID: id, tables: tables, by: SteppedWrites(database, checkpoints: false), cancelJobs: cancelJobs
        ) { await whenGone(id) }
    }

    // MARK: Tokens

    /// The name of a new user's first token.
    package static let firstTokenName = "first"
    /// How many tokens a user may have at once.
    package static let maximumTokens = 100

    /// Adds a token of a user.
    ///
    /// - Parameters:
    ///   - name: tells the user's tokens apart: 1 … 100 characters, all of them visible (``isName(_:)``).
    ///   - expiresAt: when it stops working; `nil` for never.
    /// - Returns: the token, of which only the hash is stored, and the id to revoke it by.
    package func addToken(
        user userName: String, name: String, expiresAt: Timestamp? = nil
    ) async throws -> (id: String, token: APIToken) {
        let (record, token) = try await addToken(name: name, expiresAt: expiresAt) { transaction in
            try transaction.accounts.requireUser(named: userName).id
        }
        return (record.id, token)
    }

    /// Adds a token of a user, like ``addToken(user:name:expiresAt:)``.
    ///
    /// - Parameter credential: the credential of the request. If it is an API token, or a session that began with one,
    ///   the new token ends with that token: it expires no later, and is revoked with it. `nil` for the operator.
    /// - Throws: ``AccountError``; `unknownUser` with the user's id when there is no such user, or their credential no
    ///   longer works.
    package func addToken(
        userID: String, name: String, expiresAt: Timestamp?, scope: TokenScope? = nil,
        with credential: CredentialHash? = nil
    ) async throws -> (record: TokenRecord, token: APIToken) {
        try await addToken(name: name, expiresAt: expiresAt, scope: scope, with: credential) { transaction in
            guard try transaction.accounts.profile(userID: userID) != nil else {
                throw AccountError.unknownUser(userID)
            }
            return userID
        }
    }

    /// The API token that a credential is or began with, and its end; `nil` for a session that began without one.
    ///
    /// - Throws: ``AccountError/unknownUser(_:)`` when the credential does not work, or belongs to another user.
    private static func token(
        behind credential: CredentialHash, userID: String, now: Timestamp, in transaction: WriteTransaction
    ) throws -> (hash: String, expiresAt: Timestamp?)? {
        let tokenHash: String
        switch credential {
        case .token(let hash): tokenHash = hash
        case .session(let hash):
            guard let session = try transaction.accounts.session(hash: hash, now: now), session.user.id == userID
            else { throw AccountError.unknownUser(userID) }
            guard let hash = session.tokenHash else { return nil }
            tokenHash = hash
        }
        guard let (user, expiresAt) = try transaction.accounts.user(tokenHash: tokenHash, now: now), user.id == userID
        else { throw AccountError.unknownUser(userID) }
        return (tokenHash, expiresAt)
    }

    private func addToken(
        name: String, expiresAt: Timestamp?, scope: TokenScope? = nil, with credential: CredentialHash? = nil,
        owner: @escaping @Sendable (WriteTransaction) throws -> String
    ) async throws -> (record: TokenRecord, token: APIToken) {
        guard Self.isName(name) else { throw AccountError.invalidTokenName(name) }
        let token = scope == .listening ? APIToken.listening() : APIToken.random()
        let (id, hash) = (UUIDv7.next(), token.hash)
        let record = try await database.write { transaction in
            let userID = try owner(transaction)
            let others = try transaction.accounts.tokens(ofUser: userID)
            guard !others.contains(where: { $0.name == name }) else { throw AccountError.tokenNameTaken(name) }
            guard others.count < Self.maximumTokens else { throw AccountError.tooManyTokens }
            let now = Timestamp.now()
            let parent = try credential.flatMap {
                try Self.token(behind: $0, userID: userID, now: now, in: transaction)
            }
            let record = TokenRecord(
                id: id, userID: userID, name: name, createdAt: now,
                expiresAt: [expiresAt, parent?.expiresAt].compactMap(\.self).min(), scope: scope, madeWith: parent?.hash
            )
            try transaction.accounts.insertToken(record, hash: hash)
            return record
        }
        return (record, token)
    }

    /// A user's tokens, oldest first.
    package func tokens(of userName: String) async throws -> [TokenRecord] {
        try await database.read { try $0.accounts.tokens(ofUser: $0.accounts.requireUser(named: userName).id) }
    }

    /// Revokes a token, and the sessions and tokens that began with it. A running gateway applies it within
    /// seconds.
    ///
    /// - Returns: the token that was revoked.
    /// - Throws: ``AccountError/unknownToken(_:)``.
    @discardableResult
    package func revokeToken(id: String) async throws -> TokenRecord {
        try await database.write { transaction in
            guard let token = try transaction.accounts.deleteToken(id: id) else { throw AccountError.unknownToken(id) }
            return token
        }
    }

    /// A user's tokens, oldest first.
    package func tokens(userID: String) async throws -> [TokenRecord] {
        try await database.read { try $0.accounts.tokens(ofUser: userID) }
    }

    /// Revokes one of a user's own tokens, and the sessions and tokens that began with it.
    ///
    /// - Returns: whether the user had a token of that id.
    package func revokeToken(id: String, userID: String) async throws -> Bool {
        try await database.write { try $0.accounts.deleteToken(id: id, userID: userID) }
    }

    /// The owner of a token without a scope; `nil` when it is unknown or has expired.
    package func user(for token: APIToken, now: Timestamp = .now()) async throws -> UserRecord? {
        let hash = token.hash
        return try await database.read { try $0.accounts.user(tokenHash: hash, now: now) }?.user
    }

    /// The owners of tokens of any scope and of sessions, in the order of the credentials, in one read; `nil` for those
    /// that are unknown or have expired. An error about one, such as a damaged page, does not affect the others.
    package func owners(
        of credentials: [CredentialHash], now: Timestamp = .now()
    ) async throws -> [Result<CredentialOwner?, any Error>] {
        try await database.read { reader in
            credentials.map { credential in
                Result {
                    switch credential {
                    case .token(let hash):
                        try reader.accounts.holder(tokenHash: hash, now: now).map(CredentialOwner.token)
                    case .session(let hash):
                        try reader.accounts.session(hash: hash, now: now).map(CredentialOwner.session)
                    }
                }
            }
        }
    }
}

extension AccountStore {
    func requireUser(named name: String) throws -> UserRecord {
        guard let user = try user(named: name) else { throw AccountError.unknownUser(name) }
        return user
    }
}
