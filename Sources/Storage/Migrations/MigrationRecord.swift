/// What a database records of a migration that was applied.
struct MigrationRecord: Hashable, Sendable {
    var domain: String
    var number: Int
    var name: String
}

extension MigrationRecord: CustomStringConvertible {
    /// Such as `library 2 (play counts)`.
    var description: String { "\(domain) \(number) (\(name))" }
}

extension Migration: CustomStringConvertible {
    var record: MigrationRecord { MigrationRecord(domain: domain, number: number, name: name) }

    package var description: String { record.description }

    /// The migrations of a program that a database lacks, in the order in which they run.
    ///
    /// A later version has all migrations of the earlier ones, and runs those of a domain in the order of their
    /// numbers. A database in any other state is refused, because nobody knows what its tables are.
    ///
    /// - Parameter known: the migrations of the program.
    /// - Throws: ``StorageError/schemaTooNew(found:known:)`` or ``StorageError/schemaInconsistent(has:lacks:)``.
    static func missing(
        in applied: Set<MigrationRecord>, of known: [Migration]
    ) throws(StorageError) -> [Migration] {
        let missing = known.filter { !applied.contains($0.record) }
        let unknown = applied.subtracting(known.map(\.record))
        guard let first = missing.first else {
            guard unknown.isEmpty else { throw .schemaTooNew(found: applied.count, known: known.count) }
            return []
        }
        if let other = unknown.min(by: { ($0.domain, $0.number) < ($1.domain, $1.number) }) {
            throw .schemaInconsistent(has: other.description, lacks: first.description)
        }
        for migration in missing {
            if let later = applied.first(where: { $0.domain == migration.domain && $0.number > migration.number }) {
                throw .schemaInconsistent(has: later.description, lacks: migration.description)
            }
        }
        return missing
    }
}
