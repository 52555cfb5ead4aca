import Testing

@testable import Jobs

@Suite("Polls of the table")
struct PollCoalescerTests {
    @Test("One poll runs at a time, and however many are requested meanwhile, one more follows")
    func requestsShareAPoll() {
        var polls = PollCoalescer()
        // Each begins or ends a poll; the macros cannot call mutating functions.
        var begins: [Bool] = []
        for _ in 0...1_000 { begins.append(polls.begin()) }
        #expect(begins == [true] + Array(repeating: false, count: 1_000))
        let ends = [polls.end(), polls.begin(), polls.end(), polls.end()]
        #expect(ends == [false, false, false, true])
        let beginsAgain = polls.begin()
        let endsAgain = polls.end()
        #expect(beginsAgain && endsAgain)
    }
}
