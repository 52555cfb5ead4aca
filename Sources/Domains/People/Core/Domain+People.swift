import Domains
import Storage

extension Domain {
    /// What people do toward others: following, requests, blocks, suggestions and reports.
    package static let people = Domain(
        "people", migrations: [.peopleTables, .peopleFollowTimes], personalTables: .people, notifications: .people,
        sealedTexts: [SealedTextTable("reports", key: "id")])
}
