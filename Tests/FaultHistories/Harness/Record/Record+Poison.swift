/// A job that kills its workers is set aside, and no other job is.
extension Record {
    /// The number of deaths of workers that ran only this job after which it must be set aside: nine with the least
    /// weight, and three that the gateway may attribute to a worker that never got the job.
    private static let deathsToPoison = 12

    var falsePoison: [Violation] { spared + unmet }

    /// Jobs that kill their workers and were still handed out after too many deaths.
    private var spared: [Violation] {
        let payloads = Set(acceptedOrSent.filter { $0.killsAfter != nil }.map(\.payload))
        guard !payloads.isEmpty else { return [] }
        let handOuts = handOuts
        return jobs.values.filter { payloads.contains($0.payload) }.compactMap { job in
            var deaths = 0
            for run in handOuts where run.jobID == job.id {
                if isRequeued(job.id, before: run) { deaths = 0 }
                guard run.isDeath, let end = run.end, !changes[end.place].isOutage, run.group != nil,
                    firstInterruption(of: run) != nil, isAlone(run, among: handOuts)
                else { continue }
                deaths += 1
                if deaths >= Self.deathsToPoison, changes[end.place].to != "failed" {
                    return Violation(.poison, "\(name(job.id)) killed \(deaths) workers and is not set aside")
                }
            }
            return nil
        }
    }

    /// Jobs that were set aside although no worker was killed, stopped or ended while it ran them.
    private var unmet: [Violation] {
        let handOuts = handOuts
        return jobs.values.filter { $0.errorCode == "poison" }.compactMap { job in
            let isMet = handOuts.contains { run in
                run.jobID == job.id && weighs(run.run, of: job.id) && firstInterruption(of: run) != nil
            }
            return isMet ? nil : Violation(.poison, "\(name(job.id)) is poison, but nothing happened to its workers")
        }
    }

    private var acceptedOrSent: [SubmittedJob] {
        requests.flatMap { request -> [SubmittedJob] in
            guard case .submit(let jobs) = request.purpose else { return [] }
            return jobs
        }
    }

    /// Whether there was a requeue, which resets a job's deaths, between the previous run and this one.
    private func isRequeued(_ jobID: String, before run: HandOut) -> Bool {
        changes[..<run.begin.place].last { $0.jobID == jobID && $0.from != "queued" }?.from == "failed"
    }

    /// Whether the worker had no other run at any time during this one.
    private func isAlone(_ run: HandOut, among handOuts: [HandOut]) -> Bool {
        !handOuts.contains { other in
            other.worker == run.worker && other.jobID != run.jobID
                && other.begin.place < run.end?.place ?? .max && run.begin.place < other.end?.place ?? .max
        }
    }
}
