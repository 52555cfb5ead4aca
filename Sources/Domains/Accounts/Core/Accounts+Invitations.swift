import Model
import Storage

/// Who may invite others.
package enum InvitationPolicy: String, Sendable, CaseIterable {
    case administrators
    case everyone

    package func allows(isAdmin: Bool) -> Bool { isAdmin || self == .everyone }
}

extension Accounts {
    /// How long an invitation can be used.
    package static let invitationLifetime = Duration.seconds(7 * 86_400)
    /// The most open invitations of one person.
    package static let maximumInvitations = 50

    /// Makes an invitation, with whose code one person gets an account.
    ///
    /// - Parameter userID: who invites, and may; `nil` for the command line.
    /// - Throws: ``AccountError``: `tooManyInvitations`; `unknownUser` with the id of somebody who is gone or suspended.
    package func invite(
        by userID: String?, now: Timestamp = .now()
    ) async throws -> (record: InvitationRecord, code: InvitationCode) {
        let code = InvitationCode.random()
        let hash = code.hash
        let record = InvitationRecord(
            id: UUIDv7.next(), userID: userID, createdAt: now, expiresAt: now.advanced(by: Self.invitationLifetime))
        try await database.write { transaction in
            if let userID {
                guard try transaction.accounts.user(id: userID) != nil,
                    try !transaction.accounts.isSuspended(userID)
                else { throw AccountError.unknownUser(userID) }
                let open = try transaction.accounts.invitations(ofUser: userID, now: now)
                guard open.count < Self.maximumInvitations else { throw AccountError.tooManyInvitations }
            }
            try transaction.accounts.insertInvitation(record, hash: hash)
        }
        return (record, code)
    }

    /// A person's open invitations, newest first.
    package func invitations(userID: String, now: Timestamp = .now()) async throws -> [InvitationRecord] {
        try await database.read { try $0.accounts.invitations(ofUser: userID, now: now) }
    }

    /// Withdraws one of a person's own invitations.
    ///
    /// - Returns: whether the person had an open invitation of that id.
    package func withdrawInvitation(id: String, userID: String) async throws -> Bool {
        try await database.write { try $0.accounts.deleteInvitation(id: id, userID: userID) }
    }

    /// Whether an invitation's code may be used, without using it.
    ///
    /// - Returns: `nil` when it may not.
    package func invitation(
        for code: InvitationCode, policy: InvitationPolicy, now: Timestamp = .now()
    ) async throws -> InvitationRecord? {
        let hash = code.hash
        return try await database.read { try $0.accounts.invitation(hash: hash, policy: policy, now: now) }
    }

    /// Makes an account for somebody who was invited, and signs them in. The invitation is used up; if several requests
    /// try at once, one succeeds.
    ///
    /// - Parameters:
    ///   - name: the username that the person chose.
    ///   - policy: who may invite now.
    ///   - former: the browser's session until now; it ends.
    /// - Returns: `nil` when the code is unknown, too old or already used, or withdrawn.
    /// - Throws: ``AccountError``: `invalidName`, `nameReserved`, `nameTaken`; the invitation can be used again.
    package func signUp(
        with code: InvitationCode, name: String, policy: InvitationPolicy, userAgent: String? = nil,
        replacing former: SessionToken? = nil, now: Timestamp = .now()
    ) async throws -> (SessionToken, Session)? {
        let (hash, key) = (code.hash, SessionToken.random())
        let (keyHash, formerHash, heldNames) = (key.hash, former?.hash, self.heldNames)
        return try await database.write { transaction in
            guard try transaction.accounts.invitation(hash: hash, policy: policy, now: now) != nil else { return nil }
            guard Username.isValid(name) else { throw AccountError.invalidName(name) }
            guard !Username.isReserved(name) else { throw AccountError.nameReserved(name) }
            guard try !transaction.accounts.isTaken(name, for: nil, heldNames: heldNames, now: now) else {
                throw AccountError.nameTaken(name)
            }
            // The write lock keeps others from using it between these statements.
            try transaction.accounts.deleteInvitation(hash: hash)
            let user = UserRecord(id: UUIDv7.next(), name: name, isAdmin: false, createdAt: now)
            try transaction.accounts.insertUser(user)
            let session = try Self.insertSession(
                keyHash, user: user, tokenHash: nil, userAgent: userAgent, replacing: formerHash, now: now,
                in: transaction)
            return (key, session)
        }
    }
}
