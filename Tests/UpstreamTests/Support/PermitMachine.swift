import Model
import PermitStorage
import Storage
import TestSupport

@testable import Upstream

/// The transactions for one key by the processes of a machine whose clocks the test sets.
struct PermitMachine {
    /// The machine's clocks.
    struct Clocks {
        var boot = "first boot"
        /// The time since boot. The machine has been up for so long that its wall clock is trusted.
        var now = MonotonicInstant(microseconds: 7_200_000_000)
        var wallNow = Timestamp(microseconds: 1_800_000_000_000_000)

        /// Advances both clocks.
        mutating func pass(_ duration: Duration) {
            now = now.advanced(by: duration)
            wallNow = wallNow.advanced(by: duration)
        }

        /// Starts the machine again `duration` after it went down.
        fileprivate mutating func restart(after duration: Duration, boot: String, sinceStart: Duration) {
            self.boot = boot
            now = MonotonicInstant(microseconds: sinceStart.microseconds)
            wallNow = wallNow.advanced(by: duration + sinceStart)
        }
    }

    static let key = PermitKey(provider: "test", credential: Secret("key"))

    let transaction: WriteTransaction
    var limit = PermitLimit(requests: 10, window: .milliseconds(100))
    var quotas: [PermitQuota]
    var clocks = Clocks()
    private var lastID: UInt64 = 0

    /// Runs `body` with a machine, all in one transaction.
    static func run(
        limit: PermitLimit = PermitLimit(requests: 10, window: .milliseconds(100)), _ quotas: [PermitQuota],
        body: @escaping @Sendable (inout PermitMachine) throws -> Void
    ) async throws {
        let storage = try await TestDatabase()
        defer { storage.close() }
        try await storage.database.write { transaction in
            var machine = PermitMachine(transaction: transaction, limit: limit, quotas: quotas)
            try body(&machine)
        }
    }

    private init(transaction: WriteTransaction, limit: PermitLimit, quotas: [PermitQuota]) {
        self.transaction = transaction
        self.limit = limit
        self.quotas = quotas
    }

    /// Starts the machine again `duration` after it went down, and lets a window pass, after which its slots are free.
    mutating func restart(after duration: Duration, boot: String, sinceStart: Duration = .seconds(60)) throws {
        clocks.restart(after: duration, boot: boot, sinceStart: sinceStart)
        _ = try runTransaction()
        clocks.pass(limit.window + .milliseconds(1))
    }

    /// The permit of a call.
    struct Grant {
        let slot: Int
        let grantNumber: Int64
        let at: MonotonicInstant

        func release(_ end: PermitTransaction.Release.End) -> PermitTransaction.Release {
            PermitTransaction.Release(slot: slot, grantNumber: grantNumber, grantedAt: at, end: end)
        }
    }

    mutating func runTransaction(
        interactive: [PermitTransaction.Call] = [], background: [PermitTransaction.Call] = [],
        releases: [PermitTransaction.Release] = [], process: String = "a", hasAnnouncedCalls: Bool = false
    ) throws -> PermitTransaction.Outcome {
        let own = PermitTransaction(
            key: Self.key, limit: limit, quotas: quotas, process: process, boot: clocks.boot, isRegistered: false,
            releases: releases, pauses: [], quotaReset: nil, interactive: interactive, background: background,
            hasAnnouncedCalls: hasAnnouncedCalls)
        return try own.perform(in: transaction, now: clocks.now, wallNow: clocks.wallNow)
    }

    mutating func call(
        weight: Int = 0, person: String = "somebody", timeout: Duration = .seconds(10)
    ) -> PermitTransaction.Call {
        lastID += 1
        return PermitTransaction.Call(id: lastID, person: person, weight: weight, totalTimeout: timeout)
    }

    /// Asks for one permit; `nil` when there is none.
    mutating func take(
        _ urgency: UpstreamRequest.Urgency = .interactive, weight: Int = 0
    ) throws -> Grant? {
        let calls = [call(weight: weight)]
        let outcome = try runTransaction(
            interactive: urgency == .interactive ? calls : [], background: urgency == .background ? calls : [])
        return outcome.grants[calls[0].id].map { Grant(slot: $0.slot, grantNumber: $0.grantNumber, at: outcome.at) }
    }

    mutating func isGranted(_ urgency: UpstreamRequest.Urgency = .interactive, weight: Int = 0) throws -> Bool {
        try take(urgency, weight: weight) != nil
    }

    /// Takes as many permits as there are, at most 100, each answered at once; returns how many.
    mutating func drain() throws -> Int {
        var count = 0
        while count < 100, let grant = try take() {
            try end(grant)
            count += 1
            clocks.pass(limit.window + .milliseconds(1))
        }
        return count
    }

    mutating func end(
        _ grant: Grant, weight: Int? = nil, reset: Duration? = nil, counts: Bool = true
    ) throws {
        let end = RequestEnd(
            at: clocks.now, weight: weight, reset: reset.map { clocks.now.advanced(by: $0) }, countsForQuotas: counts)
        _ = try runTransaction(releases: [grant.release(.ended(end))])
    }

    /// Prunes as the gateway does; returns how many keys were deleted.
    func prune() throws -> Int {
        let wall = PruningTime.unguarded(clocks.wallNow)
        try transaction.permits.prunePermitGrants(
            at: wall, boot: clocks.boot, now: clocks.now, wallNow: clocks.wallNow, limit: 100)
        return try transaction.permits.prunePermitKeys(at: wall, boot: clocks.boot, now: clocks.now, limit: 10)
    }

    func used(_ quota: String) throws -> Int {
        let clock = try transaction.permits.permitClock(boot: clocks.boot, now: clocks.now, wallNow: clocks.wallNow)
        return try transaction.permits.permitWeight(of: Self.key.description, quota: quota, at: clock)
    }
}
