@testable import Gateway

/// The statuses of an operation of `docs/openapi.yaml` for each kind of client. For an operation that is not in the
/// table, the document's `security` says whether it needs a token, and its domain's own tests have the other statuses.
///
/// A path's parameter names a row of the owner, even in another user's request.
struct AccessRule: Sendable {
    /// The kind of row that a path's parameter names.
    enum Resource: Sendable {
        case job, deadLetter, artist, search, token, session, profile
    }

    var resource: Resource?
    var body: String?
    /// The statuses without a token, for the owner and for another user. Expired and revoked tokens count as no token.
    var nobody: Int? = 401
    /// `nil` if the response would not end, or if the table does not say.
    var owner: Int?
    var other: Int?
    /// Whether the operation is for administrators only. The test then repeats it as an administrator.
    var isForAdministrators = false

    /// The rule that follows from the document, which says whether the operation is public.
    static func documented(_ operation: [String: Any]) -> AccessRule {
        let isOpen = (operation["security"] as? [Any])?.isEmpty == true
        return AccessRule(nobody: isOpen ? nil : 401)
    }

    /// A rule for operations in which every user gets their own rows.
    static func each(_ status: Int, body: String? = nil) -> AccessRule {
        AccessRule(body: body, owner: status, other: status)
    }

    /// A rule for a row that exists only for its owner.
    static func own(_ resource: Resource, _ status: Int, body: String? = nil) -> AccessRule {
        AccessRule(resource: resource, body: body, owner: status, other: 404)
    }

    static func open(_ status: Int, body: String? = nil) -> AccessRule {
        AccessRule(body: body, nobody: status, owner: status, other: status)
    }

    static func administrators(_ resource: Resource? = nil) -> AccessRule {
        AccessRule(resource: resource, owner: 403, other: 403, isForAdministrators: true)
    }

    static let table: [String: AccessRule] = [
        "GET /healthz": .open(200),
        "GET /readyz": .open(200),
        "GET /metrics": .open(200),
        // Signing in needs no token. This token is unknown.
        "POST /v1/session": .open(401, body: #"{"token":"bl_nobody"}"#),
        "GET /v1/session": .each(200),
        // A token has no session to end.
        "DELETE /v1/session": .each(409),
        // No client id is configured.
        "GET /v1/auth": .open(200),
        "POST /v1/auth/google": .open(503, body: #"{"idToken":"e30.e30.e30"}"#),
        "GET /v1/auth/google/start": .open(503),
        "GET /v1/auth/google/callback": .open(303),
        "GET /v1/me": .each(200),
        "PATCH /v1/me": .each(200, body: #"{"bio":"Hello"}"#),
        // The body must have the user's own name.
        "DELETE /v1/me": AccessRule(body: #"{"username":"ada"}"#, owner: 204, other: 422),
        "GET /v1/me/export": .each(200),
        "GET /v1/me/tokens": .each(200),
        "POST /v1/me/tokens": .each(201, body: #"{"name":"phone"}"#),
        "DELETE /v1/me/tokens/{id}": .own(.token, 204),
        "GET /v1/me/sessions": .each(200),
        "DELETE /v1/me/sessions/{id}": .own(.session, 204),
        "GET /v1/users/{username}": .own(.profile, 200),
        "GET /v1/setup": .each(200),
        // The body is empty, so that no worker has to verify a key.
        "PUT /v1/setup/gemini": .each(422, body: "{}"),
        "PUT /v1/setup/ticketmaster": .each(422, body: "{}"),
        "PUT /v1/setup/apple-music": .each(422, body: "{}"),
        "DELETE /v1/setup/gemini": .each(204),
        "DELETE /v1/setup/ticketmaster": .each(204),
        "DELETE /v1/setup/apple-music": .each(204),
        // No client id is configured.
        "POST /v1/setup/spotify/authorize": .each(503, body: "{}"),
        "GET /v1/setup/spotify/callback": .each(303),
        "POST /v1/setup/spotify/callback": .each(503, body: #"{"code":"c","state":"s"}"#),
        "POST /v1/setup/spotify/account": .each(422, body: #"{"id":"q","answer":"cancel"}"#),
        "DELETE /v1/setup/spotify": .each(200),
        "POST /v1/jobs": .each(202, body: #"{"kind":"diagnostics.echo"}"#),
        "GET /v1/jobs": .each(200),
        "POST /v1/jobs/batch": .each(202, body: #"{"jobs":[{"kind":"diagnostics.echo"}]}"#),
        "GET /v1/jobs/summary": .each(200),
        "GET /v1/jobs/{id}": .own(.job, 200),
        "POST /v1/jobs/{id}/cancel": .own(.job, 200),
        "POST /v1/jobs/{id}/requeue": .own(.deadLetter, 202),
        "GET /v1/events": AccessRule(owner: nil, other: nil),
        "GET /v1/artists": .each(200),
        "PUT /v1/artists": .each(200, body: #"{"artists":["Air"]}"#),
        "POST /v1/artists": .each(201, body: #"{"name":"Moby"}"#),
        "DELETE /v1/artists/{id}": .own(.artist, 204),
        "POST /v1/artists/{id}/move": .own(.artist, 200, body: #"{"to":1}"#),
        "GET /v1/concert-searches": .each(200),
        "POST /v1/concert-searches": .each(202, body: #"{"artists":["Air"]}"#),
        "GET /v1/concert-searches/{id}": .own(.search, 200),
        // The search has no show with a date yet.
        "GET /v1/concert-searches/{id}.ics": .own(.search, 409),
        "POST /v1/concert-searches/{id}/cancel": .own(.search, 200),
        // The search has nothing to retry, and other users do not learn that.
        "POST /v1/concert-searches/{id}/retry": .own(.search, 409),
        "GET /v1/concerts/nearby": .each(422),
        "GET /v1/library/summary": .each(200),
        "GET /v1/library/tracks": .each(200),
        "GET /v1/library/playlists": .each(200),
        "GET /v1/library/albums": .each(200),
        "GET /v1/library/changes": .each(200),
        "POST /v1/library/syncs": .each(202, body: "{}"),
        "POST /v1/library/errors/dismiss": .each(200),
        "GET /v1/admin/overview": .administrators(),
        "GET /v1/admin/workers": .administrators(),
        "GET /v1/admin/permits": .administrators(),
        "GET /v1/admin/series": .administrators(),
        "GET /v1/admin/dead-letters": .administrators(),
        "POST /v1/admin/jobs/{id}/requeue": .administrators(.deadLetter),
    ]
}
