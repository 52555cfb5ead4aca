import Storage

/// The key of a person in the tables of follows and blocks. It is never shown, since it says how many people came before.
package struct PersonKey: RawRepresentable, Hashable, Sendable, SQLConvertible {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A person as others meet them.
package struct Person: Sendable, Equatable {
    package let key: PersonKey
    package let userID: String
    package let state: State
    package let visibility: ProfileVisibility
    /// Whether whoever may see the profile may also see the stats of listens.
    package let showsStats: Bool

    package enum State: Int64, Sendable, CaseIterable, SQLConvertible {
        case active = 0
        /// By an administrator: signed out and invisible, with all rows kept.
        case suspended = 1
        /// The erasure has begun: invisible, with rows that are being deleted.
        case gone = 2
    }

    static let columns = SQL("people.key, people.user_id, people.state, people.visibility, people.shows_stats")

    init(row: Row) throws {
        key = try row["key"]
        userID = try row["user_id"]
        state = try row["state"]
        visibility = ProfileVisibility(number: try row["visibility"])
        showsStats = try row["shows_stats"]
    }
}

/// An active person in the part of the one who sees or acts. ``VisibilityStore/viewer(userID:)`` finds it in the
/// transaction in which it is used, so that somebody who was suspended or erased meanwhile sees and does nothing.
package struct Viewer: Sendable, Hashable {
    package let key: PersonKey
    package let userID: String
}
