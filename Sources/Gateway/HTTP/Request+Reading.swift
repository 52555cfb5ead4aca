import Foundation
import HTTPTypes
import Hummingbird
import Jobs
import Model
import Storage

extension Request {
    /// Reads the whole body, which should be JSON. If its `Content-Length` is too large, or its header announces another
    /// encoding than UTF-8, nothing is read.
    ///
    /// - Parameters:
    ///   - limit: in bytes.
    ///   - ignoresCharset: whether the body counts as UTF-8 whatever its type says.
    /// - Throws: ``Problem`` `bodyTooLarge` or `unsupportedEncoding`, or `gatewayBusy` where the gateway has no memory
    ///   for it now.
    package func bodyBytes(limit: Int, ignoresCharset: Bool = false) async throws -> [UInt8] {
        try checkContentEncoding()
        if !ignoresCharset { try checkCharset() }
        var bytes: [UInt8] = []
        if let declared = headers[.contentLength] {
            guard let length = Int(decimal: declared, in: 0...limit) else { throw Problem.bodyTooLarge(limit: limit) }
            // A sender may declare more than it sends.
            bytes.reserveCapacity(min(length, 65_536))
        }
        for try await part in body {
            guard part.readableBytes <= limit - bytes.count else { throw Problem.bodyTooLarge(limit: limit) }
            bytes.append(contentsOf: part.readableBytesView)
        }
        return bytes
    }

    /// Reads the whole body as JSON.
    ///
    /// - Parameter limit: in bytes.
    /// - Throws: ``Problem`` `bodyTooLarge`, `unsupportedEncoding`, `gatewayBusy` or `invalidJSON`.
    package func json(limit: Int) async throws -> RequestField {
        try RequestField.body(try await bodyBytes(limit: limit))
    }

    /// The time of `Prefer: wait=N` (RFC 7240), 1 to 30 seconds; larger values count as 30. The first valid preference
    /// counts; one that is not a number of seconds is ignored like an unknown preference.
    package var preferredWait: Duration? {
        for preference in headers[values: .prefer].flatMap({ $0.split(separator: ",") }) {
            // Parameters may follow a semicolon, and the value may be quoted.
            let parts = preference.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, parts[0].lowercased() == "wait" else { continue }
            let digits = parts[1].trimmingCharacters(in: ["\""])
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
            // A number that cannot be read is more than 30 seconds.
            let seconds = Int(decimal: digits, in: 0...30) ?? 30
            return seconds > 0 ? .seconds(seconds) : nil
        }
        return nil
    }

    /// The `Idempotency-Key` header with a hash of the request that it belongs to; `nil` without the header.
    package func idempotencyKey(body: [UInt8]) throws -> JobQueue.IdempotencyKey? {
        guard let key = headers[.idempotencyKey] else { return nil }
        guard (1...200).contains(key.utf8.count) else {
            throw Problem.invalidRequest(
                code: .invalidIdempotencyKey,
                "An Idempotency-Key must have 1 to 200 bytes; this one has \(key.utf8.count).")
        }
        return JobQueue.IdempotencyKey(key: key, fingerprint: Fingerprint.of("\(method) \(uri.path)\n", body))
    }

    /// The value of a cookie; `nil` when it is missing, longer than 200 bytes, or sent with two different values.
    ///
    /// A site on a sibling host can set a cookie of the same name for the common domain. Browsers then send both, and
    /// nothing distinguishes ours from the other one (RFC 6265, section 8.6), so neither counts.
    package func cookie(_ name: String) -> Secret? {
        var value: Substring?
        for header in headers[values: .cookie] {
            for pair in header.split(separator: ";") {
                let parts = pair.split(separator: "=", maxSplits: 1)
                guard parts.count == 2, parts[0].drop(while: \.isWhitespace) == name, parts[1].utf8.count <= 200
                else { continue }
                if let value, value != parts[1] { return nil }
                value = parts[1]
            }
        }
        return value.map { Secret(String($0)) }
    }

    /// A query parameter; `nil` when it is missing. If several have the same name, the first counts.
    ///
    /// A `+` is a space, as forms and the libraries of most languages write it. Hummingbird's own parser keeps it.
    package func parameter(_ name: String) -> String? {
        encodedParameter(name).map { $0.removingPercentEncoding ?? $0 }
    }

    /// Like ``parameter(_:)``, for a text that a person searches for. A `%` that encodes nothing stands for itself.
    ///
    /// - Throws: ``Problem`` where the bytes are not UTF-8, such as those of half a surrogate pair.
    package func text(_ name: String) throws -> String? {
        guard let encoded = encodedParameter(name) else { return nil }
        if let text = encoded.removingPercentEncoding { return text }
        let digits = encoded.utf8.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false).dropFirst()
        guard digits.contains(where: { $0.prefix(2).filter { Character(Unicode.Scalar($0)).isHexDigit }.count < 2 })
        else {
            throw Problem.invalidRequest(
                code: .invalidParameter, "\(name): the text is not valid UTF-8; encode its characters in UTF-8.",
                field: name)
        }
        return encoded
    }

    /// A query parameter with its percent encoding.
    private func encodedParameter(_ name: String) -> String? {
        guard let query = uri.query else { return nil }
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard pair[..<end].elementsEqual(name.utf8) else { continue }
            let bytes = pair[end...].dropFirst().map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
            return String(decoding: bytes, as: UTF8.self)
        }
        return nil
    }

    /// The `limit` parameter of a list.
    ///
    /// - Parameters:
    ///   - standard: the limit without the parameter.
    ///   - maximum: a larger limit is refused.
    package func pageLimit(standard: Int, maximum: Int) throws -> Int {
        try integer("limit", in: 1...maximum) ?? standard
    }

    /// A whole number in the query; `nil` when it is missing.
    ///
    /// - Throws: ``Problem`` for any other text, and for a number outside `range`.
    package func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let text = parameter(name) else { return nil }
        guard let number = Int(decimal: text, in: range) else {
            throw Problem.invalidRequest(
                code: .invalidParameter,
                "\(name): expected a whole number from \(range.lowerBound) to \(range.upperBound), found "
                    + "'\(text.prefix(40))'.", field: name)
        }
        return number
    }

    /// A parameter that is `true` or `false`; `false` when it is missing.
    package func flag(_ name: String) throws -> Bool {
        switch parameter(name) {
        case nil, "false": return false
        case "true": return true
        case let text?:
            throw Problem.invalidRequest(
                code: .invalidParameter, "\(name): expected true or false, found '\(text.prefix(40))'.", field: name)
        }
    }

    /// The `cursor` parameter of a list; `nil` for its first page.
    package func cursor<each Value>(of list: Keyset<repeat each Value>) throws -> Cursor<repeat each Value>? {
        guard let text = parameter("cursor") else { return nil }
        guard let cursor = list.cursor(text) else { throw Problem.invalidCursor }
        return cursor
    }
}

extension Problem {
    package static let invalidCursor = Problem.invalidRequest(
        code: .invalidParameter, "cursor: send the nextCursor of the previous page.", field: "cursor")
}

extension HTTPField.Name {
    /// RFC 7240.
    static let prefer = HTTPField.Name("Prefer")!
    package static let preferenceApplied = HTTPField.Name("Preference-Applied")!
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
    /// nginx's header by which a response says whether a proxy may buffer it.
    static let accelBuffering = HTTPField.Name("X-Accel-Buffering")!
}
