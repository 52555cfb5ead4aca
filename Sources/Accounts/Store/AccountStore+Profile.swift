import Model
import Storage

/// The people who may see a person's profile, besides the person.
package enum ProfileVisibility: String, Sendable, CaseIterable {
    /// Everybody who is signed in.
    case `public`
    /// The person's followers.
    case followers
    case `private`
}

/// A person's profile, and who may see it.
package struct ProfileRecord: Sendable, Equatable {
    package let id: String
    package var username: String
    package var displayName: String?
    package var bio: String?
    /// `https` only.
    package var pictureURL: String?
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
    /// The address for push messages to the person's device. It is never handed out.
    package var pushToken: String?
    package let isAdmin: Bool

    static let columns = SQL(
        """
        id, name, display_name, bio, picture_url, home_city, time_zone, email, created_at, updated_at,
        profile_visibility, show_listening_stats, push_token, is_admin
        """)

    init(row: Row) throws {
        id = try row["id"]
        username = try row["name"]
        displayName = try row["display_name"]
        bio = try row["bio"]
        pictureURL = try row["picture_url"]
        homeCity = try row["home_city"]
        timeZone = try row["time_zone"]
        email = try row["email"]
        createdAt = try row["created_at"]
        updatedAt = try row["updated_at"] ?? createdAt
        // A later version may know more values: an unknown one counts as private.
        visibility = ProfileVisibility(rawValue: try row["profile_visibility"]) ?? .private
        showsListeningStats = try row["show_listening_stats"]
        pushToken = try row["push_token"]
        isAdmin = try row["is_admin"]
    }
}

extension ProfileRecord {
    /// Whether somebody may see the person's stats of listens: the person always, others where the person shows them to
    /// those who may see the profile.
    package func showsListeningStats(to readerID: String, isFollower: Bool) -> Bool {
        if readerID == id { return true }
        guard showsListeningStats else { return false }
        return switch visibility {
        case .public: true
        case .followers: isFollower
        case .private: false
        }
    }
}

extension AccountStore {
    package func profile(userID: String) throws -> ProfileRecord? {
        try transaction.row("SELECT \(ProfileRecord.columns) FROM users WHERE id = \(userID)").map(ProfileRecord.init)
    }

    package func homeCity(userID: String) throws -> String? {
        try transaction.row("SELECT home_city FROM users WHERE id = \(userID)").flatMap { try $0["home_city"] }
    }
}

extension AccountStore where Access == WriteTransaction {
    /// Stores a profile, ``ProfileRecord/updatedAt`` included.
    package func updateProfile(_ profile: ProfileRecord) throws {
        try transaction.run(
            """
            UPDATE users SET
                name = \(profile.username), name_key = \(UserRecord.key(ofName: profile.username)),
                display_name = \(profile.displayName), bio = \(profile.bio),
                picture_url = \(profile.pictureURL), home_city = \(profile.homeCity), time_zone = \(profile.timeZone),
                profile_visibility = \(profile.visibility.rawValue),
                show_listening_stats = \(profile.showsListeningStats), push_token = \(profile.pushToken),
                updated_at = \(profile.updatedAt)
            WHERE id = \(profile.id)
            """)
    }

    package func setHomeCity(_ city: String, userID: String, now: Timestamp) throws {
        try transaction.run("UPDATE users SET home_city = \(city), updated_at = \(now) WHERE id = \(userID)")
    }
}
