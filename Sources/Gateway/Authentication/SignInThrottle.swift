import Hummingbird
import Model
import NIOCore
import Synchronization

/// Limits wrong tokens, sessions, links and sign-ins by network address (docs/decisions/016-one-limit-of-guesses.md).
///
/// It remembers up to 20,000 addresses. Beyond that the oldest are forgotten.
package final class SignInThrottle: Sendable {
    /// The most wrong credentials of one address at once; after that, one a second.
    static let burst = 30

    private let proxies: TrustedProxies
    private let now: @Sendable () -> MonotonicInstant
    private let wrong = Mutex(RequestLimiter(requestsPerSecond: 1, burst: burst))

    init(
        proxies: TrustedProxies = TrustedProxies(),
        now: @escaping @Sendable () -> MonotonicInstant = MonotonicInstant.now
    ) {
        self.proxies = proxies
        self.now = now
    }

    /// Looks up a credential. A right one always works, however many wrong ones its address sends: nobody guesses 256
    /// random bits, so the limit only has to slow down wrong ones.
    ///
    /// - Parameter find: looks it up; returns `nil` for a wrong credential.
    /// - Throws: a ``Problem`` when it is wrong and its address has reached the limit.
    package func find<Value>(
        _ request: Request, _ context: GatewayContext, _ find: () async throws -> Value?
    ) async throws -> Value? {
        if let value = try await find() { return value }
        try countWrong(request, context)
        return nil
    }

    /// Counts a credential that turned out to be wrong.
    ///
    /// - Throws: a ``Problem`` when its address has reached the limit.
    package func countWrong(_ request: Request, _ context: GatewayContext) throws {
        guard count(request, context) else { throw Problem.tooManyAttempts }
    }

    /// Makes an attempt that costs more than a lookup in the database.
    ///
    /// - Parameter body: returns `nil` for a wrong credential; throws when it cannot tell.
    /// - Throws: a ``Problem``, without an attempt, when wrong attempts and those under way have reached the limit of
    ///   the address.
    package func attempt<Value>(
        _ request: Request, _ context: GatewayContext, _ body: () async throws -> Value?
    ) async throws -> Value? {
        // It is counted first, so that at most as many attempts are under way as may be wrong.
        guard count(request, context) else { throw Problem.tooManyAttempts }
        do {
            let value = try await body()
            if value != nil { uncount(request, context) }
            return value
        } catch let error as CancellationError {
            // A client that disconnects has used a worker's time all the same.
            throw error
        } catch {
            uncount(request, context)
            throw error
        }
    }

    /// Counts a wrong credential.
    ///
    /// - Returns: `false`, without counting, when the address has reached the limit.
    private func count(_ request: Request, _ context: GatewayContext) -> Bool {
        guard let address = address(of: request, context) else { return true }
        return wrong.withLock { $0.admit(address, at: now()) } == .admitted
    }

    /// Withdraws a count: the credential was right, or could not be checked.
    private func uncount(_ request: Request, _ context: GatewayContext) {
        guard let address = address(of: request, context) else { return }
        wrong.withLock { $0.refund(address) }
    }

    /// The number of remembered addresses.
    var addressCount: Int { wrong.withLock(\.count) }

    /// The network address of a request; `nil` for local sockets.
    private func address(of request: Request, _ context: GatewayContext) -> String? {
        proxies.client(of: request, peer: context.remoteAddress)?.subscriber
    }
}

extension Problem {
    static let tooManyAttempts = Problem(
        .tooManyRequests, code: .tooManyAttempts, title: "Too many wrong credentials",
        detail: "Too many requests from this network address had a wrong token, session, link or sign-in. Wait, and "
            + "check that yours is complete, has not expired and has not been revoked.",
        retryAfter: 1)
}
