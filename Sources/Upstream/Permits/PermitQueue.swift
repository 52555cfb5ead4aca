import Model
import Storage
import Telemetry

/// The permits of one key as this process sees them: who waits, what is to be given back.
///
/// One transaction at a time settles everything that has come together meanwhile (``PermitSettlement``): permits
/// given back, pauses, and as many new permits as there are free slots and calls that wait.
actor PermitQueue {
    private struct Waiter {
        let call: PermitSettlement.Call
        let urgency: UpstreamRequest.Urgency
        /// How long it waits for the end of a pause, counted from when it met the pause.
        let patience: Duration
        /// Until when it waits for the end of a pause, where it was in trouble before.
        var deadline: MonotonicInstant?
        var pausedSince: MonotonicInstant?
        let continuation: CheckedContinuation<Permit, any Error>
    }

    /// For whom a call is of which nobody says it.
    static let nobody = "system"

    /// How long after a failed write the permits to be given back are written again.
    private static let rewriteDelay = Duration.seconds(1)

    private let key: PermitKey
    private let limit: PermitLimit
    private let quotas: [PermitQuota]
    private let database: Database
    private let process: String

    /// In the order in which they came.
    private var waiters: [Waiter] = []
    private var releases: [PermitSettlement.Release] = []
    private var pauses: [PermitSettlement.Pause] = []
    private var quotaReset: Timestamp?
    private var storedQuotaReset: Timestamp?

    private var lastID: UInt64 = 0
    private var isRegistered = false
    private var saidClaims = false
    private var isDirty = false
    private var isSettling = false
    private var timer: Task<Void, Never>?
    private var settledWaiters: [CheckedContinuation<Void, Never>] = []

    /// `process` tells this process from all others, also from one that had its number before.
    init(key: PermitKey, limit: PermitLimit, quotas: [PermitQuota] = [], database: Database, process: String) {
        self.key = key
        self.limit = limit
        self.quotas = quotas
        self.database = database
        self.process = process
    }

    // MARK: For calls

    /// Waits for a permit, interactive calls before background ones, each kind person by person.
    ///
    /// - Parameters:
    ///   - person: for whom the call is; `nil` stands for nobody in particular.
    ///   - weight: what it takes up of quotas that count weight.
    ///   - share: the person's share of the day's calls that it takes from.
    ///   - totalTimeout: how long the answer may take.
    ///   - patience: how long the call waits for the end of a pause, unless `deadline` says it.
    /// - Throws: ``UpstreamError/paused(until:reason:)`` for a pause, or a used-up quota, that outlasts the patience,
    ///   ``UpstreamError/shareUsed(until:)`` when the share is used up as its turn comes,
    ///   ``UpstreamError/invalidRequest(_:)`` for a call that no quota has room for, `CancellationError`, or what Storage
    ///   throws.
    func acquire(
        _ urgency: UpstreamRequest.Urgency, person: String? = nil, weight: Int = 0, share: CallShare? = nil,
        totalTimeout: Duration, patience: Duration, deadline: MonotonicInstant?
    ) async throws -> Permit {
        if let quota = quotas.first(where: { $0.share(ofWeight: weight) > $0.amount }) {
            throw UpstreamError.invalidRequest(
                "it weighs \(weight), and its key may use \(quota.amount) at once (\(quota.name)): ask for less")
        }
        lastID += 1
        let call = PermitSettlement.Call(
            id: lastID, person: person.map(UserPseudonym.of) ?? Self.nobody, weight: max(0, weight),
            share: share, totalTimeout: totalTimeout)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                waiters.append(
                    Waiter(
                        call: call, urgency: urgency, patience: patience, deadline: deadline,
                        continuation: continuation))
                settleSoon()
            }
        } onCancel: {
            Task { await self.cancel(call.id) }
        }
    }

    /// The permit's request was answered, or its connection ended.
    func release(_ permit: Permit, _ end: PermittedEnd) {
        giveBack(permit.slot, permit.grantNumber, permit.grantedAt, permit.share, .ended(end))
    }

    /// The permit's request never left.
    func returnUnused(_ permit: Permit) {
        giveBack(permit.slot, permit.grantNumber, permit.grantedAt, permit.share, .unused(at: .now()))
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

    private func giveBack(
        _ slot: Int, _ grantNumber: Int64, _ grantedAt: MonotonicInstant, _ share: TakenShare?,
        _ end: PermitSettlement.Release.End
    ) {
        releases.append(
            PermitSettlement.Release(
                slot: slot, grantNumber: grantNumber, grantedAt: grantedAt, share: share, end: end))
        settleSoon()
    }

    private func cancel(_ id: UInt64) {
        guard let waiter = removeWaiter(id) else { return }
        waiter.continuation.resume(throwing: CancellationError())
        // Nobody elsewhere is to wait for it.
        if saidClaims { settleSoon() }
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
        guard !waiters.isEmpty || !releases.isEmpty else { return }
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
        return PermitSettlement(
            key: key, limit: limit, quotas: quotas, process: process, boot: BootID.current, isRegistered: isRegistered,
            releases: releases, pauses: pauses, quotaReset: quotaReset,
            interactive: waiters.filter { $0.urgency == .interactive }.map(\.call),
            background: waiters.filter { $0.urgency == .background }.map(\.call), saidClaims: saidClaims)
    }

    private func apply(_ outcome: PermitSettlement.Outcome, quotaReset: Timestamp?) {
        isRegistered = true
        saidClaims = outcome.saidClaims
        storedQuotaReset = quotaReset ?? storedQuotaReset
        for (id, grant) in outcome.grants {
            if let waiter = removeWaiter(id) {
                waiter.continuation.resume(
                    returning: Permit(
                        slot: grant.slot, grantNumber: grant.grantNumber, grantedAt: outcome.at,
                        pausedSince: waiter.pausedSince, share: grant.share))
            } else {
                giveBack(grant.slot, grant.grantNumber, outcome.at, grant.share, .unused(at: outcome.at))
            }
        }
        for (id, until) in outcome.refused {
            removeWaiter(id)?.continuation.resume(throwing: UpstreamError.shareUsed(until: until))
            // Its slot is the next one's.
            isDirty = true
        }
        if let (pause, until) = outcome.pause {
            let reason = UpstreamError.PauseReason(rawValue: pause.reason) ?? .requested
            wait(until: until, now: outcome.at, else: .paused(until: pause.until, reason: reason)) { _ in true }
        } else if let exhausted = outcome.exhausted {
            let error = UpstreamError.paused(until: exhausted.onWallClock, reason: .quotaExhausted)
            let count = waiters.count
            wait(until: exhausted.until, now: outcome.at, else: error) { exhausted.concerns($0.call, $0.urgency) }
            // Others waited behind them.
            if waiters.count < count { isDirty = true }
        }
    }

    /// Those who can wait until then stay; the others are told why not.
    private func wait(
        until: MonotonicInstant, now: MonotonicInstant, else error: UpstreamError, _ concerns: (Waiter) -> Bool
    ) {
        waiters = waiters.compactMap { waiter in
            guard concerns(waiter) else { return waiter }
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
        waiters.firstIndex { $0.call.id == id }.map { waiters.remove(at: $0) }
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
