import HTTPTypes
import Model

extension Problem {
    /// The person is already using as much as a quota allows. The detail begins with the quota's configuration key.
    static func quotaReached(_ reached: QuotaReached) -> Problem {
        Problem(
            .tooManyRequests, code: .quotaReached, title: "You have reached a quota",
            detail: "\(reached) Nothing was done. \(reached.quota.remedy), then try again. GET /v1/me shows your use.")
    }
}
