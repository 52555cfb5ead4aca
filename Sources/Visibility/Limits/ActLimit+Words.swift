import Model

extension ActLimit {
    /// The limit in a sentence for people, such as "You can react 60 times a day."
    package var sentence: String { "You can \(words.act) \(count) \(words.counted) \(period.asRate)." }

    /// When the next act is free, in a sentence for people, such as "You can react again in 12 minutes."
    package func sentence(untilNext wait: Duration) -> String { "You can \(words.again) in \(wait.roundedUp)." }
}

extension Duration {
    /// The end of a sentence about how often something is possible, such as "a day".
    fileprivate var asRate: String {
        switch self {
        case .seconds(60): "a minute"
        case .seconds(3_600): "an hour"
        case .seconds(86_400): "a day"
        default: "every \(roundedUp)"
        }
    }

    /// In whole seconds, minutes or hours, rounded up, so that nobody comes too early. At least a second.
    fileprivate var roundedUp: String {
        let seconds = max(1, (microseconds + 999_999) / 1_000_000)
        let (count, unit): (Int64, String) =
            switch seconds {
            case ...90: (seconds, "second")
            case ...7_200: ((seconds + 59) / 60, "minute")
            default: ((seconds + 3_599) / 3_600, "hour")
            }
        return "\(count) \(unit)\(count == 1 ? "" : "s")"
    }
}
