/// A decided answer: what it says, when it leaves, and how much of it does.
struct Answer: Sendable {
    enum Delivery: Sendable {
        case whole
        /// The connection ends once the answer is out, unannounced.
        case wholeThenClose
        /// The head promises everything, half of the body follows.
        case half
        /// Nothing; the connection ends.
        case none
    }

    var status: Int
    var contentType = "application/json;charset=utf-8"
    var body: String
    /// From the arrival of the request until the answer leaves.
    var pause: Duration = .zero
    /// Written as rate headers, which only a 200 has.
    var standing: DailyQuota.Standing?
    var headers: [(name: String, value: String)] = []
    var delivery = Delivery.whole
}
