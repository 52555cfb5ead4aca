import Logging
import ServiceLifecycle

/// Runs the HTTP server, and cancels it when a graceful shutdown takes too long.
///
/// A server that shuts down finishes the requests under way. A client that stopped sending in the middle of a request,
/// or that no longer reads its event stream, would keep the process running until it is killed.
package struct ConnectionCutoff: Service {
    let server: any Service
    let timeout: Duration
    let logger: Logger

    /// - Parameter timeout: how long requests under way may take once shutdown has begun.
    package init(_ server: any Service, timeout: Duration, logger: Logger) {
        self.server = server
        self.timeout = timeout
        self.logger = logger
    }

    package func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.run() }
            group.addTask {
                try await gracefulShutdown()
                try await Task.sleep(for: timeout)
                logger.notice("closing connections that are still open", metadata: ["timeout": "\(timeout)"])
                throw TimeoutExpired()
            }
            defer { group.cancelAll() }
            do {
                try await group.next()
            } catch is TimeoutExpired {
                group.cancelAll()
                // The cancelled server may throw; that is not a failure.
                while await group.nextResult() != nil {}
            }
        }
    }

    private struct TimeoutExpired: Error {}
}
