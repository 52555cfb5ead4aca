import Collections
import Contracts
import Model

/// Which worker holds which runs, and which jobs wait: the dispatcher without its input and output.
///
/// Its methods take events and the time, and return the actions to carry out. The database has the final say: each
/// claim, release and outcome is fenced there, so that a mistake in this memory costs time but never causes a double
/// effect.
struct DispatchState {
    let settings: JobSettings
    var workers: [String: ConnectedWorker] = [:]
    /// Runs that were handed out, according to the table, to workers from which this gateway has not heard since it
    /// started, by instance and job id.
    var orphans: [String: [String: ConnectedWorker.Assignment]] = [:]
    /// When orphans are released if their workers have not said hello by then.
    var orphansExpireAt: MonotonicInstant
    /// Until when a worker may be running without having said hello: it does so with its first heartbeat after the
    /// gateway's start.
    let workersAppearUntil: MonotonicInstant
    var ready: ReadyJobs
    /// Waiting jobs that were lost together when a worker died, by the name of their group, oldest group first.
    var groups: OrderedDictionary<String, CrashGroup> = [:]
    /// The last run of each job in `ready` and `groups`.
    var readyRuns: [String: Int64] = [:]
    /// The bytes of payloads that the assignments being written may bring to each worker.
    var bytesBeingClaimed: [String: Int] = [:]
    /// How many parts of crash groups have been made; it numbers their names.
    var parts = 0
    var crashScores = CrashScores()
    var limits: RunningLimits
    /// When workers' silence was last checked.
    var lastTick: MonotonicInstant

    /// - Parameter kinds: the kinds whose limits on running jobs are enforced.
    init(settings: JobSettings, kinds: [JobKind], now: MonotonicInstant) {
        self.settings = settings
        limits = RunningLimits(kinds: kinds)
        ready = ReadyJobs(ageing: settings.ageing)
        orphansExpireAt = now.advanced(by: settings.lease)
        workersAppearUntil = now.advanced(by: settings.heartbeat * 2)
        lastTick = now
    }

    // MARK: Waiting jobs

    /// Adds waiting jobs, and hands out as many jobs as possible. A job that is already waiting is replaced if it has
    /// run since; otherwise it is only moved to another person or priority.
    mutating func enqueue(_ jobs: [ReadyJob], now: MonotonicInstant) -> [DispatchAction] {
        for var job in jobs {
            guard recordWaiting(job) else {
                if readyRuns[job.id] == job.lastRun { ready.update(job) }
                continue
            }
            if readyRuns.count > ReadyJob.InsertedRow.maximumCount { job.insertedRow = nil }
            if let group = job.group {
                groups[group, default: CrashGroup()].append(job)
            } else {
                ready.insert(job)
            }
        }
        return assign(now: now)
    }

    /// Notes that a job waits, and removes any entry for it from before its last run. Such entries exist because the
    /// table is read while assignments are written: rows read before an assignment may arrive after it.
    ///
    /// - Returns: `false` if there already is an entry for the job from after this run or a later one.
    private mutating func recordWaiting(_ job: ReadyJob) -> Bool {
        guard let known = readyRuns.updateValue(job.lastRun, forKey: job.id) else { return true }
        guard known < job.lastRun else {
            readyRuns[job.id] = known
            return false
        }
        if ready.remove(job) == nil, let name = groups.first(where: { $0.value.contains(id: job.id) })?.key {
            groups[name]?.remove(id: job.id)
            if groups[name]?.isEmpty == true { groups[name] = nil }
        }
        return true
    }

    /// Reserves slots for jobs that are about to be inserted as claimed: on workers with free credit, if no waiting
    /// job could use the slots, and within their person's share. A job whose kind has a limit always waits first,
    /// since limits are checked at the assignment.
    ///
    /// - Parameters:
    ///   - payloads: the bytes of each job's payload.
    ///   - person: the person for whom all of the jobs are.
    ///   - isInteractive: whether all of them are interactive, or none.
    /// - Returns: a worker's instance for each of the first jobs, for as many as there is room. The workers with the
    ///   most room get the most.
    mutating func reserve(
        payloads: some Collection<Int>, kind: KindVersion, person: String, isInteractive: Bool
    ) -> [String] {
        guard !limits.limits(kind) else { return [] }
        var room: [(instance: String, free: Int, taken: Int)] = []
        for (instance, worker) in workers where worker.kinds.contains(kind) {
            room.append(
                (
                    instance,
                    slotsForSubmission(for: person, on: worker, instance: instance, isInteractive: isInteractive), 0
                ))
        }
        for _ in 0..<payloads.count {
            guard let best = room.indices.max(by: { room[$0].free < room[$1].free }), room[best].free > 0 else { break }
            room[best].free -= 1
            room[best].taken += 1
        }
        // Consecutive jobs go to the same worker, which completes them together: their rows share pages, and each
        // commit writes whole pages.
        var instances: [String] = []
        var next = payloads.makeIterator()
        for (instance, _, taken) in room {
            let left = workers[instance].map { payloadRoomForSubmission($0, instance: instance) } ?? 0
            var (count, bytes) = (0, 0)
            while count < taken, bytes < left, let payload = next.next() {
                count += 1
                bytes += payload
            }
            workers[instance]?.reserve(count, for: person, isInteractive: isInteractive, bytes: bytes)
            instances += repeatElement(instance, count: count)
            // No job may overtake an earlier one that has to wait.
            if count < taken { break }
        }
        return instances
    }

    /// Gives a reserved place back after its insertion failed.
    mutating func unreserve(
        worker instance: String, person: String, bytes: Int, isInteractive: Bool, now: MonotonicInstant
    ) -> [DispatchAction] {
        workers[instance]?.endReservation(for: person, bytes: bytes, isInteractive: isInteractive)
        return assign(now: now)
    }

    // MARK: Handing out

    /// Sends jobs whose claims are durable, one message per worker.
    ///
    /// - Parameters:
    ///   - missing: claims whose jobs were no longer waiting; their slots are free again.
    ///   - rest: claims that were not written because the payloads before them filled the write; their jobs go back to
    ///     the front of the queue.
    mutating func claimsCommitted(
        _ claims: [(claim: DispatchAction.Claim, job: AssignedJob)], missing: [DispatchAction.Claim],
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
            let instance = claims[start].claim.worker
            let end = claims[start...].firstIndex { $0.claim.worker != instance } ?? claims.count
            indicesOfWorkers[instance, default: []].append(start..<end)
            start = end
        }
        for (instance, ranges) in indicesOfWorkers {
            // Removed for the moment, so that a thousand claims change it without copies.
            guard var worker = workers.removeValue(forKey: instance) else {
                // The worker died while its claims were being committed.
                for index in ranges.joined() {
                    limits.end(claims[index].claim.job)
                    lost.append(.init(run: claims[index].job.run, job: claims[index].claim.job))
                }
                continue
            }
            var (handed, hasSuspects): ([AssignedJob], Bool) = ([], false)
            for index in ranges.joined() {
                let (claim, row) = claims[index]
                worker.endReservation(for: claim.job.person, bytes: claim.bytes, isInteractive: claim.job.isInteractive)
                guard worker.accepts(claim.job) else {
                    limits.end(claim.job)
                    lost.append(.init(run: row.run, job: claim.job))
                    continue
                }
                let earlier = worker.assign(
                    claim.job, run: row.run.run, bytes: row.payload.utf8.count, handedAt: now, storedExpiry: expiry)
                if let earlier { limits.end(earlier.job) }
                hasSuspects = hasSuspects || claim.job.isSuspect
                handed.append(row)
            }
            if hasSuspects { worker.isolateWhenSuspected() }
            for part in Self.messages(of: handed) where !part.isEmpty {
                let sequence = worker.nextSequence(jobs: part.count, now: now)
                actions.append(.send(.jobs(sequence: sequence, part), to: instance))
            }
            workers[instance] = worker
        }
        if !lost.isEmpty { actions.append(.release(lost)) }
        if !missing.isEmpty || !rest.isEmpty { actions += assign(now: now) }
        return actions
    }

    /// Puts the jobs of claims that could not be written back at the front of the queue.
    mutating func putBack(_ claims: [DispatchAction.Claim], now: MonotonicInstant) -> [DispatchAction] {
        claimsCommitted([], missing: [], rest: claims[...], expiry: now, now: now)
    }

    /// Puts the jobs of claims that could not be written back into the queue, each after the others of its person and
    /// priority: at the front, jobs with damaged rows would keep others from getting the slots.
    mutating func appendAgain(_ claims: [DispatchAction.Claim], now: MonotonicInstant) -> [DispatchAction] {
        for claim in claims { endReservation(of: claim) }
        return enqueue(claims.map(\.job), now: now)
    }

    private mutating func endReservation(of claim: DispatchAction.Claim) {
        limits.end(claim.job)
        workers[claim.worker]?.endReservation(
            for: claim.job.person, bytes: claim.bytes, isInteractive: claim.job.isInteractive)
        workers[claim.worker]?.endIsolationWhenOver()
    }

    private mutating func putBack(_ job: ReadyJob) {
        guard recordWaiting(job) else { return }
        if let group = job.group {
            groups[group, default: CrashGroup()].putBack(job)
        } else {
            ready.putBack(job)
        }
    }

    /// Splits jobs so that no message grows far beyond a mebibyte.
    private static func messages(of jobs: [AssignedJob]) -> [[AssignedJob]] {
        var parts: [[AssignedJob]] = [[]]
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
