import Testing

@testable import Jobs

@Suite("Polls of the table")
struct JoinedPollsTests {
    @Test("One poll runs at a time, and however many ask meanwhile, one more follows")
    func joined() {
        var polls = JoinedPolls()
        #expect(polls.begin())
        for _ in 0..<1_000 { #expect(!polls.begin()) }
        #expect(!polls.end())
        #expect(!polls.begin())
        #expect(!polls.end())
        #expect(polls.end())
        #expect(polls.begin())
        #expect(polls.end())
    }
}
