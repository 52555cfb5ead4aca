import Model
import Visibility

extension Problem {
    /// The person has done this as often as a limit allows. The detail begins with the limit's name.
    package init(_ reached: ActLimitReached, now: Timestamp = .now()) {
        let limit = reached.limit
        self.init(
            .tooManyRequests, code: .actLimitReached, title: "Too many requests of this kind",
            detail: "\(limit.name): the limit is \(limit.count) at once, and recovers gradually. Nothing was "
                + "done. Try again after \(reached.until).",
            retryAfter: max(1, Int((now.duration(to: reached.until).microseconds + 999_999) / 1_000_000)))
        self.limit = (limit.name, reached.until)
    }
}
