import Foundation
import Model
import Upstream

extension SpotifyClient {
    /// An answer of the Web API.
    package enum Answer<Value: Sendable>: Sendable {
        case value(Value)
        /// 204, or a success without a body: nothing is playing.
        case nothing
        /// 404, with Spotify's own code if there is one, such as `NO_ACTIVE_DEVICE`.
        case notFound(reason: String?)
        /// 403 for a reason other than the app, the account or its scopes, such as another person's playlist. It has
        /// Spotify's own code if there is one, such as `PREMIUM_REQUIRED`.
        case forbidden(reason: String?)
    }

    /// The answers that a call expects besides a value. They never change the person's connection. Any other answer is
    /// a ``SpotifyError``, which may change it.
    package struct Expectation: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// ``Answer/nothing``, for calls that read. Calls that change something always expect it.
        package static let nothing = Expectation(rawValue: 1)
        package static let notFound = Expectation(rawValue: 2)
        package static let forbidden = Expectation(rawValue: 4)
    }

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - path: relative to `/v1`, percent-encoded.
    ///   - expected: the answers that are expected besides the document.
    /// - Throws: ``SpotifyError``, also for a success with another body; and the errors of `send`.
    package func read<Document: Decodable & Sendable>(
        _ path: String, query: [(name: String, value: String)] = [], as type: Document.Type,
        expecting expected: Expectation
    ) async throws -> Answer<Document> {
        let response = try await send(request(.get, path, query: query))
        if let answer: Answer<Document> = try response.answer(expecting: expected) { return answer }
        if expected.contains(.nothing), response.status == 204 || response.body.isEmpty { return .nothing }
        return .value(try response.requireJSON(type))
    }

    /// Reads a document; every other answer is an error.
    func read<Document: Decodable>(
        _ path: String, query: [(name: String, value: String)] = [], as type: Document.Type
    ) async throws -> Document {
        let response = try await send(request(.get, path, query: query))
        guard response.isSuccess else { throw response.webAPIError() }
        return try response.requireJSON(type)
    }

    /// Makes a change whose answer has no content, such as a change to the player or the library.
    ///
    /// Every 2xx is a success, and its body is ignored: a player command often answers 200 with a short non-JSON text
    /// instead of the documented 204.
    ///
    /// - Parameter body: JSON.
    /// - Throws: ``SpotifyError``, and the errors of `send`.
    package func perform(
        _ method: UpstreamRequest.Method, _ path: String, query: [(name: String, value: String)] = [],
        body: [UInt8]? = nil, expecting expected: Expectation = []
    ) async throws -> Answer<Void> {
        let response = try await send(request(method, path, query: query, body: body))
        return try response.answer(expecting: expected) ?? .value(())
    }

    /// Makes a change whose answer is a document. It is never repeated on its own: a second request would make the
    /// change twice.
    ///
    /// - Throws: ``SpotifyError``, also for a success with another body; and the errors of `send`.
    func change<Document: Decodable>(
        _ method: UpstreamRequest.Method, _ path: String, body: some Encodable, as type: Document.Type
    ) async throws -> Document {
        var request = request(method, path, query: [], body: Array(try JSONEncoder().encode(body)))
        request.isIdempotent = false
        let response = try await send(request)
        guard response.isSuccess else { throw response.webAPIError() }
        return try response.requireJSON(type)
    }

    private func request(
        _ method: UpstreamRequest.Method, _ path: String, query: [(name: String, value: String)], body: [UInt8]? = nil
    ) -> UpstreamRequest {
        var headers = [(name: "Accept", value: "application/json")]
        if body != nil { headers.append((name: "Content-Type", value: "application/json")) }
        return UpstreamRequest(
            method: method, path: path, query: query, headers: headers,
            secretHeaders: [("Authorization", Secret("Bearer \(accessToken.reveal())"))], body: body)
    }
}

extension UpstreamResponse {
    /// The expected answer that is not a success; `nil` for a success.
    ///
    /// - Throws: ``SpotifyError`` for an answer that is not expected.
    fileprivate func answer<Value>(
        expecting expected: SpotifyClient.Expectation
    ) throws(SpotifyError) -> SpotifyClient.Answer<Value>? {
        if isSuccess { return nil }
        switch webAPIError() {
        case .forbidden(let reason) where expected.contains(.forbidden): return .forbidden(reason: reason)
        case .requestRefused(404, let reason) where expected.contains(.notFound): return .notFound(reason: reason)
        case let error: throw error
        }
    }
}
