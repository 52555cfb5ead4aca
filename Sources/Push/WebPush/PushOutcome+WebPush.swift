import Model

extension PushOutcome {
    /// What the answer of a push service means (RFC 8030, section 5 and 8.4; RFC 8292, section 4.2). Where the services
    /// differ from the RFCs, docs/push.md has the sources.
    ///
    /// - Parameter retryAfter: how long the answer asks to wait.
    package init(
        webPush status: Int, body: [UInt8], retryAfter: Duration?, at now: Timestamp
    ) {
        let answer = PushAnswer(status: status, code: Self.code(in: body, named: ["reason", "errno"]))
        switch status {
        case 200..<300: self = .accepted
        case 404, 410: self = .gone(.unknown)
        case 400, 401, 403:
            if Self.namesAnotherKey(answer, body) {
                self = .gone(.otherKey)
            } else {
                self = status == 400 ? .rejected(answer) : .refused(answer)
            }
        case 413: self = .tooLarge(answer)
        // Windows' service answers 406 to a sender that is too fast.
        case 406, 408, 429, 500...599: self = .wait(retryAfter, answer, at: now)
        default: self = .rejected(answer)
        }
    }

    /// Whether the subscription was made for another key: Apple's reason, or Google's sentence. Any person can have such
    /// a subscription, so it must not look as if the installation's key was wrong.
    private static func namesAnotherKey(_ answer: PushAnswer, _ body: [UInt8]) -> Bool {
        if answer.code == "VapidPkHashMismatch" { return true }
        let text = String(decoding: body.prefix(longestReadBody), as: UTF8.self).lowercased()
        return text.contains("vapidpkhashmismatch")
            || text.contains("do not correspond to the credentials used to create the subscription")
    }
}
