import Foundation
import Model
import Upstream

/// Sends a user's requests to the gateway.
package struct GatewayClient: Sendable {
    /// Far more than a page of 200 shows needs.
    private static let maximumBodyBytes = 64 << 20
    private static let limits = TransferLimits(totalTimeout: .seconds(30), maximumResponseBytes: maximumBodyBytes)
    /// The limits for requests that may take long: a day, which is effectively no limit.
    private static let longLimits = TransferLimits(
        totalTimeout: .seconds(86_400), maximumResponseBytes: maximumBodyBytes)

    package let address: GatewayAddress
    /// The user's token; `nil` for endpoints without authentication.
    private let token: Secret?
    private let base: BaseURL
    private let http: HTTPTransport

    /// Whether a token, if there is one, may be sent to this address.
    ///
    /// - Parameter isInsecure: whether a token may be sent over plain http to other machines (`--insecure`).
    package static func maySend(_ token: Secret?, to address: GatewayAddress, isInsecure: Bool) -> Bool {
        token == nil || isInsecure || address.isPrivate
    }

    /// Makes a client for the duration of `body`.
    ///
    /// - Throws: ``GatewayError/plainHTTP(address:)`` before anything is sent (``maySend(_:to:isInsecure:)``), or what
    ///   `body` throws.
    package static func with<Value: Sendable>(
        _ address: GatewayAddress, token: Secret?, isInsecure: Bool = false,
        _ body: (GatewayClient) async throws -> Value
    ) async throws -> Value {
        guard maySend(token, to: address, isInsecure: isInsecure) else {
            throw GatewayError.plainHTTP(address: address.description)
        }
        let base: BaseURL
        do {
            base = try BaseURL(address.description, plainHTTP: .anywhere)
        } catch {
            throw GatewayError.unreachable(address: address.description, reason: error.description)
        }
        let http = HTTPTransport(userAgent: "backline/\(GatewayOptions.version)")
        do {
            let value = try await body(GatewayClient(address: address, token: token, base: base, http: http))
            await http.shutdown()
            return value
        } catch {
            await http.shutdown()
            throw error
        }
    }

    package func get(_ path: String) async throws(GatewayError) -> Data {
        try await answer(to: request(.get, path))
    }

    /// - Parameters:
    ///   - body: JSON.
    ///   - idempotencyKey: makes the request safe to repeat.
    package func post(_ path: String, body: Data? = nil, idempotencyKey: String? = nil) async throws(GatewayError)
        -> Data
    {
        var request = request(.post, path)
        if let body {
            request.headers.append(("Content-Type", "application/json"))
            request.body = Array(body)
        }
        if let idempotencyKey { request.headers.append(("Idempotency-Key", idempotencyKey)) }
        return try await answer(to: request)
    }

    /// Posts a file, which may take long.
    package func upload(_ path: String, _ file: FileBody) async throws(GatewayError) -> Data {
        var request = request(.post, path)
        request.headers.append(("Content-Type", "application/octet-stream"))
        request.file = file
        return try await answer(to: request, limits: Self.longLimits)
    }

    package func delete(_ path: String) async throws(GatewayError) {
        _ = try await answer(to: request(.delete, path))
    }

    /// An occurrence on the event stream.
    package enum StreamInput: Sendable {
        /// The stream was opened. It does not contain earlier changes.
        case opened
        /// The events that the received bytes complete; empty if these are only a part of an event, or a comment.
        case events([ServerSentEvent])
    }

    /// Reads the user's event stream until the task is cancelled, and opens it again when it breaks.
    ///
    /// Its errors are not reported: a caller also polls, and reports a gateway that cannot be reached.
    ///
    /// - Parameter pause: the time before the stream is opened again, unless the stream set one.
    package func followEvents(pause: Duration, _ handle: (StreamInput) async -> Void) async {
        var parser = ServerSentEventParser()
        while !Task.isCancelled {
            do {
                let parts = events(after: parser.lastEventID)
                parser = ServerSentEventParser(lastEventID: parser.lastEventID)
                for await part in parts {
                    await handle(part.isEmpty ? .opened : .events(try parser.feed(part)))
                }
            } catch {
                // The stream is opened again below.
            }
            try? await Task.sleep(for: parser.retryDelay ?? pause)
        }
    }

    /// The parts of the user's event stream as they arrive, after an empty one when it is open. Leaving the stream
    /// closes it.
    ///
    /// - Parameter lastEventID: the stream resumes after this event.
    private func events(after lastEventID: String?) -> AsyncStream<[UInt8]> {
        var request = request(.get, "/v1/events")
        request.headers.append(("Accept", "text/event-stream"))
        if let lastEventID { request.headers.append(("Last-Event-ID", lastEventID)) }
        return AsyncStream { [request] parts in
            let transfer = Task {
                _ = await http.send(request, to: base, limits: Self.longLimits, receive: { parts.yield($0) })
                parts.finish()
            }
            parts.onTermination = { _ in transfer.cancel() }
        }
    }

    // MARK: Requests

    /// - Parameter path: the path, with a percent-encoded query.
    private func request(_ method: UpstreamRequest.Method, _ path: String) -> UpstreamRequest {
        let parts = path.split(separator: "?", maxSplits: 1)
        var request = UpstreamRequest(method: method, path: String(parts[0]))
        if parts.count > 1 { request.encodedQuery = String(parts[1]) }
        if let token { request.secretHeaders = [("Authorization", Secret("Bearer \(token.reveal())"))] }
        return request
    }

    private func answer(
        to request: UpstreamRequest, limits: TransferLimits = limits
    ) async throws(GatewayError) -> Data {
        let exchange = await http.send(request, to: base, limits: limits)
        switch exchange.outcome {
        case .answered(let response) where response.isSuccess:
            return Data(response.body)
        case .answered(let response):
            throw refusal(response)
        case .failed(.responseTooLarge):
            throw unreadable("the answer is too long")
        case .failed(let error):
            throw unreachable(Self.reason(of: error, connected: exchange.mayHaveLeft))
        case .cancelled, .notAdmitted:
            throw unreachable("the request was stopped")
        }
    }

    package func decode<Value: Decodable>(_: Value.Type, from answer: Data) throws(GatewayError) -> Value {
        try understood { try JSONDecoder().decode(Value.self, from: answer) }
    }

    /// Runs `body`, which decodes a response. Its errors become ``GatewayError/unreadable(address:reason:)``.
    package func understood<Value>(_ body: () throws -> Value) throws(GatewayError) -> Value {
        do {
            return try body()
        } catch {
            throw unreadable("its answer does not follow this version of the API")
        }
    }

    package func unreadable(_ reason: String) -> GatewayError {
        .unreadable(address: address.description, reason: reason)
    }

    private func unreachable(_ reason: String) -> GatewayError {
        .unreachable(address: address.description, reason: reason)
    }

    private func refusal(_ response: UpstreamResponse) -> GatewayError {
        let detail = ProblemDocument.text(of: Data(response.body))
        switch response.status {
        case 401:
            return .unauthorized
        case 403:
            return .forbidden(detail: detail ?? "The token's user may not do this.")
        default:
            guard let detail else { return unreadable("it answered \(response.status) without a reason") }
            return .refused(status: response.status, detail: detail)
        }
    }

    /// The cause of a connection error, as text for people.
    private static func reason(of error: UpstreamError, connected: Bool) -> String {
        switch error {
        case .timedOut: connected ? "no answer came in time" : "no connection within 5 s"
        case .connectionFailed(let reason): TextWidth.printable(reason)
        default: TextWidth.printable(error.description)
        }
    }
}
