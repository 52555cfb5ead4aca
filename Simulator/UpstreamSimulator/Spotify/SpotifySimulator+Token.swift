import Model

extension SpotifySimulator {
    /// `POST /api/token` for apps without a client secret.
    func token(_ call: Call) -> Answer {
        do {
            return try exchange(call)
        } catch {
            return error.answer
        }
    }

    private func exchange(_ call: Call) throws(OAuthRefusal) -> Answer {
        // A body that is not a form is answered like an empty form.
        guard let form = call.form, let grant = form["grant_type"] else {
            throw OAuthRefusal(error: "unsupported_grant_type", description: "grant_type parameter is missing")
        }
        guard ["authorization_code", "refresh_token"].contains(grant) else {
            throw OAuthRefusal(
                error: "unsupported_grant_type",
                description: "grant_type must be client_credentials, authorization_code or refresh_token")
        }
        // No app here has a secret, so a request with a secret is refused.
        let clients = state.withLock { $0.settings.clients } ?? []
        guard call.headers[.authorization] == nil, let client = form["client_id"],
            clients.contains(where: { $0.id == client })
        else { throw OAuthRefusal(error: "invalid_client", description: "Invalid client") }
        return grant == "refresh_token"
            ? try refresh(form, client: client) : try redeem(form, client: client)
    }

    private func redeem(_ form: RequestTarget, client: String) throws(OAuthRefusal) -> Answer {
        guard let code = form["code"], !code.isEmpty else { throw .request("code must be supplied") }
        guard let redirectURI = form["redirect_uri"], !redirectURI.isEmpty else {
            throw .request("redirect_uri must be supplied")
        }
        guard let verifier = form["code_verifier"], !verifier.isEmpty else { throw .request("code_verifier required") }
        guard PKCE.isVerifier(verifier) else { throw .request("code_verifier must be 43 to 128 characters long") }
        let now = Timestamp.now()
        return try update { state throws(OAuthRefusal) in
            let consent = try state.grants.redeem(
                code, client: client, redirectURI: redirectURI, verifier: verifier, at: now)
            let refreshToken = state.grants.makeRefreshToken(consent: consent)
            return Self.tokens(&state, consent: consent, refreshToken: refreshToken, at: now)
        }
    }

    private func refresh(_ form: RequestTarget, client: String) throws(OAuthRefusal) -> Answer {
        guard let token = form["refresh_token"], !token.isEmpty else {
            throw .request("refresh_token must be supplied")
        }
        let now = Timestamp.now()
        return try update { state throws(OAuthRefusal) in
            let consent = try state.grants.consent(ofRefreshToken: token, client: client, at: now)
            var next: String?
            switch state.settings.refresh ?? .rotate {
            case .rotate: next = state.grants.makeRefreshToken(consent: consent, replacing: token)
            case .keep: break
            case .expired: throw .grant("Refresh token expired")
            case .revoked: throw .grant("Refresh token revoked")
            }
            return Self.tokens(&state, consent: consent, refreshToken: next, at: now)
        }
    }

    private func update(
        _ change: (inout State) throws(OAuthRefusal) -> Answer
    ) throws(OAuthRefusal) -> Answer {
        let result = state.withLock { state -> Result<Answer, OAuthRefusal> in
            do throws(OAuthRefusal) {
                return .success(try change(&state))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func tokens(
        _ state: inout State, consent: Int, refreshToken: String?, at now: Timestamp
    ) -> Answer {
        let seconds = state.settings.accessTokenSeconds ?? 3_600
        let accessToken = state.grants.makeAccessToken(
            consent: consent, endsAt: now.advanced(by: .seconds(seconds)))
        let tokens = SpotifyTokensDocument(
            accessToken: accessToken, expiresIn: seconds, refreshToken: refreshToken,
            scope: state.grants.consents[consent].scopes.joined(separator: " "))
        return Answer(contentType: "application/json", document: tokens, headers: [("Cache-Control", "no-store")])
    }
}
