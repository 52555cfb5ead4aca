import Contracts
import Model

/// Handles workers' messages, and their silence.
extension DispatchState {
    mutating func receive(_ message: WorkerMessage, from instance: String, now: MonotonicInstant) -> [DispatchAction] {
        if case .hello(let introduction) = message {
            return welcome(introduction, instance: instance, now: now)
        }
        guard workers[instance] != nil else {
            if case .goodbye = message { return [] }
            return [.send(.identify, to: instance)]
        }
        workers[instance]?.lastHeard = now
        switch message {
        case .hello:
            return []
        case .heartbeat(let held, let credit):
            workers[instance]?.accept(credit)
            return heartbeat(naming: held, from: instance, now: now) + assign(now: now)
        case .done(let ended, let credit):
            // Ended runs are removed first: the credit already counts their slots as free.
            let actions = done(ended, from: instance)
            workers[instance]?.accept(credit)
            return actions + assign(now: now)
        case .progress(let runs):
            return [.progress(runs.filter { workers[instance]?.held[$0.run.jobID]?.run == $0.run.run })]
        case .submitted:
            return [.pollTable]
        case .draining:
            workers[instance]?.isDraining = true
            return []
        case .metrics(let report):
            return [.report(report, from: instance)]
        case .cleared(let runs):
            for run in runs { workers[instance]?.cleared(run) }
            return assign(now: now)
        case .changed:
            return []
        case .goodbye:
            return release(workers.removeValue(forKey: instance)?.held ?? [:], afterCrash: false) + assign(now: now)
        }
    }

    private mutating func welcome(
        _ introduction: WorkerIntroduction, instance: String, now: MonotonicInstant
    ) -> [DispatchAction] {
        // The routing id, which is the instance, identifies the sender. The name inside the message could be another
        // worker's.
        guard WorkerInstance.name(of: instance) == introduction.name else {
            return [.log("ignored a worker whose name does not match its instance id")]
        }
        var actions: [DispatchAction] = []
        if workers[instance] == nil {
            // A late message from an earlier process must not end the present one. Epochs increase with time.
            let isLate = workers.contains { $0.value.introduction.name == introduction.name && $0.key > instance }
            guard !isLate else { return [] }
            // Only one living process has a given name at a time, so the process that had it before is dead.
            let earlier = workers.filter { $0.value.introduction.name == introduction.name }.map(\.key)
            for old in earlier { actions += workerDied(old, now: now) }
            let earlierOrphans = orphans.keys.filter {
                $0 != instance && WorkerInstance.name(of: $0) == introduction.name
            }
            for old in earlierOrphans {
                actions += releaseOrphans(of: old, now: now)
            }
            var worker = ConnectedWorker(introduction: introduction, now: now)
            worker.restore(orphans.removeValue(forKey: instance) ?? [:])
            workers[instance] = worker
            actions.append(.log("worker \(introduction.name) (process \(introduction.processID)) connected"))
        }
        workers[instance]?.lastHeard = now
        let interval = Int32(clamping: settings.heartbeat.microseconds / 1_000)
        actions.append(.send(.welcome(heartbeatMilliseconds: interval), to: instance))
        return actions
    }

    private mutating func heartbeat(naming named: [JobRun], from instance: String, now: MonotonicInstant)
        -> [DispatchAction]
    {
        guard var worker = workers[instance] else { return [] }
        let expiry = now.advanced(by: settings.lease)
        let margin = now.advanced(by: settings.lease / 2)
        var unknown: [JobRun] = []
        var extended: [JobRun] = []
        var isNamed: Set<String> = []
        for run in named {
            guard worker.held[run.jobID]?.run == run.run else {
                unknown.append(run)
                continue
            }
            isNamed.insert(run.jobID)
            worker.update(run.jobID) { held in
                held.missedSince = nil
                if held.storedExpiry < margin {
                    held.storedExpiry = expiry
                    extended.append(run)
                }
            }
        }
        // A heartbeat may cross an assignment, and may arrive twice. So a run counts as missing twice in a row only
        // when three quarters of an interval lie between the two heartbeats.
        var lost: [String: ConnectedWorker.Assignment] = [:]
        for (id, held) in worker.held where !isNamed.contains(id) {
            if let since = held.missedSince {
                if since.duration(to: now) * 4 >= settings.heartbeat * 3 { lost[id] = held }
            } else {
                worker.update(id) { $0.missedSince = now }
            }
        }
        for id in lost.keys { _ = worker.remove(jobID: id) }
        worker.stopping = Set(unknown)
        // By now the credit counts everything that was sent two intervals ago, unless the message was lost.
        worker.forgetUnacknowledged(sentBefore: lost.isEmpty ? now.advanced(by: .zero - settings.heartbeat * 2) : now)
        workers[instance] = worker
        var actions: [DispatchAction] = []
        if !unknown.isEmpty { actions.append(.send(.stop(unknown), to: instance)) }
        if !extended.isEmpty { actions.append(.extend(extended)) }
        return actions + release(lost, afterCrash: false)
    }

    private mutating func done(_ ended: [RunReport], from instance: String) -> [DispatchAction] {
        var actions: [DispatchAction] = []
        var changed: [DispatchAction.JobChange] = []
        var isHandedBack = false
        // Removed for the moment, so that a thousand ends change it without copies.
        guard var worker = workers.removeValue(forKey: instance) else { return [] }
        defer { workers[instance] = worker }
        for end in ended {
            let (userID, held) = worker.end(end.run)
            changed.append(.init(id: end.run.jobID, userID: userID))
            isHandedBack = isHandedBack || end.outcome == .handedBack
            guard let held else { continue }
            limits.end(held.job)
            if end.outcome == .rescheduled {
                actions.append(.schedule(jobID: end.run.jobID, at: Timestamp(microseconds: end.runAt)))
            }
        }
        if isHandedBack { actions.append(.pollTable) }
        if !changed.isEmpty { actions.append(.changed(changed)) }
        return actions
    }

    // MARK: Silence

    /// Gives up workers that have been silent for a lease, and orphans of workers that did not come back.
    mutating func tick(now: MonotonicInstant) -> [DispatchAction] {
        excludePause(now: now)
        var actions: [DispatchAction] = []
        let horizon = now.advanced(by: .zero - settings.lease)
        for (instance, worker) in workers where worker.lastHeard < horizon {
            actions.append(
                .log(
                    "worker \(worker.introduction.name) has been silent for \(settings.lease); its jobs are handed to "
                        + "other workers"))
            actions += workerDied(instance, now: now)
        }
        if !orphans.isEmpty, now >= orphansExpireAt {
            for instance in orphans.keys.sorted() { actions += releaseOrphans(of: instance, now: now) }
        }
        return actions.isEmpty ? [] : actions + assign(now: now)
    }

    /// Excludes time during which this process was stopped or the machine slept: no messages were read then.
    private mutating func excludePause(now: MonotonicInstant) {
        let pause = lastTick.duration(to: now) - settings.lease / 2
        lastTick = now
        guard pause > .zero else { return }
        orphansExpireAt = orphansExpireAt.advanced(by: pause)
        for (instance, worker) in workers {
            workers[instance]?.lastHeard = min(now, worker.lastHeard.advanced(by: pause))
        }
    }

    /// Releases the runs of a worker whose connection was closed because its key was revoked. That does not count as a
    /// crash.
    mutating func keyRevoked(of instance: String, now: MonotonicInstant) -> [DispatchAction] {
        guard let worker = workers.removeValue(forKey: instance) else { return [] }
        return [.log("worker \(worker.introduction.name) was disconnected because its key was revoked")]
            + release(worker.held, afterCrash: false) + assign(now: now)
    }

    private mutating func workerDied(_ instance: String, now: MonotonicInstant) -> [DispatchAction] {
        guard let worker = workers.removeValue(forKey: instance) else { return [] }
        guard !worker.held.isEmpty else { return [] }
        let weight = crashScores.workerDied(
            holding: worker.held.keys.sorted(), alone: worker.loneSuspect(heartbeat: settings.heartbeat), at: now)
        let groups = CrashGroup.groups(
            of: worker.begun(heartbeat: settings.heartbeat), wereApart: worker.runsGroup)
        return release(worker.held, afterCrash: true) { release in
            release.weight = weight
            release.group = groups[release.run.jobID]
        }
    }

    /// Adds a run that is handed out according to the table when the gateway starts.
    mutating func addOrphan(_ orphan: ConnectedWorker.Assignment, of instance: String) {
        limits.begin(orphan.job)
        orphans[instance, default: [:]][orphan.job.id] = orphan
    }

    /// Releases the runs of a worker that ended before this gateway heard of it. The gateway went down as well, perhaps
    /// with the whole machine. So the first such death makes no suspects and is only recorded. Jobs that were running
    /// at two such deaths within an hour become a crash group, or two halves of their group; and the death of a suspect
    /// that ran alone weighs no more than ``CrashScores/manyDeathsWeight``.
    private mutating func releaseOrphans(of instance: String, now: MonotonicInstant) -> [DispatchAction] {
        guard let held = orphans.removeValue(forKey: instance) else { return [] }
        let again = held.filter { $0.value.job.ranAtOutage }
        let wereApart = again.values.contains { $0.job.isSuspect }
        let groups = CrashGroup.groups(
            of: again.map { JobRun(jobID: $0.key, run: $0.value.run) }, wereApart: wereApart)
        let deathWeight = crashScores.workerDied(
            holding: held.keys.sorted(), alone: held.count == 1 && wereApart ? held.keys.first : nil, at: now)
        let weight = min(deathWeight, CrashScores.manyDeathsWeight)
        return release(held, afterCrash: true) { release in
            release.isOutage = true
            release.weight = weight
            release.group = groups[release.run.jobID]
        }
    }

    private mutating func release(
        _ held: [String: ConnectedWorker.Assignment], afterCrash: Bool,
        mark: (inout DispatchAction.Release) -> Void = { _ in }
    ) -> [DispatchAction] {
        guard !held.isEmpty else { return [] }
        var releases: [DispatchAction.Release] = []
        for (id, held) in held.sorted(by: { $0.key < $1.key }) {
            limits.end(held.job)
            var release = DispatchAction.Release(
                run: JobRun(jobID: id, run: held.run), job: held.job, afterCrash: afterCrash)
            mark(&release)
            releases.append(release)
        }
        return [.release(releases)]
    }
}

/// The identity of one worker process from its start to its end: the worker's name, a slash, and a new UUIDv7.
///
/// It is the worker's ZeroMQ routing id and is stored in the rows of its runs. So a gateway that has just started can
/// tell which runs belonged to an earlier process of a worker that says hello.
package enum WorkerInstance {
    package static func make(name: String) -> String { "\(name)/\(UUIDv7.next())" }

    package static func name(of instance: String) -> String {
        String(instance.prefix { $0 != "/" })
    }
}
