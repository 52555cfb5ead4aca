import Model
import TestSupport
import Testing

@testable import Messages

@Suite("Who may write to whom")
struct MessagePolicyTests {
    /// How a sender stands to a person, from the person's side.
    private enum Standing: CaseIterable {
        case mutual, followed, follower, wrote, stranger

        func access(_ policy: MessagePolicy) -> MessageAccess {
            policy.access(
                isFollowed: self == .mutual || self == .followed, follows: self == .mutual || self == .follower,
                hasWritten: self == .wrote)
        }
    }

    @Test("Each policy lets each sender do what the table in docs/messages.md says")
    func table() {
        let expected: [MessagePolicy: [MessageAccess]] = [
            .anybody: [.free, .free, .request, .free, .request],
            .followed: [.free, .free, .refused, .free, .refused],
            .mutual: [.free, .refused, .refused, .free, .refused],
        ]
        for policy in MessagePolicy.allCases {
            #expect(Standing.allCases.map { $0.access(policy) } == expected[policy], "\(policy)")
        }
    }

    @Test("Numbers of policies stay, and an unknown one is the strictest")
    func numbers() {
        #expect(MessagePolicy.allCases.map(\.number) == [0, 1, 2])
        #expect(MessagePolicy.allCases.map { MessagePolicy(number: $0.number) } == MessagePolicy.allCases)
        #expect(MessagePolicy(number: 77) == .mutual)
    }

    @Test("Asking again waits for 90 days from the last request, declined or not, unless writing is free by then")
    func askingAgain() {
        let asked = SampleMessages.noon
        for standing in [ThreadStanding.request, .declined] {
            var rules = ThreadRules(standing: standing, hasAsked: true, askedAt: asked)
            let end = asked.advanced(by: .seconds(90 * 86_400))
            #expect(rules.writing(now: end.advanced(by: .seconds(-1))) == .waiting)
            #expect(rules.writing(now: end) == .request)
            rules.isFollowed = true
            #expect(rules.writing(now: asked) == .free)
            (rules.isFollowed, rules.policy) = (false, .mutual)
            #expect(rules.writing(now: end) == .waiting, "a policy that refuses does not show that it was declined")
            let other = ThreadRules(standing: standing, hasAsked: false, askedAt: asked, policy: .mutual)
            #expect(other.writing(now: asked) == .free, "whoever is asked may answer")
        }
    }
}
