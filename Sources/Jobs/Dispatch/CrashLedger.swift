import Collections
import Model

/// Tells a job that kills its workers from those that happened to be there.
///
/// Everything that a dying worker held is a group, which is halved with each further death
/// (``CrashGroup``), so that in the end a death while a job runs alone is a word against that job and
/// no other. The first death only makes suspects, of a single job too: it may have been handed to a worker
/// that was dead already. And a worker can die for reasons of its own: an operator's `kill -9`, a machine short of
/// memory. When workers on which it did not run died in the same seconds, the death weighs a third. Those on which it
/// ran with others, as a member of the groups that were halved, say nothing for it.
struct CrashLedger {
    /// The weight at which a job is set aside: three deaths in calm times, once it is under suspicion.
    static let limit = 9
    static let calmWeight = 3
    static let stormWeight = 1
    /// How far apart deaths must be to have nothing to do with each other.
    static let window = Duration.seconds(10)

    /// Jobs that ran twice while the gateway went down with their workers are suspected when so little time lies
    /// between.
    static let outageWindow = Duration.seconds(3_600)

    static func isRecentOutage(at outage: Timestamp, now: Timestamp) -> Bool {
        // One in the future was noted by a clock that has been set back since.
        abs(outage.duration(to: now).microseconds) <= outageWindow.microseconds
    }

    private struct Death {
        var at: MonotonicInstant
        var held: [String]
    }

    private var deaths: Deque<Death> = []

    /// Notes that a worker died.
    ///
    /// - Parameter suspect: the only job that it ran, if that was under suspicion before; `nil` when it ran others too.
    /// - Returns: what the death weighs against that job; 0 when there is none.
    mutating func workerDied(holding jobs: [String], alone suspect: String?, at now: MonotonicInstant) -> Int {
        let horizon = now.advanced(by: .zero - Self.window)
        while let first = deaths.first, first.at < horizon { deaths.removeFirst() }
        defer { if !jobs.isEmpty { deaths.append(Death(at: now, held: jobs)) } }
        guard let suspect else { return 0 }
        let othersDied = deaths.contains { !$0.held.contains(suspect) }
        return othersDied ? Self.stormWeight : Self.calmWeight
    }
}
