/// Nobody is blamed for the death of a worker on which others ran; change numbers rise.
extension Record {
    /// A hand-out so shortly before a death may not have reached the worker, in milliseconds.
    private static let handOutTime = 2_000

    var falseSuspicions: [Violation] { deathsInCompany + bystandersSetAside }

    /// Deaths that weighed against one job while the worker held others.
    private var deathsInCompany: [Violation] {
        var running: [String: (worker: String, since: Int)] = [:]
        return changes.compactMap { change in
            defer {
                running[change.jobID] = change.to == "running" ? change.worker.map { ($0, change.at) } : nil
            }
            guard change.from == "running", let worker = change.oldWorker,
                jobs[change.jobID]?.deathRuns.contains(change.oldRun) == true,
                let other = running.first(where: {
                    $0.key != change.jobID && $0.value.worker == worker
                        && change.at - $0.value.since > Self.handOutTime
                })
            else { return nil }
            return Violation(
                .bystanders,
                "the death of \(worker) weighs against \(name(change.jobID)), and \(name(other.key)) ran there too")
        }
    }

    private var bystandersSetAside: [Violation] {
        jobs.values.compactMap { job in
            if job.hasEnd, job.isSuspect {
                return Violation(.bystanders, "\(name(job.id)) is \(job.state), and still in a crash group")
            }
            if job.errorCode == "tooManyDeaths" {
                return Violation(.bystanders, "\(name(job.id)) was set aside after so few deaths")
            }
            guard job.errorCode == "poison" else { return nil }
            // A step forgives the deaths before it.
            let lastStep = marks.last { $0.sort == .taken && $0.id == job.id }?.run ?? 0
            let deaths = job.deathRuns.count { $0 >= lastStep }
            guard deaths < 3 else { return nil }
            return Violation(.bystanders, "\(name(job.id)) is poison after \(deaths) deaths that it was alone with")
        }
    }

    var fallingChanges: [Violation] {
        var last = 0
        return changes.compactMap { change in
            guard let number = change.number else { return nil }
            defer { last = max(last, number) }
            guard number <= last else { return nil }
            return Violation(
                .changeNumbers, "\(name(change.jobID)) became \(change.to) with the change \(number), after \(last)")
        }
    }
}
