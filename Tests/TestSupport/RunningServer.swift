import Logging
import ServiceLifecycle

/// Runs a server while `body` runs, and then shuts it down.
///
/// - Parameters:
///   - server: makes the server, which calls the closure with its port as soon as it accepts connections.
///   - body: called with the port.
package func withServer(
    _ server: (@escaping @Sendable (Int) -> Void) throws -> any Service,
    _ body: @escaping @Sendable (Int) async throws -> Void
) async throws {
    struct NotListening: Error {}
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    let services = ServiceGroup(
        services: [try server { listening.yield($0) }], gracefulShutdownSignals: [],
        logger: Logger(label: "a test's server"))
    try await withThrowingTaskGroup { group in
        group.addTask {
            defer { listening.finish() }
            try await services.run()
        }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else {
            try await group.waitForAll()
            throw NotListening()
        }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(port))
        } catch {
            result = .failure(error)
        }
        await services.triggerGracefulShutdown()
        try await group.waitForAll()
        try result.get()
    }
}
