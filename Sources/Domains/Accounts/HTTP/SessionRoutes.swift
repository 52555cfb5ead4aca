import Accounts
import Gateway
import HTTPTypes
import Hummingbird
import Model
import Storage

/// `/v1/session`: signing a browser in and out.
struct SessionRoutes {
    let accounts: Accounts
    let credentials: CredentialCache
    let cookie: SessionCookie
    let site: SiteOrigin
    let throttle: SignInThrottle
    let maximumBodyBytes: Int

    /// - Parameters:
    ///   - open: for requests of people who are not signed in yet.
    ///   - group: for those who are.
    func add(to open: Router<GatewayContext>, _ group: RouterGroup<GatewayContext>) {
        open.post("v1/session", use: signIn)
        group.get("session", use: show)
        group.delete("session", use: signOut)
    }

    @Sendable func signIn(_ request: Request, _ context: GatewayContext) async throws -> Response {
        // A page of another site must not sign a person in as somebody else. Programs send no Origin.
        guard site.isOrigin(of: request) != false else { throw Problem.crossOrigin }
        let body = try await request.json(limit: maximumBodyBytes)
        let fields = try body.object(["link", "token"])
        let (userAgent, former) = (request.headers[.userAgent], cookie.session(of: request))
        let signedIn: (key: SessionToken, session: Session)
        switch (fields["link"], fields["token"]) {
        case (let link?, nil):
            let code = SignInCode(secret: Secret(try link.string(limit: 200)))
            // Read before it is written, so that guesses do not take the write lock.
            let user = try await throttle.find(request, context) { try await accounts.user(for: code) }
            guard user != nil,
                let found = try await accounts.signIn(link: code, userAgent: userAgent, replacing: former)
            else { throw Problem.invalidLink }
            signedIn = found
        case (nil, let token?):
            let token = APIToken(secret: Secret(try token.string(limit: 200)))
            let user = try await throttle.find(request, context) { try await accounts.user(for: token) }
            guard user != nil,
                let found = try await accounts.signIn(token: token, userAgent: userAgent, replacing: former)
            else { throw Problem.invalidToken }
            signedIn = found
        default:
            throw body.refuse("send either a link's code as link, or a token as token.")
        }
        return answer(signedIn, request)
    }

    /// The answer to somebody who has signed in, with the cookie in place of the browser's former one.
    func answer(_ signedIn: (key: SessionToken, session: Session), _ request: Request) -> Response {
        if let former = cookie.session(of: request) { credentials.forget(former) }
        let (key, session) = signedIn
        return answer(session.user, expiresAt: session.expiresAt, cookie: cookie.set(key, until: session.expiresAt))
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard let user = context.user else { throw Problem.unauthorized }
        guard let session = context.session, let end = context.sessionEnd else {
            return answer(user, expiresAt: nil, cookie: nil)
        }
        // This request is a use, which moves the session's end. The cookie gets the same end.
        let expiry = min(.now().advanced(by: Accounts.sessionLifetime), end)
        return answer(user, expiresAt: expiry, cookie: cookie.set(session, until: expiry))
    }

    @Sendable private func signOut(_ request: Request, _ context: GatewayContext) async throws -> Response {
        guard let session = context.session else {
            throw Problem.conflict(
                code: .noSession,
                "This request came with a token, which has no session to end. "
                    + "'backline token revoke' revokes a token.")
        }
        try await accounts.signOut(session)
        credentials.forget(session)
        var response = Response(status: .noContent)
        response.setCookie(cookie.cleared)
        return response
    }

    private func answer(_ user: UserRecord, expiresAt: Timestamp?, cookie: Cookie?) -> Response {
        var response = Response.json(
            .ok,
            JSONWriter.object { json in
                json.member("user") { user.write(to: &$0) }
                json.member("expiresAt", expiresAt)
            })
        if let cookie { response.setCookie(cookie) }
        return response
    }
}

extension UserRecord {
    /// Writes the signed-in user, as in the answers to sign-ins.
    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("id", id)
            $0.member("name", name)
            $0.member("isAdmin", isAdmin)
        }
    }
}

extension Problem {
    static let invalidLink = Problem(
        .unauthorized, code: .invalidLink, title: "This sign-in link does not work",
        detail: "It has already been used, is older than ten minutes, or is incomplete. 'backline open' prints a new "
            + "one.")

    static let invalidToken = Problem(
        .unauthorized, code: .invalidToken, title: "This token does not work",
        detail: "It is incomplete, has expired, or was revoked. 'backline token add' prints a new one.")
}
