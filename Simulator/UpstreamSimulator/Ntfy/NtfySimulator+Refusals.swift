extension NtfySimulator {
    /// - Parameter code: the server's own, whose first three digits are the status.
    static func refused(
        _ code: Int, _ error: String, link: String? = nil, headers: [(name: String, value: String)] = []
    ) -> Answer {
        Answer(
            status: code / 100, contentType: "application/json", document: NtfyErrorDocument(code, error, link: link),
            headers: headers)
    }

    static let unauthorized = refused(40_101, "unauthorized", link: "https://ntfy.sh/docs/publish/#authentication")
    static let forbidden = refused(40_301, "forbidden", link: "https://ntfy.sh/docs/publish/#authentication")

    static func limit(headers: [(name: String, value: String)] = []) -> Answer {
        refused(
            42_901, "limit reached: too many requests", link: "https://ntfy.sh/docs/publish/#limitations",
            headers: headers)
    }

    func refusal(_ rule: FaultRule) -> Answer? {
        switch rule.fault {
        case .unauthorized401: Self.unauthorized
        case .forbidden403: Self.forbidden
        case .tooLarge413: Self.refused(41_303, "JSON body too large")
        case .limit429: Self.limit(headers: rule.retryHeaders)
        case .quota429:
            Self.refused(
                42_908, "limit reached: daily message quota reached",
                link: "https://ntfy.sh/docs/publish/#limitations", headers: rule.retryHeaders)
        default: nil
        }
    }
}
