import Storage

/// Why a job is made a dead letter though no run of it has failed.
enum SetAside: String {
    /// Deaths of its workers weigh as much against it as ``CrashLedger/limit`` says.
    case poison
    /// Its workers died ``maximumDeaths`` times while they held it, whoever was to blame.
    case tooManyDeaths

    /// Of workers that held one job, over its whole life: progress forgives what a death weighs, and a job must not
    /// take its workers with it for ever.
    static let maximumDeaths = 100

    var message: String {
        switch self {
        case .poison:
            "Its worker died each time this job ran alone, so it was set aside. "
                + "Look at the workers' logs for the cause, then requeue it, or ask for it anew where that is refused."
        case .tooManyDeaths:
            "Its worker died \(Self.maximumDeaths) times while it held this job, so it was set aside. "
                + "Look at the workers' logs for the cause, then requeue it, which goes on where it stood, or ask for it "
                + "anew where that is refused."
        }
    }
}

extension DispatchAction.Release {
    /// By the table's numbers: memory may have older ones, where a look at the table crossed a hand-out.
    func reasonToSetAside(in transaction: WriteTransaction) throws -> SetAside? {
        if weight > 0, try transaction.jobs.crashes(ofJob: run.jobID) + weight >= CrashLedger.limit { return .poison }
        if afterCrash, try transaction.jobs.deaths(ofJob: run.jobID) + 1 >= SetAside.maximumDeaths {
            return .tooManyDeaths
        }
        return nil
    }
}
