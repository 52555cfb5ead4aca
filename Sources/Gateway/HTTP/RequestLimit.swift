import HTTPTypes
import Hummingbird

/// The limit of requests for each person, and for each network address that sends no valid credential.
package struct RequestLimit: Sendable, Equatable {
    /// At least 1.
    package var requestsPerSecond: Int
    /// The most requests at once; at least 1.
    package var burst: Int

    /// - Parameter burst: `nil` stands for one second's requests.
    package init(requestsPerSecond: Int, burst: Int? = nil) {
        self.requestsPerSecond = requestsPerSecond
        self.burst = burst ?? requestsPerSecond
    }

    /// A limit that allows `factor` times as much.
    static func * (limit: RequestLimit, factor: Int) -> RequestLimit {
        RequestLimit(requestsPerSecond: limit.requestsPerSecond * factor, burst: limit.burst * factor)
    }
}

/// Adds the `RateLimit` and `RateLimit-Policy` headers (draft-ietf-httpapi-ratelimit-headers-11) to every response that
/// a limit applied to, refusals included.
struct RateLimitHeadersMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        let statuses = context.visitor.limits
        guard !statuses.isEmpty else { return response }
        response.headers[.rateLimitPolicy] = statuses.map(\.policy).joined(separator: ", ")
        response.headers[.rateLimit] = statuses.map(\.state).joined(separator: ", ")
        return response
    }
}

/// How much of a limit one person or address has left.
struct RequestLimitStatus: Sendable, Equatable {
    var name: String
    var burst: Int
    /// The time in which an empty bucket fills, in whole seconds.
    var window: Int
    var remaining: Int
    /// The time until the bucket is full again, in whole seconds.
    var reset: Int

    var policy: String { "\"\(name)\";q=\(burst);w=\(window)" }
    var state: String { "\"\(name)\";r=\(remaining);t=\(reset)" }
}

extension HTTPField.Name {
    static let rateLimit = HTTPField.Name("RateLimit")!
    static let rateLimitPolicy = HTTPField.Name("RateLimit-Policy")!
}
