import ServiceLifecycle
import Storage

/// Stops the process when a later version of Backline migrates its database.
package struct SchemaWatch: Service {
    private let database: Database

    package init(_ database: Database) {
        self.database = database
    }

    package func run() async throws {
        do {
            try await cancelWhenGracefulShutdown { try await database.watchSchema() }
        } catch is CancellationError where Task.isShuttingDownGracefully {
            return
        }
    }
}
