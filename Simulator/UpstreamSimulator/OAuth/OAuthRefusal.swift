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
        var json = JSONWriter()
        json.object { json in
            json.string("error", error)
            json.string("error_description", description)
        }
        return Answer(
            status: 400, contentType: "application/json", body: json.text, headers: [("Cache-Control", "no-store")])
    }
}
