/// A message that the service does not accept.
struct PushRefusal: Error {
    let answer: Answer

    init(_ answer: Answer) { self.answer = answer }

    init(_ refusal: VAPIDProof.Refusal) {
        answer =
            switch refusal {
            case .missing: PushSimulator.unauthorized
            case .badToken: PushSimulator.badToken
            case .otherKey: PushSimulator.otherKey
            }
    }
}

extension PushSimulator {
    static func error(_ status: Int, _ errno: Int, _ error: String, _ message: String) -> Answer {
        Answer(
            status: status,
            document: PushErrorDocument(code: status, errno: errno, error: error, message: message))
    }

    static let unknown = error(404, 102, "Not Found", "Invalid URL endpoint")
    static let gone = error(410, 106, "Gone", "Subscription is no longer valid, user should no longer be notified.")
    static let tooLarge = error(413, 104, "Payload Too Large", "This message is intended for a constrained device.")
    static let unauthorized = error(401, 109, "Unauthorized", "Missing or invalid authentication.")
    static let badToken = Answer(status: 403, document: PushReasonDocument(reason: "BadJwtToken"))
    static let otherKey = Answer(status: 400, document: PushReasonDocument(reason: "VapidPkHashMismatch"))

    func refusal(_ rule: FaultRule) -> Answer? {
        switch rule.fault {
        case .unknown404: Self.unknown
        case .gone410: Self.gone
        case .otherKey400: Self.otherKey
        case .otherKey403:
            Answer(
                status: 403, contentType: "text/plain; charset=utf-8",
                body: "the VAPID credentials in the authorization header do not correspond to the credentials used to "
                    + "create the subscriptions.\n")
        case .unauthorized401: Self.unauthorized
        case .forbidden403: Self.badToken
        case .tooLarge413: Self.tooLarge
        case .limit406: Answer(status: 406, contentType: "", body: "", headers: rule.retryHeaders)
        case .limit429:
            Answer(
                status: 429,
                document: PushErrorDocument(
                    code: 429, errno: 999, error: "Too Many Requests", message: "Too many messages"),
                headers: rule.retryHeaders)
        default: nil
        }
    }
}
