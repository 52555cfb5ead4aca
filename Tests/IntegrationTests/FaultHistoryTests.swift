import FaultHistories
import Synchronization
import Testing

@Suite("Random histories of faults", .timeLimit(.minutes(20)))
struct FaultHistoryTests {
    /// Known ones, so that what was seen once is seen again, and one that nobody has seen.
    static let seeds: [UInt64] = [3, 8, 12, 14, 23, 110] + [UInt64.random(in: 1_000_000..<1_000_000_000)]

    @Test("Whatever happens to the processes, everything that must hold does")
    func histories() async {
        let seeds = Mutex(Self.seeds)
        let campaign = Campaign(parallel: 3) {
            seeds.withLock { $0.popLast() }.map { History(seed: $0) }
        }
        await campaign.run { outcome in
            switch outcome {
            case .passed: break
            case .failed(let failed): Issue.record("\(failed.lines.joined(separator: "\n"))")
            case .unplayable(let history, let reason): Issue.record("Seed \(history.seed): \(reason)")
            }
        }
    }
}
