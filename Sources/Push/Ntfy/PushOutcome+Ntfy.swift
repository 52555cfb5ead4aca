import Model

extension PushOutcome {
    /// The code of an answer whose sender has used up its messages of the day.
    private static let dailyQuota = "42908"
    /// How long to wait then. The day of the server is not known.
    private static let dailyWait = Duration.seconds(3_600)

    /// What the answer of an ntfy server means (https://docs.ntfy.sh/publish/#limitations). A server never says that a
    /// topic is gone: topics are created by publishing to them.
    ///
    /// - Parameter retryAfter: how long the answer asks to wait.
    package init(ntfy status: Int, body: [UInt8], retryAfter: Duration?, at now: Timestamp) {
        let answer = PushAnswer(status: status, code: Self.code(in: body, named: ["code"]))
        switch status {
        case 200..<300: self = .accepted
        case 401, 403: self = .refused(answer)
        case 413: self = .tooLarge(answer)
        case 429 where answer.code == Self.dailyQuota:
            self = .wait(retryAfter ?? Self.dailyWait, answer, at: now)
        case 408, 429, 500...599: self = .wait(retryAfter, answer, at: now)
        default: self = .rejected(answer)
        }
    }
}
