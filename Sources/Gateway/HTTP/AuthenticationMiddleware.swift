import Accounts
import HTTPTypes
import Hummingbird
import Model
import Storage

/// Authenticates requests by API token or session cookie, and refuses those without a valid one.
///
/// A browser adds the cookie to every request, whichever site made it. With a cookie, a request that may change
/// something therefore needs this site's `Origin` (docs/decisions/005-cookies-and-origins.md). Browsers never send a
/// token by themselves, so a request with a token needs no `Origin`.
struct AuthenticationMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    let credentials: CredentialCache
    let cookie: SessionCookie
    let site: SiteOrigin
    let throttle: SignInThrottle

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try await next(request, identified(request, context))
    }

    /// The context with the user who makes the request.
    ///
    /// - Throws: ``Problem`` when no valid credential came with the request, or a cookie came without this site's
    ///   `Origin` although the request may change something.
    func identified(_ request: Request, _ context: Context) async throws -> Context {
        var context = context
        if let header = request.headers[.authorization] {
            let token = try Self.token(in: header)
            let found =
                if let known = credentials.remembered(token.hash) { known } else {
                    try await throttle.find(request, context) { try await credentials.holder(of: token) }
                }
            guard let found else { throw Problem.unauthorized }
            guard found.scope == nil else { throw Problem.tokenScope }
            (context.user, context.token) = (found.user, token)
        } else if let session = cookie.session(of: request) {
            let found =
                if let known = credentials.remembered(session.hash) { known } else {
                    try await throttle.find(request, context) { try await credentials.holder(of: session) }
                }
            guard let found else { throw Problem.unauthorized }
            guard [.get, .head].contains(request.method) || site.isOrigin(of: request) == true else {
                throw Problem.crossOrigin
            }
            (context.user, context.session) = (found.user, session)
            (context.sessionTokenHash, context.sessionEnd) = (found.tokenHash, found.sessionEnd)
        } else {
            throw Problem.unauthorized
        }
        return context
    }

    private static func token(in header: String) throws -> APIToken {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= 200 else {
            throw Problem.unauthorized
        }
        return APIToken(secret: Secret(String(parts[1])))
    }
}
