import AsyncHTTPClient
import Foundation
import Model
import NIOCore
import NIOHTTP1
import NIOPosix

/// Sends a user's requests to the gateway.
struct GatewayClient: Sendable {
    /// The timeout of a response.
    static let timeout = TimeAmount.seconds(30)
    /// Far more than a page of 200 shows has.
    private static let maximumBodyBytes = 64 << 20

    let address: GatewayAddress
    /// `nil` for endpoints without authentication.
    private let token: Secret?
    private let http: HTTPClient

    /// Whether a token, if there is one, may be sent to this address.
    ///
    /// - Parameter isInsecure: whether a token may be sent over plain http to other machines (`--insecure`).
    static func maySend(_ token: Secret?, to address: GatewayAddress, isInsecure: Bool) -> Bool {
        token == nil || isInsecure || address.isPrivate
    }

    /// Makes a client for the duration of `body`.
    ///
    /// - Throws: ``GatewayError/plainHTTP(address:)`` before anything is sent (``maySend(_:to:isInsecure:)``), or what
    ///   `body` throws.
    static func with<Value: Sendable>(
        _ address: GatewayAddress, token: Secret?, isInsecure: Bool = false,
        _ body: (GatewayClient) async throws -> Value
    ) async throws -> Value {
        guard maySend(token, to: address, isInsecure: isInsecure) else {
            throw GatewayError.plainHTTP(address: address.description)
        }
        var configuration = HTTPClient.Configuration(
            // A redirect could send the token to another host.
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(5)))
        // A refused connection is an error at once; callers that can wait retry themselves.
        configuration.connectionPool.retryConnectionEstablishment = false
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let value = try await body(GatewayClient(address: address, token: token, http: http))
            try await http.shutdown()
            return value
        } catch {
            try? await http.shutdown()
            throw error
        }
    }

    func get(_ path: String) async throws(GatewayError) -> Data {
        try await answer(to: request(.GET, path))
    }

    /// - Parameters:
    ///   - body: JSON.
    ///   - idempotencyKey: makes the request safe to repeat.
    func post(_ path: String, body: Data? = nil, idempotencyKey: String? = nil) async throws(GatewayError) -> Data {
        var request = request(.POST, path)
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(body)
        }
        if let idempotencyKey { request.headers.add(name: "Idempotency-Key", value: idempotencyKey) }
        return try await answer(to: request)
    }

    /// Posts a file, which may take long.
    func upload(_ path: String, _ file: FileUpload) async throws(GatewayError) -> Data {
        var request = request(.POST, path)
        request.headers.add(name: "Content-Type", value: "application/octet-stream")
        request.body = .stream(file, length: .known(Int64(file.bytes)))
        let response = try await execute(request, deadline: .distantFuture)
        guard (200...299).contains(response.status.code) else { throw try await refusal(response) }
        return try await body(of: response)
    }

    func delete(_ path: String) async throws(GatewayError) {
        _ = try await answer(to: request(.DELETE, path))
    }

    /// What arrives on the event stream.
    enum StreamInput: Sendable {
        /// The stream was opened. Changes from before are not in it.
        case opened
        /// The events that the received bytes complete; none for a part of one, or a comment.
        case events([ServerSentEvent])
    }

    /// Reads the user's event stream until the task is cancelled, and opens it again when it breaks.
    ///
    /// Its errors are not reported: a caller also polls, and reports a gateway that cannot be reached.
    ///
    /// - Parameter pause: the time before the stream is opened again, unless the stream set one.
    func followEvents(pause: Duration, _ handle: (StreamInput) async -> Void) async {
        var parser = ServerSentEventParser()
        while !Task.isCancelled {
            do {
                let body = try await events(after: parser.lastEventID)
                parser = ServerSentEventParser(lastEventID: parser.lastEventID)
                await handle(.opened)
                for try await buffer in body {
                    let events = try parser.feed(buffer.readableBytesView)
                    await handle(.events(events))
                }
            } catch {
                // The stream is opened again below.
            }
            try? await Task.sleep(for: parser.retryDelay ?? pause)
        }
    }

    /// Opens the user's event stream.
    ///
    /// - Parameter lastEventID: the stream resumes after this event.
    private func events(after lastEventID: String?) async throws(GatewayError) -> HTTPClientResponse.Body {
        var request = request(.GET, "/v1/events")
        request.headers.add(name: "Accept", value: "text/event-stream")
        if let lastEventID { request.headers.add(name: "Last-Event-ID", value: lastEventID) }
        // The stream has no end; the caller cancels the task.
        let response = try await execute(request, deadline: .distantFuture)
        guard response.status == .ok else { throw try await refusal(response) }
        return response.body
    }

    // MARK: Requests

    private func request(_ method: HTTPMethod, _ path: String) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: address.description + path)
        request.method = method
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token.reveal())") }
        request.headers.add(name: "User-Agent", value: "backline/\(GatewayOptions.version)")
        return request
    }

    private func answer(to request: HTTPClientRequest) async throws(GatewayError) -> Data {
        let response = try await execute(request, deadline: .now() + Self.timeout)
        guard (200...299).contains(response.status.code) else { throw try await refusal(response) }
        return try await body(of: response)
    }

    private func execute(
        _ request: HTTPClientRequest, deadline: NIODeadline
    ) async throws(GatewayError) -> HTTPClientResponse {
        do {
            return try await http.execute(request, deadline: deadline)
        } catch {
            throw GatewayError.unreachable(address: address.description, reason: Self.reason(of: error))
        }
    }

    private func body(of response: HTTPClientResponse) async throws(GatewayError) -> Data {
        do {
            return Data(try await response.body.collect(upTo: Self.maximumBodyBytes).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw unreadable("the answer is too long")
        } catch {
            throw GatewayError.unreachable(address: address.description, reason: Self.reason(of: error))
        }
    }

    func decode<Value: Decodable>(_: Value.Type, from answer: Data) throws(GatewayError) -> Value {
        try understood { try JSONDecoder().decode(Value.self, from: answer) }
    }

    /// Runs `body`, which decodes a response. Its errors become ``GatewayError/unreadable(address:reason:)``.
    func understood<Value>(_ body: () throws -> Value) throws(GatewayError) -> Value {
        do {
            return try body()
        } catch {
            throw unreadable("its answer does not follow this version of the API")
        }
    }

    func unreadable(_ reason: String) -> GatewayError {
        .unreadable(address: address.description, reason: reason)
    }

    private func refusal(_ response: HTTPClientResponse) async throws(GatewayError) -> GatewayError {
        let detail = ProblemDocument.text(of: try await body(of: response))
        switch response.status {
        case .unauthorized:
            return .unauthorized
        case .forbidden:
            return .forbidden(detail: detail ?? "The token's user may not do this.")
        default:
            guard let detail else { return unreadable("it answers \(response.status.code) without a reason") }
            return .refused(status: Int(response.status.code), detail: detail)
        }
    }

    /// The cause of a connection error, in words for a person.
    private static func reason(of error: any Error) -> String {
        switch error {
        case is CancellationError: "the request was stopped"
        case let error as HTTPClientError: reason(of: error)
        case let error as NIOConnectionError: connectionReason(of: error)
        case let error as IOError: String(cString: strerror(error.errnoCode)).lowercased()
        default: TextWidth.printable("\(error)")
        }
    }

    private static func reason(of error: HTTPClientError) -> String {
        switch error {
        case .cancelled: "the request was stopped"
        case .connectTimeout: "no connection within 5 s"
        case .deadlineExceeded, .readTimeout: "no answer within 30 s"
        case .remoteConnectionClosed: "it closed the connection"
        default: TextWidth.printable("\(error)")
        }
    }

    private static func connectionReason(of error: NIOConnectionError) -> String {
        if error.connectionErrors.isEmpty { return "no such host" }
        for failure in error.connectionErrors {
            if let cause = failure.error as? IOError { return String(cString: strerror(cause.errnoCode)).lowercased() }
        }
        return "no connection"
    }
}
