import Model
import Testing

@testable import Jobs

@Suite("Whose fault a crash is")
struct CrashLedgerTests {
    private let start = MonotonicInstant(microseconds: 1_000_000_000)

    /// What a death weighs, so many seconds after the first; of one job alone where it held only one.
    private func death(of jobs: String..., after seconds: Int, _ ledger: inout CrashLedger) -> Int {
        ledger.workerDied(
            holding: jobs, alone: jobs.count == 1 ? jobs.first : nil, at: start.advanced(by: .seconds(seconds)))
    }

    @Test("Three deaths alone in calm times reach the limit")
    func calm() {
        var ledger = CrashLedger()
        var weight = 0
        for round in 0..<3 {
            #expect(weight < CrashLedger.limit)
            weight += death(of: "a", after: round, &ledger)
        }
        #expect(weight >= CrashLedger.limit)
    }

    @Test("Bystanders are held nothing against")
    func bystanders() {
        var ledger = CrashLedger()
        #expect(death(of: "a", "b", after: 0, &ledger) == 0)
        #expect(death(after: 0, &ledger) == 0)
        // An idle worker's death makes no storm.
        #expect(death(of: "a", after: 20, &ledger) == CrashLedger.calmWeight)
    }

    @Test("While workers with other jobs die too, a death weighs a third, and ten seconds later all again")
    func storm() {
        var ledger = CrashLedger()
        #expect(death(of: "a", after: 0, &ledger) == CrashLedger.calmWeight)
        #expect(death(of: "b", after: 1, &ledger) == CrashLedger.stormWeight)
        #expect(death(of: "a", after: 9, &ledger) == CrashLedger.stormWeight)
        #expect(death(of: "a", after: 20, &ledger) == CrashLedger.calmWeight)
        #expect(CrashLedger.stormWeight * 3 == CrashLedger.calmWeight)
    }

    @Test("The deaths of the groups to which a job belonged are no storm; those of their other halves are")
    func ownGroups() {
        var ledger = CrashLedger()
        for (second, group) in [["a", "b", "c", "d"], ["a", "b", "c", "d"], ["a", "b"]].enumerated() {
            #expect(ledger.workerDied(holding: group, alone: nil, at: start.advanced(by: .seconds(second))) == 0)
        }
        #expect(death(of: "a", after: 3, &ledger) == CrashLedger.calmWeight)
        #expect(death(of: "a", after: 4, &ledger) == CrashLedger.calmWeight)
        #expect(death(of: "c", after: 5, &ledger) == CrashLedger.stormWeight)
        #expect(death(of: "a", after: 6, &ledger) == CrashLedger.stormWeight)
    }
}
