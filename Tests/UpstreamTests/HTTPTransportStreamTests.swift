import Foundation
import TestSupport
import Testing

@testable import Upstream

/// Bodies that are not in memory as a whole.
extension HTTPTransportTests {
    @Test("A file is sent as the body, with its length")
    func fileAsBody() async throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<100_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        try Data(bytes).write(to: URL(filePath: folder.file("songs.csv")))
        try await withServer { _ in
            .answer(status: 202)
        } _: { transport, server, base in
            var request = UpstreamRequest(method: .post, path: "/imports")
            request.file = try FileBody(path: folder.file("songs.csv"))
            #expect(await transport.send(request, to: base).response?.status == 202)
            let arrival = try #require(server.received.first)
            #expect(arrival.method == "POST" && arrival.headers["content-length"] == "100000")
            #expect(arrival.body == bytes)
        }
    }

    @Test("Anything but a readable file is refused with its path and the reason")
    func noFile() throws {
        let folder = try TemporaryFolder()
        let missing = folder.file("missing.csv")
        #expect { _ = try FileBody(path: missing) } throws: { error in
            "\(error)" == "'\(missing)' cannot be read: No such file or directory."
        }
        #expect { _ = try FileBody(path: folder.path) } throws: { error in
            "\(error)" == "'\(folder.path)' is not a file."
        }
    }

    @Test("A body is received in parts as it arrives, and cancelling the task ends it")
    func bodyInParts() async throws {
        let answer = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n"
        try await withServer { _ in
            .opening(Array(answer.utf8))
        } _: { transport, server, base in
            let (parts, sink) = AsyncStream<[UInt8]>.makeStream()
            let transfer = Task {
                await transport.send(UpstreamRequest(path: "/events"), to: base, receive: { sink.yield($0) })
            }
            var arriving = parts.makeAsyncIterator()
            // The answer has begun.
            #expect(await arriving.next() == [])
            #expect(await arriving.next() == Array("data: 1\n\n".utf8))
            transfer.cancel()
            guard case .cancelled = await transfer.value.outcome else {
                Issue.record("it was not cancelled")
                return
            }
        }
    }

    @Test("The body of a refusal is part of the answer, even when bodies are received in parts")
    func refusalWithABody() async throws {
        try await withServer { _ in
            .answer(status: 401, body: Array("no".utf8))
        } _: { transport, _, base in
            let exchange = await transport.send(
                UpstreamRequest(path: "/events"), to: base, receive: { _ in Issue.record("a part of a refusal") })
            #expect(exchange.response?.status == 401 && exchange.response?.body == Array("no".utf8))
        }
    }
}
