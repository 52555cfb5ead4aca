import Model
import Storage

/// What administrators do with the accounts of others.
extension Accounts {
    /// All accounts, by name.
    package func accounts(after cursor: Cursor<String>? = nil, limit: Int) async throws -> [AccountRecord] {
        try await database.read { try $0.accounts.accounts(after: cursor, limit: limit) }
    }

    /// Suspends a user: they are signed out at once and invisible, and everything of them is kept.
    ///
    /// - Returns: whether they were not suspended before.
    /// - Throws: ``AccountError/unknownUser(_:)``.
    @discardableResult
    package func suspend(user name: String, now: Timestamp = .now()) async throws -> Bool {
        try await database.write { transaction in
            try transaction.accounts.suspend(transaction.accounts.requireUser(named: name).id, now: now)
        }
    }

    /// Ends a suspension.
    ///
    /// - Returns: whether the user was suspended.
    /// - Throws: ``AccountError/unknownUser(_:)``.
    @discardableResult
    package func reinstate(user name: String) async throws -> Bool {
        try await database.write { transaction in
            try transaction.accounts.reinstate(transaction.accounts.requireUser(named: name).id)
        }
    }

    /// Makes a user an administrator, or withdraws that, unless nobody would be left who is one.
    ///
    /// - Throws: ``AccountError``: `unknownUser`, `suspended` for somebody who would have to be one, `lastAdministrator`.
    package func setAdministrator(_ isAdmin: Bool, user name: String, now: Timestamp = .now()) async throws {
        try await database.write { transaction in
            let user = try transaction.accounts.requireUser(named: name)
            if isAdmin {
                guard try !transaction.accounts.isSuspended(user.id) else { throw AccountError.suspended(user.name) }
            } else {
                guard try !transaction.accounts.isLastAdministrator(user.id) else {
                    throw AccountError.lastAdministrator
                }
            }
            guard user.isAdmin != isAdmin else { return }
            try transaction.accounts.setAdmin(isAdmin, userID: user.id, now: now)
        }
    }

    /// Frees a username that is held for somebody who gave it up or was erased.
    ///
    /// - Returns: whether it was held.
    /// - Throws: ``AccountError/invalidName(_:)``.
    package func releaseName(_ name: String) async throws -> Bool {
        guard Username.isValid(name) else { throw AccountError.invalidName(name) }
        let heldNames = self.heldNames
        return try await database.write { try $0.accounts.releaseName(name, heldNames: heldNames) }
    }
}
