/// A migration of the schema, numbered within its domain. A migration that a release contains is never edited: the
/// first one of each domain, its baseline, is that of version 0.2.0.
///
/// Its statements use the subset of SQL that SQLite and PostgreSQL share, and no types of the application, so that its
/// meaning never changes.
package struct Migration: Sendable {
    /// The domain whose tables it makes or changes.
    package let domain: String
    /// From 1, without gaps within the domain.
    package let number: Int
    package let name: String
    let statements: [SQL]

    /// All migrations, in the order in which they run: a new one is last.
    package static let all: [Migration] = [
        .storageBaseline, .accountsBaseline, .jobsBaseline, .permitsBaseline, .vaultBaseline, .connectionsBaseline,
        .catalogBaseline, .previewsBaseline, .concertsBaseline, .libraryBaseline, .listeningBaseline,
        .curationBaseline,
    ]

    /// The table of applied migrations, which is created first.
    static let recordTable: SQL = """
        CREATE TABLE IF NOT EXISTS schema_migrations (
            domain TEXT NOT NULL,
            number BIGINT NOT NULL,
            name TEXT NOT NULL,
            applied_at BIGINT NOT NULL,
            PRIMARY KEY (domain, number)
        ) \(Dialect.clusteredByPrimaryKey)
        """

    /// All statements that create the schema in an empty database, in order.
    package static func statements(for dialect: Dialect) -> [String] {
        ([recordTable] + all.flatMap(\.statements)).compactMap { $0.text(for: dialect) }
    }

    /// The schema version of this program: the number of its migrations.
    package static var latest: Int { all.count }
}
