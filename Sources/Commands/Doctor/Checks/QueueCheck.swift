import Contracts
import Model
import Storage

extension DoctorCheck {
    /// Whether jobs move: the oldest that waits, the oldest that runs, and those that were given up.
    static let queue = DoctorCheck("queue") { context in
        let found = try await context.read { reader in
            (
                try reader.jobs.oldestQueuedJobs(limit: 1).first, try reader.jobs.oldestRunningJobs(limit: 200),
                try reader.jobs.jobCountsByKind(), try reader.jobs.jobsAwaitingCredentials()
            )
        }
        guard let (queued, running, counts, awaiting) = found else {
            return [.warning("The jobs cannot be seen.", "Mend the database first.")]
        }
        let now = Timestamp.now()
        let waiting = counts.values.reduce(0) { $0 + ($1[.queued] ?? 0) }
        return [queuedFinding(queued, waiting: waiting, now: now)]
            + [runningFinding(running, now: now, lease: context.configuration.jobs.lease)]
            + awaitingFindings(awaiting) + [deadLetterFinding(JobKind.deadLetters(among: counts))]
    }

    /// Nothing for the operator to do, but the answer to why they do not run.
    static func awaitingFindings(_ jobs: [(provider: String, count: Int)]) -> [Finding] {
        jobs.map { provider, count in
            .ok(
                "\(count) job\(count == 1 ? " waits" : "s wait") until people have seen to \(provider) in their setup: a "
                    + "credential of theirs is missing or no longer taken.")
        }
    }

    static func queuedFinding(_ oldest: UnfinishedJob?, waiting: Int, now: Timestamp) -> Finding {
        guard let oldest else { return .ok("No job waits for a worker.") }
        let age = oldest.since.duration(to: now)
        let text =
            "\(waiting) wait for a worker, the oldest, \(oldest.id) (\(oldest.kind)), for \(HumanTime.text(age))."
        if age < .seconds(60) { return .ok(text) }
        let advice = "Start more workers, of the sort that knows this kind: 'backline workers' shows who is there."
        return age < .seconds(900) ? .warning(text, advice) : .problem(text, advice)
    }

    static func runningFinding(_ jobs: [UnfinishedJob], now: Timestamp, lease: Duration) -> Finding {
        guard let oldest = jobs.first else { return .ok("No job runs.") }
        // Each kind has a maximum; a run that goes beyond it is stopped, or taken from its worker a lease later.
        let overdue = jobs.first { job in
            guard let kind = JobKind.named(job.kind) else { return false }
            return job.since.duration(to: now) > kind.maximumRunTime + lease * 3
        }
        if let overdue {
            return .problem(
                "\(overdue.id) (\(overdue.kind)) has run for \(HumanTime.text(overdue.since.duration(to: now))), "
                    + "longer than its kind may, on \(overdue.worker ?? "a worker that is not named").",
                "Does the gateway run? It takes such jobs from their workers. Otherwise end that worker.")
        }
        return .ok(
            "The oldest that runs, \(oldest.id) (\(oldest.kind)), does so for "
                + "\(HumanTime.text(oldest.since.duration(to: now))).")
    }

    static func deadLetterFinding(_ count: Int) -> Finding {
        guard count > 0 else { return .ok("No job was given up.") }
        return .warning(
            "\(count) job\(count == 1 ? " was" : "s were") given up (dead letters, of all users).",
            "See why: backline jobs list --everyone. Again: backline jobs requeue --everyone ID")
    }
}
