/// A numbered migration of the schema. A released migration is never edited.
///
/// Its statements use the subset of SQL that SQLite and PostgreSQL share, and no types of the application, so that its
/// meaning never changes.
package struct Migration: Sendable {
    package let number: Int
    package let name: String
    let statements: [SQL]

    /// All migrations in order, numbered from 1 without gaps.
    package static let all: [Migration] = [
        .jobs, .accounts, .permits, .concerts, .sessions, .telemetry, .jobIndexes, .people,
        .credentials, .longJobs, .ephemeralJobs, .crashGroups, .domainSchedules, .changeLog, .erasures,
        .fairShares, .quotas, .permitWindows, .lookupShares, .cleaning,
        .sessionEnds, .sealedForWorkers, .clockGuard, .linkedAccounts,
        .library, .identity, .personalApps, .catalog, .previews, .catalogIDs,
        .libraryEdits, .libraryImports, .libraryCopies, .listens, .listeningTokens, .listeningStats,
        .spotifyPlays, .playCounts, .curation, .curationCosts, .splitTracks, .dismissedSongs,
        .databaseRestores, .editRecovery, .listenBounds, .boundedUpkeep, .checkpointWork, .modelCalls, .listenFeedback,
        .foundByName, .plannedRuns,
    ]

    /// The table of applied migrations, which is created first.
    static let record = SQL(
        """
        CREATE TABLE IF NOT EXISTS schema_migrations (
            number BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)
        """)

    /// All statements that create the schema in an empty database, in order.
    package static func statements(for dialect: Dialect) -> [String] {
        ([record] + all.flatMap(\.statements)).compactMap { $0.text(for: dialect) }
    }

    /// The schema version of this program.
    package static var latest: Int { all.count }
}
