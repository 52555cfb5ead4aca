import FaultHistories
import Synchronization
import Testing

@Suite("Random histories of faults", .timeLimit(.minutes(20)))
struct FaultHistoryTests {
    /// Known seeds, as regression tests, and a new one. Seed 53 has small quotas, of searches and of jobs.
    static let seeds: [UInt64] = [1, 22, 42, 53, 65, 69, 75] + [UInt64.random(in: 1_000_000..<1_000_000_000)]

    @Test("All rules hold in every history")
    func historiesOfFaults() async {
        await Self.play(Self.seeds.map { History(seed: $0) })
    }

    @Test("All rules hold in every history of edits at services where others make changes")
    func historiesOfEdits() async {
        await Self.play(EditHistory.known + [EditHistory(seed: UInt64.random(in: 1_000_000..<1_000_000_000))])
    }

    @Test("All rules hold in every history of people with two devices each")
    func historiesOfPeople() async {
        // Each of the known ones has found a fault.
        let seeds: [UInt64] = [3, 9, 15] + [UInt64.random(in: 1_000_000..<1_000_000_000)]
        await Self.play(seeds.map { PeopleHistory(seed: $0) })
    }

    @Test("All rules hold in every history of messages between people with two devices each")
    func historiesOfMessages() async {
        let seeds: [UInt64] = [1, 2, 3] + [UInt64.random(in: 1_000_000..<1_000_000_000)]
        await Self.play(seeds.map { MessageHistory(seed: $0) })
    }

    private static func play<Kind: PlayableHistory>(_ histories: [Kind]) async {
        let histories = Mutex(histories)
        let campaign = Campaign<Kind>(parallel: 3) { histories.withLock { $0.popLast() } }
        await campaign.run { outcome in
            switch outcome {
            case .passed: break
            case .failed(let failed): Issue.record("\(failed.lines.joined(separator: "\n"))")
            case .unplayable(let history, let reason): Issue.record("Seed \(history.seed): \(reason)")
            }
        }
    }
}
