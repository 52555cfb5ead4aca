import Model
import Storage
import Visibility

/// A person's profile, and who may see it.
package struct ProfileRecord: Sendable, Equatable {
    package let id: String
    package var username: String
    package var displayName: String?
    package var bio: String?
    package let picture: ProfilePicture
    package var homeCity: String?
    /// The name in the IANA database; `nil` for UTC.
    package var timeZone: String?
    /// The e-mail address that Google sent at the last sign-in. It identifies nobody.
    package let email: String?
    package let createdAt: Timestamp
    /// When a field of the profile last changed; ``createdAt`` before the first change.
    package var updatedAt: Timestamp
    package var visibility: ProfileVisibility
    package var showsListeningStats: Bool
    package let isAdmin: Bool
    /// How the person came by their username.
    package var nameState: NameState
    /// When the person last chose a username; `nil` before the first change.
    package var nameChangedAt: Timestamp?
    /// Whether the cards of the first sign-in are yet to be shown.
    package var showsOnboarding: Bool

    static let columns = SQL(
        """
        id, name, display_name, bio, \(ProfilePicture.columns), home_city, time_zone, email, created_at, updated_at,
        is_admin, name_state, name_changed_at, shows_onboarding
        """)

    /// - Parameter person: the person as others meet them. Without it nobody sees the profile.
    init(row: Row, person: Person?) throws {
        id = try row["id"]
        username = try row["name"]
        displayName = try row["display_name"]
        bio = try row["bio"]
        picture = try ProfilePicture(row: row)
        homeCity = try row["home_city"]
        timeZone = try row["time_zone"]
        email = try row["email"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"] ?? createdAt
        isAdmin = try row["is_admin"]
        nameState = try row["name_state"]
        nameChangedAt = try row["name_changed_at"]
        showsOnboarding = try row["shows_onboarding"]
        visibility = person?.visibility ?? .private
        showsListeningStats = person?.showsStats ?? false
    }

    /// Whether others, who may see all of it, see another profile.
    func isSeenDifferently(than former: ProfileRecord) -> Bool {
        username != former.username || displayName != former.displayName || bio != former.bio
            || visibility != former.visibility || showsListeningStats != former.showsListeningStats
    }

    /// Whether the person has a name that was made for them, and is asked to choose one.
    package var mustChooseUsername: Bool { nameState == .made }

    /// From when on the person may choose another username; `nil` if they may at once.
    package func usernameChangeableAt(now: Timestamp) -> Timestamp? {
        guard nameState == .chosen, let nameChangedAt else { return nil }
        let moment = nameChangedAt.advanced(by: Username.changeInterval)
        return moment > now ? moment : nil
    }
}

extension AccountStore {
    package func profile(userID: String) throws -> ProfileRecord? {
        guard let row = try transaction.row("SELECT \(ProfileRecord.columns) FROM users WHERE id = \(userID)") else {
            return nil
        }
        return try ProfileRecord(row: row, person: try transaction.visibility.person(userID: userID))
    }

    package func homeCity(userID: String) throws -> String? {
        try transaction.row("SELECT home_city FROM users WHERE id = \(userID)").flatMap { try $0["home_city"] }
    }

    /// A name of the IANA database; `nil` for somebody who has set none.
    package func timeZone(userID: String) throws -> String? {
        try transaction.row("SELECT time_zone FROM users WHERE id = \(userID)").flatMap { try $0["time_zone"] }
    }
}

extension AccountStore where Access == WriteTransaction {
    /// Stores a profile, ``ProfileRecord/updatedAt`` included, but not the username.
    ///
    /// - Parameter former: the profile before the change.
    /// - Throws: `ActLimitReached`, if others would see the change.
    func updateProfile(_ profile: ProfileRecord, insteadOf former: ProfileRecord) throws {
        let isSeen = profile.isSeenDifferently(than: former)
        if isSeen { try countProfileChange(ofUser: profile.id, now: profile.updatedAt) }
        try transaction.run(
            """
            UPDATE users SET
                display_name = \(profile.displayName), bio = \(profile.bio), home_city = \(profile.homeCity),
                time_zone = \(profile.timeZone),
                shows_onboarding = \(profile.showsOnboarding), updated_at = \(profile.updatedAt)
            WHERE id = \(profile.id)
            """)
        try transaction.visibility.setVisibility(profile.visibility, userID: profile.id)
        try transaction.visibility.setShowsStats(profile.showsListeningStats, userID: profile.id)
        if isSeen { try transaction.visibility.recordProfile(ofUser: profile.id) }
    }

    /// Counts a change that others see, also that of a picture: it is sent to the open pages of all followers.
    ///
    /// - Throws: `ActLimitReached`.
    func countProfileChange(ofUser userID: String, now: Timestamp) throws {
        guard let person = try transaction.visibility.key(ofUser: userID) else { return }
        try transaction.visibility.count([.profileChanges], by: person, now: now)
    }

    package func setHomeCity(_ city: String, userID: String, now: Timestamp) throws {
        try transaction.run("UPDATE users SET home_city = \(city), updated_at = \(now) WHERE id = \(userID)")
    }
}
