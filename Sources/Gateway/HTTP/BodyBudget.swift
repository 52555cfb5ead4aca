import Hummingbird
import NIOCore
import Synchronization

/// The memory for the bodies of requests that are being received or handled, over all requests
/// (`limits.bufferedBodyMegabytes`).
///
/// Bytes are counted as they arrive, and until the request is answered. Beyond the budget a request is refused with
/// 503, so that slow or many senders cannot use up the gateway's memory.
///
/// Nobody can use it up alone either. A person may use a quarter of it, and an address without a valid credential a
/// sixteenth. All these addresses together may use a quarter, and beyond that, up to half, one body each: so a few
/// addresses that use up the quarter cannot prevent others from signing in.
package final class BodyBudget: Sendable {
    /// Whose bodies are counted together.
    enum Owner: Sendable, Hashable {
        case person(userID: String)
        /// An address without a valid credential; `nil` for a request without a network address.
        case address(String?)

        var isAnonymous: Bool {
            if case .address = self { true } else { false }
        }
    }

    private struct State {
        var used = 0
        var byAnonymous = 0
        var byOwner: [Owner: Int] = [:]
    }

    /// The size of the budget in bytes.
    package let limit: Int
    private let state = Mutex(State())

    package init(limit: Int = 64 << 20) {
        self.limit = limit
    }

    /// The bytes in use.
    var used: Int { state.withLock { $0.used } }

    /// The most bytes that one owner may use.
    func share(of owner: Owner) -> Int { owner.isAnonymous ? limit / 16 : limit / 4 }

    fileprivate func reserve(_ count: Int, for owner: Owner) -> Bool {
        state.withLock { state in
            let own = state.byOwner[owner, default: 0] + count
            let anonymous = state.byAnonymous + (owner.isAnonymous ? count : 0)
            guard state.used + count <= limit, own <= share(of: owner) else { return false }
            if owner.isAnonymous, anonymous > (own <= BodyLease.anonymousBytes ? limit / 2 : limit / 4) { return false }
            state.used += count
            state.byAnonymous = anonymous
            state.byOwner[owner] = own
            return true
        }
    }

    fileprivate func release(_ count: Int, for owner: Owner) {
        guard count > 0 else { return }
        state.withLock { state in
            state.used -= count
            if owner.isAnonymous { state.byAnonymous -= count }
            let own = state.byOwner[owner, default: 0] - count
            state.byOwner[owner] = own == 0 ? nil : own
        }
    }
}

/// The part of a ``BodyBudget`` that one request uses.
final class BodyLease: Sendable {
    /// The most bytes of the body of a request without a valid credential. The longest such body has a Google ID token
    /// of 8 KiB.
    static let anonymousBytes = 16_384

    private let budget: BodyBudget
    private let owner: BodyBudget.Owner
    private let held = Mutex(0)

    init(_ budget: BodyBudget, for owner: BodyBudget.Owner) {
        (self.budget, self.owner) = (budget, owner)
    }

    /// Counts bytes that have arrived.
    ///
    /// - Throws: ``Problem``.
    func reserve(_ count: Int) throws {
        try held.withLock { held in
            guard !owner.isAnonymous || held + count <= Self.anonymousBytes else {
                throw Problem.anonymousBodyTooLarge
            }
            guard budget.reserve(count, for: owner) else { throw Problem.noMemoryForBodies }
            held += count
        }
    }

    /// Returns all bytes to the budget. Call it once the request has been answered.
    func release() {
        let count = held.withLock { held in
            defer { held = 0 }
            return held
        }
        budget.release(count, for: owner)
    }
}

/// A request's body, whose bytes are counted as they are read.
struct CountedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let base: RequestBody
    let lease: BodyLease

    func makeAsyncIterator() -> Iterator { Iterator(base: base.makeAsyncIterator(), lease: lease) }

    struct Iterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        let lease: BodyLease

        mutating func next() async throws -> ByteBuffer? {
            guard let part = try await base.next() else { return nil }
            try lease.reserve(part.readableBytes)
            return part
        }
    }
}

extension Problem {
    static func bodyTooLarge(limit: Int) -> Problem {
        bodyTooLarge("A request body may have at most \(limit) bytes. Split the request.")
    }

    fileprivate static let anonymousBodyTooLarge = bodyTooLarge(
        "The body of a request without a valid token or session may have at most \(BodyLease.anonymousBytes) bytes. "
            + "Send a valid token, or a shorter body.")

    private static func bodyTooLarge(_ detail: String) -> Problem {
        Problem(.contentTooLarge, code: .bodyTooLarge, title: "The body is too large", detail: detail)
    }

    static let noMemoryForBodies = Problem(
        .serviceUnavailable, code: .gatewayBusy, title: "The gateway is busy",
        detail: "The request bodies that are being received fill the memory that the gateway reserves for them, or "
            + "yours fill your share of it (limits.bufferedBodyMegabytes). Send the request again in a few seconds.",
        retryAfter: 5)
}
