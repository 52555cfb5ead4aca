import Model
import Visibility

extension Problem {
    /// The person has done this as often as a limit allows. The detail is for people; programs read the limit's name
    /// and its end in their own members.
    package init(_ reached: ActLimitReached, now: Timestamp = .now()) {
        let (limit, wait) = (reached.limit, now.duration(to: reached.until))
        self.init(
            .tooManyRequests, code: .actLimitReached, title: "Too many requests of this kind",
            detail: "\(limit.sentence) \(limit.sentence(untilNext: wait))",
            retryAfter: max(1, Int((wait.microseconds + 999_999) / 1_000_000)))
        self.limit = (limit.name, reached.until)
    }
}
