import HTTPTypes
import Hummingbird

/// Tells browsers to take every answer for what it says it is, and no more, and to come over TLS alone.
struct SecurityHeadersMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    /// How long a browser keeps to TLS, in whole seconds (RFC 6797); `nil` says nothing of it.
    let transportSecurity: Int?

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.xContentTypeOptions] = "nosniff"
        if let transportSecurity {
            // Of this host alone: those beside it are not ours to decide about.
            response.headers[.strictTransportSecurity] = "max-age=\(transportSecurity)"
        }
        return response
    }
}

extension HTTPField.Name {
    static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
}
