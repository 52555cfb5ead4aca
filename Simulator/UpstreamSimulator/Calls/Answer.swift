/// An answer: its content, its delay, and how much of it is delivered.
struct Answer: Sendable {
    enum Delivery: Sendable {
        case whole
        /// Closes the connection after the answer, without `Connection: close`.
        case wholeThenClose
        /// The head announces the whole body, but only half of it follows.
        case half
        /// Closes the connection without an answer.
        case none
    }

    var status: Int
    var contentType = "application/json;charset=utf-8"
    var body: String
    /// The time from the arrival of the request until the answer is sent.
    var pause: Duration = .zero
    /// The values of the rate headers, which only a 200 has.
    var quotaStatus: DailyQuota.Status?
    var headers: [(name: String, value: String)] = []
    var delivery = Delivery.whole
}
