import ArgumentParser
import Bootstrap
import Foundation
import Storage
import Synchronization

/// What all commands share.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("Read the configuration from this file.", valueName: "path"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    /// Loads the configuration; its problems are told on standard error.
    func load() throws -> BacklineConfiguration {
        do {
            let loaded = try loadAll()
            // A command may need it twice.
            if !Self.hasWarned.exchange(true, ordering: .relaxed) {
                for warning in loaded.warnings { CommandOutput.complain("warning: \(warning.text)") }
            }
            return loaded.configuration
        } catch let error as ConfigurationError {
            for problem in error.problems { CommandOutput.complain("\(problem)") }
            throw CommandExit.configuration
        }
    }

    private static let hasWarned = Atomic(false)

    /// As ``load()``, without telling anybody.
    func loadAll() throws -> LoadedConfiguration {
        try BacklineConfiguration.load(file: config, environment: CommandEnvironment.variables)
    }

    // MARK: The database

    /// Runs `body` with the database, migrated, for reading and writing as all processes do: under the write lock.
    ///
    /// - Parameter isMade: whether it is made where there is none.
    func withDatabase<Value>(isMade: Bool = false, _ body: (Database) async throws -> Value) async throws -> Value {
        let path = try load().database.path
        if !isMade { try Self.require(path) }
        let database = try Database.open(path: path)
        defer { database.close() }
        database.registerEnds { end in
            CommandOutput.complain(
                "The job \(end.jobID) (\(end.kind)) ended without its rows, which the gateway tries again: "
                    + "\(end.error)")
        }
        try await database.migrate()
        return try await body(database)
    }

    /// Runs `body` with the database for reading alone, which works whatever other processes do.
    func withReadOnlyDatabase<Value>(_ body: (ReadOnlyDatabase) async throws -> Value) async throws -> Value {
        let path = try load().database.path
        try Self.require(path)
        let database = try ReadOnlyDatabase.open(path: path)
        defer { database.close() }
        let schema = try await database.read { try $0.schemaVersion() }
        guard schema >= Migration.latest else {
            throw StorageError.schemaTooOld(found: schema, wanted: Migration.latest)
        }
        guard schema == Migration.latest else {
            throw StorageError.schemaTooNew(found: schema, known: Migration.latest)
        }
        return try await body(database)
    }

    private static func require(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(
                description: "There is no database at \(path). 'backline migrate' makes one; if it is elsewhere, set "
                    + "database.path, or start where that path is seen from.")
        }
    }
}
