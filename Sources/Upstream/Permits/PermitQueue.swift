import Model
import Storage

/// The permits of one key as this process sees them: who waits, what is to be given back.
///
/// One transaction at a time settles everything that has come together meanwhile (``PermitSettlement``): permits
/// given back, pauses, and as many new permits as there are free slots and calls that wait.
actor PermitQueue {
    private struct Waiter {
        let call: PermitSettlement.Call
        /// How long it waits for the end of a pause, counted from when it met the pause.
        let patience: Duration
        /// Until when it waits for the end of a pause, where it was in trouble before.
        var deadline: MonotonicInstant?
        var pausedSince: MonotonicInstant?
        let continuation: CheckedContinuation<Permit, any Error>
    }

    /// How long after a failed write the permits to be given back are written again.
    private static let rewriteDelay = Duration.seconds(1)

    private let key: PermitKey
    private let limit: PermitLimit
    private let database: Database
    private let process: String

    private var interactive: [Waiter] = []
    private var background: [Waiter] = []
    private var releases: [PermitSettlement.Release] = []
    private var pauses: [PermitSettlement.Pause] = []
    private var quotaReset: Timestamp?
    private var storedQuotaReset: Timestamp?

    private var lastID: UInt64 = 0
    private var isRegistered = false
    private var hasSaidDemand = false
    private var isDirty = false
    private var isSettling = false
    private var timer: Task<Void, Never>?
    private var settledWaiters: [CheckedContinuation<Void, Never>] = []

    /// `process` tells this process from all others, also from one that had its number before.
    init(key: PermitKey, limit: PermitLimit, database: Database, process: String) {
        self.key = key
        self.limit = limit
        self.database = database
        self.process = process
    }

    // MARK: For calls

    /// Waits for a permit, interactive calls before background ones, each kind in its order.
    ///
    /// - Parameters:
    ///   - totalTimeout: how long the answer may take.
    ///   - patience: how long the call waits for the end of a pause, unless `deadline` says it.
    /// - Throws: ``UpstreamError/paused(until:reason:)`` for a pause that outlasts the patience,
    ///   `CancellationError`, or what Storage throws.
    func acquire(
        _ urgency: UpstreamRequest.Urgency, totalTimeout: Duration, patience: Duration, deadline: MonotonicInstant?
    ) async throws -> Permit {
        lastID += 1
        let call = PermitSettlement.Call(id: lastID, totalTimeout: totalTimeout)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                let waiter = Waiter(call: call, patience: patience, deadline: deadline, continuation: continuation)
                switch urgency {
                case .interactive: interactive.append(waiter)
                case .background: background.append(waiter)
                }
                settleSoon()
            }
        } onCancel: {
            Task { await self.cancel(call.id) }
        }
    }

    /// The permit's request was answered, or its connection ended, at `time`.
    func release(_ permit: Permit, endedAt time: MonotonicInstant) {
        giveBack(permit.slot, permit.grantNumber, freeAt: time.advanced(by: limit.window))
    }

    /// The permit's request never left.
    func returnUnused(_ permit: Permit) {
        giveBack(permit.slot, permit.grantNumber, freeAt: .now())
    }

    /// Nothing more is sent with this key, by any process, until the pause ends.
    func pause(_ pause: PermitSettlement.Pause) {
        pauses.append(pause)
        settleSoon()
    }

    /// Remembers when the provider's allowance starts anew. It is written with the next settlement.
    func noteQuotaReset(_ time: Timestamp) {
        // Providers compute it for each answer; a difference below a second is noise.
        if let storedQuotaReset, abs(storedQuotaReset.duration(to: time).microseconds) < 1_000_000 { return }
        quotaReset = time
    }

    /// Returns once nothing is being written.
    func settled() async {
        while isSettling {
            await withCheckedContinuation { settledWaiters.append($0) }
        }
    }

    // MARK: Settling

    private func giveBack(_ slot: Int, _ grantNumber: Int64, freeAt: MonotonicInstant) {
        releases.append(PermitSettlement.Release(slot: slot, grantNumber: grantNumber, freeAt: freeAt))
        settleSoon()
    }

    private func cancel(_ id: UInt64) {
        guard let waiter = removeWaiter(id) else { return }
        waiter.continuation.resume(throwing: CancellationError())
        if interactive.isEmpty, hasSaidDemand { settleSoon() }
    }

    private func settleSoon() {
        isDirty = true
        guard !isSettling else { return }
        isSettling = true
        Task { await settle() }
    }

    private func settle() async {
        timer?.cancel()
        var nextLook: MonotonicInstant?
        while isDirty {
            isDirty = false
            let settlement = takeSettlement()
            do {
                let outcome = try await database.write { try settlement.perform(in: $0) }
                nextLook = outcome.nextLook
                apply(outcome, quotaReset: settlement.quotaReset)
            } catch {
                nextLook = MonotonicInstant.now().advanced(by: Self.rewriteDelay)
                restore(settlement, after: error)
            }
        }
        isSettling = false
        for waiter in settledWaiters { waiter.resume() }
        settledWaiters = []
        if let nextLook { look(at: nextLook) }
    }

    private func look(at time: MonotonicInstant) {
        guard !interactive.isEmpty || !background.isEmpty || !releases.isEmpty else { return }
        // What is to be given back is written, though nobody may hold the queue any more.
        timer = Task {
            guard (try? await time.sleep()) != nil else { return }
            settleSoon()
        }
    }

    private func takeSettlement() -> PermitSettlement {
        defer {
            releases = []
            pauses = []
            quotaReset = nil
        }
        // One more than can be served, so that the plan knows of somebody who goes on waiting.
        let most = limit.requests + 1
        return PermitSettlement(
            key: key, limit: limit, process: process, boot: BootID.current, isRegistered: isRegistered,
            releases: releases, pauses: pauses, quotaReset: quotaReset,
            interactive: interactive.prefix(most).map(\.call), background: background.prefix(most).map(\.call),
            waitingInteractive: interactive.count, hasSaidDemand: hasSaidDemand)
    }

    private func apply(_ outcome: PermitSettlement.Outcome, quotaReset: Timestamp?) {
        isRegistered = true
        hasSaidDemand = outcome.saidDemand
        storedQuotaReset = quotaReset ?? storedQuotaReset
        for (id, grant) in outcome.grants {
            if let waiter = removeWaiter(id) {
                waiter.continuation.resume(
                    returning: Permit(
                        slot: grant.slot, grantNumber: grant.grantNumber, grantedAt: outcome.at,
                        pausedSince: waiter.pausedSince))
            } else {
                giveBack(grant.slot, grant.grantNumber, freeAt: outcome.at)
            }
        }
        if let (pause, until) = outcome.pause {
            let reason = UpstreamError.PauseReason(rawValue: pause.reason) ?? .requested
            let error = UpstreamError.paused(until: pause.until, reason: reason)
            interactive = stillWaiting(interactive, until: until, now: outcome.at, error)
            background = stillWaiting(background, until: until, now: outcome.at, error)
        }
    }

    /// Those who can wait for the end of a pause; the others are told of it.
    private func stillWaiting(
        _ waiters: [Waiter], until: MonotonicInstant, now: MonotonicInstant, _ error: UpstreamError
    ) -> [Waiter] {
        waiters.compactMap { waiter in
            var waiter = waiter
            waiter.pausedSince = waiter.pausedSince ?? now
            let deadline = waiter.deadline ?? now.advanced(by: waiter.patience)
            waiter.deadline = deadline
            guard until > deadline else { return waiter }
            waiter.continuation.resume(throwing: error)
            return nil
        }
    }

    private func removeWaiter(_ id: UInt64) -> Waiter? {
        if let index = interactive.firstIndex(where: { $0.call.id == id }) { return interactive.remove(at: index) }
        if let index = background.firstIndex(where: { $0.call.id == id }) { return background.remove(at: index) }
        return nil
    }

    /// After a failed write: nobody waits for a permit that may not come; what is to be given back is kept.
    private func restore(_ settlement: PermitSettlement, after error: any Error) {
        releases = settlement.releases + releases
        pauses = settlement.pauses + pauses
        quotaReset = quotaReset ?? settlement.quotaReset
        for call in settlement.interactive + settlement.background {
            removeWaiter(call.id)?.continuation.resume(throwing: error)
        }
    }
}
