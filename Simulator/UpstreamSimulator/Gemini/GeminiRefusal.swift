/// An error of a Google API: `google.rpc.Status` in JSON.
struct GeminiRefusal: Error {
    var code: Int
    var status: String
    var message: String
    var details: [GeminiErrorDetail] = []
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
            .errorInfo("API_KEY_INVALID"), .localizedMessage(message), .debugInfo("Invalid API key: \(key)"),
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
        details: [.errorInfo("ACCESS_TOKEN_TYPE_UNSUPPORTED")])

    static let serviceDisabled = GeminiRefusal(
        code: 403, status: "PERMISSION_DENIED",
        message: "Generative Language API has not been used in project 348715329010 before or it is disabled. "
            + "Enable it by visiting https://console.developers.google.com/apis/api/\(service)/overview"
            + "?project=348715329010 then retry.",
        details: [.errorInfo("SERVICE_DISABLED", consumer: "projects/348715329010")])

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
            details: [.quotaFailure(violations), .help, .retryInfo(retryDelay)])
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

    var answer: Answer {
        Answer(
            status: code, contentType: "application/json; charset=UTF-8", document: GeminiErrorDocument(self),
            headers: headers)
    }
}
