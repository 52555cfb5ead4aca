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
    var queues: [KindVersion: ReadyQueue] = [:]
    /// Waiting jobs that must run alone.
    var suspects: Deque<ReadyJob> = []
    /// Everything in `queues` and `suspects`.
    var readyIDs: Set<String> = []
    /// Rises with each job handed out; the kind that was served longest ago wins a tie.
    var served: [KindVersion: Int] = [:]
    var serving = 0
    var ledger = CrashLedger()
    /// When silence was last looked for.
    var lastTick: MonotonicInstant

    init(settings: JobSettings, now: MonotonicInstant) {
        self.settings = settings
        orphansExpireAt = now.advanced(by: settings.lease)
        lastTick = now
    }

    // MARK: Jobs that wait

    /// Takes waiting jobs in, but for those it knows, and hands out what it can.
    mutating func enqueue(_ jobs: [ReadyJob], now: MonotonicInstant) -> [DispatchAction] {
        for var job in jobs where readyIDs.insert(job.id).inserted {
            if readyIDs.count > ReadyJob.Parcel.maximumCount { job.parcel = nil }
            if job.isSuspect {
                suspects.append(job)
            } else {
                queues[job.kind, default: ReadyQueue(ageing: settings.ageing)].insert(job)
            }
        }
        return assign(now: now)
    }

    /// Takes the place of a claim for a job that is about to be inserted: the epoch of a worker with
    /// free credit, when nothing that waits has a better right to it.
    mutating func reserve(kind: KindVersion) -> String? {
        guard queues[kind]?.isEmpty ?? true else { return nil }
        var best: (epoch: String, free: Int)?
        for (epoch, worker) in workers where worker.kinds.contains(kind) {
            let free = worker.free
            if free > (best?.free ?? 0) { best = (epoch, free) }
        }
        guard let best else { return nil }
        workers[best.epoch]?.reserved += 1
        return best.epoch
    }

    /// Gives reserved places back: the insertion failed.
    mutating func unreserve(worker epoch: String, now: MonotonicInstant) -> [DispatchAction] {
        workers[epoch]?.endReservation()
        return assign(now: now)
    }

    // MARK: Handing out

    /// Claims are durable: sends the jobs, those of one worker in one message.
    ///
    /// - Parameter missing: claims whose job no longer waited; their place is free again.
    mutating func claimsCommitted(
        _ claims: [(claim: DispatchAction.Claim, job: HandedJob)], missing: [DispatchAction.Claim],
        expiry: MonotonicInstant, now: MonotonicInstant
    ) -> [DispatchAction] {
        var actions: [DispatchAction] = []
        var lost: [DispatchAction.Release] = []
        var handed: OrderedDictionary<String, [HandedJob]> = [:]
        for claim in missing {
            workers[claim.worker]?.endReservation()
            if workers[claim.worker]?.isolation == .running(jobID: claim.job.id) {
                workers[claim.worker]?.isolation = .none
            }
        }
        for (claim, job) in claims {
            var held = claim.job
            // Good for a first hand-out only.
            held.parcel = nil
            guard workers[claim.worker] != nil else {
                // It died while its claim was being committed.
                lost.append(.init(run: job.run, job: held, afterCrash: false, weight: 0))
                continue
            }
            workers[claim.worker]?.endReservation()
            workers[claim.worker]?.held[job.run.jobID] = .init(
                run: job.run.run, job: held, handedAt: now, storedExpiry: expiry)
            handed[claim.worker, default: []].append(job)
        }
        for (epoch, jobs) in handed {
            for part in Self.messages(of: jobs) {
                guard let sequence = workers[epoch]?.nextSequence(jobs: part.count, now: now) else { continue }
                actions.append(.send(.jobs(sequence: sequence, part), to: epoch))
            }
        }
        if !lost.isEmpty { actions.append(.release(lost)) }
        if !missing.isEmpty { actions += assign(now: now) }
        return actions
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

    /// Matches waiting jobs with free credit.
    mutating func assign(now: MonotonicInstant) -> [DispatchAction] {
        var claims = assignSuspects()
        while let (epoch, kind) = nextMatch(now: now),
            let job = queues[kind]?.removeNext(at: now)
        {
            if queues[kind]?.isEmpty == true { queues[kind] = nil }
            readyIDs.remove(job.id)
            workers[epoch]?.reserved += 1
            workers[epoch]?.owesTurn = false
            serving += 1
            served[kind] = serving
            claims.append(.init(job: job, worker: epoch))
        }
        return claims.isEmpty ? [] : [.claim(claims)]
    }

    /// The worker with the most room for something that waits, and the kind it should get.
    private func nextMatch(now: MonotonicInstant) -> (epoch: String, kind: KindVersion)? {
        guard !queues.isEmpty else { return nil }
        var best: (epoch: String, free: Int)?
        for (epoch, worker) in workers {
            let free = worker.free
            guard free > (best?.free ?? 0), queues.keys.contains(where: worker.kinds.contains) else { continue }
            best = (epoch, free)
        }
        guard let epoch = best?.epoch, let kinds = workers[epoch]?.kinds else { return nil }
        var choice: (kind: KindVersion, urgency: Int)?
        for (kind, queue) in queues where kinds.contains(kind) {
            guard let urgency = queue.urgency(at: now) else { continue }
            if let current = choice {
                let isLongerAgo = served[kind, default: 0] < served[current.kind, default: 0]
                guard urgency > current.urgency || (urgency == current.urgency && isLongerAgo) else { continue }
            }
            choice = (kind, urgency)
        }
        return choice.map { (epoch, $0.kind) }
    }

    // MARK: By request

    /// A job was cancelled in the database: its worker, if it has one, is told to stop.
    mutating func cancelled(
        _ run: JobRun, userID: String, worker epoch: String?, now: MonotonicInstant
    ) -> [DispatchAction] {
        var actions: [DispatchAction] = [.changed([.init(id: run.jobID, userID: userID)])]
        if let epoch, workers[epoch]?.remove(jobID: run.jobID) != nil {
            actions.append(.send(.stop([run]), to: epoch))
        }
        return actions + assign(now: now)
    }
}
