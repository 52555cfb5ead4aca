import Accounts
import HTTPTypes
import Hummingbird
import Model
import Storage

/// Refuses requests without a valid API token or session cookie.
///
/// A browser adds the cookie to every request, whichever site made it. With a cookie, a request that may change
/// something therefore needs this site's `Origin` (docs/decisions/005-cookies-and-origins.md). Browsers never send a
/// token by themselves, so a request with a token needs no `Origin`.
package struct AuthenticationMiddleware: RouterMiddleware {
    package typealias Context = GatewayContext

    package let admission: RequestAdmission
    let site: SiteOrigin
    package let throttle: SignInThrottle

    package func handle(
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
        let identity =
            if let known = context.identity { known } else { try await admission.identity(of: request) }
        switch identity {
        case .none:
            throw Problem.unauthorized
        case .unknown:
            try throttle.countWrong(request, context)
            throw Problem.unauthorized
        case .token(let token, let found):
            guard found.scope == nil else { throw Problem.tokenScope }
            (context.user, context.token) = (found.user, token)
        case .session(let session, let found):
            guard [.get, .head].contains(request.method) || site.isOrigin(of: request) == true else {
                throw Problem.crossOrigin
            }
            (context.user, context.session) = (found.user, session)
            (context.sessionTokenHash, context.sessionEnd) = (found.tokenHash, found.sessionEnd)
        }
        return context
    }
}

extension Problem {
    package static let crossOrigin = Problem(
        .forbidden, code: .crossOrigin, title: "The request is not from this site",
        detail: "A request that changes something needs an Origin header of this site when it comes with a cookie. "
            + "Open the pages at http.publicURL if that is set; behind a proxy, set it, or pass the Host header on. "
            + "Programs send a token instead.")
}
