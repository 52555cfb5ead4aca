import Accounts
import Model
import Storage
import Synchronization

/// Caches the owners of tokens and sessions for a few seconds, so that not every request reads the database, and
/// collects the times of their use.
///
/// Credentials that are not cached are looked up together: whatever arrives while one read is under way is looked up by
/// the next. So any number of wrong credentials, which are never cached, uses one connection to the database.
package final class CredentialCache: Sendable {
    /// How long a token that another process revoked may still work.
    static let lifetime = Duration.seconds(5)
    private static let capacity = 10_000
    /// The most credentials of one read.
    private static let batch = 256

    /// The owner of a credential.
    package struct Holder: Sendable {
        package var user: UserRecord
        /// The hash of the API token that a session began with.
        var tokenHash: String?
        /// When a session ends in any case.
        var sessionEnd: Timestamp?
        /// What a token may be used for; `nil` for everything.
        package var scope: TokenScope?
    }

    /// Looks up credentials, in their order.
    typealias Find = @Sendable ([CredentialHash]) async throws -> [Result<CredentialOwner?, any Error>]

    private typealias Answer = CheckedContinuation<Holder?, any Error>

    private struct Entry {
        var holder: Holder
        var until: MonotonicInstant
    }

    private struct State {
        var known: [CredentialHash: Entry] = [:]
        /// The credentials that the next reads look up, in the order of their arrival.
        var waiting: [CredentialHash] = []
        var answers: [CredentialHash: [Answer]] = [:]
        var isReading = false
        /// What was removed since the current read began. The rows that it finds for these may be outdated, and are
        /// not cached.
        var removed: (credentials: Set<CredentialHash>, people: Set<String>) = ([], [])
        /// The last use of each credential since the last write, by hash.
        var tokenUses: [String: Timestamp] = [:]
        var sessionUses: [String: Timestamp] = [:]
    }

    private let accounts: Accounts
    private let find: Find
    private let now: @Sendable () -> MonotonicInstant
    private let state = Mutex(State())

    convenience init(
        accounts: Accounts, now: @escaping @Sendable () -> MonotonicInstant = MonotonicInstant.now
    ) {
        self.init(accounts: accounts, now: now) { try await accounts.owners(of: $0) }
    }

    init(accounts: Accounts, now: @escaping @Sendable () -> MonotonicInstant, find: @escaping Find) {
        self.accounts = accounts
        self.now = now
        self.find = find
    }

    // MARK: Lookups

    func holder(of token: APIToken) async throws -> Holder? { try await holder(of: .token(token.hash)) }

    func holder(of session: SessionToken) async throws -> Holder? {
        try await holder(of: .session(session.hash))
    }

    func user(for token: APIToken) async throws -> UserRecord? { try await holder(of: token)?.user }

    func user(for session: SessionToken) async throws -> UserRecord? { try await holder(of: session)?.user }

    private func holder(of credential: CredentialHash) async throws -> Holder? {
        let now = now()
        if let entry = state.withLock({ $0.known[credential] }), entry.until > now { return entry.holder }
        return try await withCheckedThrowingContinuation { (answer: Answer) in
            let begins = state.withLock { state in
                if state.answers[credential] == nil { state.waiting.append(credential) }
                state.answers[credential, default: []].append(answer)
                defer { state.isReading = true }
                return !state.isReading
            }
            if begins { Task { await readWaiting() } }
        }
    }

    /// The number of credentials that wait for the next read.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Looks up waiting credentials until none is left.
    private func readWaiting() async {
        while let (credentials, answers) = nextBatch() {
            let began = now()
            do {
                let found = try await find(credentials)
                for ((credential, answers), found) in zip(zip(credentials, answers), found) {
                    let holder = found.map { cache($0, of: credential, since: began) }
                    for answer in answers { answer.resume(with: holder) }
                }
            } catch {
                for answer in answers.joined() { answer.resume(throwing: error) }
            }
        }
    }

    private func nextBatch() -> (credentials: [CredentialHash], answers: [[Answer]])? {
        state.withLock { state in
            state.removed = ([], [])
            guard !state.waiting.isEmpty else {
                state.isReading = false
                return nil
            }
            let credentials = Array(state.waiting.prefix(Self.batch))
            state.waiting.removeFirst(credentials.count)
            return (credentials, credentials.map { state.answers.removeValue(forKey: $0) ?? [] })
        }
    }

    /// Caches the owner of a credential, as a read that began at `began` found it.
    private func cache(_ owner: CredentialOwner?, of credential: CredentialHash, since began: MonotonicInstant)
        -> Holder?
    {
        guard let owner else {
            state.withLock { $0.known[credential] = nil }
            return nil
        }
        let (holder, expiresAt) = (Holder(owner), owner.expiresAt)
        let rest = expiresAt.map { Timestamp.now().duration(to: $0) } ?? Self.lifetime
        state.withLock { state in
            if state.known.count >= Self.capacity { state.known.removeAll() }
            if !state.removed.credentials.contains(credential), !state.removed.people.contains(holder.user.id) {
                state.known[credential] = Entry(holder: holder, until: began.advanced(by: min(rest, Self.lifetime)))
            }
            // The time is stored to the minute, so once per cache lifetime is enough.
            switch credential {
            case .token(let hash): state.tokenUses[hash] = .now()
            case .session(let hash): state.sessionUses[hash] = .now()
            }
        }
        return holder
    }

    /// Whether the credential that a request came with still works, according to the database.
    func stillKnows(_ context: GatewayContext) async throws -> Bool {
        guard let credential = context.credential else { return false }
        forget(credential)
        return try await holder(of: credential) != nil
    }

    // MARK: Removals

    /// Removes the credentials of a removed user, and marks their rows for erasure again.
    ///
    /// - Returns: whether the user is removed.
    func eraseAgain(ifRemoved userID: String) async throws -> Bool {
        guard try await accounts.eraseAgain(ifRemoved: userID) else { return false }
        forget(userID: userID)
        return true
    }

    /// Removes a session that was signed out.
    package func forget(_ session: SessionToken) { forget(.session(session.hash)) }

    private func forget(_ credential: CredentialHash) {
        state.withLock { state in
            state.removed.credentials.insert(credential)
            state.known[credential] = nil
        }
    }

    /// Removes all credentials of a user, so that changes take effect at once.
    package func forget(userID: String) {
        state.withLock { state in
            state.removed.people.insert(userID)
            state.known = state.known.filter { $0.value.holder.user.id != userID }
        }
    }

    // MARK: Uses

    /// Stores the collected uses. Those that cannot be written are kept for the next call.
    package func writeUses() async throws {
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

extension CredentialCache.Holder {
    fileprivate init(_ owner: CredentialOwner) {
        switch owner {
        case .token(let holder): self.init(user: holder.user, scope: holder.scope)
        case .session(let session):
            self.init(user: session.user, tokenHash: session.tokenHash, sessionEnd: session.endsAt)
        }
    }
}
