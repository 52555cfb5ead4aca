import Domains
import Jobs
import Logging
import Storage
import Telemetry

extension Database {
    /// Opens the database. Waits while a temporary obstacle lasts: a full or read-only disk, or another process that
    /// holds the write lock.
    ///
    /// Exiting instead would leave retries to the supervisor, and supervisors give up after a few.
    ///
    /// - Parameter domains: those whose tables the database has, and whose hooks are registered.
    package static func openWhenPossible(
        path: String, domains: [Domain], niceness: Int32 = 0, manager: ServiceManager, logger: Logger
    ) async throws -> Database {
        let database = try await untilPossible(manager: manager, logger: logger) {
            try open(path: path, schema: Schema(of: domains), niceness: niceness)
        }
        database.registerHooks(of: domains, logger: logger)
        return database
    }

    /// Migrates the database, and waits as ``openWhenPossible(path:domains:niceness:manager:logger:)`` does.
    ///
    /// - Returns: the migrations that were applied.
    package func migrateWhenPossible(manager: ServiceManager, logger: Logger) async throws -> [String] {
        try await Self.untilPossible(manager: manager, logger: logger) { try await self.migrate() }
    }

    /// Makes this process the database's one gateway (``lockForGateway(timeout:)``), and waits as
    /// ``openWhenPossible(path:domains:niceness:manager:logger:)`` does.
    package func lockForGatewayWhenPossible(manager: ServiceManager, logger: Logger) async throws {
        try await Self.untilPossible(manager: manager, logger: logger) { try await self.lockForGateway() }
    }

    private static func untilPossible<Value: Sendable>(
        manager: ServiceManager, logger: Logger, _ body: () async throws -> Value
    ) async throws -> Value {
        try await manager.extendingStart { try await retrying(manager: manager, logger: logger, body) }
    }

    private static func retrying<Value: Sendable>(
        manager: ServiceManager, logger: Logger, _ body: () async throws -> Value
    ) async throws -> Value {
        let throttle = LogThrottle(limit: 1, per: .seconds(60))
        var hasWaited = false
        while true {
            do {
                let value = try await body()
                if hasWaited { logger.notice("the database is usable again") }
                return value
            } catch let error as StorageError where error.mayPass {
                hasWaited = true
                manager.report("Waiting for the database: \(error)")
                logger.log(
                    level: .error, "the database cannot be used yet; waiting until it can",
                    metadata: ["error": "\(error)"], throttle: throttle)
            }
            try await Task.sleep(for: .seconds(1))
        }
    }
}
