import Foundation
import Model
import Upstream

/// The error of a Google API (`google.rpc.Status`), decoded leniently: fields that are missing or malformed are left
/// out.
struct GoogleStatus {
    struct Quota {
        /// Whether the daily quota is used up, which a short wait does not restore.
        var isOfDay = false
        var delay: Duration?
    }

    var status = ""
    /// May repeat the key.
    var message = ""
    /// The reason of each `ErrorInfo`.
    var reasons: [String] = []
    var quota = Quota()

    /// Google's code for the error: the first reason, else the status; `nil` when neither looks like a code.
    var code: String? { (reasons + [status]).first(where: Self.isCode) }

    /// Google's codes consist of capitals, digits and underscores (`google.rpc.ErrorInfo`); keys do not.
    private static func isCode(_ text: String) -> Bool {
        (1...63).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "_" }
    }

    init(_ response: UpstreamResponse) {
        guard let error = try? JSONDecoder().decode(Document.self, from: Data(response.body)).error else { return }
        status = error.status ?? ""
        message = error.message ?? ""
        for detail in error.details ?? [] {
            if let reason = detail.reason { reasons.append(reason) }
            if let delay = detail.retryDelay.flatMap(Self.duration) { quota.delay = delay }
            if detail.violations?.contains(where: { $0.quotaId?.contains("PerDay") == true }) == true {
                quota.isOfDay = true
            }
        }
    }

    /// Reads a duration such as "26s" or "26.5s", at most a day.
    static func duration(_ text: String) -> Duration? {
        guard text.hasSuffix("s"), let seconds = Double(decimal: text.dropLast(), in: 0...86_400) else { return nil }
        return .milliseconds(Int64(seconds * 1_000))
    }

    private struct Document: Decodable {
        var error: Body
    }

    private struct Body: Decodable {
        var status: String?
        var message: String?
        var details: [Detail]?
    }

    private struct Detail: Decodable {
        struct Violation: Decodable {
            var quotaId: String?
        }

        var reason: String?
        var retryDelay: String?
        var violations: [Violation]?
    }
}
