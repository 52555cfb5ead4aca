import Accounts
import Model
import Storage
import Synchronization

/// Caches the owners of tokens and sessions for a few seconds, so that not every request reads the database, and
/// collects the times of their use.
package final class CredentialCache: Sendable {
    /// How long a token that another process revoked may still work.
    static let lifetime = Duration.seconds(5)
    private static let capacity = 10_000

    /// The owner of a credential.
    struct Holder: Sendable {
        var user: UserRecord
        /// The hash of the API token that a session began with.
        var tokenHash: String?
        /// When a session ends in any case.
        var sessionEnd: Timestamp?
        /// What a token is good for; `nil` for everything.
        var scope: TokenScope?
    }

    private struct Entry {
        var holder: Holder
        var until: MonotonicInstant
    }

    private struct State {
        var known: [String: Entry] = [:]
        /// Counts removals. A row that was read before a removal may be outdated, and is not cached.
        var generation: UInt64 = 0
        /// The last use of each credential since the last write, by hash.
        var tokenUses: [String: Timestamp] = [:]
        var sessionUses: [String: Timestamp] = [:]
    }

    private let accounts: Accounts
    private let now: @Sendable () -> MonotonicInstant
    private let state = Mutex(State())

    package init(accounts: Accounts, now: @escaping @Sendable () -> MonotonicInstant = MonotonicInstant.now) {
        self.accounts = accounts
        self.now = now
    }

    func holder(of token: APIToken) async throws -> Holder? {
        try await holder(hash: token.hash, uses: \.tokenUses) { [accounts] in
            try await accounts.holder(of: token).map { (Holder(user: $0.user, scope: $0.scope), $0.expiresAt) }
        }
    }

    func holder(of session: SessionToken) async throws -> Holder? {
        try await holder(hash: session.hash, uses: \.sessionUses) { [accounts] in
            try await accounts.session(session).map { session in
                let holder = Holder(user: session.user, tokenHash: session.tokenHash, sessionEnd: session.endsAt)
                return (holder, session.expiresAt)
            }
        }
    }

    func user(for token: APIToken) async throws -> UserRecord? { try await holder(of: token)?.user }

    func user(for session: SessionToken) async throws -> UserRecord? { try await holder(of: session)?.user }

    /// The cached owner of a credential.
    func remembered(_ hash: String) -> Holder? {
        let now = now()
        return state.withLock { $0.known[hash] }.flatMap { $0.until > now ? $0.holder : nil }
    }

    private func holder(
        hash: String, uses: WritableKeyPath<State, [String: Timestamp]> & Sendable,
        find: () async throws -> (holder: Holder, expiresAt: Timestamp?)?
    ) async throws -> Holder? {
        let now = now()
        let (entry, generation) = state.withLock { ($0.known[hash], $0.generation) }
        if let entry, entry.until > now { return entry.holder }
        guard let (holder, expiresAt) = try await find() else {
            forget(hash: hash)
            return nil
        }
        let rest = expiresAt.map { Timestamp.now().duration(to: $0) } ?? Self.lifetime
        state.withLock { state in
            if state.known.count >= Self.capacity { state.known.removeAll() }
            if state.generation == generation {
                state.known[hash] = Entry(holder: holder, until: now.advanced(by: min(rest, Self.lifetime)))
            }
            // Once per cache lifetime is enough for a time that is stored to the minute.
            state[keyPath: uses][hash] = .now()
        }
        return holder
    }

    /// Whether the credential that a request came with still works.
    func stillKnows(_ context: GatewayContext) async throws -> Bool {
        if let token = context.token { return try await user(for: token) != nil }
        if let session = context.session { return try await user(for: session) != nil }
        return false
    }

    /// Removes a session that was signed out.
    func forget(_ session: SessionToken) {
        forget(hash: session.hash)
    }

    /// Removes all credentials of a user, so that changes take effect at once.
    func forget(userID: String) {
        state.withLock { state in
            state.generation += 1
            state.known = state.known.filter { $0.value.holder.user.id != userID }
        }
    }

    private func forget(hash: String) {
        state.withLock { state in
            state.generation += 1
            state.known[hash] = nil
        }
    }

    /// Stores the collected uses. Those that cannot be written are kept for the next call.
    func writeUses() async throws {
        let (tokens, sessions) = state.withLock { state in
            defer { (state.tokenUses, state.sessionUses) = ([:], [:]) }
            return (state.tokenUses, state.sessionUses)
        }
        do {
            try await accounts.recordUses(tokens: tokens, sessions: sessions)
        } catch {
            state.withLock { state in
                state.tokenUses.merge(tokens) { newer, _ in newer }
                state.sessionUses.merge(sessions) { newer, _ in newer }
            }
            throw error
        }
    }
}
