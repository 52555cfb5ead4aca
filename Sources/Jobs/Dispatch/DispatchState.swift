import Collections
import Contracts
import Model

/// Which worker holds which runs, and which jobs wait: the dispatcher without its input and output.
///
/// Its methods take events and the time, and return the actions to carry out. The database decides in the end: each
/// claim, release and outcome is fenced there, so that a mistake in this memory costs time and never a double effect.
struct DispatchState {
    let settings: JobSettings
    var workers: [String: ConnectedWorker] = [:]
    /// Runs that the table has as handed out to workers of which this gateway has not heard since it started, by epoch
    /// and job id.
    var orphans: [String: [String: ConnectedWorker.Held]] = [:]
    /// When orphans are released whose workers have not said hello by then.
    var orphansExpireAt: MonotonicInstant
    /// Until when a worker may run that has not said hello: it does with its first heartbeat after the gateway's start.
    let workersAppearUntil: MonotonicInstant
    var ready: ReadyJobs
    /// Waiting jobs that were lost together when a worker died, by the name of their group, oldest group first.
    var groups: OrderedDictionary<String, CrashGroup> = [:]
    /// The last run of each job in `ready` and `groups`.
    var readyRuns: [String: Int64] = [:]
    /// The bytes of payloads that the hand-outs being written may bring to each worker.
    var bytesBeingClaimed: [String: Int] = [:]
    /// How many parts of crash groups were made; their names are numbered.
    var parts = 0
    var ledger = CrashLedger()
    var limits: RunningLimits
    /// When workers' silence was last checked.
    var lastTick: MonotonicInstant

    /// - Parameter kinds: the kinds whose limits on running jobs are enforced.
    init(settings: JobSettings, kinds: [JobKind] = JobKind.all, now: MonotonicInstant) {
        self.settings = settings
        limits = RunningLimits(kinds: kinds)
        ready = ReadyJobs(ageing: settings.ageing)
        orphansExpireAt = now.advanced(by: settings.lease)
        workersAppearUntil = now.advanced(by: settings.heartbeat * 2)
        lastTick = now
    }

    // MARK: Jobs that wait

    /// Adds waiting jobs, and hands out what it can. A job that waits already is replaced when it has run since, and
    /// only moved to another person or priority when it has not.
    mutating func enqueue(_ jobs: [ReadyJob], now: MonotonicInstant) -> [DispatchAction] {
        for var job in jobs {
            guard noteWaiting(job) else {
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

    /// Notes that a job waits, and removes an entry of it from before its last run. Such entries exist because the
    /// table is read while hand-outs are written: a reading from before a hand-out may arrive after it.
    ///
    /// - Returns: `false` when there is an entry of the job from after this run or a later one.
    private mutating func noteWaiting(_ job: ReadyJob) -> Bool {
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

    /// Reserves places for jobs that are about to be inserted as claimed: on workers with free credit, when no waiting
    /// job could have the places, and within their person's share. A job whose kind has a limit always waits first,
    /// since limits are checked at the hand-out.
    ///
    /// - Parameters:
    ///   - payloads: the bytes of each job's payload.
    ///   - person: the person whom all of the jobs are for.
    ///   - isInteractive: whether all of them are interactive, or none.
    /// - Returns: a worker's epoch for each of the first jobs, as far as there is room. The workers with the most room
    ///   get the most.
    mutating func reserve(
        payloads: some Collection<Int>, kind: KindVersion, person: String, isInteractive: Bool
    ) -> [String] {
        guard !limits.limits(kind) else { return [] }
        var room: [(epoch: String, free: Int, taken: Int)] = []
        for (epoch, worker) in workers where worker.kinds.contains(kind) {
            room.append(
                (epoch, placesForSubmission(for: person, on: worker, epoch: epoch, isInteractive: isInteractive), 0))
        }
        for _ in 0..<payloads.count {
            guard let best = room.indices.max(by: { room[$0].free < room[$1].free }), room[best].free > 0 else { break }
            room[best].free -= 1
            room[best].taken += 1
        }
        // Neighbours go to the same worker, which completes them together: their rows share pages, and each commit
        // writes whole pages.
        var epochs: [String] = []
        var next = payloads.makeIterator()
        for (epoch, _, taken) in room {
            let left = workers[epoch].map { payloadRoomForSubmission($0, epoch: epoch) } ?? 0
            var (count, bytes) = (0, 0)
            while count < taken, bytes < left, let payload = next.next() {
                count += 1
                bytes += payload
            }
            workers[epoch]?.reserve(count, for: person, isInteractive: isInteractive, bytes: bytes)
            epochs += repeatElement(epoch, count: count)
            // No job may overtake an earlier one that has to wait.
            if count < taken { break }
        }
        return epochs
    }

    /// Gives a reserved place back after its insertion failed.
    mutating func unreserve(
        worker epoch: String, person: String, bytes: Int, isInteractive: Bool, now: MonotonicInstant
    ) -> [DispatchAction] {
        workers[epoch]?.endReservation(for: person, bytes: bytes, isInteractive: isInteractive)
        return assign(now: now)
    }

    // MARK: Handing out

    /// Sends jobs whose claims are durable, those of one worker in one message.
    ///
    /// - Parameters:
    ///   - missing: claims whose jobs no longer waited; their places are free again.
    ///   - rest: claims that were not written because the payloads before them filled the write; their jobs wait at the
    ///     front of the queue again.
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
            // Removed meanwhile, so that a thousand claims change it without copies.
            guard var worker = workers.removeValue(forKey: epoch) else {
                // It died while its claims were being committed.
                for index in ranges.joined() {
                    limits.end(claims[index].claim.job)
                    lost.append(.init(run: claims[index].job.run, job: claims[index].claim.job))
                }
                continue
            }
            var (handed, hasSuspects): ([HandedJob], Bool) = ([], false)
            for index in ranges.joined() {
                let (claim, row) = claims[index]
                worker.endReservation(for: claim.job.person, bytes: claim.bytes, isInteractive: claim.job.isInteractive)
                guard worker.accepts(claim.job) else {
                    limits.end(claim.job)
                    lost.append(.init(run: row.run, job: claim.job))
                    continue
                }
                let earlier = worker.hold(
                    claim.job, run: row.run.run, bytes: row.payload.utf8.count, handedAt: now, storedExpiry: expiry)
                if let earlier { limits.end(earlier.job) }
                hasSuspects = hasSuspects || claim.job.isSuspect
                handed.append(row)
            }
            if hasSuspects { worker.isolateWhenSuspected() }
            for part in Self.messages(of: handed) where !part.isEmpty {
                let sequence = worker.nextSequence(jobs: part.count, now: now)
                actions.append(.send(.jobs(sequence: sequence, part), to: epoch))
            }
            workers[epoch] = worker
        }
        if !lost.isEmpty { actions.append(.release(lost)) }
        if !missing.isEmpty || !rest.isEmpty { actions += assign(now: now) }
        return actions
    }

    /// Lets the jobs of claims that could not be written wait at the front of the queue again.
    mutating func putBack(_ claims: [DispatchAction.Claim], now: MonotonicInstant) -> [DispatchAction] {
        claimsCommitted([], missing: [], rest: claims[...], expiry: now, now: now)
    }

    /// Lets the jobs of claims that could not be written wait again, each after the others of its person and priority:
    /// at the front, jobs with damaged rows would keep the places from the others.
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
        guard noteWaiting(job) else { return }
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
