import Model
import PermitStorage
import Platform
import Storage
import Telemetry

/// The permits of one key in this process: the calls that wait, and the permits to be released.
///
/// One transaction at a time handles everything that has accumulated (``PermitTransaction``): releases, pauses, and new
/// permits for waiting calls if slots are free.
actor PermitQueue {
    private struct Waiter {
        let call: PermitTransaction.Call
        let urgency: UpstreamRequest.Urgency
        /// How long the call waits for a pause to end, counted from when it encountered the pause.
        let waitLimit: Duration
        /// Until when the call waits for a pause to end; `nil` until it encounters one.
        var deadline: MonotonicInstant?
        var pausedSince: MonotonicInstant?
        let answer: @Sendable (Result<Permit, any Error>) -> Void
    }

    /// The name used for calls that are not made for anybody in particular.
    static let nobody = "system"

    /// How long after a failed write it is repeated.
    private static let rewriteDelay = Duration.seconds(1)

    private let key: PermitKey
    private let limit: PermitLimit
    private let quotas: [PermitQuota]
    private let database: Database
    private let process: String

    /// In the order of their arrival.
    private var waiters: [Waiter] = []
    private var releases: [PermitTransaction.Release] = []
    private var pauses: [PermitTransaction.PauseRequest] = []
    private var quotaReset: Timestamp?
    private var storedQuotaReset: Timestamp?

    private var lastID: UInt64 = 0
    private var isRegistered = false
    private var hasAnnouncedCalls = false
    private var isDirty = false
    private var isRunningTransaction = false
    private var timer: Task<Void, Never>?
    private var commitAllowance = CommitAllowance()
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []

    /// - Parameter process: identifies this process among all others; a process id would not, since it can be reused.
    init(key: PermitKey, limit: PermitLimit, quotas: [PermitQuota] = [], database: Database, process: String) {
        self.key = key
        self.limit = limit
        self.quotas = quotas
        self.database = database
        self.process = process
    }

    // MARK: For calls

    /// Waits for a permit. Interactive calls are served before background ones, each class round robin by person.
    ///
    /// - Parameters:
    ///   - person: the person for whom the call is made; `nil` for nobody in particular.
    ///   - weight: how much of weight-counting quotas the call uses.
    ///   - share: the daily share that the call counts towards.
    ///   - totalTimeout: the most time from the start of the request to the end of its answer.
    ///   - waitLimit: how long the call waits for a pause to end, if `deadline` is `nil`.
    ///   - deadline: until when the call waits for a pause to end.
    /// - Throws: ``UpstreamError/paused(until:reason:)`` for a pause, or a used-up quota, that outlasts the wait limit;
    ///   ``UpstreamError/shareUsed(until:)`` when the share is used up; ``UpstreamError/invalidRequest(_:)`` for a call
    ///   that exceeds a whole quota; `CancellationError`; ``StorageError``.
    func acquire(
        _ urgency: UpstreamRequest.Urgency, person: String? = nil, weight: Int = 0, share: CallShare? = nil,
        totalTimeout: Duration, waitLimit: Duration, deadline: MonotonicInstant?
    ) async throws -> Permit {
        if let quota = quotas.first(where: { $0.share(ofWeight: weight) > $0.amount }) {
            throw UpstreamError.invalidRequest(
                "its weight is \(weight), but its key allows \(quota.amount) at once (\(quota.name)): request less")
        }
        let call = newCall(person: person, weight: weight, share: share, totalTimeout: totalTimeout)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                waiters.append(
                    Waiter(
                        call: call, urgency: urgency, waitLimit: waitLimit, deadline: deadline,
                        answer: { continuation.resume(with: $0) }))
                scheduleTransaction()
            }
        } onCancel: {
            Task { await self.cancel(call.id) }
        }
    }

    /// The name of a person in the queue.
    static func name(of person: String?) -> String { person.map(UserPseudonym.of) ?? nobody }

    private func newCall(
        person: String?, weight: Int, share: CallShare?, totalTimeout: Duration
    ) -> PermitTransaction.Call {
        lastID += 1
        return PermitTransaction.Call(
            id: lastID, person: Self.name(of: person), weight: max(0, weight), share: share, totalTimeout: totalTimeout)
    }

    /// Releases a permit whose request was answered, and reserves one for the same person's next call in the same
    /// transaction.
    func release(
        _ permit: Permit, _ end: RequestEnd, reservingFor urgency: UpstreamRequest.Urgency, person: String?,
        weight: Int, share: CallShare?, totalTimeout: Duration, waitLimit: Duration
    ) -> PermitReservation {
        let reservation = PermitReservation(
            in: self, urgency, newCall(person: person, weight: weight, share: share, totalTimeout: totalTimeout))
        waiters.append(
            Waiter(
                call: reservation.call, urgency: urgency, waitLimit: waitLimit, deadline: nil,
                answer: { reservation.resolve($0) }))
        release(permit, end)
        return reservation
    }

    /// Releases a permit whose request was answered, or whose connection ended.
    func release(_ permit: Permit, _ end: RequestEnd) {
        addRelease(permit.slot, permit.grantNumber, permit.grantedAt, permit.share, .ended(end))
    }

    /// Releases a permit whose request was never sent.
    func returnUnused(_ permit: Permit) {
        addRelease(permit.slot, permit.grantNumber, permit.grantedAt, permit.share, .unused(at: .now()))
    }

    /// Pauses the key for all processes.
    func pause(_ pause: PermitTransaction.PauseRequest) {
        pauses.append(pause)
        scheduleTransaction()
    }

    /// Stores, with the next transaction, when the provider's quota resets.
    func recordQuotaReset(_ time: Timestamp) {
        // Providers compute the moment separately for each answer: differences of less than a second are noise.
        if let storedQuotaReset, storedQuotaReset.duration(to: time).microseconds.magnitude < 1_000_000 { return }
        quotaReset = time
    }

    /// Waits until nothing is being written.
    func waitUntilIdle() async {
        while isRunningTransaction {
            await withCheckedContinuation { idleWaiters.append($0) }
        }
    }

    // MARK: Transactions

    private func addRelease(
        _ slot: Int, _ grantNumber: Int64, _ grantedAt: MonotonicInstant, _ share: ShareCharge?,
        _ end: PermitTransaction.Release.End
    ) {
        releases.append(
            PermitTransaction.Release(
                slot: slot, grantNumber: grantNumber, grantedAt: grantedAt, share: share, end: end))
        scheduleTransaction()
    }

    /// Stops a call from waiting.
    func cancel(_ id: UInt64) {
        guard let waiter = removeWaiter(id) else { return }
        waiter.answer(.failure(CancellationError()))
        // Other processes must no longer wait for this call.
        if hasAnnouncedCalls { scheduleTransaction() }
    }

    private func scheduleTransaction() {
        isDirty = true
        guard !isRunningTransaction else { return }
        isRunningTransaction = true
        Task { await runTransaction() }
    }

    private func runTransaction() async {
        timer?.cancel()
        var nextLook: MonotonicInstant?
        while isDirty {
            isDirty = false
            let transaction = nextTransaction()
            do {
                let outcome = try await database.write { try transaction.perform(in: $0) }
                nextLook = outcome.nextLook
                apply(outcome, of: transaction)
            } catch {
                nextLook = MonotonicInstant.now().advanced(by: Self.rewriteDelay)
                restore(transaction, after: error)
            }
        }
        isRunningTransaction = false
        for waiter in idleWaiters { waiter.resume() }
        idleWaiters = []
        if let nextLook { look(at: nextLook) }
    }

    private func look(at time: MonotonicInstant) {
        guard !waiters.isEmpty || !releases.isEmpty || !pauses.isEmpty else { return }
        // The task keeps the queue alive until everything is written, even if nothing else does.
        timer = Task {
            guard (try? await time.sleep()) != nil else { return }
            scheduleTransaction()
        }
    }

    private func nextTransaction() -> PermitTransaction {
        defer {
            releases = []
            pauses = []
            quotaReset = nil
        }
        return PermitTransaction(
            key: key, limit: limit, quotas: quotas, process: process, boot: BootID.current, isRegistered: isRegistered,
            releases: releases, pauses: pauses, quotaReset: quotaReset,
            interactive: waiters.filter { $0.urgency == .interactive }.map(\.call),
            background: waiters.filter { $0.urgency == .background }.map(\.call), hasAnnouncedCalls: hasAnnouncedCalls,
            commitAllowance: commitAllowance.duration)
    }

    private func apply(_ outcome: PermitTransaction.Outcome, of transaction: PermitTransaction) {
        isRegistered = true
        hasAnnouncedCalls = outcome.hasAnnouncedCalls
        storedQuotaReset = transaction.quotaReset ?? storedQuotaReset
        let now = MonotonicInstant.now()
        commitAllowance.record(outcome.at.duration(to: now))
        for (id, grant) in outcome.grants {
            if let waiter = removeWaiter(id) {
                waiter.answer(
                    .success(
                        Permit(
                            slot: grant.slot, grantNumber: grant.grantNumber, grantedAt: outcome.at, learnedAt: now,
                            allowance: transaction.commitAllowance, pausedSince: waiter.pausedSince,
                            share: grant.share)))
            } else {
                addRelease(grant.slot, grant.grantNumber, outcome.at, grant.share, .unused(at: outcome.at))
            }
        }
        for (id, until) in outcome.refused {
            removeWaiter(id)?.answer(.failure(UpstreamError.shareUsed(until: until)))
            // The next call gets its slot.
            isDirty = true
        }
        if let (pause, until) = outcome.pause {
            let reason = UpstreamError.PauseReason(rawValue: pause.reason) ?? .requested
            wait(until: until, now: outcome.at, else: .paused(until: pause.until, reason: reason)) { _ in true }
        } else if let exhausted = outcome.exhausted {
            let error = UpstreamError.paused(until: exhausted.untilOnWallClock, reason: .quotaExhausted)
            let count = waiters.count
            wait(until: exhausted.until, now: outcome.at, else: error) { exhausted.concerns($0.call, $0.urgency) }
            // Lighter calls after them may fit.
            if waiters.count < count { isDirty = true }
        }
    }

    /// Ends, with `error`, the waiting calls that `concerns` selects and whose deadline is before `until`.
    private func wait(
        until: MonotonicInstant, now: MonotonicInstant, else error: UpstreamError, _ concerns: (Waiter) -> Bool
    ) {
        waiters = waiters.compactMap { waiter in
            guard concerns(waiter) else { return waiter }
            var waiter = waiter
            waiter.pausedSince = waiter.pausedSince ?? now
            let deadline = waiter.deadline ?? now.advanced(by: waiter.waitLimit)
            waiter.deadline = deadline
            guard until > deadline else { return waiter }
            waiter.answer(.failure(error))
            return nil
        }
    }

    private func removeWaiter(_ id: UInt64) -> Waiter? {
        waiters.firstIndex { $0.call.id == id }.map { waiters.remove(at: $0) }
    }

    /// After a failed write: ends the waiting calls with the error, and retains releases and pauses for the next write.
    private func restore(_ transaction: PermitTransaction, after error: any Error) {
        releases = transaction.releases + releases
        pauses = transaction.pauses + pauses
        quotaReset = quotaReset ?? transaction.quotaReset
        for call in transaction.interactive + transaction.background {
            removeWaiter(call.id)?.answer(.failure(error))
        }
    }
}
