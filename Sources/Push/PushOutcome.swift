import Foundation
import Model

/// What became of a message that was sent to a push service or an ntfy server.
package enum PushOutcome: Sendable, Equatable {
    /// The service has accepted it, and delivers it when the device can be reached. Nobody learns whether it was shown.
    case accepted
    /// Nothing can be sent to this receiver any more: delete it.
    case gone(Ending)
    /// The service refuses the sender's credentials (401, 403). With Web Push these are the installation's, with ntfy
    /// the person's.
    ///
    /// Whoever owns a receiver has chosen its host, so that a refusal says nothing about other hosts, and one of a
    /// single receiver little about its host. The receiver stays.
    case refused(PushAnswer)
    /// It is too large for this service: send a shorter one once.
    case tooLarge(PushAnswer)
    /// The service, or the pause after earlier failures, asks to wait. `nil` if nothing was sent.
    case wait(until: Timestamp, PushAnswer?)
    /// The service does not accept this message, and would not accept it later. The receiver stays.
    case rejected(PushAnswer)
    /// There was no answer. The message may have arrived.
    case unreachable(String)

    /// Why nothing can be sent to a receiver any more.
    package enum Ending: String, Sendable {
        /// The service does not have the subscription (404), or no longer has it (410).
        case unknown
        /// The subscription was made for another key than the installation's.
        case otherKey
    }
}

/// What a service has answered, reduced to what can be logged: a body may repeat addresses and tokens.
package struct PushAnswer: Sendable, Equatable, CustomStringConvertible {
    package let status: Int
    /// The service's own word or number for what is wrong: Apple's `reason`, Mozilla's `errno`, ntfy's `code`.
    package let code: String?

    package init(status: Int, code: String? = nil) {
        (self.status, self.code) = (status, code)
    }

    package var description: String { "status \(status)" + (code.map { " (\($0))" } ?? "") }
}

extension PushOutcome: CustomStringConvertible {
    /// For logs. It contains no secrets.
    package var description: String {
        switch self {
        case .accepted: "accepted"
        case .gone(.unknown): "the subscription no longer exists"
        case .gone(.otherKey): "the subscription was made for another key"
        case .refused(let answer): "the service refuses the credentials: \(answer)"
        case .tooLarge(let answer): "the message is too large for the service: \(answer)"
        case .wait(let until, let answer):
            "the service is to be called again after \(until)" + (answer.map { ": \($0)" } ?? "")
        case .rejected(let answer): "the service does not accept the message: \(answer)"
        case .unreachable(let cause): "the service gave no answer: \(cause)"
        }
    }
}

extension PushOutcome {
    /// How long to wait if an answer that asks to wait does not say so.
    static let standardWait = Duration.seconds(60)

    /// The beginning of a body that is looked at, in bytes.
    static let longestReadBody = 4_096

    static func wait(_ retryAfter: Duration?, _ answer: PushAnswer, at now: Timestamp) -> PushOutcome {
        .wait(until: now.advanced(by: max(.seconds(1), retryAfter ?? standardWait)), answer)
    }

    /// The member of a JSON object that has the service's code: a short word or a number.
    static func code(in body: [UInt8], named names: [String]) -> String? {
        guard body.count <= longestReadBody,
            let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
        else { return nil }
        for name in names {
            if let word = object[name] as? String, (1...40).contains(word.utf8.count),
                word.utf8.allSatisfy(\.isASCIILetterOrDigit)
            {
                return word
            }
            if let number = object[name] as? Int { return String(number) }
        }
        return nil
    }
}

extension UInt8 {
    var isASCIILetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
