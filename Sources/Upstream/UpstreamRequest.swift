import Model
import Platform

/// One request to an upstream, without its base URL.
///
/// Secrets are in separate fields, so that the other fields can be logged.
package struct UpstreamRequest: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    /// Interactive calls get permits before background ones.
    package enum Urgency: Int, Sendable, Comparable, CaseIterable {
        case background = 0
        case interactive = 1

        package static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
    }

    /// The person for whom requests of this task are made, unless they name another person.
    @TaskLocal package static var currentPerson: String?

    package var method: Method
    /// Appended to the provider's base URL. Starts with `/` and is percent-encoded.
    package var path: String
    /// The transport encodes names and values.
    package var query: [(name: String, value: String)]
    /// Query parameters that are secret, such as Ticketmaster's `apikey`.
    package var secretQuery: [(name: String, value: Secret)]
    /// A query that is already percent-encoded, instead of ``query``; `nil` for none.
    package var encodedQuery: String?
    package var headers: [(name: String, value: String)]
    package var secretHeaders: [(name: String, value: Secret)]
    package var body: [UInt8]?
    /// A file that is sent instead of ``body``.
    package var file: FileBody?
    package var urgency: Urgency
    /// The person for whom the request is made; `nil` for nobody in particular. Calls with the same key are served
    /// round robin by person.
    package var person: String?
    /// The most that the request uses of quotas that count weight, such as tokens.
    package var weight: Int
    /// Whether sending the request twice does no harm. Only then is it retried after it may have left.
    package var isIdempotent: Bool
    /// The path with its query, instead of ``path`` and the queries, where the address itself is a secret. Starts with
    /// `/` and is percent-encoded.
    package var secretTarget: Secret?
    /// If the host's name leads to another address, the connection counts as failed.
    package var allowedAddresses = AllowedAddresses.any
    /// Completes the request. Called once, with the first permit and before anything is sent, so that a request can
    /// cover everything that has accumulated while it waited. If it throws, the permit is returned unused and the call
    /// throws the same error.
    package var complete: (@Sendable (inout UpstreamRequest) throws -> Void)?
    /// Called immediately before each send, on the transport's thread; `false` prevents the send. This counts as a
    /// missed permit, after which the call tries again: also cancel the call.
    package var maySend: (@Sendable () -> Bool)?
    /// The write that the request is part of. The write is recorded with the first permit, before anything is sent, and
    /// the request begins within the write's time or not at all (``UpstreamError/tooLate``). Requests that only read,
    /// and those for tokens, are not part of a write.
    package var admission: WriteAdmission?

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
        admission = method == .get ? nil : WriteAdmission.current
    }
}

extension UpstreamRequest {
    /// A form (`application/x-www-form-urlencoded`) whose answer is JSON, as token endpoints expect it (RFC 6749,
    /// section 4.1.3). It is not idempotent.
    package static func form(path: String, _ fields: [(name: String, value: String)]) -> UpstreamRequest {
        let body = fields.map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
        var request = UpstreamRequest(
            method: .post, path: path,
            headers: [("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "application/json")],
            body: Array(body.utf8), isIdempotent: false)
        request.admission = nil
        return request
    }
}
