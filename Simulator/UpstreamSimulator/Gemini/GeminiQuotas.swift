import Foundation
import Model

/// What Google counts for a project and a model: requests and input tokens in any minute, and requests per day, which
/// ends at midnight in California. A request that one quota refuses is counted by none.
struct GeminiQuotas: Sendable {
    enum Name: String, Sendable, Codable {
        case requestsPerMinute, tokensPerMinute, requestsPerDay
    }

    /// A quota that a request would exceed.
    struct Violation: Sendable {
        var name: Name
        var model: String
        var limit: Int
    }

    struct Refusal: Error {
        var violations: [Violation]
        /// The time until the per-minute quotas admit the request.
        var wait: Duration
    }

    /// The use of the quotas as `GET /_sim/gemini/quotas` shows it.
    struct Use: Sendable, Codable, Equatable {
        var project: String
        var model: String
        var requestsPerMinute: RollingLimit.Use
        var tokensPerMinute: RollingLimit.Use
        var requestsPerDay: RollingLimit.Use
    }

    let project: String
    let model: String
    private var requests = RollingLimit()
    private var tokens = RollingLimit()
    private var ofDay = RollingLimit.Use()
    private var day: (date: LocalDay, admitted: Int)?

    init(project: String, model: String) {
        (self.project, self.model) = (project, model)
    }

    var use: Use {
        Use(
            project: project, model: model, requestsPerMinute: requests.use, tokensPerMinute: tokens.use,
            requestsPerDay: ofDay)
    }

    /// Counts a request, or refuses it.
    ///
    /// - Parameters:
    ///   - instant: not before that of an earlier call.
    ///   - time: the wall-clock time of the same moment.
    mutating func admit(
        tokens weight: Int, at instant: MonotonicInstant, _ time: Timestamp, _ settings: GeminiSettings
    ) throws(Refusal) {
        let minute = Duration.milliseconds(settings.minuteMs ?? 60_000)
        let today = Self.day(of: time)
        if day?.date != today { day = (today, 0) }
        let used = day?.admitted ?? 0
        let (ofMinute, ofTokens, ofDayLimit) = (
            settings.requestsPerMinute ?? 0, settings.tokensPerMinute ?? 0, settings.requestsPerDay ?? 0
        )
        let isDaySpent = ofDayLimit > 0 && used >= ofDayLimit
        let waits = (
            requests: requests.wait(at: instant, limit: ofMinute, length: minute),
            tokens: tokens.wait(at: instant, limit: ofTokens, length: minute, weight: weight)
        )
        var violations: [Violation] = []
        if isDaySpent { violations.append(Violation(name: .requestsPerDay, model: model, limit: ofDayLimit)) }
        if waits.requests != nil {
            violations.append(Violation(name: .requestsPerMinute, model: model, limit: ofMinute))
        }
        if waits.tokens != nil { violations.append(Violation(name: .tokensPerMinute, model: model, limit: ofTokens)) }
        guard violations.isEmpty else {
            if isDaySpent { ofDay.refused += 1 }
            if waits.requests != nil { requests.refuse() }
            if waits.tokens != nil { tokens.refuse() }
            throw Refusal(
                violations: violations, wait: max(waits.requests ?? .zero, waits.tokens ?? .zero))
        }
        requests.admit(at: instant, length: minute)
        tokens.admit(at: instant, length: minute, weight: weight)
        day = (today, used + 1)
        ofDay.admitted += 1
        ofDay.largest = max(ofDay.largest, used + 1)
    }

    /// The day in California, or in UTC on a system that does not know that time zone.
    static func day(of time: Timestamp) -> LocalDay {
        let date = Date(timeIntervalSince1970: Double(time.microseconds) / 1_000_000)
        let offset = TimeZone(identifier: "America/Los_Angeles")?.secondsFromGMT(for: date) ?? 0
        return LocalDay(date.addingTimeInterval(Double(offset)))
    }
}
