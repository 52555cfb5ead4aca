import Collections
import Contracts
import Model

/// Who holds what and what comes next: the dispatcher without its input and output.
///
/// Time and everything else it knows comes in through its methods; what is to be done goes out
/// as actions. The database decides in the end: each claim, release and outcome is fenced there,
/// so that a mistake in this memory costs time and never a double effect.
struct DispatchState {
    let settings: JobSettings
    var workers: [String: ConnectedWorker] = [:]
    /// Runs that the database says are handed out to workers this gateway has not heard of since it started.
    var orphans: [String: [String: ConnectedWorker.Held]] = [:]
    /// Until when orphans are left alone, so that their workers can say what they hold.
    var orphansExpireAt: MonotonicInstant
    var ready: ReadyJobs
    /// Waiting jobs that were lost together when a worker died, by the name of their group, in the order in which the
    /// groups came.
    var groups: OrderedDictionary<String, CrashGroup> = [:]
    /// Everything in `ready` and `groups`.
    var readyIDs: Set<String> = []
    /// Of payloads: what the write of hand-outs that is under way may bring to each worker.
    var bytesBeingClaimed: [String: Int] = [:]
    /// How many parts of groups were made, for their names.
    var parts = 0
    var ledger = CrashLedger()
    var limits: RunningLimits
    /// When silence was last looked for.
    var lastTick: MonotonicInstant

    /// - Parameter kinds: those whose limits on how many run at once are kept.
    init(settings: JobSettings, kinds: [JobKind] = JobKind.all, now: MonotonicInstant) {
        self.settings = settings
        limits = RunningLimits(kinds: kinds)
        ready = ReadyJobs(ageing: settings.ageing)
        orphansExpireAt = now.advanced(by: settings.lease)
        lastTick = now
    }

    // MARK: Jobs that wait

    /// Takes waiting jobs in, and hands out what it can. Of those that it knows it looks only at whom they are for.
    mutating func enqueue(_ jobs: [ReadyJob], now: MonotonicInstant) -> [DispatchAction] {
        for var job in jobs {
            guard readyIDs.insert(job.id).inserted else {
                ready.update(job)
                continue
            }
            if readyIDs.count > ReadyJob.Parcel.maximumCount { job.parcel = nil }
            if let group = job.group {
                groups[group, default: CrashGroup()].append(job)
            } else {
                ready.insert(job)
            }
        }
        return assign(now: now)
    }

    /// Takes places for jobs that are about to be inserted as claimed: workers with free credit, when nothing
    /// that waits could have them, and no more than their person's share. A job whose kind has a limit always waits
    /// first: whether it may run is decided where it is handed out.
    ///
    /// - Parameters:
    ///   - payloads: how many bytes the payload of each has.
    ///   - person: whom all of them are for.
    ///   - isInteractive: whether all of them are, or none.
    /// - Returns: an epoch for each of the first jobs, as far as there is room; workers with the most get the most.
    mutating func reserve(
        payloads: some Collection<Int>, kind: KindVersion, person: String, isInteractive: Bool
    ) -> [String] {
        guard !limits.limits(kind) else { return [] }
        var room: [(epoch: String, free: Int, taken: Int)] = []
        for (epoch, worker) in workers where worker.kinds.contains(kind) {
            room.append((epoch, roomAtOnce(for: person, on: worker, epoch: epoch, isInteractive: isInteractive), 0))
        }
        for _ in 0..<payloads.count {
            guard let best = room.indices.max(by: { room[$0].free < room[$1].free }), room[best].free > 0 else { break }
            room[best].free -= 1
            room[best].taken += 1
        }
        // Neighbours go to the same worker, which will complete them together: their rows share pages, and each
        // commit writes whole pages.
        var epochs: [String] = []
        var next = payloads.makeIterator()
        for (epoch, _, taken) in room {
            let left = workers[epoch].map { roomForSubmission($0, epoch: epoch) } ?? 0
            var (count, bytes) = (0, 0)
            while count < taken, bytes < left, let payload = next.next() {
                count += 1
                bytes += payload
            }
            workers[epoch]?.reserve(count, for: person, isInteractive: isInteractive, bytes: bytes)
            epochs += repeatElement(epoch, count: count)
            // Those behind one that has to wait must not overtake it.
            if count < taken { break }
        }
        return epochs
    }

    /// Gives a reserved place back: the insertion failed.
    mutating func unreserve(
        worker epoch: String, person: String, bytes: Int, isInteractive: Bool, now: MonotonicInstant
    ) -> [DispatchAction] {
        workers[epoch]?.endReservation(for: person, bytes: bytes, isInteractive: isInteractive)
        return assign(now: now)
    }

    // MARK: Handing out

    /// Claims are durable: sends the jobs, those of one worker in one message.
    ///
    /// - Parameters:
    ///   - missing: claims whose job no longer waited; their place is free again.
    ///   - rest: claims that were not written, since those before them are large; their jobs wait where they did.
    mutating func claimsCommitted(
        _ claims: [(claim: DispatchAction.Claim, job: HandedJob)], missing: [DispatchAction.Claim],
        rest: ArraySlice<DispatchAction.Claim> = [], expiry: MonotonicInstant, now: MonotonicInstant
    ) -> [DispatchAction] {
        var actions: [DispatchAction] = []
        var lost: [DispatchAction.Release] = []
        for claim in missing { endReservation(of: claim) }
        for claim in rest.reversed() {
            endReservation(of: claim)
            putBack(claim.job)
        }
        var indicesOfWorkers: OrderedDictionary<String, [Range<Int>]> = [:]
        var start = 0
        while start < claims.count {
            let epoch = claims[start].claim.worker
            let end = claims[start...].firstIndex { $0.claim.worker != epoch } ?? claims.count
            indicesOfWorkers[epoch, default: []].append(start..<end)
            start = end
        }
        for (epoch, ranges) in indicesOfWorkers {
            // Taken out, so that a thousand claims change it in place.
            guard var worker = workers.removeValue(forKey: epoch) else {
                // It died while its claims were being committed.
                for index in ranges.joined() {
                    limits.end(claims[index].claim.job)
                    lost.append(.init(run: claims[index].job.run, job: claims[index].claim.job))
                }
                continue
            }
            for index in ranges.joined() {
                let job = claims[index].claim.job
                worker.endReservation(
                    for: job.person, bytes: claims[index].claim.bytes, isInteractive: job.isInteractive)
                let earlier = worker.hold(
                    job, run: claims[index].job.run.run,
                    bytes: claims[index].job.payload.utf8.count, handedAt: now, storedExpiry: expiry)
                if let earlier { limits.end(earlier.job) }
            }
            if ranges.joined().contains(where: { claims[$0].claim.job.isSuspect }) { worker.isolateWhenSuspected() }
            for part in Self.messages(of: ranges.joined().map { claims[$0].job }) {
                let sequence = worker.nextSequence(jobs: part.count, now: now)
                actions.append(.send(.jobs(sequence: sequence, part), to: epoch))
            }
            workers[epoch] = worker
        }
        if !lost.isEmpty { actions.append(.release(lost)) }
        if !missing.isEmpty || !rest.isEmpty { actions += assign(now: now) }
        return actions
    }

    private mutating func endReservation(of claim: DispatchAction.Claim) {
        limits.end(claim.job)
        workers[claim.worker]?.endReservation(
            for: claim.job.person, bytes: claim.bytes, isInteractive: claim.job.isInteractive)
        workers[claim.worker]?.endIsolationWhenOver()
    }

    private mutating func putBack(_ job: ReadyJob) {
        guard readyIDs.insert(job.id).inserted else { return }
        if let group = job.group {
            groups[group, default: CrashGroup()].putBack(job)
        } else {
            ready.putBack(job)
        }
    }

    /// Splits jobs so that no message grows far beyond a mebibyte.
    private static func messages(of jobs: [HandedJob]) -> [[HandedJob]] {
        var parts: [[HandedJob]] = [[]]
        var size = 0
        for job in jobs {
            let jobSize = job.payload.utf8.count + 200
            if size + jobSize > 1 << 20, !parts[parts.count - 1].isEmpty {
                parts.append([])
                size = 0
            }
            parts[parts.count - 1].append(job)
            size += jobSize
        }
        return parts
    }
}
