import Model

extension GoogleSimulator {
    /// A valid request to the authorization endpoint.
    private struct Authorization {
        var client: String
        var redirectURI: String
        var scopes: [String]
        var state: String?
        var nonce: String?
        var challenge: String?
    }

    private struct Problem: Error {
        var message: String
    }

    func authorize(_ call: Call) -> Answer {
        switch authorization(call.target) {
        case .failure(let problem): ConsentPage.refusal(problem.message)
        case .success(let asked):
            ConsentPage(
                title: "Sign in with Google",
                introduction: [
                    "This is upstream-sim, a stand-in for Google.",
                    "Choose an account to continue to \(asked.client), which will see: "
                        + asked.scopes.joined(separator: ", ") + ".",
                ],
                buttons: GooglePerson.all.map { ("Continue as \($0.label)", $0.subject) } + [("Cancel", "cancel")]
            ).answer
        }
    }

    /// Handles the buttons of the page: `decision` is a person's `sub`, or `cancel`.
    func decide(_ call: Call) -> Answer {
        switch authorization(call.target) {
        case .failure(let problem): return ConsentPage.refusal(problem.message)
        case .success(let asked):
            let decision = call.form?["decision"]
            if decision == "cancel" {
                return Redirect.to(asked.redirectURI, [("error", "access_denied"), ("state", asked.state)])
            }
            guard let person = GooglePerson(subject: decision) else {
                return ConsentPage.refusal("Press one of the buttons.")
            }
            let now = Timestamp.now()
            let code = OpaqueToken.make("4/0A", length: 70)
            state.withLock { state in
                state.codes = state.codes.filter { $0.value.endsAt > now }
                state.codes[code] = Code(
                    client: asked.client, person: person, redirectURI: asked.redirectURI, scopes: asked.scopes,
                    nonce: asked.nonce, challenge: asked.challenge,
                    endsAt: now.advanced(by: .seconds(state.settings.codeSeconds ?? 0)))
            }
            return Redirect.to(
                asked.redirectURI,
                [("state", asked.state), ("code", code), ("scope", asked.scopes.joined(separator: " "))])
        }
    }

    private func authorization(_ target: RequestTarget) -> Result<Authorization, Problem> {
        func wrong(_ message: String) -> Result<Authorization, Problem> { .failure(Problem(message: message)) }
        let clients = state.withLock { $0.settings.clients } ?? []
        guard let client = clients.first(where: { $0.id == target["client_id"] }) else {
            return wrong("Error 401: invalid_client. The OAuth client was not found.")
        }
        guard let redirectURI = target["redirect_uri"], client.admits(redirectURI) else {
            return wrong("Error 400: redirect_uri_mismatch")
        }
        guard target["response_type"] == "code" else {
            return wrong("Error 400: invalid_request. Missing or unknown: response_type")
        }
        let scopes = (target["scope"] ?? "").split(separator: " ").map(String.init)
        guard scopes.contains("openid"), Set(scopes).isSubset(of: ["openid", "email", "profile"]) else {
            return wrong("Error 400: invalid_scope")
        }
        let challenge = target["code_challenge"]
        guard challenge == nil || target["code_challenge_method"] == "S256" && PKCE.isChallenge(challenge ?? "") else {
            return wrong("Error 400: invalid_request. code_challenge is not an S256 challenge.")
        }
        return .success(
            Authorization(
                client: client.id, redirectURI: redirectURI, scopes: scopes, state: target["state"],
                nonce: target["nonce"], challenge: challenge))
    }
}
