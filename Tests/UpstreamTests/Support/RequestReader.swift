import Foundation

/// Reads HTTP/1.1 requests with `Content-Length` from the bytes of a connection.
struct RequestReader {
    enum Next {
        case request(method: String, target: String, headers: [String: String], body: [UInt8])
        case ended
        case reset
    }

    let connection: Int32
    private var buffer: [UInt8] = []

    init(connection: Int32) {
        self.connection = connection
    }

    mutating func next() -> Next {
        while true {
            if let request = takeRequest() { return request }
            var chunk = [UInt8](repeating: 0, count: 16_384)
            let count = recv(connection, &chunk, chunk.count, 0)
            if count == 0 { return .ended }
            if count < 0 { return .reset }
            buffer += chunk[..<count]
        }
    }

    private mutating func takeRequest() -> Next? {
        let text = String(decoding: buffer, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return nil }
        let headLength = text[..<end.upperBound].utf8.count
        var lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        let start = lines.removeFirst().split(separator: " ")
        var headers: [String: String] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers[parts[0].lowercased()] = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        let bodyLength = headers["content-length"].flatMap { Int($0) } ?? 0
        guard buffer.count >= headLength + bodyLength else { return nil }
        let body = Array(buffer[headLength..<(headLength + bodyLength)])
        buffer.removeFirst(headLength + bodyLength)
        return .request(method: String(start[0]), target: String(start[1]), headers: headers, body: body)
    }
}
