import Storage
import TestProcesses

/// Jobs that kill their workers. No handler does that; instead the harness kills the worker when the table says that
/// such a job runs.
extension HistoryRun {
    /// How often workers are killed for such jobs in total, so that a history ends even if such a job is never set
    /// aside or is requeued: twelve deaths while it runs alone, a few until it is found, and deaths that do not count
    /// because the gateway was down.
    private static let maximumPoisonKills = 20

    /// Ends when the task is cancelled.
    func killForPoison() async {
        guard history.killsWorkers else { return }
        var kills = 0
        while !Task.isCancelled, kills < Self.maximumPoisonKills {
            // A stopped process may hold the lock of the database.
            if let holder = try? await poisonHolder() {
                try? await Task.sleep(for: .milliseconds(holder.delay))
                if let stillThere = try? await poisonHolder(), stillThere.worker == holder.worker,
                    await killForPoison(holder.worker)
                {
                    kills += 1
                }
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The instance of a worker that runs such a job and has not been killed yet, and the time until it is killed.
    private func poisonHolder() async throws -> (worker: String, delay: Int)? {
        let (delays, killed) = (history.poisonDelays, killedEpochs)
        return try await installation.withDatabase { database in
            try await database.read { reader in
                for row in try reader.rows("SELECT worker, payload FROM jobs WHERE state = 'running'") {
                    let worker: String = try row["worker"]
                    if let delay = delays[try row["payload"]], !killed.contains(worker) { return (worker, delay) }
                }
                return nil
            }
        }
    }

    /// Kills a worker and starts it again, as a supervisor does. Returns `false` if it has ended or is ending.
    private func killForPoison(_ instance: String) async -> Bool {
        guard let role = Role(rawValue: String(instance.prefix { $0 != "/" })), let running = processes[role],
            running.process.isRunning, !running.isLeaving
        else { return false }
        killedEpochs.insert(instance)
        try? await kill(role)
        revive(role)
        return true
    }
}

extension History {
    /// Milliseconds until a job kills its worker, by the job's payload. Each such job has a payload of its own.
    var poisonDelays: [String: Int] {
        var delays: [String: Int] = [:]
        for job in operations.flatMap(\.submittedJobs) { delays[job.payload] = job.killsAfter }
        return delays
    }

    var killsWorkers: Bool { !poisonDelays.isEmpty }
}
