/// An error of a Google API: `google.rpc.Status` in JSON.
struct GeminiErrorDocument: Encodable {
    struct Status: Encodable {
        var code: Int
        var message: String
        var status: String
        var details: [GeminiErrorDetail]?
    }

    let error: Status

    init(_ refusal: GeminiRefusal) {
        error = Status(
            code: refusal.code, message: refusal.message, status: refusal.status,
            details: refusal.details.isEmpty ? nil : refusal.details)
    }
}

/// A detail of an error. Each type has some of the members.
struct GeminiErrorDetail: Encodable, Sendable {
    struct Metadata: Encodable, Sendable {
        var service: String
        var consumer: String?
    }

    struct Violation: Encodable, Sendable {
        struct Dimensions: Encodable, Sendable {
            let location = "global"
            var model: String
        }

        var quotaMetric: String
        var quotaId: String
        var quotaDimensions: Dimensions
        var quotaValue: String
    }

    struct Link: Encodable, Sendable {
        var description: String
        var url: String
    }

    let type: String
    private(set) var reason: String?
    private(set) var domain: String?
    private(set) var metadata: Metadata?
    private(set) var locale: String?
    private(set) var message: String?
    private(set) var detail: String?
    private(set) var violations: [Violation]?
    private(set) var links: [Link]?
    private(set) var retryDelay: String?

    enum CodingKeys: String, CodingKey {
        case type = "@type"
        case reason, domain, metadata, locale, message, detail, violations, links, retryDelay
    }

    private init(type: String) {
        self.type = "type.googleapis.com/google.rpc." + type
    }

    static func errorInfo(_ reason: String, consumer: String? = nil) -> GeminiErrorDetail {
        var detail = GeminiErrorDetail(type: "ErrorInfo")
        detail.reason = reason
        detail.domain = "googleapis.com"
        detail.metadata = Metadata(service: GeminiRefusal.service, consumer: consumer)
        return detail
    }

    static func localizedMessage(_ message: String) -> GeminiErrorDetail {
        var detail = GeminiErrorDetail(type: "LocalizedMessage")
        detail.locale = "en-US"
        detail.message = message
        return detail
    }

    static func debugInfo(_ text: String) -> GeminiErrorDetail {
        var detail = GeminiErrorDetail(type: "DebugInfo")
        detail.detail = text
        return detail
    }

    static func quotaFailure(_ violations: [GeminiQuotas.Violation]) -> GeminiErrorDetail {
        var detail = GeminiErrorDetail(type: "QuotaFailure")
        detail.violations = violations.map { Violation($0) }
        return detail
    }

    static let help: GeminiErrorDetail = {
        var detail = GeminiErrorDetail(type: "Help")
        detail.links = [
            Link(
                description: "Learn more about Gemini API quotas",
                url: "https://ai.google.dev/gemini-api/docs/rate-limits")
        ]
        return detail
    }()

    static func retryInfo(_ delay: String) -> GeminiErrorDetail {
        var detail = GeminiErrorDetail(type: "RetryInfo")
        detail.retryDelay = delay
        return detail
    }
}

extension GeminiErrorDetail.Violation {
    fileprivate init(_ violation: GeminiQuotas.Violation) {
        quotaMetric = "\(GeminiRefusal.service)/\(violation.metric)"
        quotaId = violation.quotaID
        quotaDimensions = Dimensions(model: violation.model)
        quotaValue = String(violation.limit)
    }
}

extension GeminiQuotas.Violation {
    fileprivate var metric: String {
        name == .tokensPerMinute
            ? "generate_content_free_tier_input_token_count" : "generate_content_free_tier_requests"
    }

    fileprivate var quotaID: String {
        switch name {
        case .requestsPerMinute: "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"
        case .tokensPerMinute: "GenerateContentInputTokensPerModelPerMinute-FreeTier"
        case .requestsPerDay: "GenerateRequestsPerDayPerProjectPerModel-FreeTier"
        }
    }
}
