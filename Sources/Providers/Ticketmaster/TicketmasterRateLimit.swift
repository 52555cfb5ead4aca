import Model

/// The daily quota of a key, from the headers of a success. Refusals have no such headers.
package struct TicketmasterRateLimit: Hashable, Sendable {
    /// Calls in a day.
    package var limit: Int?
    /// Calls left.
    package var available: Int?
    /// When the quota resets: 24 hours after its first call.
    package var resetsAt: Timestamp?

    /// - Parameter headers: by name in lower case. `Rate-Limit-Reset` is in milliseconds since 1970.
    package init(headers: [String: String]) {
        func number(_ name: String) -> Int64? {
            headers[name].flatMap(\.trimmed).flatMap { Int64($0) }
        }
        limit = number("rate-limit").flatMap { Int(exactly: $0) }
        available = number("rate-limit-available").flatMap { Int(exactly: $0) }
        resetsAt = number("rate-limit-reset").flatMap { milliseconds in
            let (microseconds, overflow) = milliseconds.multipliedReportingOverflow(by: 1_000)
            return overflow || milliseconds <= 0 ? nil : Timestamp(microseconds: microseconds)
        }
    }
}
