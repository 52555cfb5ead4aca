import Model

/// One call to an upstream, without its base URL.
///
/// Secrets travel apart from everything that may be described, so that a request can be logged.
package struct UpstreamRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// Interactive calls take permits before background ones.
    package enum Urgency: Int, Sendable, Comparable, CaseIterable {
        case background = 0
        case interactive = 1

        package static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
    }

    /// For whom the requests of a task are, unless they say another person.
    @TaskLocal package static var currentPerson: String?

    package var method: Method
    /// Appended to the provider's base URL; starts with `/`, already percent-encoded.
    package var path: String
    /// Encoded by the transport.
    package var query: [(name: String, value: String)]
    /// Query parameters that must not be seen: Ticketmaster's `apikey`.
    package var secretQuery: [(name: String, value: Secret)]
    package var headers: [(name: String, value: String)]
    package var secretHeaders: [(name: String, value: Secret)]
    package var body: [UInt8]?
    package var urgency: Urgency
    /// For whom it is: calls of one key are served person by person. `nil` stands for nobody in particular.
    package var person: String?
    /// What it takes up of its key's quotas that count weight, such as tokens: the most that it may come to.
    package var weight: Int
    /// Whether sending it twice does no harm; only then may it be retried after it left.
    package var isIdempotent: Bool
    /// Called once, when the first permit is there and before anything is sent: what is asked for may have grown while
    /// the request waited. When it throws, the permit goes back unused, and the call throws the same.
    package var complete: (@Sendable (inout UpstreamRequest) throws -> Void)?
    /// Asked in the moment before the request is sent, every time it is, on the transport's thread: `false` keeps it
    /// here. Who answers that cancels the call as well, which is tried again otherwise.
    package var mayLeave: (@Sendable () -> Bool)?

    package init(
        method: Method = .get, path: String, query: [(name: String, value: String)] = [],
        secretQuery: [(name: String, value: Secret)] = [], headers: [(name: String, value: String)] = [],
        secretHeaders: [(name: String, value: Secret)] = [], body: [UInt8]? = nil,
        urgency: Urgency = .interactive, person: String? = UpstreamRequest.currentPerson, weight: Int = 0,
        isIdempotent: Bool? = nil
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.secretQuery = secretQuery
        self.headers = headers
        self.secretHeaders = secretHeaders
        self.body = body
        self.urgency = urgency
        self.person = person
        self.weight = weight
        self.isIdempotent = isIdempotent ?? (method != .post)
    }
}
