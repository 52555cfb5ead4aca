/// The schema of a program: the migrations that make its tables, in the order in which they run.
package struct Schema: Sendable {
    package let migrations: [Migration]

    /// - Parameter migrations: those of each domain are numbered from 1 without gaps, in this order, and have names of
    ///   their own.
    package init(_ migrations: [Migration]) {
        for (domain, own) in Dictionary(grouping: migrations, by: \.domain) {
            precondition(
                own.map(\.number) == Array(1...own.count), "The migrations of \(domain) are not numbered 1, 2, …")
            precondition(Set(own.map(\.name)).count == own.count, "Two migrations of \(domain) have the same name")
        }
        self.migrations = migrations
    }

    /// The number of its migrations.
    package var version: Int { migrations.count }

    /// All statements that create the schema in an empty database, in order.
    package func statements(for dialect: Dialect) -> [String] {
        ([Migration.recordTable] + migrations.flatMap(\.statements)).compactMap { $0.text(for: dialect) }
    }
}
