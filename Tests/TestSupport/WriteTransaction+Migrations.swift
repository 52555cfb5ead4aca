import Storage

extension WriteTransaction {
    /// Makes the schema of each of the domains appear older by one migration, whose tables stay.
    package func forgetLatestMigrations(of domains: String...) throws {
        for domain in domains {
            try run(
                """
                DELETE FROM schema_migrations
                WHERE domain = \(domain)
                    AND number = (SELECT MAX(number) FROM schema_migrations WHERE domain = \(domain))
                """)
        }
    }
}
