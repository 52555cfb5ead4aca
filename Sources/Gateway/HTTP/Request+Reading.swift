import Foundation
import HTTPTypes
import Hummingbird
import Jobs
import Model
import NIOCore
import Storage

extension Request {
    /// The whole body as an array, within the limit.
    func bodyBytes(limit: Int) async throws -> [UInt8] {
        do {
            let buffer = try await body.collect(upTo: limit)
            return Array(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Problem(
                .contentTooLarge, code: "bodyTooLarge", title: "The body is too large",
                detail: "A request's body may have \(limit) bytes at most. Split the request.")
        }
    }

    /// The whole body, which must be a JSON object, within the limit.
    func json(limit: Int) async throws -> RequestField {
        try RequestField.body(try await bodyBytes(limit: limit))
    }

    /// The seconds of `Prefer: wait=N` (RFC 7240), 1 … 30; larger values count as 30. Of several the first
    /// counts, and one that is no number of seconds is passed over like an unknown preference.
    var preferredWait: Duration? {
        for preference in headers[values: .prefer].flatMap({ $0.split(separator: ",") }) {
            // Parameters may follow a semicolon, and the value may stand in quotes.
            let parts = preference.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard parts.count == 2, parts[0].lowercased() == "wait" else { continue }
            let digits = parts[1].trimmingCharacters(in: ["\""])
            guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { continue }
            // More digits than an integer holds are more than 30 seconds.
            let seconds = min(Int(digits) ?? .max, 30)
            return seconds > 0 ? .seconds(seconds) : nil
        }
        return nil
    }

    /// The `Idempotency-Key` header with a hash of the request that it stands for.
    func idempotencyKey(body: [UInt8]) throws -> JobQueue.IdempotencyKey? {
        guard let key = headers[.idempotencyKey] else { return nil }
        guard (1...200).contains(key.utf8.count) else {
            throw Problem.invalidRequest(
                code: "invalidIdempotencyKey",
                "An Idempotency-Key has 1 to 200 bytes; this one has \(key.utf8.count).")
        }
        let request = "\(method) \(uri.path)\n" + String(decoding: body, as: UTF8.self)
        return JobQueue.IdempotencyKey(key: key, fingerprint: Fingerprint.of(request))
    }

    /// The value of a cookie, if it could be one of ours.
    ///
    /// Of two values none counts: a site on a host beside ours can set a cookie of the same name for both, which
    /// browsers may send first, and nothing tells it from ours (RFC 6265, section 8.6).
    func cookie(_ name: String) -> Secret? {
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

    /// A parameter of the query.
    func parameter(_ name: String) -> String? {
        uri.queryParameters[Substring(name)].map(String.init)
    }

    /// The `limit` of a page.
    func pageLimit(standard: Int, maximum: Int) throws -> Int {
        guard let text = parameter("limit") else { return standard }
        guard let limit = Int(text), (1...maximum).contains(limit) else {
            throw Problem.invalidRequest(
                code: "invalidParameter",
                "limit: expected a whole number from 1 to \(maximum), found '\(text.prefix(40))'.",
                field: "limit")
        }
        return limit
    }

    /// Where a page of a list begins; `nil` at the list's beginning.
    func cursor<each Value>(of list: Keyset<repeat each Value>) throws -> Cursor<repeat each Value>? {
        guard let text = parameter("cursor") else { return nil }
        guard let cursor = list.cursor(text) else { throw Problem.invalidCursor }
        return cursor
    }
}

extension Problem {
    static let invalidCursor = Problem.invalidRequest(
        code: "invalidParameter", "cursor: give the nextCursor of the page before.", field: "cursor")
}

extension HTTPField.Name {
    /// RFC 7240.
    static let prefer = HTTPField.Name("Prefer")!
    static let preferenceApplied = HTTPField.Name("Preference-Applied")!
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")!
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
