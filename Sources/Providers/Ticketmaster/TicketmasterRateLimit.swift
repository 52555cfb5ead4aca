import Model

/// The daily quota of a key, from the headers of a successful answer. Refusals have no such headers.
package struct TicketmasterRateLimit: Hashable, Sendable {
    /// The number of calls per day.
    package var limit: Int?
    /// The number of calls left.
    package var available: Int?
    /// When the quota resets: 24 hours after its first call.
    package var resetsAt: Timestamp?

    /// - Parameter headers: by name in lower case. `Rate-Limit-Reset` is in milliseconds since 1970.
    package init(headers: [String: String]) {
        func number(_ name: String, in range: ClosedRange<Int>) -> Int? {
            headers[name].flatMap(\.trimmed).flatMap { Int(decimal: $0, in: range) }
        }
        limit = number("rate-limit", in: serviceNumbers)
        available = number("rate-limit-available", in: serviceNumbers)
        resetsAt = number("rate-limit-reset", in: 1...Int.max).flatMap { Timestamp(milliseconds: $0) }
    }
}
