import JWTKit
import Model

/// Google's public keys, kept for as long as Google says, and fetched again when a token names one that is not among
/// them: seldom, so that tokens with invented names cause no flood of calls.
package actor GoogleKeys {
    package struct Fetched: Sendable {
        var keys: [String: JWK]
        /// From `Cache-Control`; `nil` when the answer says nothing.
        var maximumAge: Duration?
    }

    /// The least time between two fetches for keys that are not known, and after one that failed.
    package static let refetchInterval = Duration.seconds(60)
    /// When Google does not say for how long they hold.
    static let defaultAge = Duration.seconds(3_600)

    private let fetch: @Sendable () async throws -> Fetched
    private let now: @Sendable () -> MonotonicInstant
    private var keys: [String: JWK] = [:]
    private var freshUntil: MonotonicInstant?
    private var lastTried: MonotonicInstant?
    private var running: Task<Void, any Error>?

    package init(
        now: @escaping @Sendable () -> MonotonicInstant = MonotonicInstant.now,
        fetch: @escaping @Sendable () async throws -> Fetched
    ) {
        self.now = now
        self.fetch = fetch
    }

    /// - Returns: `nil` when Google has no key of that id, as far as is known.
    /// - Throws: what fetching throws, while there are no keys at all; later the old ones serve on.
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

    /// Whoever comes while a fetch is under way shares it.
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
