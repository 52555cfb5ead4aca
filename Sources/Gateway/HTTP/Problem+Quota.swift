import HTTPTypes
import Model

extension Problem {
    /// The person already uses as much as a quota allows. The detail begins with the quota's configuration key.
    static func quotaReached(_ reached: QuotaReached) -> Problem {
        let (used, limit, asked) = (reached.used, reached.limit, reached.asked)
        let (state, remedy) =
            switch reached.quota {
            case .unfinishedJobs:
                (
                    "\(limit) unfinished jobs at once; you have \(used), and asked for \(asked) more",
                    "Wait until some have ended, or cancel some"
                )
            case .unfinishedBytes:
                (
                    "\(limit) bytes of payloads of unfinished jobs; yours have \(used), and you asked for \(asked)"
                        + " more",
                    "Wait until some jobs have ended, or cancel some"
                )
            case .runningSearches:
                (
                    "\(limit) concert searches at once; \(used) of yours are running",
                    "Wait until one has ended, or cancel one"
                )
            case .eventStreams:
                ("\(limit) open event streams; you have \(used)", "Close a window that has one")
            }
        return Problem(
            .tooManyRequests, code: .quotaReached, title: "You have reached a quota",
            detail: "\(reached.quota.key) allows each person \(state). Nothing was done. \(remedy), and try again. "
                + "GET /v1/me shows your use.")
    }
}
