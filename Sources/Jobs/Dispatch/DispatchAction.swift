import Contracts
import Model

/// What the dispatcher's state machine wants done.
enum DispatchAction: Equatable {
    case send(GatewayMessage, to: String)
    /// Commit these hand-outs, then report them with `claimsCommitted`.
    case claim([Claim])
    /// Put these runs back into the queue, if the database still has them running.
    case release([Release])
    /// Move the leases of these runs forward.
    case extend([JobRun])
    /// These jobs ended or changed: wake whoever waits for them.
    case changed([ChangedJob])
    case progress([RunProgress])
    /// What a worker's metrics stand at.
    case report(MetricReport, from: String)
    /// A worker put jobs into the table.
    case lookAtTable
    /// A retry is due at this time (microseconds UTC).
    case schedule(jobID: String, at: Timestamp)
    case log(String)

    struct ChangedJob: Equatable {
        var id: String
        /// Whose it is, when the dispatcher knows.
        var userID: String?
    }

    struct Claim: Equatable {
        var job: ReadyJob
        /// The worker's epoch.
        var worker: String
        /// Of its payload, for which room was taken with the place; 0 where it is read only with the claim.
        var bytes = 0
    }

    struct Release: Equatable {
        var run: JobRun
        var job: ReadyJob
        /// Its worker died or was lost with it.
        var afterCrash = false
        /// What that death weighs against the job.
        var weight = 0
        /// The group under suspicion that it belongs to from now on; `nil` leaves it where it was.
        var group: String?
        /// This gateway or the machine went down as well.
        var isOutage = false
    }
}
