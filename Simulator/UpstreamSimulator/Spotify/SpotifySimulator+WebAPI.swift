import Model

extension SpotifySimulator {
    /// The Web API: checks the token first, then the app's limit, then whether its owner has Premium and its dashboard
    /// lists the person, then the scope.
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
        if let refusal = limit(consent.client, settings) { return refusal }
        let app = settings.clients?.first { $0.id == consent.client }
        guard app?.ownerHasPremium != false else { return Self.ownerPremiumMissing }
        guard settings.unlisted?.contains(person.id) != true, app?.people?.contains(person.id) != false else {
            return Self.notListed
        }

        let scopes = Set(consent.scopes)
        switch (call.method, call.target.path) {
        case (.get, "/spotify/v1/me"):
            guard scopes.contains("user-read-private") else { return Self.error(403, "Insufficient client scope") }
            return Answer(document: person.document(mode: settings.mode ?? .dev2026, scopes: scopes))
        default:
            return browse(
                SpotifyVisit(call, person: person, scopes: scopes, mode: settings.mode ?? .dev2026))
        }
    }

    /// The refusal of an app that has used up its rolling window; `nil` otherwise. It applies to all of the app's
    /// people.
    private func limit(_ client: String, _ settings: SpotifySettings) -> Answer? {
        let wait = state.withLock { state in
            state.windows[client, default: RollingLimit()].admit(
                at: .now(), limit: settings.requestsPerWindow ?? 0, length: .seconds(settings.windowSeconds ?? 30))
        }
        guard let wait else { return nil }
        // The wait in whole seconds, as in `Retry-After`.
        let seconds = settings.retryAfterSeconds ?? Int(max(1, (wait.microseconds + 999_999) / 1_000_000))
        let headers = [(name: "Retry-After", value: String(seconds))]
        return switch settings.limitForm ?? .json {
        case .json: Self.error(429, "API rate limit exceeded", headers: headers)
        case .text: Answer(status: 429, contentType: "text/plain", body: "Too many requests", headers: headers)
        }
    }

    static func error(
        _ status: Int, _ message: String, reason: String? = nil, headers: [(name: String, value: String)] = []
    ) -> Answer {
        Answer(status: status, document: SpotifyErrorDocument(status, message, reason: reason), headers: headers)
    }

    /// The 403 for somebody whom the app's owner has not entered in the dashboard: text, not JSON.
    static let notListed = Answer(
        status: 403, contentType: "text/plain",
        body: "Check settings on developer.spotify.com/dashboard, the user may not be registered.")

    /// The 403 for every call of an app whose owner has no Premium.
    static let ownerPremiumMissing = error(
        403,
        "Active premium subscription required for the owner of the app. When the subscription status changes, it can "
            + "take a few hours before requests are allowed again.")
}
