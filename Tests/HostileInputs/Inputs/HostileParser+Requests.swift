import HTTPTypes
import Hummingbird
import Model
import NIOCore
import Storage
import Synchronization
import Telemetry

// The readers are the target's own.
@testable import Gateway

extension HostileParser {
    /// What the gateway reads of requests.
    static let requests: [HostileParser] = [
        HostileParser("json", mostMemory: 60, seeds: jsonSeeds) { bytes in
            _ = try? JSONParser.parse(bytes)
            _ = try? JSONParser.parse(bytes, opaqueMembers: ["payload"])
        },
        HostileParser("submit-listens", mostMemory: 100, seeds: submissionSeeds) { bytes in
            _ = try? ListenSubmission(bytes, now: 1_800_000_000)
        },
        HostileParser("multipart", mostMemory: 10, seeds: multipartSeeds) { bytes in
            let isRead = Atomic(false)
            // Nothing in it waits, so it has ended when this returns.
            Task.immediate {
                let parts = Parts(bytes: bytes.dropFirst(), size: max(1, Int(bytes.first ?? 1)))
                do {
                    for try await part in MultipartFile(base: parts, boundary: "b") { _ = part.readableBytes }
                } catch {}
                isRead.store(true, ordering: .relaxed)
            }
            precondition(isRead.load(ordering: .relaxed), "reading a form has waited")
        },
        HostileParser("headers", mostMemory: 10, seeds: headerSeeds) { read(headers: $0) },
        HostileParser("cursors", mostMemory: 10, seeds: cursorSeeds) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            _ = list.cursor(text)
            _ = offsets.cursor(text)
        },
    ]

    private static let list = Keyset<Int, String, String>("hostile inputs")
    private static let offsets = Keyset<Int>("hostile offsets")

    /// The body of a request in parts.
    private struct Parts: AsyncSequence, Sendable {
        let bytes: ArraySlice<UInt8>
        let size: Int

        struct Iterator: AsyncIteratorProtocol {
            var rest: ArraySlice<UInt8>
            /// Of the first parts. All others are as long as a connection's: each costs a few microseconds by itself.
            let size: Int
            private var count = 0

            init(_ bytes: ArraySlice<UInt8>, size: Int) { (rest, self.size) = (bytes, size) }

            mutating func next() async -> ByteBuffer? {
                guard !rest.isEmpty else { return nil }
                count += 1
                let part = rest.prefix(count <= 256 ? size : 2_048)
                rest = rest.dropFirst(part.count)
                return ByteBuffer(bytes: part)
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(bytes, size: size) }
    }

    /// Reads a request of lines: its address, then one header in each.
    private static func read(headers bytes: [UInt8]) {
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        var fields = HTTPFields()
        let address = lines.isEmpty ? "/" : String(lines.removeFirst())
        // A connection takes 100 at most.
        for line in lines.prefix(100) {
            let pair = line.split(separator: ":", maxSplits: 1)
            guard pair.count == 2, let name = HTTPField.Name(String(pair[0])) else { continue }
            fields.append(HTTPField(name: name, value: String(pair[1])))
        }
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: address, headerFields: fields)
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
        _ = (request.preferredWait, try? request.idempotencyKey(body: []), request.cookie("session"))
        _ = (request.parameter("q"), try? request.pageLimit(standard: 50, maximum: 200))
        _ = (try? request.integer("offset", in: 0...10_000), try? request.cursor(of: list))
        _ = request.knows(entityTag: "\"x\"")
        _ = fields[.lastEventID].flatMap { EventID($0)?.description }
        _ = try? fields[.contentType].flatMap { try multipartBoundary(of: $0) }
        _ = HTTPField.Name("traceparent").flatMap { fields[$0] }.flatMap(TraceID.parse)
        let proxies = TrustedProxies(["127.0.0.0/8", "::1", "10.0.0.0/8"].compactMap(AddressRange.init))
        _ = proxies.client(of: request, peer: try? SocketAddress(ipAddress: "127.0.0.1", port: 1))?.subscriber
        _ = fields[.forwarded].flatMap(AddressRange.init)
    }

    // MARK: Seeds

    private static let jsonSeeds = [
        "{\"kind\":\"a.b\",\"payload\":{\"x\":[1,-2.5e+3,true,null,\"\\u00e9\\n\"]},\"priority\":9007199254740993}", "[[[[{}]]], \"é\"]",
    ]
    private static let submissionSeeds = [
        "{\"listen_type\":\"import\",\"payload\":[{\"listened_at\":1749780612,\"track_metadata\":{\"track_name\":\"One\","
            + "\"artist_name\":\"Ada\",\"additional_info\":{\"duration_ms\":1000,\"tags\":[\"a\"],\"b\":{\"c\":{\"d\":1}}}}}]}",
        "{\"listen_type\":\"playing_now\",\"payload\":[{\"track_metadata\":{\"track_name\":\"One\",\"artist_name\":\"Ada\"}}]}",
    ]
    private static let multipartSeeds = [
        "\u{10}--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a.csv\"\r\n\r\nTitle\nA\r\n--b--\r\n",
        "\u{01}--b\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n1\r\n--b\r\nfilename\r\n\r\nA\r\n--b--",
    ]
    private static let headerSeeds = [
        "/v1/jobs?limit=20&offset=-1&q=a+%C3%A9&cursor=x\nPrefer: respond-async, wait=\"10\"; a=b\nCookie: session=abc; a=b\n"
            + "If-None-Match: W/\"x\", \"y\"\nLast-Event-ID: 12\nX-Forwarded-For: 10.0.0.1, [::1]:80, 192.0.2.1:80\n"
            + "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\nIdempotency-Key: k\n"
            + "Content-Type: multipart/form-data; boundary=\"b\"\nForwarded: 10.0.0.0/8"
    ]
    private static let cursorSeeds = [list.text(of: 1, "a", "b.c~%"), offsets.text(of: .min), offsets.text(of: 20)]
}
