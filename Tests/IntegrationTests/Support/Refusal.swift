import TestProcesses

/// A request that must be refused, and how.
struct Refusal: Sendable {
    var path = "/v1/jobs"
    var body: [UInt8]
    var headers: [String: String] = [:]
    var status: Int
    var code: String
    var field: String?
    var why: String

    /// A body of valid JSON with a value that is not allowed.
    static func field(_ field: String, _ body: String, path: String = "/v1/jobs", why: String) -> Refusal {
        Refusal(path: path, body: Array(body.utf8), status: 422, code: "invalidField", field: field, why: why)
    }

    static func notJSON(_ body: [UInt8], why: String) -> Refusal {
        Refusal(body: body, status: 400, code: "invalidJSON", why: why)
    }

    static func notJSON(_ body: String, why: String) -> Refusal {
        notJSON(Array(body.utf8), why: why)
    }
}
