import Testing

@testable import FaultHistories

@Suite("The rules of histories of messages")
struct MessageRecordTests {
    /// Texts that were sent are named by their numbers.
    struct Page: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let seen: [String]
        var numbers: [Int] = [4, 7, 9]
        let rule: Violation.Rule?
    }

    @Test(
        "A page of messages that is not what was sent, in its order, breaks a rule",
        arguments: [
            Page(testDescription: "all in order", seen: ["1", "2", "3"], rule: nil),
            Page(testDescription: "one is lost", seen: ["1", "3"], numbers: [4, 9], rule: .messagesOnce),
            Page(
                testDescription: "one is doubled", seen: ["1", "2", "2", "3"], numbers: [4, 7, 8, 9],
                rule: .messagesOnce),
            Page(testDescription: "one is another", seen: ["1", "2", "4"], rule: .messagesOnce),
            Page(testDescription: "two are exchanged", seen: ["1", "3", "2"], rule: .messageOrder),
            Page(
                testDescription: "the numbers do not ascend", seen: ["1", "2", "3"], numbers: [4, 9, 7],
                rule: .messageOrder),
        ])
    func pages(_ page: Page) {
        let rule = MessageHistoryRun.brokenRule(seen: page.seen, numbers: page.numbers, sent: ["1", "2", "3"])
        #expect(rule == page.rule)
    }
}
