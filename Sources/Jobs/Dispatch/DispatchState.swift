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

    /// Takes places for jobs that are about to be inserted as claimed: workers with free credit, when nothing
    /// that waits has a better right to them.
    ///
    /// - Parameter payloads: how many bytes the payload of each has.
    /// - Returns: an epoch for each of the first jobs, as far as there is room; workers with the most get the most.
    mutating func reserve(payloads: some Collection<Int>, kind: KindVersion) -> [String] {
        guard queues[kind]?.isEmpty ?? true else { return [] }
        var room: [(epoch: String, free: Int, taken: Int)] = []
        for (epoch, worker) in workers where worker.kinds.contains(kind) {
            room.append((epoch, worker.free, 0))
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
            let left = workers[epoch]?.roomForPayloads ?? 0
            var (count, bytes) = (0, 0)
            while count < taken, bytes < left, let payload = next.next() {
                count += 1
                bytes += payload
            }
            workers[epoch]?.reserve(count, bytes: bytes)
            epochs += repeatElement(epoch, count: count)
            // Those behind one that has to wait must not overtake it.
            if count < taken { break }
        }
        return epochs
    }

    /// Gives a reserved place back: the insertion failed.
    mutating func unreserve(worker epoch: String, bytes: Int, now: MonotonicInstant) -> [DispatchAction] {
        workers[epoch]?.endReservation(bytes: bytes)
        return assign(now: now)
    }

    // MARK: Handing out

    /// The bytes of payloads with which a write of these claims takes no more: what the fullest of their workers has
    /// room for. They are in memory at once, and all other processes wait while they are read; thousands of usual jobs
    /// stay far below.
    func roomForPayloads(of claims: [DispatchAction.Claim]) -> Int {
        var room = ConnectedWorker.maximumBytes
        var last: String?
        // Neighbours go to the same worker nearly always.
        for claim in claims where claim.worker != last {
            last = claim.worker
            if let worker = workers[claim.worker] { room = min(room, worker.roomForPayloads) }
        }
        return room
    }

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
                lost += ranges.joined().map {
                    .init(run: claims[$0].job.run, job: claims[$0].claim.job, afterCrash: false, weight: 0)
                }
                continue
            }
            for index in ranges.joined() {
                worker.endReservation(bytes: claims[index].claim.bytes)
                worker.hold(
                    claims[index].claim.job, run: claims[index].job.run.run,
                    bytes: claims[index].job.payload.utf8.count, handedAt: now, storedExpiry: expiry)
            }
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
        workers[claim.worker]?.endReservation(bytes: claim.bytes)
        if workers[claim.worker]?.isolation == .running(jobID: claim.job.id) {
            workers[claim.worker]?.isolation = .none
        }
    }

    private mutating func putBack(_ job: ReadyJob) {
        guard readyIDs.insert(job.id).inserted else { return }
        if job.isSuspect {
            suspects.prepend(job)
        } else {
            queues[job.kind, default: ReadyQueue(ageing: settings.ageing)].putBack(job)
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

    /// Matches waiting jobs with free credit.
    mutating func assign(now: MonotonicInstant) -> [DispatchAction] {
        var claims = assignSuspects()
        while let (epoch, kind, count) = nextMatch(now: now), var queue = queues.removeValue(forKey: kind) {
            var taken = 0
            while taken < count, let job = queue.removeNext(at: now) {
                taken += 1
                readyIDs.remove(job.id)
                claims.append(.init(job: job, worker: epoch))
            }
            if !queue.isEmpty { queues[kind] = queue }
            workers[epoch]?.reserve(taken)
            workers[epoch]?.owesTurn = false
            serving += 1
            served[kind] = serving
        }
        return claims.isEmpty ? [] : [.claim(claims)]
    }

    /// The worker with the most room for something that waits, the kind it should get, and how many jobs of that in
    /// a row: of a single kind as many as are a small part of its room, since neighbours that go to one worker are
    /// completed together and share the pages that a commit writes.
    private func nextMatch(now: MonotonicInstant) -> (epoch: String, kind: KindVersion, count: Int)? {
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
        return choice.map { (epoch, $0.kind, queues.count == 1 ? max(1, (best?.free ?? 0) / 16) : 1) }
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
