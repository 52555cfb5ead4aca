import Foundation
import NIOCore
import NIOPosix

/// A response, which may be incomplete.
struct RawResponse: Sendable {
    /// The status; 0 if the connection ended without an answer.
    var status = 0
    /// The header fields, with names in lower case.
    var headers: [String: String] = [:]
    var body = Data()
    /// Whether the body is as long as its head promised.
    var isComplete = false

    var text: String { String(decoding: body, as: UTF8.self) }
    var json: [String: Any]? { try? JSONSerialization.jsonObject(with: body) as? [String: Any] }
}

/// A TCP connection to the simulator, which shows cut responses and early ends that HTTP clients hide.
final class RawClient: Sendable {
    private let port: Int
    private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>
    private let received: AsyncStream<ByteBuffer>
    private let reader: Task<Void, any Error>
    private let (writes, writer) = AsyncStream.makeStream(of: ByteBuffer.self)

    init(port: Int) async throws {
        self.port = port
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        self.channel = channel
        let (received, receiver) = AsyncStream.makeStream(of: ByteBuffer.self)
        self.received = received
        reader = Task { [writes] in
            defer { receiver.finish() }
            try await channel.executeThenClose { inbound, outbound in
                try await withThrowingTaskGroup { group in
                    group.addTask {
                        for await bytes in writes { try await outbound.write(bytes) }
                    }
                    for try await bytes in inbound { receiver.yield(bytes) }
                    group.cancelAll()
                }
            }
        }
    }

    /// Sends a request and reads until its answer is complete or the other side ends the connection.
    func send(
        _ method: String, _ path: String, headers: [String] = [], body: String = ""
    ) async throws -> RawResponse {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + headers
        if !body.isEmpty { lines.append("Content-Length: \(body.utf8.count)") }
        writer.yield(ByteBuffer(string: lines.joined(separator: "\r\n") + "\r\n\r\n" + body))
        var bytes = Data()
        var response = RawResponse()
        for await part in received {
            bytes.append(contentsOf: part.readableBytesView)
            response = Self.parse(bytes)
            if response.isComplete { break }
        }
        return response
    }

    /// Whether the other side ends the connection without sending anything more.
    func isEndedByServer() async -> Bool {
        for await _ in received { return false }
        return true
    }

    func close() async throws {
        writer.finish()
        channel.channel.close(promise: nil)
        _ = await reader.result
    }

    private static func parse(_ bytes: Data) -> RawResponse {
        guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else { return RawResponse() }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        var response = RawResponse()
        response.status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        for line in lines.dropFirst() {
            let pair = line.split(separator: ":", maxSplits: 1)
            response.headers[pair[0].lowercased()] = pair[1].trimmingCharacters(in: .whitespaces)
        }
        response.body = bytes[end.upperBound...]
        // A 204 has neither a body nor a length.
        response.isComplete =
            response.status == 204 || response.headers["content-length"].flatMap { Int($0) } == response.body.count
        return response
    }
}
