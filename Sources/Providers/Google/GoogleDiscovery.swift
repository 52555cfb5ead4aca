import Model

/// Caches the addresses of Google's endpoints, and reads them at most once an hour.
package actor GoogleDiscovery {
    /// How long an answer is used before it is read again.
    static let age = Duration.seconds(3_600)

    private let fetch: @Sendable () async throws -> GoogleClient.Endpoints
    private let now: @Sendable () -> MonotonicInstant
    private var known: GoogleClient.Endpoints?
    private var freshUntil: MonotonicInstant?
    private var running: Task<GoogleClient.Endpoints, any Error>?

    package init(
        now: @escaping @Sendable () -> MonotonicInstant = MonotonicInstant.now,
        fetch: @escaping @Sendable () async throws -> GoogleClient.Endpoints
    ) {
        self.now = now
        self.fetch = fetch
    }

    /// - Throws: the error of the fetch while nothing is known. Later, the last known addresses are returned instead.
    package func endpoints() async throws -> GoogleClient.Endpoints {
        if let known, let freshUntil, now() < freshUntil { return known }
        do {
            let task = running ?? Task { try await fetch() }
            running = task
            defer { running = nil }
            let fetched = try await task.value
            known = fetched
            freshUntil = now().advanced(by: Self.age)
            return fetched
        } catch {
            guard let known else { throw error }
            return known
        }
    }
}
