import ArgumentParser
import Bootstrap
import Domains
import Foundation
import JobStorage
import Settings
import Storage
import Synchronization

/// The configuration and the database, for all commands that use them.
package struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("Read the configuration from this file.", valueName: "path"),
        completion: .file(extensions: ["yaml", "yml"]))
    var config: String?

    package init() {}

    /// Loads the configuration, and prints its problems to standard error.
    ///
    /// - Throws: ``CommandExit/configuration`` when it cannot be used.
    package func load() throws -> BacklineConfiguration {
        do {
            let loaded = try loadAll()
            // A command may load it twice, and prints the warnings once.
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

    /// Loads the configuration like ``load()``, without printing problems.
    package func loadAll() throws -> LoadedConfiguration {
        try BacklineConfiguration.load(
            sections: CommandDomains.all.settings, file: config, environment: ProcessInfo.processInfo.environment)
    }

    // MARK: The database

    /// Runs `body` with the migrated database, for reading and writing. Writes take the write lock, as those of every
    /// process do.
    ///
    /// - Parameter createsIfMissing: whether to create a missing database.
    package func withDatabase<Value>(
        createsIfMissing: Bool = false, _ body: (Database) async throws -> Value
    ) async throws -> Value {
        let path = try load().database.path
        if !createsIfMissing { try Self.requireDatabase(at: path) }
        let domains = CommandDomains.all
        let database = try Database.open(path: path, schema: Schema(of: domains))
        defer { database.close() }
        database.registerHooks(of: domains) { end in
            CommandOutput.complain(
                "The job \(end.jobID) (\(end.kind)) ended, but rows that depend on its end could not be written; the "
                    + "gateway will try again: \(end.error)")
        }
        _ = try await database.migrateForCommand()
        return try await body(database)
    }

    /// Runs `body` with the database for reading, which needs no lock.
    ///
    /// - Throws: ``StorageError`` when the schema is not this version's.
    package func withReadOnlyDatabase<Value>(_ body: (ReadOnlyDatabase) async throws -> Value) async throws -> Value {
        let path = try load().database.path
        try Self.requireDatabase(at: path)
        let database = try ReadOnlyDatabase.open(path: path)
        defer { database.close() }
        let found = try await database.read { try $0.schemaVersion() }
        let known = Schema(of: CommandDomains.all).version
        guard found >= known else { throw StorageError.schemaTooOld(found: found, wanted: known) }
        guard found == known else { throw StorageError.schemaTooNew(found: found, known: known) }
        return try await body(database)
    }

    /// - Throws: ``CommandFailure`` when there is no file at `database.path`.
    package static func requireDatabase(at path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure(
                description: "There is no database at \(path). 'backline migrate' creates one. If it is elsewhere, set "
                    + "database.path, or run this in the working folder of the services.",
                status: CommandExit.unusableInput)
        }
    }
}
