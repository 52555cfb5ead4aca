import Contracts
import JobStorage
import Logging
import Model
import Storage

/// The dispatcher's periodic work.
extension Dispatcher {
    /// How often workers' silence and due jobs are checked.
    static let tick = Duration.milliseconds(250)
    /// How often the table is read for changes whose messages were lost.
    static let slowPoll = Duration.seconds(1)
    /// How often an idle event stream gets a comment, so that no proxy closes it.
    static let keepAlive = Duration.seconds(15)
    /// The most waiting jobs read at once.
    private static let pollLimit = 5_000

    /// Reads the waiting jobs and the runs that workers may still hold. Called before the first message is handled.
    package func load() async throws {
        let (running, change) = try await database.read { (try $0.jobs.runningJobs(), try $0.lastChange()) }
        // Streams that open from now on read older changes by themselves.
        announcedChange.withLock { $0 = change }
        let (now, wallNow) = (MonotonicInstant.now(), Timestamp.now())
        state.withLock { state in
            state.orphansExpireAt = now.advanced(by: settings.lease)
            for job in running {
                let ready = ReadyJob(
                    id: job.run.jobID, lastRun: job.run.run, userID: job.userID, onBehalfOf: job.onBehalfOf,
                    kind: KindVersion(kind: job.kind, version: job.version), priority: job.priority, since: now,
                    group: job.crashGroup,
                    ranAtOutage: job.outageAt.map { CrashScores.isRecentOutage(at: $0, now: wallNow) } ?? false,
                    crashes: job.crashes)
                let orphan = ConnectedWorker.Assignment(
                    run: job.run.run, job: ready,
                    handedAt: now.advanced(by: min(.zero, wallNow.duration(to: job.startedAt))), storedExpiry: now)
                state.addOrphan(orphan, of: job.worker)
            }
        }
        try await pollTable()
        logger.info(
            "queue loaded",
            metadata: ["running": "\(running.count)", "change": "\(change)"])
    }

    /// Runs until the task is cancelled.
    package func runUpkeep() async {
        var lastPoll = ContinuousClock.now
        var lastKeepAlive = lastPoll
        var clock = WallClockWatch(wall: .now(), now: .now())
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.tick)
            perform { $0.tick(now: .now()) }
            if clock.wasSetBack(wall: .now(), now: .now()) {
                logger.notice("the wall clock was set back; rechecking when scheduled jobs are due")
                polledChange.withLock { $0 = 0 }
            }
            await queueDueJobs()
            if lastKeepAlive.duration(to: .now) >= Self.keepAlive {
                lastKeepAlive = .now
                events.keepAlive()
            }
            if lastPoll.duration(to: .now) >= Self.slowPoll {
                lastPoll = .now
                await pollTableLoggingErrors()
                do {
                    try await pollAwaited()
                } catch {
                    logFailedRead(error)
                }
            }
        }
    }

    private func logFailedRead(_ error: any Error) {
        logger.log(
            level: .warning, "the jobs table could not be read; retrying in a second",
            metadata: ["error": "\(error)"],
            throttle: throttles.reads)
    }

    package func pollTableSoon() {
        guard polls.withLock({ $0.begin() }) else { return }
        Task { await pollUntilIdle() }
    }

    /// Polls the table, unless a poll is under way, which then polls once more.
    private func pollTableLoggingErrors() async {
        guard polls.withLock({ $0.begin() }) else { return }
        await pollUntilIdle()
    }

    private func pollUntilIdle() async {
        repeat {
            do {
                try await pollTable()
            } catch {
                logFailedRead(error)
            }
        } while polls.withLock { !$0.end() }
    }

    private func pollTable() async throws {
        while true {
            let seen = polledChange.withLock { $0 }
            schedule.withLock { $0.beginLoading() }
            defer { schedule.withLock { $0.endLoading() } }
            let (waiting, change, isComplete) = try await waitingJobs(changedAfter: seen)
            let reached = isComplete ? change : waiting.last?.change ?? change
            polledChange.withLock { if $0 == seen { $0 = max(seen, reached) } }
            enqueue(waiting)
            if isComplete { return }
        }
    }

    /// The waiting jobs that changed after `seen`, with the table's last change. Damaged rows are left out, so that
    /// they do not hide the others.
    private func waitingJobs(
        changedAfter seen: Int64
    ) async throws -> (jobs: [WaitingJob], lastChange: Int64, isComplete: Bool) {
        do {
            let (waiting, change) = try await database.read {
                (try $0.jobs.waitingJobs(changedAfter: seen, limit: Self.pollLimit), try $0.lastChange())
            }
            return (waiting, change, waiting.count < Self.pollLimit)
        } catch let error as StorageError where error.isDamage {
            logFailedRead(error)
            return try await database.read {
                let change = try $0.lastChange()
                return (try $0.jobs.undamagedWaitingJobs(changedAfter: seen, through: change), change, true)
            }
        }
    }

    private func enqueue(_ waiting: [WaitingJob]) {
        guard !waiting.isEmpty else { return }
        let (now, wallNow) = (MonotonicInstant.now(), Timestamp.now())
        var ready: [ReadyJob] = []
        for job in waiting {
            if job.isScheduled {
                let due = job.due(now: wallNow)
                schedule.withLock { $0.insert(id: job.id, at: due, change: job.change) }
                continue
            }
            let waited = max(.zero, max(job.createdAt, job.runAt).duration(to: wallNow))
            ready.append(
                ReadyJob(
                    id: job.id, lastRun: job.lastRun, userID: job.userID, onBehalfOf: job.onBehalfOf,
                    kind: KindVersion(kind: job.kind, version: job.version), priority: job.priority,
                    since: now.advanced(by: .zero - waited), group: job.crashGroup,
                    ranAtOutage: job.outageAt.map { CrashScores.isRecentOutage(at: $0, now: wallNow) } ?? false,
                    crashes: job.crashes))
        }
        perform { $0.enqueue(ready, now: now) }
    }

    private func pollAwaited() async throws {
        let awaited = events.awaitedJobs
        if !awaited.isEmpty { events.changed(jobs: try await finishedJobs(among: awaited)) }
        try await pollChanges()
    }

    /// Wakes waiters and event streams of people whose rows changed since the last call, in case a message was lost.
    func pollChanges() async throws {
        guard events.hasListeners else { return }
        let told = announcedChange.withLock { $0 }
        let (poll, signedOut) = try await database.read { [events, audience] reader in
            var poll = JobEvents.Poll(first: told, last: try reader.lastChange())
            guard poll.last != told else { return (poll, Set<String>()) }
            // Read within the snapshot: whoever listens later starts from this snapshot or a newer one.
            let listeners = events.listeners
            poll.listeners = listeners
            var signedOut = try reader.people(changedIn: .credentials, after: told)
            // Someone who was removed may already be erased, so every stream checks: one read each, as with each
            // keep-alive.
            if try !reader.people(changedIn: .removals, after: told).isEmpty { signedOut = listeners }
            poll.own = try reader.jobs.latestChanges(of: listeners, after: told)
            (poll.followers, poll.lastOfAuthors) = try audience.followers(ofAuthorsChangedAfter: told, in: reader)
            return (poll, signedOut)
        }
        announcedChange.withLock { $0 = poll.last }
        // Another process may have revoked a token, or removed a person.
        events.endedCredentials(of: signedOut)
        events.found(poll)
    }

    private func finishedJobs(among ids: [String]) async throws -> [String] {
        do {
            return try await database.read { try $0.jobs.finishedJobs(among: ids) }
        } catch let error as StorageError where error.isDamage {
            logFailedRead(error)
            return try await database.read { try $0.jobs.undamagedFinishedJobs(among: ids) }
        }
    }

    private func queueDueJobs() async {
        while true {
            let due = schedule.withLock { $0.removeDue(at: .now(), limit: 1_000) }
            guard !due.isEmpty else { return }
            let areAllQueued = await makeDue(due[...])
            await pollTableLoggingErrors()
            if !areAllQueued { return }
        }
    }

    /// - Returns: `false` if some jobs could not be queued; they are retried after a second.
    private func makeDue(_ due: ArraySlice<DueJobs.DueJob>) async -> Bool {
        do {
            try await database.write { transaction in
                for job in due { _ = try transaction.jobs.makeDue(jobID: job.id) }
            }
            return true
        } catch let error as StorageError where due.count > 1 && !error.mayPass && error != .closed {
            // One row that cannot be read or written must not delay the others.
            let middle = due.startIndex + due.count / 2
            let areFirstQueued = await makeDue(due[..<middle])
            return await makeDue(due[middle...]) && areFirstQueued
        } catch {
            logger.log(
                level: .error, "jobs that are due could not be queued; retrying in a second",
                metadata: ["error": "\(error)"], throttle: throttles.writes)
            let soon = Timestamp.now().advanced(by: .seconds(1))
            schedule.withLock { schedule in
                for job in due { schedule.insert(id: job.id, at: soon, change: job.change) }
            }
            return false
        }
    }
}
