import HTTPTypes
import Hummingbird
import Model
import NIOCore

/// How many requests one token, and one address, may make.
package struct RequestLimit: Sendable, Equatable {
    /// At least 1.
    package var requestsPerSecond: Int
    /// So many may come at once; at least 1.
    package var burst: Int
    /// Whose word about where a request comes from is believed.
    package var trustedProxies: [AddressRange]

    /// - Parameter burst: `nil` is one second's requests.
    package init(requestsPerSecond: Int, burst: Int? = nil, trustedProxies: [AddressRange] = []) {
        self.requestsPerSecond = requestsPerSecond
        self.burst = burst ?? requestsPerSecond
        self.trustedProxies = trustedProxies
    }

    /// Where a request comes from: the peer, or, if that is a trusted proxy, whom it names in `X-Forwarded-For`.
    ///
    /// Each proxy appends who asked it, so the list is read from its end, as far as proxies are trusted; what
    /// stands before that is up to whoever sent it.
    func client(of request: Request, peer: SocketAddress?) -> SocketAddress? {
        guard var client = peer, !trustedProxies.isEmpty else { return peer }
        let named = request.headers[values: .xForwardedFor].flatMap { $0.split(separator: ",") }
        for text in named.reversed() {
            guard trustedProxies.contains(where: { $0.contains(client.bytes) }),
                let address = try? SocketAddress(ipAddress: Self.address(in: text), port: 0)
            else { break }
            client = address
        }
        return client
    }

    /// The address of `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` or `[2001:db8::1]:80`.
    private static func address(in text: Substring) -> String {
        let text = text.filter { $0 != " " && $0 != "\t" }
        if text.hasPrefix("[") { return String(text.dropFirst().prefix { $0 != "]" }) }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? String(parts[0]) : text
    }
}

/// Tells the client where it stands (draft-ietf-httpapi-ratelimit-headers-11), on every answer that a limit
/// was applied to, refusals included.
struct RateLimitHeadersMiddleware: RouterMiddleware {
    typealias Context = GatewayContext

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        let standings = context.visitor.limits
        guard !standings.isEmpty else { return response }
        response.headers[.rateLimitPolicy] = standings.map(\.policy).joined(separator: ", ")
        response.headers[.rateLimit] = standings.map(\.state).joined(separator: ", ")
        return response
    }
}

/// How much a key has left of what it may do.
struct RequestLimitStanding: Sendable, Equatable {
    var name: String
    var burst: Int
    /// From nothing left to all of it, in whole seconds.
    var window: Int
    var remaining: Int
    /// Until all of it is there again, in whole seconds.
    var reset: Int

    var policy: String { "\"\(name)\";q=\(burst);w=\(window)" }
    var state: String { "\"\(name)\";r=\(remaining);t=\(reset)" }
}

extension HTTPField.Name {
    static let rateLimit = HTTPField.Name("RateLimit")!
    static let rateLimitPolicy = HTTPField.Name("RateLimit-Policy")!
    static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
}

extension SocketAddress {
    /// 4 or 16; none for local sockets.
    fileprivate var bytes: [UInt8] {
        switch self {
        case .v4(let address): withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: []
        }
    }
}
