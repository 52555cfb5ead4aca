import FaultHistories
import Testing

@Suite("Histories of edits")
struct EditHistoryTests {
    @Test("A seed determines a history, which can be written down and read")
    func seedDeterminesAHistory() throws {
        for seed in UInt64(0)..<300 {
            let history = EditHistory(seed: seed)
            #expect(history == EditHistory(seed: seed))
            #expect(try EditHistory(json: history.json) == history)
            #expect(history.lines.count == history.operations.count + 1)
            #expect(history.operations.contains { if case .edit = $0 { true } else { false } })
        }
        #expect(EditHistory(seed: 1) != EditHistory(seed: 2))
    }

    @Test("Histories have everything that may happen")
    func varietyOfHistories() {
        let operations = (UInt64(0)..<2_000).flatMap { EditHistory(seed: $0).operations }
        func isThere(_ isWanted: (EditOperation) -> Bool) -> Bool { operations.contains(where: isWanted) }
        #expect(isThere { if case .restore = $0 { true } else { false } })
        #expect(isThere { if case .setClock = $0 { true } else { false } })
        #expect(isThere { if case .reconnect(_, true) = $0 { true } else { false } })
        #expect(isThere { if case .disturb(.stopWorkers) = $0 { true } else { false } })
        #expect(isThere { if case .whileHeld(_, .revoke) = $0 { true } else { false } })
        #expect(isThere { if case .whileHeld(_, .killWorkers) = $0 { true } else { false } })
        for isAfter in [false, true] {
            #expect(isThere { if case .others(let change) = $0 { change.moment?.isAfter == isAfter } else { false } })
        }
    }
}
