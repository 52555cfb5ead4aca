import Model
import Storage

extension Accounts {
    /// A person's own profile; `nil` when there is no such person.
    package func profile(userID: String) async throws -> ProfileRecord? {
        try await database.read { try $0.accounts.profile(userID: userID) }
    }

    /// The profile of whoever has a name, as far as the reader may see it.
    ///
    /// - Parameter readerID: who asks.
    /// - Returns: `nil` when nobody has the name and when the reader may not see who does, so that the two
    ///   cannot be told apart.
    package func profile(named name: String, readerID: String) async throws -> ProfileRecord? {
        try await database.read { reader in
            guard let user = try reader.accounts.user(named: name),
                let profile = try reader.accounts.profile(userID: user.id)
            else { return nil }
            // Nobody follows anybody here, so that followers is as private as private.
            return profile.visibility == .public || profile.id == readerID ? profile : nil
        }
    }

    /// - Parameter alongside: writes what depends on the change, in its transaction.
    /// - Returns: the profile as it is now; `nil` when there is no such person.
    /// - Throws: ``ProfileError``.
    package func changeProfile(
        userID: String, _ change: ProfileChange, now: Timestamp = .now(),
        alongside:
            @escaping @Sendable (
                _ former: ProfileRecord, _ profile: ProfileRecord, WriteTransaction
            ) throws -> Void = { _, _, _ in }
    ) async throws -> ProfileRecord? {
        try await database.write { transaction in
            guard let profile = try transaction.accounts.profile(userID: userID) else { return nil }
            let changed = try change.applied(to: profile)
            if changed.username != profile.username,
                let holder = try transaction.accounts.user(named: changed.username), holder.id != userID
            {
                throw ProfileError(field: .username, reason: .usernameTaken)
            }
            try transaction.accounts.updateProfile(changed, now: now)
            try alongside(profile, changed, transaction)
            return changed
        }
    }
}
