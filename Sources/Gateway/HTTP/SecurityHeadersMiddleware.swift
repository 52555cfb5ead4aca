import HTTPTypes
import Hummingbird

/// Adds `X-Content-Type-Options` and, where it is configured, `Strict-Transport-Security` to every response.
struct SecurityHeadersMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    /// The `max-age` of `Strict-Transport-Security` (RFC 6797), in seconds; `nil` sends no such header.
    let transportSecurity: Int?

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        response.headers[.xContentTypeOptions] = "nosniff"
        if let transportSecurity {
            // Without includeSubDomains: subdomains may belong to other services.
            response.headers[.strictTransportSecurity] = "max-age=\(transportSecurity)"
        }
        return response
    }
}

extension HTTPField.Name {
    package static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    package static let robotsTag = HTTPField.Name("X-Robots-Tag")!
    package static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
}
