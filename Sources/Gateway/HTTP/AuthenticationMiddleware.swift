import Accounts
import HTTPTypes
import Hummingbird
import Model
import Storage

/// Lets only requests with a known bearer token or session cookie through, and says whose they are.
///
/// A browser adds the cookie to whatever any page makes it send. A request that may change something
/// therefore needs an `Origin` of this site with it. A token is never sent unasked, and needs none.
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

    /// The context with whoever makes the request.
    ///
    /// - Throws: ``Problem``, when nothing says who that is, or a cookie alone says so of a change.
    func identified(_ request: Request, _ context: Context) async throws -> Context {
        var context = context
        if let header = request.headers[.authorization] {
            let token = try Self.token(in: header)
            let found =
                if let known = credentials.remembered(token.hash) { known } else {
                    try await throttle.find(request, context) { try await credentials.holder(of: token) }
                }
            guard let found else { throw Problem.unauthorized }
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

    private static func token(in header: String) throws -> AccessToken {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= 200 else {
            throw Problem.unauthorized
        }
        return AccessToken(secret: Secret(String(parts[1])))
    }
}
