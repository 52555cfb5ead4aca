/// An error of a Google API: `google.rpc.Status` in JSON.
struct GeminiRefusal: Error {
    var code: Int
    var status: String
    var message: String
    /// The details, each with its `@type` and a closure that writes its other members.
    var details: [(type: String, write: @Sendable (inout JSONWriter) -> Void)] = []
    var headers: [(name: String, value: String)] = []

    static let service = "generativelanguage.googleapis.com"

    static func argument(_ message: String) -> GeminiRefusal {
        GeminiRefusal(code: 400, status: "INVALID_ARGUMENT", message: message)
    }

    /// This is a 400, not a 401. Recordings repeat the key in the last detail, so the body must not be logged.
    static func invalidKey(_ key: String, _ message: String = "API key not valid. Please pass a valid API key.")
        -> GeminiRefusal
    {
        var refusal = argument(message)
        refusal.details = [
            errorInfo("API_KEY_INVALID", metadata: [("service", service)]),
            (
                "LocalizedMessage",
                { json in
                    json.string("locale", "en-US")
                    json.string("message", message)
                }
            ),
            ("DebugInfo", { $0.string("detail", "Invalid API key: \(key)") }),
        ]
        return refusal
    }

    static let noKey = GeminiRefusal(
        code: 403, status: "PERMISSION_DENIED",
        message: "Method doesn't allow unregistered callers (callers without established identity). "
            + "Please use API Key or other form of API consumer identity to call this API.")

    static let accessToken = GeminiRefusal(
        code: 401, status: "UNAUTHENTICATED",
        message: "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or "
            + "other valid authentication credential.",
        details: [errorInfo("ACCESS_TOKEN_TYPE_UNSUPPORTED", metadata: [("service", service)])])

    static let serviceDisabled = GeminiRefusal(
        code: 403, status: "PERMISSION_DENIED",
        message: "Generative Language API has not been used in project 348715329010 before or it is disabled. "
            + "Enable it by visiting https://console.developers.google.com/apis/api/\(service)/overview"
            + "?project=348715329010 then retry.",
        details: [
            errorInfo("SERVICE_DISABLED", metadata: [("service", service), ("consumer", "projects/348715329010")])
        ])

    static let locationUnsupported = GeminiRefusal(
        code: 400, status: "FAILED_PRECONDITION", message: "User location is not supported for the API use.")

    static let overloaded = GeminiRefusal(
        code: 503, status: "UNAVAILABLE", message: "The model is overloaded. Please try again later.")

    /// - Parameter retryDelay: the delay that the refusal names. If a daily quota is exceeded, waiting that long does
    ///   not help.
    static func quota(_ violations: [GeminiQuotas.Violation], retryDelay: String) -> GeminiRefusal {
        GeminiRefusal(
            code: 429, status: "RESOURCE_EXHAUSTED",
            message: "You exceeded your current quota, please check your plan and billing details.",
            details: [
                (
                    "QuotaFailure",
                    { json in
                        json.array("violations") { json in
                            for violation in violations { json.object { violation.write(to: &$0) } }
                        }
                    }
                ),
                (
                    "Help",
                    { json in
                        json.array("links") { json in
                            json.object { json in
                                json.string("description", "Learn more about Gemini API quotas")
                                json.string("url", "https://ai.google.dev/gemini-api/docs/rate-limits")
                            }
                        }
                    }
                ),
                ("RetryInfo", { $0.string("retryDelay", retryDelay) }),
            ])
    }

    /// A 429 without details.
    static let bareQuota = GeminiRefusal(
        code: 429, status: "RESOURCE_EXHAUSTED", message: "Resource has been exhausted (e.g. check quota).")

    static func notFound(_ name: String) -> GeminiRefusal {
        let message =
            "\(name) is not found for API version v1beta, or is not supported for generateContent. "
            + "Call ListModels to see the list of available models and their supported methods."
        return GeminiRefusal(code: 404, status: "NOT_FOUND", message: message)
    }

    private static func errorInfo(
        _ reason: String, metadata: [(String, String)]
    ) -> (type: String, write: @Sendable (inout JSONWriter) -> Void) {
        (
            "ErrorInfo",
            { json in
                json.string("reason", reason)
                json.string("domain", "googleapis.com")
                json.object("metadata") { json in
                    for (name, value) in metadata { json.string(name, value) }
                }
            }
        )
    }

    var answer: Answer {
        var json = JSONWriter()
        json.object { json in
            json.object("error") { json in
                json.number("code", code)
                json.string("message", message)
                json.string("status", status)
                guard !details.isEmpty else { return }
                json.array("details") { json in
                    for detail in details {
                        json.object { json in
                            json.string("@type", "type.googleapis.com/google.rpc.\(detail.type)")
                            detail.write(&json)
                        }
                    }
                }
            }
        }
        return Answer(
            status: code, contentType: "application/json; charset=UTF-8", body: json.text, headers: headers)
    }
}

extension GeminiQuotas.Violation {
    private var metric: String {
        name == .tokensPerMinute
            ? "generate_content_free_tier_input_token_count" : "generate_content_free_tier_requests"
    }

    private var quotaID: String {
        switch name {
        case .requestsPerMinute: "GenerateRequestsPerMinutePerProjectPerModel-FreeTier"
        case .tokensPerMinute: "GenerateContentInputTokensPerModelPerMinute-FreeTier"
        case .requestsPerDay: "GenerateRequestsPerDayPerProjectPerModel-FreeTier"
        }
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.string("quotaMetric", "\(GeminiRefusal.service)/\(metric)")
        json.string("quotaId", quotaID)
        json.object("quotaDimensions") { json in
            json.string("location", "global")
            json.string("model", model)
        }
        json.string("quotaValue", String(limit))
    }
}
