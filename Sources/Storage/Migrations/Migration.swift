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

    package init(domain: String, number: Int, name: String, statements: [SQL]) {
        self.domain = domain
        self.number = number
        self.name = name
        self.statements = statements
    }

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
}
