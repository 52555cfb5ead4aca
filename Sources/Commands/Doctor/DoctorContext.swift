import Bootstrap
import Foundation
import Model
import Storage

/// What checks look at. Opening it changes nothing.
struct DoctorContext: Sendable {
    var configuration: BacklineConfiguration
    /// Where the configuration was read; `nil` without a file.
    var configurationFile: String?
    var configurationWarnings: [ConfigurationProblem] = []
    var environment: [String: String] = [:]
    /// `nil` when nothing says where the gateway listens.
    var gateway: GatewayAddress?
    var token: Secret?
    /// Whether the token may go over plain http to another machine.
    var isInsecure = false
    /// Looks through the whole database file too.
    var isDeep = false
    /// How long the write lock may stay taken; writes themselves wait 5 s.
    var lockPatience = Duration.seconds(2)

    var databasePath: String { configuration.database.path }

    var processes: InstallationProcesses { InstallationProcesses(configuration) }

    /// Reads the database; `nil` when there is none of this version's schema, which the check of the database tells.
    func read<Value: Sendable>(_ body: @escaping @Sendable (ReadTransaction) throws -> Value) async throws -> Value? {
        guard FileManager.default.fileExists(atPath: databasePath),
            let database = try? ReadOnlyDatabase.open(path: databasePath)
        else { return nil }
        defer { database.close() }
        guard let schema = try? await database.read({ try $0.schemaVersion() }), schema == Migration.latest else {
            return nil
        }
        return try await database.read(body)
    }
}
