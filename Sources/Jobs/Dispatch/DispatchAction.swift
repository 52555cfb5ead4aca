import Contracts
import Model

/// What the dispatcher's state machine asks the dispatcher to do.
enum DispatchAction: Equatable {
    case send(GatewayMessage, to: String)
    /// Commit these assignments, then report them with `claimsCommitted`.
    case claim([Claim])
    /// Put these runs back into the queue if the database still lists them as running.
    case release([Release])
    /// Extend the leases of these runs.
    case extend([JobRun])
    /// These jobs ended or changed: wake the requests and streams that wait for them.
    case changed([JobChange])
    case progress([RunProgress])
    /// A worker reported its metrics.
    case report(MetricReport, from: String)
    /// Read new waiting jobs from the table: another process inserted or released some.
    case pollTable
    /// Queue a job at this time: a retry is due then.
    case schedule(jobID: String, at: Timestamp)
    case log(String)

    struct JobChange: Equatable {
        var id: String
        /// The job's owner, if the dispatcher knows it.
        var userID: String?
    }

    struct Claim: Equatable {
        var job: ReadyJob
        /// The worker's instance.
        var worker: String
        /// The payload bytes that were reserved along with the place; 0 if the payload is only read with the claim.
        var bytes = 0
    }

    struct Release: Equatable {
        var run: JobRun
        var job: ReadyJob
        /// Whether its worker died.
        var afterCrash = false
        /// The weight of that death against the job.
        var weight = 0
        /// The crash group that the job belongs to from now on; `nil` leaves the group as it was.
        var group: String?
        /// Whether the gateway went down as well.
        var isOutage = false
    }
}
