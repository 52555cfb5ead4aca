import Foundation
import JWTKit
import Model
import Upstream

/// Google's OpenID Connect endpoints that signing in needs. The discovery document names them.
package struct GoogleClient: Sendable {
    /// Sends a request to a server, with permits, retries and connections.
    package typealias Send = @Sendable (UpstreamRequest, BaseURL) async throws -> UpstreamResponse

    /// The addresses of Google's endpoints.
    package struct Endpoints: Sendable, Equatable {
        /// The authorization endpoint, to which browsers are sent.
        package var authorization: String
        var token: String
        var keys: String
    }

    private let issuer: BaseURL
    private let send: Send

    /// - Parameter issuer: the base URL of the discovery document.
    package init(issuer: BaseURL, send: @escaping Send) {
        self.issuer = issuer
        self.send = send
    }

    /// Reads the discovery document (OpenID Connect Discovery 1.0, section 4).
    package func endpoints() async throws -> Endpoints {
        struct Document: Decodable {
            var authorization: String
            var token: String
            var keys: String

            enum CodingKeys: String, CodingKey {
                case authorization = "authorization_endpoint"
                case token = "token_endpoint"
                case keys = "jwks_uri"
            }
        }
        let response = try await send(UpstreamRequest(path: "/.well-known/openid-configuration"), issuer)
        let document = try Self.decode(Document.self, from: response)
        // Browsers are sent to this address with the state of an attempt: it has to be well-formed.
        _ = try Address(document.authorization)
        return Endpoints(authorization: document.authorization, token: document.token, keys: document.keys)
    }

    /// Reads the keys that sign ID tokens. Keys of another type or algorithm are left out.
    package func keys(at endpoints: Endpoints) async throws -> GoogleKeys.Snapshot {
        struct Document: Decodable {
            struct Key: Decodable {
                var kty: String?
                var alg: String?
                var use: String?
                var kid: String?
                var n: String?
                var e: String?
            }
            var keys: [Key]
        }
        let address = try Address(endpoints.keys)
        let response = try await send(UpstreamRequest(path: address.path), address.server)
        let document = try Self.decode(Document.self, from: response)
        let keys = document.keys.compactMap { key -> (String, JWK)? in
            guard key.kty == "RSA", key.alg ?? "RS256" == "RS256", key.use ?? "sig" == "sig", let id = key.kid,
                let modulus = key.n, let exponent = key.e
            else { return nil }
            let jwk = JWK.rsa(.rs256, identifier: JWKIdentifier(string: id), modulus: modulus, exponent: exponent)
            return (id, jwk)
        }
        return GoogleKeys.Snapshot(
            keys: Dictionary(keys) { _, later in later }, maximumAge: Self.maximumAge(of: response))
    }

    /// Exchanges a code for an ID token (RFC 6749, section 4.1.3, with RFC 7636).
    package func idToken(
        code: Secret, verifier: Secret, redirectURI: String, clientID: String, clientSecret: Secret,
        at endpoints: Endpoints
    ) async throws -> Secret {
        struct Document: Decodable {
            var idToken: String

            enum CodingKeys: String, CodingKey {
                case idToken = "id_token"
            }
        }
        let address = try Address(endpoints.token)
        let form = UpstreamRequest.form(
            path: address.path,
            [
                ("grant_type", "authorization_code"), ("code", code.reveal()), ("redirect_uri", redirectURI),
                ("client_id", clientID), ("client_secret", clientSecret.reveal()), ("code_verifier", verifier.reveal()),
            ])
        let response = try await send(form, address.server)
        return Secret(try Self.decode(Document.self, from: response).idToken)
    }
}

extension GoogleClient {
    /// An absolute address: a server, and a path on it.
    private struct Address {
        var server: BaseURL
        var path: String

        init(_ text: String) throws {
            guard let components = URLComponents(string: text), let host = components.percentEncodedHost,
                let scheme = components.scheme, components.query == nil, components.fragment == nil
            else { throw GoogleError.invalidResponse(reason: "an endpoint in its discovery document is not a URL") }
            let port = components.port.map { ":\($0)" } ?? ""
            server = try BaseURL("\(scheme)://\(host)\(port)")
            path = components.percentEncodedPath.isEmpty ? "/" : components.percentEncodedPath
        }
    }

    /// The pause after a 429 without `Retry-After`.
    private static let standardPause = Duration.seconds(60)

    /// An error of the token endpoint (RFC 6749, section 5.2).
    private struct Refusal: Decodable {
        var error: String
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, from response: UpstreamResponse) throws -> Value {
        guard response.isSuccess else {
            switch try? JSONDecoder().decode(Refusal.self, from: Data(response.body)).error {
            case "invalid_grant": throw GoogleError.codeRefused
            case "invalid_client", "unauthorized_client", "redirect_uri_mismatch": throw GoogleError.clientRefused
            case _ where response.status == 429:
                throw GoogleError.rateLimited(after: RetryAfter.pause(in: response, orElse: standardPause))
            default: throw GoogleError.upstreamError(status: response.status)
            }
        }
        do {
            return try JSONDecoder().decode(type, from: Data(response.body))
        } catch {
            throw GoogleError.invalidResponse(reason: "it is not the JSON expected from this address")
        }
    }

    /// `max-age` of Cache-Control (RFC 9111, section 5.2.2.1), at most a day.
    private static func maximumAge(of response: UpstreamResponse) -> Duration? {
        guard let control = response.headers["cache-control"] else { return nil }
        for directive in control.lowercased().split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            if parts.count == 2, parts[0] == "max-age", let seconds = Int(decimal: parts[1], in: 0...Int.max) {
                return .seconds(min(seconds, 86_400))
            }
        }
        return nil
    }
}
