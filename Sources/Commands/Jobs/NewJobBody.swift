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

    /// The body with the payload unchanged, because the gateway stores it byte for byte.
    ///
    /// - Parameters:
    ///   - payload: one JSON value.
    ///   - runAt: RFC 3339.
    /// - Throws: ``NoJSON`` when the payload is not a JSON value.
    static func json(
        kind: String, payload: String, priority: Int? = nil, runAt: String? = nil, uniqueKey: String? = nil
    ) throws -> Data {
        guard (try? JSONSerialization.jsonObject(with: Data(payload.utf8), options: .fragmentsAllowed)) != nil else {
            throw NoJSON()
        }
        let members = Members(kind: kind, priority: priority, runAt: runAt, uniqueKey: uniqueKey)
        var body = try JSONEncoder().encode(members)
        // The object always has the kind, so a comma may follow.
        body.removeLast()
        return body + Data(",\"payload\":\(payload)}".utf8)
    }
}
