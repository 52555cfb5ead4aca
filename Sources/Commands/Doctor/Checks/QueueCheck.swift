import CommandSupport
import Contracts
import Domains
import JobStorage
import Model
import Storage

extension DoctorCheck {
    /// Whether jobs make progress: the oldest queued job, the oldest running job, and dead letters.
    static let queue = DoctorCheck("queue") { context in
        let found = try await context.read { reader in
            (
                try reader.jobs.oldestQueuedJobs(limit: 1).first, try reader.jobs.oldestRunningJobs(limit: 200),
                try reader.jobs.jobCountsByKind(), try reader.jobs.jobsAwaitingCredentials()
            )
        }
        guard let (queued, running, counts, awaiting) = found else {
            return [.warning("The jobs cannot be read.", "Repair the database first.")]
        }
        let kinds = JobKinds(of: context.domains)
        let now = Timestamp.now()
        let waiting = counts.values.reduce(0) { $0 + ($1[.queued] ?? 0) }
        return [queuedFinding(queued, waiting: waiting, now: now)]
            + [runningFinding(running, kinds: kinds, now: now, lease: context.configuration.jobs.lease)]
            + awaitingFindings(awaiting) + [deadLetterFinding(kinds.deadLetters(among: counts))]
    }

    /// Jobs that wait for their owners. The operator cannot do anything about them, but sees why they do not run.
    static func awaitingFindings(_ jobs: [(provider: String, count: Int)]) -> [Finding] {
        jobs.map { provider, count in
            .ok(
                "\(count) job\(count == 1 ? " waits" : "s wait") until people fix \(provider) in their setup: a "
                    + "credential is missing or no longer accepted.")
        }
    }

    static func queuedFinding(_ oldest: UnfinishedJob?, waiting: Int, now: Timestamp) -> Finding {
        guard let oldest else { return .ok("No job waits for a worker.") }
        let age = oldest.since.duration(to: now)
        let text =
            "\(waiting) wait for a worker; the oldest, \(oldest.id) (\(oldest.kind)), has waited for "
            + "\(HumanTime.text(age))."
        if age < .seconds(60) { return .ok(text) }
        let advice = "Start more workers that run this kind; 'backline workers' shows those that are connected."
        return age < .seconds(900) ? .warning(text, advice) : .problem(text, advice)
    }

    static func runningFinding(
        _ jobs: [UnfinishedJob], kinds: JobKinds, now: Timestamp, lease: Duration
    ) -> Finding {
        guard let oldest = jobs.first else { return .ok("No job is running.") }
        // Each kind has a maximum run time. A run beyond it is stopped, or its worker loses it a lease later.
        let overdue = jobs.first { job in
            guard let kind = kinds[job.kind] else { return false }
            return job.since.duration(to: now) > kind.maximumRunTime + lease * 3
        }
        if let overdue {
            return .problem(
                "\(overdue.id) (\(overdue.kind)) has run for \(HumanTime.text(overdue.since.duration(to: now))), "
                    + "longer than its kind allows, on \(overdue.worker ?? "an unnamed worker").",
                "Start the gateway if it is stopped: it takes such jobs from their workers. Otherwise stop the worker.")
        }
        return .ok(
            "The oldest running job, \(oldest.id) (\(oldest.kind)), has run for "
                + "\(HumanTime.text(oldest.since.duration(to: now))).")
    }

    static func deadLetterFinding(_ count: Int) -> Finding {
        guard count > 0 else { return .ok("There are no dead letters.") }
        return .warning(
            "\(count) job\(count == 1 ? " has" : "s have") failed for good (dead letters of all users).",
            "See why: backline jobs list --everyone. Run again: backline jobs requeue --everyone ID")
    }
}
