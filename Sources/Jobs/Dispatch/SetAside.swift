import Storage

/// Why the dispatcher makes a job a dead letter although no run of it has failed. The raw value is its error code.
enum SetAside: String {
    /// The deaths of its workers weigh ``CrashLedger/limit`` or more against it.
    case poison
    /// Workers died ``maximumDeaths`` times while they held it, whatever the cause.
    case tooManyDeaths

    /// The most deaths of workers that held one job, over its whole life. Progress resets the weight of deaths but not
    /// their number, so that a job with checkpoints cannot kill workers for ever.
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
    /// Goes by the numbers in the table: those in memory may be out of date.
    func reasonToSetAside(in transaction: WriteTransaction) throws -> SetAside? {
        if weight > 0, try transaction.jobs.crashes(ofJob: run.jobID) + weight >= CrashLedger.limit { return .poison }
        if afterCrash, try transaction.jobs.deaths(ofJob: run.jobID) + 1 >= SetAside.maximumDeaths {
            return .tooManyDeaths
        }
        return nil
    }
}
