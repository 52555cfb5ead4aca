import Foundation
import Storage
import TestProcesses

/// Restores all processes after the last step, waits until everything has ended, and records what it observes.
extension HistoryRun {
    func heal() async throws {
        for role in Role.allCases { resume(role) }
        try await installation.withDatabase { try await ChangeLog.refuseEnds(false, in: $0) }
        try await upstream.heal()
        try clock.catchUp()
        for task in pending {
            await supervise()
            await task.value
        }
        let end = ContinuousClock.now.advanced(by: Self.limit)
        while true {
            await supervise()
            let unended = try await installation.withDatabase { database in
                try await database.read { try Tables.unended(in: $0) }
            }
            if unended.isEmpty, isReady { return }
            guard ContinuousClock.now < end else {
                record.unended = unended
                return
            }
            try await Task.sleep(for: .milliseconds(30))
        }
    }

    /// Whether the gateway runs and listens.
    private var isReady: Bool {
        guard let gateway = processes[.gateway] else { return false }
        return gateway.process.isRunning && !gateway.isLeaving && gateway.process.output.contains("listening on")
    }

    /// Starts each process that has ended, as a supervisor does.
    private func supervise() async {
        for role in Role.allCases { revive(role) }
    }

    func revive(_ role: Role) {
        guard let running = processes[role], !running.process.isRunning else { return }
        noteEnd(of: role)
        try? launch(role)
    }

    func collect() async throws {
        if isReady { try await collectAnswers() }
        record.arrivals = try await upstream.arrivalLog().map(\.at)
        for role in Role.allCases {
            processes[role]?.process.terminate()
            processes[role]?.isLeaving = true
        }
        for role in Role.allCases {
            guard let process = processes[role]?.process else { continue }
            try await process.waitForEnd()
            // No work is left that could delay it.
            if process.end == .exited(1) {
                record.crashes.append("\(role) did not leave in time: \(process.errors.lines.suffix(3))")
            }
            noteEnd(of: role)
        }
        let empty = record
        record = try await installation.withDatabase { database in
            try await database.read { reader in
                var record = empty
                record.changes = try ChangeLog.changes(in: reader)
                record.marks = try ChangeLog.marks(in: reader)
                record.searchChanges = try ChangeLog.searchChanges(in: reader)
                record.searchOwners = try Tables.searchOwners(in: reader)
                record.jobs = try Tables.jobs(in: reader)
                record.checkpoints = try Tables.checkpoints(in: reader)
                record.pending = try Tables.pending(in: reader)
                record.falseCounters = try Tables.falseCounters(in: reader)
                return record
            }
        }
        record.endedRuns = installation.started.filter { Role(rawValue: $0.name).map(Role.workers.contains) ?? false }
            .flatMap { worker in worker.errors.lines.compactMap { EndLine.read($0, worker: worker.name) } }
    }

    private func collectAnswers() async throws {
        try await collectShares()
        for user in users {
            for job in try await user.allJobs() { record.shown[job.id] = job.state }
        }
        for index in record.searches.indices {
            let id = record.searches[index].id
            guard let user = searchUsers[id] else { continue }
            let response = try await users[user - 1].get("/v1/concert-searches/\(id)")
            guard response.status == 200 else { continue }
            let search = try response.decode(SearchLine.self)
            record.searches[index].state = search.state
            record.searches[index].open = search.progress.total - search.progress.done
        }
    }

    private struct SearchLine: Decodable {
        struct Progress: Decodable {
            var done: Int
            var total: Int
        }

        var state: String
        var progress: Progress
    }
}

/// The line that a worker logs when the end of a run is durable.
private struct EndLine: Decodable {
    struct Metadata: Decodable {
        var job: String
        var run: String
        var outcome: String
    }

    var metadata: Metadata

    static func read(_ line: String, worker: String) -> Record.EndedRun? {
        guard line.contains(#""outcome""#),
            let end = try? JSONDecoder().decode(EndLine.self, from: Data(line.utf8)).metadata, let run = Int(end.run)
        else { return nil }
        return Record.EndedRun(worker: worker, jobID: end.job, run: run, outcome: end.outcome)
    }
}
