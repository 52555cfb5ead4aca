import Foundation

/// Rules about runs: no completion by a stale lease, no run after a cancellation, no answer that the table contradicts.
extension Record {
    /// The state in the table for each outcome in a worker's log.
    private static let states = [
        "succeeded": "succeeded", "failed": "failed", "retried": "scheduled", "postponed": "scheduled",
        "handedBack": "queued",
    ]

    /// Runs that a worker logged as ended although, according to the table, they were taken from it.
    var staleCompletions: [Violation] {
        var ends: [RunKey: [Change]] = [:]
        for change in changes where change.from == "running" {
            ends[RunKey(jobID: change.jobID, run: change.oldRun), default: []].append(change)
        }
        return endedRuns.compactMap { ended in
            guard let state = Self.states[ended.outcome] else { return nil }
            let found = ends[RunKey(jobID: ended.jobID, run: ended.run)] ?? []
            let isTheirs = found.contains { change in
                change.to == state && change.oldWorker.map { $0.hasPrefix(ended.worker + "/") } ?? true
            }
            guard !isTheirs else { return nil }
            let table = found.map(\.to).joined(separator: ", ")
            // A run that ends after the cancellation ran after it.
            let rule: Violation.Rule = found.contains { $0.to == "cancelled" } ? .cancelledRests : .noStaleCompletion
            return Violation(
                rule,
                "worker \(ended.worker) ended run \(ended.run) of \(name(ended.jobID)) as \(ended.outcome); "
                    + "according to the table it is \(table.isEmpty ? "not ended" : table)")
        }
    }

    private struct RunKey: Hashable {
        var jobID: String
        var run: Int
    }

    /// Runs that ended well before their sleep can have been over: another run's end was mistaken for theirs.
    var hastyCompletions: [Violation] {
        var handedAt: [String: Int] = [:]
        return changes.compactMap { change in
            if change.to == "running" { handedAt[change.jobID] = change.at }
            guard change.to == "succeeded", let job = jobs[change.jobID], job.isEcho,
                let start = handedAt[change.jobID], let sleep = Self.sleep(in: job.payload)
            else { return nil }
            // The table's times are whole milliseconds.
            guard change.at - start < sleep - 2 else { return nil }
            return Violation(
                .noStaleCompletion,
                "run \(change.oldRun) of \(name(change.jobID)) took \(change.at - start) ms and sleeps for \(sleep)")
        }
    }

    private static func sleep(in payload: String) -> Int? {
        struct Payload: Decodable { var sleepMs: Int }
        return try? JSONDecoder().decode(Payload.self, from: Data(payload.utf8)).sleepMs
    }

    /// Cancelled and requeued jobs whose rows say otherwise.
    var brokenAnswers: [Violation] {
        requests.compactMap { request in
            guard case .accepted = request.answer else { return nil }
            switch request.purpose {
            case .submit, .search: return nil
            case .cancel(let id):
                guard jobs[id]?.state != "cancelled" else { return nil }
                return Violation(
                    .cancelledRests, "\(name(id)) was cancelled, but is \(jobs[id]?.state ?? "not there") at the end")
            case .requeue(let id):
                let isRequeued = changes.contains { $0.jobID == id && $0.from == "failed" && $0.to == "queued" }
                return isRequeued ? nil : Violation(.acceptedEnds, "the requeueing of \(name(id)) left no trace")
            }
        }
    }
}
