import JobStorage
import Storage

/// Why the dispatcher turns a job into a dead letter although none of its runs has failed. The raw value is its error
/// code.
enum QuarantineReason: String {
    /// The deaths of its workers add up to a weight of ``CrashScores/limit`` or more.
    case poison
    /// Workers died ``maximumDeaths`` times while they held it, whatever the cause.
    case tooManyDeaths

    /// The most deaths of workers that held one job, over its whole life. Progress resets the weight of deaths but not
    /// their number, so that a job with checkpoints cannot kill workers forever.
    static let maximumDeaths = 100

    var message: String {
        switch self {
        case .poison:
            "Its worker died each time this job ran alone, so it was set aside. "
                + "Look for the cause in the workers' logs, then requeue the job, or submit a new one where "
                + "requeueing is refused."
        case .tooManyDeaths:
            "Its worker died \(Self.maximumDeaths) times while it held this job, so it was set aside. "
                + "Look for the cause in the workers' logs, then requeue the job, which continues at its last "
                + "checkpoint, or submit a new one where requeueing is refused."
        }
    }
}

extension DispatchAction.Release {
    /// Uses the numbers in the table: those in memory may be out of date.
    func quarantineReason(in transaction: WriteTransaction) throws -> QuarantineReason? {
        if weight > 0, try transaction.jobs.crashes(ofJob: run.jobID) + weight >= CrashScores.limit { return .poison }
        if afterCrash, try transaction.jobs.deaths(ofJob: run.jobID) + 1 >= QuarantineReason.maximumDeaths {
            return .tooManyDeaths
        }
        return nil
    }
}
