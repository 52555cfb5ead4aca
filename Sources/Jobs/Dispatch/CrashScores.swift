import Collections
import Model

/// Weighs the deaths of workers against jobs, to tell a job that kills workers from jobs that only ran beside it.
///
/// The jobs of a dead worker become a group, which each further death halves (``CrashGroup``), until a job runs alone.
/// Only the death of a worker that ran a suspect alone weighs against that job. The first death only makes suspects and
/// has no weight, even for a single job: the job may have been handed to a worker that was already dead.
///
/// Workers also die without a job to blame: an operator's `kill -9`, a machine short of memory. A death weighs a third
/// if a worker on which the job did not run died within the preceding ``window``.
struct CrashScores {
    /// The total weight at which a job is set aside as poison: three deaths of ``singleDeathWeight``.
    static let limit = 9
    /// The weight of a death when no other worker died within the preceding ``window``.
    static let singleDeathWeight = 3
    /// The weight of a death when a worker on which the job did not run died within the preceding ``window``.
    static let manyDeathsWeight = 1
    /// Deaths further apart than this are considered unrelated.
    static let window = Duration.seconds(10)

    /// Jobs become suspects when the gateway went down together with their worker twice within this time.
    static let outageWindow = Duration.seconds(3_600)

    static func isRecentOutage(at outage: Timestamp, now: Timestamp) -> Bool {
        // An outage in the future was recorded before the clock was set back.
        outage.duration(to: now).microseconds.magnitude <= outageWindow.microseconds
    }

    private struct Death {
        var at: MonotonicInstant
        var held: [String]
    }

    private var deaths: Deque<Death> = []

    /// Notes the death of a worker.
    ///
    /// - Parameters:
    ///   - jobs: the ids of the jobs that it held.
    ///   - suspect: the job that it ran alone, if that was a suspect before; `nil` otherwise.
    /// - Returns: the weight of the death against `suspect`; 0 without one.
    mutating func workerDied(holding jobs: [String], alone suspect: String?, at now: MonotonicInstant) -> Int {
        let horizon = now.advanced(by: .zero - Self.window)
        while let first = deaths.first, first.at < horizon { deaths.removeFirst() }
        defer { if !jobs.isEmpty { deaths.append(Death(at: now, held: jobs)) } }
        guard let suspect else { return 0 }
        let othersDied = deaths.contains { !$0.held.contains(suspect) }
        return othersDied ? Self.manyDeathsWeight : Self.singleDeathWeight
    }
}
