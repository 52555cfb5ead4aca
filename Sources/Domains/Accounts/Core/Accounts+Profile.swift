import DomainEvents
import Model
import Storage
import Visibility

/// A person's profile as somebody sees it.
package struct SeenProfile: Sendable {
    package let profile: ProfileRecord
    /// How the reader stands to the person, and what they may see.
    package let relation: Relation
    /// `nil` where the reader sees only that there is such a person.
    package let counts: FollowCounts?
}

extension AccountStore {
    /// The profile to which a name leads.
    ///
    /// - Returns: `nil` when it leads to nobody, and when the reader may not know of the person. The same statements
    ///   run in both cases, so that they cannot be told apart.
    package func profile(named name: String, for viewer: Viewer, now: Timestamp) throws -> SeenProfile? {
        let id = try userID(reachedBy: name, now: now)
        guard let relation = try transaction.visibility.relation(of: viewer, to: id), relation.canSee(.existence),
            let profile = try profile(userID: relation.person.userID)
        else { return nil }
        let counts =
            relation.canSee(.profile)
            ? try transaction.visibility.followCounts(of: relation.person.key, for: viewer) : nil
        return SeenProfile(profile: profile, relation: relation, counts: counts)
    }
}

extension Accounts {
    /// A person's own profile; `nil` when there is no such person.
    package func profile(userID: String) async throws -> ProfileRecord? {
        try await database.read { try $0.accounts.profile(userID: userID) }
    }

    /// Changes a profile.
    ///
    /// - Returns: the profile as it is now; `nil` when there is no such person.
    /// - Throws: ``ProfileError``; `ActLimitReached`, if others would see the change.
    package func changeProfile(
        userID: String, _ change: ProfileChange, now: Timestamp = .now()
    ) async throws -> ProfileRecord? {
        let heldNames = change.username == nil ? nil : self.heldNames
        return try await database.write { transaction in
            guard let profile = try transaction.accounts.profile(userID: userID) else { return nil }
            var changed = try change.applied(to: profile)
            changed.updatedAt = now
            try transaction.accounts.updateProfile(changed, insteadOf: profile)
            if change.username != nil {
                try transaction.accounts.chooseName(
                    changed.username, insteadOf: profile, heldNames: heldNames, now: now)
            }
            if let leadsOn = change.formerUsernameLeadsOn,
                try !transaction.accounts.setFormerNameLeadsOn(leadsOn, userID: userID, now: now)
            {
                throw ProfileError(field: .formerUsernameLeadsOn, reason: .noFormerUsername)
            }
            if changed.username != profile.username || changed.displayName != profile.displayName {
                try transaction.accounts.setWords(ofUser: userID)
            }
            if changed.homeCity != profile.homeCity { try transaction.publish(HomeCityChanged(userID: userID)) }
            if changed.timeZone != profile.timeZone { try transaction.publish(TimeZoneChanged(userID: userID)) }
            return try transaction.accounts.profile(userID: userID)
        }
    }
}

extension AccountStore where Access == WriteTransaction {
    /// Gives a person the username that they chose.
    ///
    /// - Parameters:
    ///   - name: follows the rule, or is the present one.
    ///   - profile: before the change.
    fileprivate func chooseName(
        _ name: String, insteadOf profile: ProfileRecord, heldNames: RecognitionKey?, now: Timestamp
    ) throws {
        guard name != profile.username else {
            // Whoever sends back the name that was made for them has chosen it.
            if profile.nameState == .made { try confirmName(ofUser: profile.id) }
            return
        }
        if let moment = profile.usernameChangeableAt(now: now) {
            throw ProfileError(field: .username, reason: .changedRecently(until: moment))
        }
        guard !Username.isReserved(name) else { throw ProfileError(field: .username, reason: .reservedUsername) }
        guard try !isTaken(name, for: profile.id, heldNames: heldNames, now: now) else {
            throw ProfileError(field: .username, reason: .usernameTaken)
        }
        let user = UserRecord(
            id: profile.id, name: profile.username, isAdmin: profile.isAdmin, createdAt: profile.createdAt)
        try setName(name, of: user, state: .chosen, changedAt: now, now: now)
    }
}
