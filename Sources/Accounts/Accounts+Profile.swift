import Model
import Storage

extension Accounts {
    /// A person's own profile; `nil` when there is no such person.
    package func profile(userID: String) async throws -> ProfileRecord? {
        try await database.read { try $0.accounts.profile(userID: userID) }
    }

    /// The profile of the user with a name.
    ///
    /// - Parameter readerID: the user who asks.
    /// - Returns: `nil` when nobody has the name, and when the reader may not see the profile, so that the two cannot
    ///   be told apart.
    package func profile(named name: String, readerID: String) async throws -> ProfileRecord? {
        try await database.read { reader in
            guard let user = try reader.accounts.user(named: name),
                let profile = try reader.accounts.profile(userID: user.id)
            else { return nil }
            // Nobody can follow people yet, so `followers` hides a profile like `private`.
            return profile.visibility == .public || profile.id == readerID ? profile : nil
        }
    }

    /// Changes a profile.
    ///
    /// - Parameter alongside: writes what depends on the change, in the same transaction.
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
            var changed = try change.applied(to: profile)
            changed.updatedAt = now
            if changed.username != profile.username,
                let holder = try transaction.accounts.user(named: changed.username), holder.id != userID
            {
                throw ProfileError(field: .username, reason: .usernameTaken)
            }
            try transaction.accounts.updateProfile(changed)
            try alongside(profile, changed, transaction)
            return changed
        }
    }
}
