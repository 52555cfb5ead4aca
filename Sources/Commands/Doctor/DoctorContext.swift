import Bootstrap
import CommandSupport
import Domains
import Foundation
import Model
import Settings
import Storage

/// The installation that `doctor` checks. Checks only read it.
struct DoctorContext: Sendable {
    /// The domains of this program.
    var domains: [Domain]
    var configuration: BacklineConfiguration
    /// The configuration's path; `nil` without a file.
    var configurationFile: String?
    var configurationWarnings: [ConfigurationProblem] = []
    var environment: [String: String] = [:]
    /// The gateway's address; `nil` if it is not known.
    var gateway: GatewayAddress?
    var token: Secret?
    /// Whether the token may be sent over plain http to another machine.
    var isInsecure = false
    /// Whether to check the whole database file.
    var isDeep = false
    /// How long the write lock may be held before that is a problem. Writes themselves wait up to 5 s.
    var lockTimeout = Duration.seconds(2)

    var databasePath: String { configuration.database.path }

    /// The schema of this program.
    var schema: Schema { Schema(of: domains) }

    var processes: InstallationProcesses { InstallationProcesses(configuration) }

    /// Reads the database; `nil` when there is no database with this version's schema, which ``DoctorCheck/database``
    /// reports.
    func read<Value: Sendable>(_ body: @escaping @Sendable (ReadTransaction) throws -> Value) async throws -> Value? {
        guard FileManager.default.fileExists(atPath: databasePath),
            let database = try? ReadOnlyDatabase.open(path: databasePath)
        else { return nil }
        defer { database.close() }
        guard let found = try? await database.read({ try $0.schemaVersion() }), found == schema.version else {
            return nil
        }
        return try await database.read(body)
    }
}
