import Foundation

/// The body of `POST /v1/jobs`.
enum NewJobBody {
    private struct Members: Encodable {
        var kind: String
        var priority: Int?
        var runAt: String?
        var uniqueKey: String?
    }

    struct NoJSON: Error, Equatable {}

    /// The payload is written as it is given, because the gateway keeps it byte for byte.
    ///
    /// - Parameters:
    ///   - payload: one JSON value.
    ///   - runAt: RFC 3339.
    /// - Throws: ``NoJSON`` when the payload is no JSON value.
    static func json(
        kind: String, payload: String, priority: Int? = nil, runAt: String? = nil, uniqueKey: String? = nil
    ) throws -> Data {
        guard (try? JSONSerialization.jsonObject(with: Data(payload.utf8), options: .fragmentsAllowed)) != nil else {
            throw NoJSON()
        }
        let members = Members(kind: kind, priority: priority, runAt: runAt, uniqueKey: uniqueKey)
        var body = try JSONEncoder().encode(members)
        // The kind is always there, so that a comma may follow.
        body.removeLast()
        return body + Data(",\"payload\":\(payload)}".utf8)
    }
}
