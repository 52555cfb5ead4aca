import AsyncHTTPClient
import Foundation
import NIOCore

extension SimulatedUpstream {
    /// The redirect from a consent page back to the app.
    package struct Return: Sendable {
        /// The whole address of the callback.
        package let url: String
        /// Its path and query, for a request to the gateway.
        package let target: String
        /// `code` and `state`, or `error` and `state`.
        package let parameters: [String: String]
    }

    /// Follows the app's link to the consent page and presses a button.
    ///
    /// - Parameters:
    ///   - authorizeURL: the link, whose page must be there.
    ///   - decision: `allow` or `cancel`.
    ///   - fields: further fields of the page's form, such as `person`.
    package func decide(
        _ decision: String, at authorizeURL: String, fields: [String: String] = [:]
    ) async throws -> Return {
        var request = HTTPClientRequest(url: authorizeURL)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        let form = fields.merging(["decision": decision]) { $1 }.map { name, value in
            "\(name)=\(value.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
        request.body = .bytes(ByteBuffer(string: form.joined(separator: "&")))
        let response = try await Self.browser.execute(request, timeout: .seconds(90))
        guard response.status.code == 303, let location = response.headers.first(name: "Location"),
            let parts = URLComponents(string: location)
        else {
            let body = try await response.body.collect(upTo: 1 << 20)
            throw UnexpectedAnswer(description: "consent page: \(response.status) \(String(buffer: body))")
        }
        var target = parts
        target.scheme = nil
        target.host = nil
        target.port = nil
        return Return(
            url: location, target: target.string ?? "",
            parameters: Dictionary((parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }) { first, _ in first })
    }

    /// The client does not follow redirects, so that a test sees them.
    private static let browser = HTTPClient(
        eventLoopGroupProvider: .singleton, configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))
}
