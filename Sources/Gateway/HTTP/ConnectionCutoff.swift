import Logging
import ServiceLifecycle

/// Runs the HTTP server, and ends it when it has been told to stop and does not come to an end.
///
/// A server that stops finishes the requests under way. A client that fell silent in the middle of
/// one, or that no longer reads its event stream, would keep the process until it is killed.
package struct ConnectionCutoff: Service {
    let server: any Service
    let patience: Duration
    let logger: Logger

    /// - Parameter patience: how long requests under way may take after the server was told to stop.
    package init(_ server: any Service, patience: Duration, logger: Logger) {
        self.server = server
        self.patience = patience
        self.logger = logger
    }

    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask {
                try await gracefulShutdown()
                try await Task.sleep(for: patience)
                logger.notice("cutting off connections that do not end", metadata: ["patience": "\(patience)"])
                throw PatienceEnded()
            }
            defer { group.cancelAll() }
            do {
                try await group.next()
            } catch is PatienceEnded {
                group.cancelAll()
                // How the server ends then is no failure of its own.
                while await group.nextResult() != nil {}
            }
        }
    }

    private struct PatienceEnded: Error {}
}
