import HTTPTypes
import Model

extension Problem {
    /// The person already uses as much as a quota allows. The detail begins with the quota's configuration key.
    static func quotaReached(_ reached: QuotaReached) -> Problem {
        let remedy =
            switch reached.quota {
            case .unfinishedJobs: "Wait until some have ended, or cancel some"
            case .unfinishedBytes: "Wait until some jobs have ended, or cancel some"
            case .runningSearches: "Wait until one has ended, or cancel one"
            case .eventStreams: "Close a window that has one"
            case .listens, .listenBytes: "Remove a source or an import that you do not need, or ask the administrator"
            }
        return Problem(
            .tooManyRequests, code: .quotaReached, title: "You have reached a quota",
            detail: "\(reached) Nothing was done. \(remedy), and try again. GET /v1/me shows your use.")
    }
}
