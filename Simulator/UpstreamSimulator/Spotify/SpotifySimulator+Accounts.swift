import Model

extension SpotifySimulator {
    /// A valid request to `/authorize`.
    private struct Authorization {
        var client: String
        var redirectURI: String
        var scopes: [String]
        var state: String?
        var challenge: String
        var showsDialog: Bool
    }

    /// Shows the consent page, or redirects at once if the person has already consented to all of it.
    func authorize(_ call: Call) -> Answer {
        switch authorization(call.target) {
        case .failure(let problem): return ConsentPage.refusal(problem.message)
        case .success(let asked):
            let person = state.withLock { $0.settings.signedInAs } ?? SpotifyPerson.all[0].id
            let isKnown = state.withLock {
                $0.grants.isAllowed(client: asked.client, person: person, scopes: asked.scopes, at: .now())
            }
            if isKnown, !asked.showsDialog { return allow(asked) }
            return consentPage(asked, person: person)
        }
    }

    /// Handles the buttons of the page. Checks all parameters again, since the server keeps no state between the two.
    func decide(_ call: Call) -> Answer {
        switch authorization(call.target) {
        case .failure(let problem): return ConsentPage.refusal(problem.message)
        case .success(let asked):
            switch call.form?["decision"] {
            case "allow": return allow(asked)
            case "cancel":
                return Redirect.to(asked.redirectURI, [("error", "access_denied"), ("state", asked.state)])
            default: return ConsentPage.refusal("Press one of the buttons.")
            }
        }
    }

    private struct Problem: Error {
        var message: String
    }

    /// These errors are not sent to the app: its address is not verified yet.
    private func authorization(_ target: RequestTarget) -> Result<Authorization, Problem> {
        func wrong(_ message: String) -> Result<Authorization, Problem> { .failure(Problem(message: message)) }
        let clients = state.withLock { $0.settings.clients } ?? []
        guard let client = clients.first(where: { $0.id == target["client_id"] }) else {
            return wrong("INVALID_CLIENT: Invalid client")
        }
        guard let redirectURI = target["redirect_uri"], !redirectURI.isEmpty else {
            return wrong("INVALID_CLIENT: Missing redirect URI")
        }
        guard RedirectAddress.isSecure(redirectURI) else { return wrong("INVALID_CLIENT: Insecure redirect URI") }
        guard client.redirectURIs.contains(where: { RedirectAddress.admits(registered: $0, redirectURI) }) else {
            return wrong("INVALID_CLIENT: Invalid redirect URI")
        }
        guard target["response_type"] == "code" else { return wrong("response_type must be code") }
        guard target["code_challenge_method"] == "S256" else { return wrong("code_challenge_method must be S256") }
        guard let challenge = target["code_challenge"], PKCE.isChallenge(challenge) else {
            return wrong("code_challenge must be the base64url of a SHA-256 digest, without padding")
        }
        let scopes = SpotifyScopes.parse(target["scope"])
        guard scopes.allSatisfy({ SpotifyScopes.meanings[$0] != nil }) else {
            return wrong("INVALID_SCOPE: Invalid scope")
        }
        return .success(
            Authorization(
                client: client.id, redirectURI: redirectURI, scopes: scopes, state: target["state"],
                challenge: challenge, showsDialog: target["show_dialog"] == "true"))
    }

    private func allow(_ asked: Authorization) -> Answer {
        let now = Timestamp.now()
        let code = state.withLock { state in
            let withheld = Set(state.settings.withheldScopes ?? [])
            let consent = SpotifyGrants.Consent(
                client: asked.client, person: state.settings.signedInAs ?? SpotifyPerson.all[0].id,
                scopes: asked.scopes.filter { !withheld.contains($0) }, at: now)
            return state.grants.allow(
                consent, redirectURI: asked.redirectURI, challenge: asked.challenge,
                codeEndsAt: now.advanced(by: .seconds(state.settings.codeSeconds ?? 0)))
        }
        return Redirect.to(asked.redirectURI, [("code", code), ("state", asked.state)])
    }

    private func consentPage(_ asked: Authorization, person: String) -> Answer {
        let name = SpotifyPerson(id: person).map { $0.name.isEmpty ? $0.id : $0.name } ?? person
        let scopes = asked.scopes.map { "\(SpotifyScopes.meanings[$0] ?? $0) (\($0))" }
        return ConsentPage(
            title: "Connect \(asked.client) to Spotify",
            introduction: [
                "This is upstream-sim, a stand-in for Spotify.", "You are signed in as \(name).",
                scopes.isEmpty ? "The app will see your name only." : "The app will be able to:",
            ],
            list: scopes, buttons: [("Allow", "allow"), ("Cancel", "cancel")]
        ).answer
    }
}
