import Model
import Storage

/// Who may write to a person. Whoever has written with the person before may always write.
package enum MessagePolicy: String, Sendable, CaseIterable {
    /// Everybody; those whom the person does not follow ask first.
    case anybody
    /// Whom the person follows.
    case followed
    /// Whom the person follows, and who follow the person.
    case mutual

    /// The value of `message_settings.policy`.
    var number: Int64 {
        switch self {
        case .anybody: 0
        case .followed: 1
        case .mutual: 2
        }
    }

    /// - Parameter number: a value of `message_settings.policy`. A later version may know more: an unknown one counts
    ///   as the strictest.
    init(number: Int64) {
        self = Self.allCases.first { $0.number == number } ?? .mutual
    }

    /// What a message to the person leads to.
    ///
    /// - Parameters:
    ///   - isFollowed: whether the person follows the sender.
    ///   - follows: whether the sender follows the person.
    ///   - hasWritten: whether the two have written to each other before.
    package func access(isFollowed: Bool, follows: Bool, hasWritten: Bool) -> MessageAccess {
        if hasWritten { return .free }
        return switch self {
        case .anybody: isFollowed ? .free : .request
        case .followed: isFollowed ? .free : .refused
        case .mutual: isFollowed && follows ? .free : .refused
        }
    }
}

/// What a policy lets a sender do.
package enum MessageAccess: Sendable, Equatable {
    case free, request, refused
}

/// What a message in a thread leads to at this moment.
package enum MessageWriting: String, Sendable, CaseIterable {
    /// It arrives.
    case free
    /// It is a request.
    case request
    /// An earlier request has no answer.
    case waiting
    /// The other person receives none.
    case refused
    /// Nothing can be sent.
    case closed
}

/// How a thread stands, as its row says.
enum ThreadStanding: Int64, Sendable, SQLConvertible {
    /// Nobody has written.
    case new = 0
    /// Both may write.
    case open = 1
    /// Somebody has asked the other one, who has not answered.
    case request = 2
    /// The other one has declined, which who asked does not learn.
    case declined = 3
}

/// What decides whether somebody may write in a thread to a person whom they can reach.
struct ThreadRules: Sendable {
    var standing = ThreadStanding.new
    /// Whether the one who wants to write has asked last.
    var hasAsked = false
    var askedAt: Timestamp?
    var policy = MessagePolicy.anybody
    /// Whether the other person follows the sender.
    var isFollowed = false
    /// Whether the sender follows the other person.
    var follows = false

    /// How long nobody asks a person again.
    static let pauseOfRequests = Duration.seconds(90 * 86_400)

    /// What a message leads to now.
    func writing(now: Timestamp) -> MessageWriting {
        let isAsked = standing == .request || standing == .declined
        // Whoever answers a request, even after declining it, opens the thread.
        if isAsked, !hasAsked { return .free }
        switch policy.access(isFollowed: isFollowed, follows: follows, hasWritten: standing == .open) {
        case .free: return .free
        case .refused: return isAsked ? .waiting : .refused
        case .request:
            // It is the same whether the request was declined, which nobody learns by asking again.
            let isWaiting = askedAt.map { now < $0.advanced(by: Self.pauseOfRequests) } ?? false
            return isAsked && isWaiting ? .waiting : .request
        }
    }
}
