/// An error of a token endpoint: always 400, always flat (RFC 6749, section 5.2).
struct OAuthRefusal: Error, Equatable {
    var error: String
    var description: String

    static func grant(_ description: String) -> OAuthRefusal {
        OAuthRefusal(error: "invalid_grant", description: description)
    }

    static func request(_ description: String) -> OAuthRefusal {
        OAuthRefusal(error: "invalid_request", description: description)
    }

    var answer: Answer {
        Answer(
            status: 400, contentType: "application/json", document: OAuthErrorDocument(error, description),
            headers: [("Cache-Control", "no-store")])
    }
}

/// The body of a token endpoint's error.
struct OAuthErrorDocument: Encodable {
    let error: String
    let description: String

    init(_ error: String, _ description: String) {
        self.error = error
        self.description = description
    }

    enum CodingKeys: String, CodingKey {
        case error
        case description = "error_description"
    }
}
