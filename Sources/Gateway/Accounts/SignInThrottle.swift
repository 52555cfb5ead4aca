import Accounts
import Hummingbird
import Model
import NIOCore
import Synchronization

/// Slows those who try tokens, sessions and sign-in links that nobody has, where they come from and at whose account
/// they aim (docs/decisions/010-slowing-guesses.md). A right credential is let in wherever others guess.
final class SignInThrottle: Sendable {
    private let addresses: RequestLimit
    private let now: @Sendable () -> MonotonicInstant
    private let ledger = Mutex(GuessLedger())
    /// The last of those who wait for their turn.
    private let last = Mutex<Task<Void, Never>?>(nil)

    /// - Parameter trustedProxies: whose word about where a request comes from is believed.
    init(
        trustedProxies: [AddressRange] = [], now: @escaping @Sendable () -> MonotonicInstant = MonotonicInstant.now
    ) {
        addresses = RequestLimit(requestsPerSecond: 1, trustedProxies: trustedProxies)
        self.now = now
    }

    /// Looks whose a credential is.
    ///
    /// - Parameter find: reads; `nil` says that it is nobody's.
    /// - Throws: a ``Problem`` when it is nobody's and too many from there were not lately, and, without looking, when
    ///   too many were wrong that begin like it.
    func find<Purpose, Value: Sendable>(
        _ credential: Credential<Purpose>, _ request: Request, _ context: GatewayContext,
        _ find: @escaping @Sendable () async throws -> Value?
    ) async throws -> Value? {
        let guess = GuessLedger.Guess(credential, address: address(of: request, context))
        if ledger.withLock({ $0.wasRight(guess) }), let value = try await find() { return value }
        // One after the other: however many guess, and from wherever, they take the time of one reader, and each is
        // weighed when the one before it is counted.
        return try await inTurn { [self] in
            guard ledger.withLock({ $0.mayTry(guess, at: now()) }) else { throw Problem.tooManyAttempts }
            let value = try await find()
            let isSlowed = ledger.withLock { $0.tried(guess, wasRight: value != nil, at: now()) }
            if isSlowed { throw Problem.tooManyAttempts }
            return value
        }
    }

    /// Tries what costs more than a look at the database.
    ///
    /// - Parameter body: `nil` says that it was wrong; what it throws, that nobody knows.
    /// - Throws: a ``Problem``, without trying, when too many from there were wrong lately or are under way.
    func attempt<Value: Sendable>(
        _ request: Request, _ context: GatewayContext, _ body: () async throws -> Value?
    ) async throws -> Value? {
        let guess = GuessLedger.Guess(address: address(of: request, context))
        // Counted first, so that of many at once no more are tried than may be wrong.
        guard ledger.withLock({ $0.begin(guess, at: now()) }) else { throw Problem.tooManyAttempts }
        do {
            let value = try await body()
            if value != nil { ledger.withLock { $0.takeBack(guess) } }
            return value
        } catch let error as CancellationError {
            // Who goes away before the answer has cost a worker's time all the same.
            throw error
        } catch {
            ledger.withLock { $0.takeBack(guess) }
            throw error
        }
    }

    private func address(of request: Request, _ context: GatewayContext) -> String? {
        addresses.client(of: request, peer: context.remoteAddress)?.subscriber
    }

    private func inTurn<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let turn = last.withLock { last in
            let turn = Task { [last] in
                await last?.value
                return try await body()
            }
            last = Task { _ = await turn.result }
            return turn
        }
        return try await turn.value
    }
}

extension Problem {
    static let tooManyAttempts = Problem(
        .tooManyRequests, code: "tooManyAttempts", title: "Too many wrong credentials",
        detail: "Too many tokens, sessions or links from this network address, or too many that begin like this one, "
            + "were not anybody's. Wait, and look whether the token is complete and was not revoked.",
        retryAfter: 1)
}
