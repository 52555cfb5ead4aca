import Gateway
import HTTPTypes

/// A refusal in the form of the ListenBrainz API: `{"code":400,"error":"…"}`. The texts are those of ListenBrainz,
/// since programs compare them.
struct ListenBrainzError: Error, Equatable {
    let status: HTTPResponse.Status
    let text: String
    /// Seconds after which a further attempt makes sense.
    let retryAfter: Int?

    init(_ status: HTTPResponse.Status, _ text: String, retryAfter: Int? = nil) {
        (self.status, self.text, self.retryAfter) = (status, text, retryAfter)
    }

    /// A refusal with status 400.
    init(_ text: String) {
        self.init(.badRequest, text)
    }

    static let noHeader = Self(.unauthorized, "You need to provide an Authorization header.")
    static let wrongHeader = Self(.unauthorized, "Provided Authorization header is invalid.")
    static let wrongToken = Self(.unauthorized, "Invalid authorization token.")
    static let notFound = Self(.notFound, "The requested URL was not found on the server.")
    static let tooLarge = Self(
        .contentTooLarge, "Payload too large. Payload cannot exceed \(ListenSubmission.maximumBytes) bytes")

    static func notJSON(_ error: JSONSyntaxError) -> Self {
        Self("Cannot parse JSON document: \(error.reason) at byte \(error.offset)")
    }

    static func unknownUser(_ name: String) -> Self { Self(.notFound, "Cannot find user: \(name)") }
}
