import JWTKit
import Model

/// Caches Google's public keys for as long as Google allows. A token that names an unknown key triggers another fetch,
/// at most once a minute, so that tokens with invented key ids cannot cause a flood of calls.
package actor GoogleKeys {
    package struct Snapshot: Sendable {
        var keys: [String: JWK]
        /// From `Cache-Control`; `nil` without one.
        var maximumAge: Duration?
    }

    /// The shortest time between two fetches for unknown keys, and after a failed fetch.
    package static let refetchInterval = Duration.seconds(60)
    /// How long keys are used when the answer does not say.
    static let defaultAge = Duration.seconds(3_600)

    private let fetch: @Sendable () async throws -> Snapshot
    private let now: @Sendable () -> MonotonicInstant
    private var keys: [String: JWK] = [:]
    private var freshUntil: MonotonicInstant?
    private var lastTried: MonotonicInstant?
    private var running: Task<Void, any Error>?

    package init(
        now: @escaping @Sendable () -> MonotonicInstant = MonotonicInstant.now,
        fetch: @escaping @Sendable () async throws -> Snapshot
    ) {
        self.now = now
        self.fetch = fetch
    }

    /// - Returns: `nil` when no known key has that id.
    /// - Throws: the error of the fetch while no keys are known. Later, the last known keys are used instead.
    func key(id: String) async throws -> JWK? {
        let isFresh = freshUntil.map { now() < $0 } ?? false
        if isFresh, let key = keys[id] { return key }
        if mayFetch || keys.isEmpty {
            do {
                try await refresh()
            } catch {
                guard !keys.isEmpty else { throw error }
            }
        } else if let running {
            try? await running.value
        }
        return keys[id]
    }

    private var mayFetch: Bool {
        lastTried.map { $0.duration(to: now()) >= Self.refetchInterval } ?? true
    }

    /// Fetches the keys; concurrent callers share one fetch.
    private func refresh() async throws {
        if let running { return try await running.value }
        lastTried = now()
        let task = Task {
            let fetched = try await fetch()
            keys = fetched.keys
            freshUntil = now().advanced(by: fetched.maximumAge ?? Self.defaultAge)
        }
        running = task
        defer { running = nil }
        try await task.value
    }
}
