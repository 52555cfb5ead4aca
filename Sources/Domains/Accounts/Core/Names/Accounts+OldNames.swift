import Model
import Storage

extension Accounts {
    /// The users whose names one transaction looks at.
    private static let oldNameBatch = 50

    /// Looks at the names from before the rule of usernames. Those that follow it stay. The others are replaced by what
    /// comes closest, and their people are asked to choose; programs that send listens still know them by the old name.
    ///
    /// - Returns: the number of names that were replaced.
    @discardableResult
    package func replaceOldNames(now: Timestamp = .now()) async throws -> Int {
        var replaced = 0
        let heldNames = self.heldNames
        while !Task.isCancelled {
            let (seen, changed) = try await database.write { transaction in
                let users = try transaction.accounts.usersWithOldNames(limit: Self.oldNameBatch)
                var changed = 0
                for user in users {
                    changed += try transaction.accounts.adopt(user, heldNames: heldNames, now: now) ? 1 : 0
                }
                return (users.count, changed)
            }
            replaced += changed
            if seen < Self.oldNameBatch { break }
        }
        return replaced
    }
}

extension AccountStore where Access == WriteTransaction {
    /// - Returns: whether the user got another name.
    fileprivate func adopt(_ user: UserRecord, heldNames: RecognitionKey?, now: Timestamp) throws -> Bool {
        if let displayName = try profile(userID: user.id)?.displayName {
            let cleaned = ProfileChange.valid(displayName, as: .displayName)
            if cleaned != displayName {
                try transaction.run("UPDATE users SET display_name = \(cleaned) WHERE id = \(user.id)")
            }
        }
        let isKept =
            try Username.isValid(user.name) && !Username.isPath(user.name)
            && !isTaken(user.name, for: user.id, heldNames: heldNames, now: now)
        if isKept {
            try transaction.run(
                """
                UPDATE users SET name_key = \(Username.key(of: user.name)), name_state = \(NameState.chosen)
                WHERE id = \(user.id)
                """)
        } else {
            let name = try Username.free(
                from: user.name, for: user.id, heldNames: heldNames, now: now, in: transaction)
            try setName(name, of: user, state: .made, changedAt: nil, now: now)
            try setListeningName(user.name, userID: user.id)
        }
        try setWords(ofUser: user.id)
        return !isKept
    }
}
