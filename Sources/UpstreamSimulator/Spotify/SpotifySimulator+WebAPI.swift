import Model

extension SpotifySimulator {
    /// The Web API: checks the token first, then whether the app's dashboard lists the person, then the scope.
    func webAPI(_ call: Call) -> Answer {
        guard call.headers[.authorization] != nil else { return Self.error(401, "No token provided") }
        guard let token = call.bearerToken else {
            return Self.error(400, "Only valid bearer authentication supported")
        }
        let now = Timestamp.now()
        let (settings, known, consent) = state.withLock { state in
            let known = state.grants.accessTokens[token]
            return (state.settings, known, known.map { state.grants.consents[$0.consent] })
        }
        guard let known, let consent, let person = SpotifyPerson(id: consent.person) else {
            return Self.error(401, "Invalid access token")
        }
        guard known.endsAt > now else { return Self.error(401, "The access token expired") }
        guard settings.unlisted?.contains(person.id) != true else { return Self.notListed }

        let scopes = Set(consent.scopes)
        switch (call.method, call.target.path) {
        case (.get, "/spotify/v1/me"):
            guard scopes.contains("user-read-private") else { return Self.error(403, "Insufficient client scope") }
            return Answer(status: 200, body: person.document(mode: settings.mode ?? .dev2026, scopes: scopes))
        default: return Self.error(404, "Service not found")
        }
    }

    /// An error of the Web API, which nests where the accounts service is flat.
    static func error(
        _ status: Int, _ message: String, reason: String? = nil, headers: [(name: String, value: String)] = []
    ) -> Answer {
        var json = JSONWriter()
        json.object { json in
            json.object("error") { json in
                json.number("status", status)
                json.string("message", message)
                if let reason { json.string("reason", reason) }
            }
        }
        return Answer(status: status, body: json.text, headers: headers)
    }

    /// The 403 of somebody whom the app's owner has not entered in the dashboard: text, not JSON.
    static let notListed = Answer(
        status: 403, contentType: "text/plain",
        body: "Check settings on developer.spotify.com/dashboard, the user may not be registered.")
}
