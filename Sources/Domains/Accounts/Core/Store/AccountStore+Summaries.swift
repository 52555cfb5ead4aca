import Storage

/// What everybody who may know of a person sees of them.
package struct PersonSummary: Sendable, Equatable {
    package let userID: String
    package let username: String
    package let displayName: String?
    package let picture: ProfilePicture

    static let columns: SQL = "users.id, users.name, users.display_name, \(ProfilePicture.columns)"

    init(row: Row) throws {
        userID = try row["id"]
        username = try row["name"]
        displayName = try row["display_name"]
        picture = try ProfilePicture(row: row)
    }
}

extension AccountStore {
    /// What everybody sees of people, by id, without those who are being erased. Whether a reader may see them is the
    /// caller's question.
    package func summaries(ofUsers ids: some Sequence<String>) throws -> [String: PersonSummary] {
        try transaction.rows("SELECT \(PersonSummary.columns) FROM users WHERE id IN (\(list: Set(ids)))")
            .reduce(into: [:]) { summaries, row in
                let summary = try PersonSummary(row: row)
                summaries[summary.userID] = summary
            }
    }
}
