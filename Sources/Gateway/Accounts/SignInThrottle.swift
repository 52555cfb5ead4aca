import Hummingbird
import Model
import NIOCore
import Synchronization

/// Slows the addresses that tokens, sessions, links and sign-ins came from that are nobody's
/// (docs/decisions/016-one-limit-of-guesses.md).
///
/// Memory is bounded: of more than some thousand addresses the oldest are forgotten.
final class SignInThrottle: Sendable {
    /// So many wrong ones of one address may come at once; then one a second.
    static let burst = 30

    private let addresses: RequestLimit
    private let now: @Sendable () -> MonotonicInstant
    private let wrong = Mutex(RequestLimiter(requestsPerSecond: 1, burst: burst))

    /// - Parameter trustedProxies: whose word about where a request comes from is believed.
    init(
        trustedProxies: [AddressRange] = [], now: @escaping @Sendable () -> MonotonicInstant = MonotonicInstant.now
    ) {
        addresses = RequestLimit(requestsPerSecond: 1, trustedProxies: trustedProxies)
        self.now = now
    }

    /// Looks whose a credential is. A right one is let in wherever others guess: nobody finds 256 random bits by
    /// trying, so that slowness is for those who are wrong.
    ///
    /// - Parameter find: reads; `nil` says that it is nobody's.
    /// - Throws: a ``Problem`` when it is nobody's and too many from there were not lately.
    func find<Value>(
        _ request: Request, _ context: GatewayContext, _ find: () async throws -> Value?
    ) async throws -> Value? {
        if let value = try await find() { return value }
        guard count(request, context) else { throw Problem.tooManyAttempts }
        return nil
    }

    /// Tries what costs more than a look at the database.
    ///
    /// - Parameter body: `nil` says that it was wrong; what it throws, that nobody knows.
    /// - Throws: a ``Problem``, without trying, when too many from there were wrong lately or are under way.
    func attempt<Value>(
        _ request: Request, _ context: GatewayContext, _ body: () async throws -> Value?
    ) async throws -> Value? {
        // Counted first, so that of many at once no more are tried than may be wrong.
        guard count(request, context) else { throw Problem.tooManyAttempts }
        do {
            let value = try await body()
            if value != nil { takeBack(request, context) }
            return value
        } catch let error as CancellationError {
            // Who goes away before the answer has cost a worker's time all the same.
            throw error
        } catch {
            takeBack(request, context)
            throw error
        }
    }

    /// Counts a wrong one.
    ///
    /// - Returns: `false`, and nothing is counted, when too many from there were wrong lately.
    private func count(_ request: Request, _ context: GatewayContext) -> Bool {
        guard let address = address(of: request, context) else { return true }
        return wrong.withLock { $0.admit(address, at: now()) } == .admitted
    }

    /// It was right, or nobody knows.
    private func takeBack(_ request: Request, _ context: GatewayContext) {
        guard let address = address(of: request, context) else { return }
        wrong.withLock { $0.giveBack(address) }
    }

    /// How many addresses are remembered.
    var addressCount: Int { wrong.withLock(\.count) }

    /// `nil` for local sockets.
    private func address(of request: Request, _ context: GatewayContext) -> String? {
        addresses.client(of: request, peer: context.remoteAddress)?.subscriber
    }
}

extension Problem {
    static let tooManyAttempts = Problem(
        .tooManyRequests, code: "tooManyAttempts", title: "Too many wrong credentials",
        detail: "Too many tokens, sessions, links or sign-ins from this network address were not anybody's. Wait, and "
            + "look whether the token is complete, has not expired and was not revoked.",
        retryAfter: 1)
}
