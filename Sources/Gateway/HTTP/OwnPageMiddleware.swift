import HTTPTypes
import Hummingbird

/// Refuses a request with a session cookie unless a page of this site made it. It runs after
/// ``AuthenticationMiddleware``.
///
/// A browser also adds the cookie when another site links to an address here or embeds it as a picture. Such a request
/// may read, since the other site cannot see the answer. It must not call an upstream in the user's name.
struct OwnPageMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard context.session == nil || request.isOfOwnPage else { throw Problem.notOfOwnPage }
        return try await next(request, context)
    }
}

extension RouterGroup<GatewayContext> {
    /// The group for every `GET` that causes calls to an upstream:
    /// `group.askingUpstreams.get("concerts/nearby", use: nearby)`.
    package var askingUpstreams: RouterGroup<GatewayContext> { group().add(middleware: OwnPageMiddleware()) }
}

extension Request {
    /// Whether a script of this site's pages made the request.
    ///
    /// Over https, and on the same machine, browsers send `Sec-Fetch-Site` (w3.org/TR/fetch-metadata). Over plain http
    /// they do not, so our pages add `Backline-Page`. A script of another site cannot add that field without a
    /// preflight request (fetch.spec.whatwg.org, "CORS-preflight fetch"), which the gateway refuses. `none`, which
    /// stands for a typed address, does not count, since a link in a message is `none` as well.
    var isOfOwnPage: Bool {
        headers[.secFetchSite] == "same-origin" || headers[.backlinePage] != nil
    }
}

extension Problem {
    package static let notOfOwnPage = Problem(
        .forbidden, code: .crossOrigin, title: "The request is not from this site",
        detail: "This request would call another service. With a session cookie, only this site's own pages may make "
            + "it, with 'Sec-Fetch-Site: same-origin' or a Backline-Page field. Programs send a token instead.")
}

extension HTTPField.Name {
    package static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
    /// Marks the requests of our own pages; any value counts.
    static let backlinePage = HTTPField.Name("Backline-Page")!
}
