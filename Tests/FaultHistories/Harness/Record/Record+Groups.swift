/// Rules about crashes and changes: the death of a worker that ran several jobs counts against none of them, and change
/// numbers increase.
extension Record {
    var falseSuspicions: [Violation] { deathsInCompany + bystandersSetAside }

    /// Deaths that counted against one job although another one was also running on the worker when it was killed or
    /// stopped.
    ///
    /// The table has the time of the assignment, and that the run was released as lost. So the run was on the worker
    /// when it died, and the gateway knew that: a run that the worker never got is put back without a death. Both runs
    /// must have the same first interruption, since a worker that was only stopped may die again with other work.
    private var deathsInCompany: [Violation] {
        let handOuts = handOuts.filter(\.isDeath)
        return handOuts.compactMap { blamed in
            guard weighs(blamed.run, of: blamed.jobID), let interruption = firstInterruption(of: blamed),
                let other = handOuts.first(where: {
                    $0.jobID != blamed.jobID && $0.worker == blamed.worker && firstInterruption(of: $0) == interruption
                })
            else { return nil }
            return Violation(
                .bystanders,
                "the death of \(blamed.worker) weighs against \(name(blamed.jobID)), "
                    + "and \(name(other.jobID)) ran there too"
            )
        }
    }

    private var bystandersSetAside: [Violation] {
        jobs.values.compactMap { job in
            if job.hasEnd, job.isSuspect {
                return Violation(.bystanders, "\(name(job.id)) is \(job.state) and still in a crash group")
            }
            if job.errorCode == "tooManyDeaths" {
                return Violation(.bystanders, "\(name(job.id)) was set aside after so few deaths")
            }
            guard job.errorCode == "poison" else { return nil }
            // A step clears the earlier deaths, and so does a requeue.
            let lastStep = marks.last { $0.sort == .taken && $0.id == job.id }?.run ?? 0
            let lastRequeue = changes.last { $0.jobID == job.id && $0.from == "failed" && $0.to == "queued" }?.run ?? -1
            let deaths = job.deathRuns.count { $0 >= lastStep && $0 > lastRequeue }
            guard deaths < 3 else { return nil }
            return Violation(.bystanders, "\(name(job.id)) is poison after \(deaths) deaths while it ran alone")
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
