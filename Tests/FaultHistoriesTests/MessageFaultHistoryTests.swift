import Testing

@testable import FaultHistories

@Suite("Histories of messages under faults")
struct MessageFaultHistoryTests {
    @Test("A seed determines a history, which can be written down and read")
    func seedDeterminesAHistory() throws {
        for seed in UInt64(0)..<300 {
            let history = MessageHistory(seed: seed)
            #expect(history == MessageHistory(seed: seed))
            #expect(try MessageHistory(json: history.json) == history)
            #expect(history.lines.count == history.operations.count + 1)
            for case .burst(let texts, _) in history.operations {
                #expect(Set(texts.map(\.pair)).count == texts.count)
            }
        }
        #expect(MessageHistory(seed: 1) != MessageHistory(seed: 2))
    }

    @Test("Histories have everything that may happen, and no id twice")
    func varietyOfHistories() {
        var kinds: Set<String> = []
        for seed in UInt64(0)..<500 {
            var numbers: Set<Int> = []
            for operation in MessageHistory(seed: seed).operations {
                kinds.insert(Mirror(reflecting: operation).children.first?.label ?? "\(operation)")
                let texts: [SentText] =
                    switch operation {
                    case .send(let text), .sendOnBothDevices(let text): [text]
                    case .burst(let some, _): some
                    default: []
                    }
                for text in texts { #expect(numbers.insert(text.number).inserted && text.from != text.to) }
            }
        }
        // Those without values are described by their texts.
        #expect(kinds.count == 11)
    }
}
