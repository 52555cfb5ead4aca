import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// One person's requests to a gateway.
package struct APIClient: Sendable {
    /// Shared by all tests of the process. A refused connection is an error at once, without a retry.
    package static let http = HTTPClient(
        eventLoopGroupProvider: .singleton,
        configuration: {
            var configuration = HTTPClient.Configuration()
            configuration.connectionPool.retryConnectionEstablishment = false
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 32
            return configuration
        }())

    package let baseURL: String
    package var token: String?
    /// The cookie `backline_session=…` of a browser's session; with it every request has the `Origin` of the gateway's
    /// own pages.
    package var cookie: String?

    package init(baseURL: String) {
        self.baseURL = baseURL
    }

    /// The same gateway, without a token.
    package var visitor: APIClient { APIClient(baseURL: baseURL) }

    package func send(
        _ method: HTTPMethod, _ path: String, body: [UInt8]? = nil, headers: [String: String] = [:]
    ) async throws -> APIResponse {
        let response = try await open(method, path, body: body, headers: headers)
        // The limit in bytes, larger than any answer here; a body without an end fails the test.
        let bytes = try await response.body.collect(upTo: 16 << 20)
        return APIResponse(
            status: Int(response.status.code), headers: response.headers, body: Data(bytes.readableBytesView))
    }

    /// Erases the person of this client's token, which is typed anew.
    package func leave(as username: String) async throws -> APIResponse {
        let body = #"{"username":"\#(username)","token":"\#(token ?? "")"}"#
        return try await send(.DELETE, "/v1/me", body: Array(body.utf8))
    }

    /// Sends a request and returns when its answer begins.
    package func open(
        _ method: HTTPMethod, _ path: String, body: [UInt8]? = nil, headers: [String: String] = [:]
    ) async throws -> HTTPClientResponse {
        var request = HTTPClientRequest(url: baseURL + path)
        request.method = method
        // A connection kept from before a gateway was killed would fail the next request. Only a large body is sent on
        // a persistent connection: only there does the server read a refused body to its end.
        if body.map(\.count) ?? 0 < 1 << 20 { request.headers.add(name: "Connection", value: "close") }
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let cookie {
            request.headers.add(name: "Cookie", value: cookie)
            if method != .GET, headers["Origin"] == nil { request.headers.add(name: "Origin", value: baseURL) }
        }
        if let body {
            if headers["Content-Type"] == nil { request.headers.add(name: "Content-Type", value: "application/json") }
            request.body = .bytes(ByteBuffer(bytes: body))
        }
        for (name, value) in headers { request.headers.add(name: name, value: value) }
        return try await Self.http.execute(request, timeout: .seconds(300))
    }

    package func get(_ path: String, headers: [String: String] = [:]) async throws -> APIResponse {
        try await send(.GET, path, headers: headers)
    }

    package func post(
        _ path: String, _ body: String? = nil, headers: [String: String] = [:]
    ) async throws -> APIResponse {
        try await send(.POST, path, body: body.map { Array($0.utf8) }, headers: headers)
    }
}

/// An answer of the API.
package struct APIResponse: Sendable {
    /// `application/problem+json`.
    package struct Problem: Decodable, Sendable {
        package var title: String
        package var status: Int
        package var code: String
        package var detail: String
        package var field: String?
    }

    package let status: Int
    package let headers: HTTPHeaders
    package let body: Data

    package func header(_ name: String) -> String? { headers.first(name: name) }

    package func decode<Value: Decodable>(_: Value.Type = Value.self) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: body)
        } catch {
            throw UnexpectedAnswer(description: "\(status) \(text): \(error)")
        }
    }

    package var job: JobView { get throws { try decode() } }

    /// The problem in the body; throws if the body is not a problem.
    package var problem: Problem {
        get throws {
            guard header("Content-Type") == "application/problem+json" else {
                throw UnexpectedAnswer(description: "no problem+json, but \(status) \(text)")
            }
            return try decode()
        }
    }

    package var text: String { String(decoding: body.prefix(2_000), as: UTF8.self) }
}

package struct UnexpectedAnswer: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}
