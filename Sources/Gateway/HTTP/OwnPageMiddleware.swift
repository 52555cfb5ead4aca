import HTTPTypes
import Hummingbird

/// Lets a request that a cookie says who made it through only if a page of this site did; stands behind
/// ``AuthenticationMiddleware``.
///
/// A browser adds the cookie when somebody follows a link or a picture of another site is loaded from here. That may
/// read, since the other site learns nothing of the answer, and is not to have an upstream asked in the person's name.
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
    /// Where reads stand that have an upstream asked: `group.askingUpstreams.get("concerts/nearby", use: nearby)`.
    var askingUpstreams: RouterGroup<GatewayContext> { group().add(middleware: OwnPageMiddleware()) }
}

extension Request {
    /// Whether a script of this site's pages made it.
    ///
    /// Browsers say so themselves (w3.org/TR/fetch-metadata) over https and on the same machine; over plain http they
    /// do not, so that the pages send a field of their own, which no other site's script can without being asked first
    /// (fetch.spec.whatwg.org, "CORS-preflight fetch"), and it is refused then. An address that was typed, which is
    /// `none`, does not count: so does a link in a message.
    var isOfOwnPage: Bool {
        headers[.secFetchSite] == "same-origin" || headers[.backlinePage] != nil
    }
}

extension Problem {
    static let notOfOwnPage = Problem(
        .forbidden, code: "crossOrigin", title: "Not from this site",
        detail: "This has another service asked, so with a cookie it is answered to the site's own pages alone, whose "
            + "requests have 'Sec-Fetch-Site: same-origin' or the field Backline-Page. Programs send a token instead.")
}

extension HTTPField.Name {
    static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
    /// Of the requests of the site's own pages; its value is of no matter.
    static let backlinePage = HTTPField.Name("Backline-Page")!
}
