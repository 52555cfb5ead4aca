import HTTPTypes
import Model

extension Problem {
    /// A person uses as much as a quota allows.
    static func quotaReached(_ reached: QuotaReached) -> Problem {
        let (used, limit, asked) = (reached.used, reached.limit, reached.asked)
        let words =
            switch reached.quota {
            case .unfinishedJobs:
                (
                    "\(limit) unfinished jobs at once; you have \(used), and asked for \(asked) more",
                    "Wait until some have ended, or cancel some"
                )
            case .unfinishedBytes:
                (
                    "\(limit) bytes of unfinished jobs' payloads; yours have \(used), and you asked for \(asked) more",
                    "Wait until some jobs have ended, or cancel some"
                )
            case .runningSearches:
                (
                    "\(limit) concert searches at once; \(used) of yours are running",
                    "Wait until one is done, or cancel one"
                )
            case .eventStreams:
                ("\(limit) open event streams; you have \(used)", "Close one, in a window that you do not need")
            }
        return Problem(
            .tooManyRequests, code: "quotaReached", title: "You use as much as you may",
            detail: "\(reached.quota.key) allows a person \(words.0). Nothing was done. \(words.1), and try again: "
                + "GET /v1/me says what you use.")
    }
}
