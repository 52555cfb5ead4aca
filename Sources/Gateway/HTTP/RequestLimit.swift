import HTTPTypes
import Hummingbird
import Model
import NIOCore

/// The request limit for each API token and each network address.
package struct RequestLimit: Sendable, Equatable {
    /// At least 1.
    package var requestsPerSecond: Int
    /// The most requests at once; at least 1.
    package var burst: Int
    /// The proxies whose `X-Forwarded-For` is trusted.
    package var trustedProxies: [AddressRange]

    /// - Parameter burst: `nil` stands for one second's requests.
    package init(requestsPerSecond: Int, burst: Int? = nil, trustedProxies: [AddressRange] = []) {
        self.requestsPerSecond = requestsPerSecond
        self.burst = burst ?? requestsPerSecond
        self.trustedProxies = trustedProxies
    }

    /// The client's address: the peer, or, if the peer is a trusted proxy, the client that it names in
    /// `X-Forwarded-For`.
    ///
    /// Each proxy appends its own client, so the list is read from the end for as long as the addresses are trusted
    /// proxies. Entries before that can be forged.
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

/// Adds the `RateLimit` and `RateLimit-Policy` headers (draft-ietf-httpapi-ratelimit-headers-11) to every response that
/// a limit applied to, refusals included.
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

/// How much of a limit one token or address has left.
struct RequestLimitStanding: Sendable, Equatable {
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
    static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
}

extension SocketAddress {
    /// The address's 4 or 16 bytes; empty for Unix domain sockets.
    fileprivate var bytes: [UInt8] {
        switch self {
        case .v4(let address): withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: []
        }
    }
}
