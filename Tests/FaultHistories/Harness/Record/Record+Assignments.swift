extension Record {
    /// A run in the table: from the assignment to the write that ended it.
    struct HandOut {
        var jobID: String
        var run: Int
        /// The instance of the worker that received it.
        var worker: String
        /// The crash group in which it was handed out.
        var group: String?
        var begin: Moment
        /// When the run ended; `nil` if it never ended.
        var end: Moment?
        /// Whether it was released because its worker had died.
        var isDeath = false

        /// Whether it was running just before that position among the changes.
        func isRunning(at place: Int) -> Bool {
            begin.place < place && (end?.place ?? .max) > place
        }
    }

    /// The time of a write: its position among the changes, and milliseconds of the system's wall clock.
    struct Moment {
        var place: Int
        var at: Int
    }

    /// All runs, in the order of their assignments.
    var handOuts: [HandOut] {
        var all: [HandOut] = []
        var running: [String: Int] = [:]
        for (place, change) in changes.enumerated() {
            let moment = Moment(place: place, at: change.at)
            if change.from == "running", let index = running.removeValue(forKey: change.jobID) {
                all[index].end = moment
                // A death that makes a job poison is written as its failure.
                all[index].isDeath = change.isDeath || weighs(change.oldRun, of: change.jobID)
            }
            if change.to == "running", let worker = change.worker {
                running[change.jobID] = all.count
                all.append(
                    .init(jobID: change.jobID, run: change.run, worker: worker, group: change.group, begin: moment))
            }
        }
        return all
    }

    /// Whether the death of a run's worker counted against the job.
    func weighs(_ run: Int, of jobID: String) -> Bool {
        jobs[jobID]?.deathRuns.contains(run) == true
    }

    /// The position of the first interruption that its worker suffered while a run was under way; `nil` if there was
    /// none.
    func firstInterruption(of handOut: HandOut) -> Int? {
        let name = handOut.worker.prefix { $0 != "/" }
        guard
            let first = interruptions.firstIndex(where: { $0.worker == name && $0.at > handOut.begin.at }),
            interruptions[first].at <= handOut.end?.at ?? .max
        else { return nil }
        return first
    }
}
