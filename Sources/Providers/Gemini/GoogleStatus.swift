import Foundation
import Upstream

/// What a Google API says of an error (`google.rpc.Status`), read leniently: what is missing or of another shape is
/// left out.
struct GoogleStatus {
    struct Quota {
        /// Whether it is the day's, which no short pause brings back.
        var isOfDay = false
        var delay: Duration?
    }

    var status = ""
    /// May repeat the key.
    var message = ""
    /// Of each `ErrorInfo`.
    var reasons: [String] = []
    var quota = Quota()

    /// Google's own code of it: the first reason, else the status; `nil` for what cannot be one, such as a key.
    var code: String? { (reasons + [status]).first(where: Self.isCode) }

    /// Codes of Google's are words in capitals (`google.rpc.ErrorInfo`), which no key is.
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

    /// "26s" or "26.5s".
    static func duration(_ text: String) -> Duration? {
        guard text.hasSuffix("s"), let seconds = Double(text.dropLast()), (0...86_400).contains(seconds) else {
            return nil
        }
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
