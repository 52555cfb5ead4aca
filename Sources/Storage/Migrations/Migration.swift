/// One numbered step of the schema. A step that has been released is never edited.
///
/// Its statements use the subset of SQL that SQLite and PostgreSQL share and no application
/// types, so that it means the same for ever.
package struct Migration: Sendable {
    package let number: Int
    package let name: String
    let statements: [SQL]

    /// In order, numbered from 1 without gaps.
    package static let all: [Migration] = [
        .jobs, .accounts, .permits, .concerts, .sessions, .telemetry, .jobIndexes, .people,
        .credentials, .longJobs, .ephemeralJobs, .crashGroups, .domainSchedules, .changeLog, .erasures,
        .fairShares, .quotas, .permitWindows, .lookupShares, .cleaning,
        .sessionEnds, .sealedForWorkers, .clockGuard,
    ]

    /// The table of the steps that were made, which comes before them.
    static let record = SQL(
        """
        CREATE TABLE IF NOT EXISTS schema_migrations (
            number BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)
        """)

    /// All statements that make the schema in an empty database, in their order.
    package static func statements(for dialect: Dialect) -> [String] {
        ([record] + all.flatMap(\.statements)).compactMap { $0.text(for: dialect) }
    }

    /// The schema that this program reads and writes.
    package static var latest: Int { all.count }
}
