import Foundation

/// A release that changed the schema, and a database of it: 0.2.0 is the first release, so each later version migrates
/// these databases and keeps their rows.
package enum Release: String, CaseIterable, Sendable {
    case first = "0.2.0"

    /// Writes the database as the release left it into a new file.
    package func write(toFileAt path: String) throws {
        guard let script = Bundle.module.url(forResource: rawValue, withExtension: "sql") else {
            throw RawSQLite.Failure(description: "\(rawValue).sql is not among the resources")
        }
        try RawSQLite(path: path).run(try String(contentsOf: script, encoding: .utf8))
    }
}
