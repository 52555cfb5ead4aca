import Model
import Testing

@testable import Upstream

@Suite("Random histories of one key", .timeLimit(.minutes(5)))
struct PermitHistoryTests {
    @Test("No window of any limit has more requests than its limit", arguments: 1...16 as ClosedRange<UInt64>)
    func windowsOfAllLimits(seed: UInt64) async throws {
        typealias History = PermitHistory
        try await PermitMachine.run(limit: History.limit, [History.minute, History.tokens, History.day]) {
            (machine: inout PermitMachine) throws in
            var history = History(machine, seed: seed)
            try history.run(steps: 400)
            let arrivals = history.arrivals
            #expect(arrivals.count > 60 && history.days.count > 2, "nothing happened")
            expect(arrivals, within: History.limit.window, at: History.limit.requests) { _ in 1 }
            expect(arrivals, within: History.minute.window, at: History.minute.amount) { _ in 1 }
            expect(arrivals, within: History.tokens.window, at: History.tokens.amount) { $0.weight }
            #expect(history.days.allSatisfy { $0.count <= History.day.amount }, "\(history.days.map(\.count))")
        }
    }

    /// Fails when an interval as long as `window` contains arrivals of more than `amount`.
    private func expect(
        _ arrivals: [PermitHistory.Arrival], within window: Duration, at amount: Int,
        by share: (PermitHistory.Arrival) -> Int, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var (first, sum) = (0, 0)
        for (index, arrival) in arrivals.enumerated() {
            sum += share(arrival)
            while arrival.at - arrivals[first].at > window.microseconds {
                sum -= share(arrivals[first])
                first += 1
            }
            #expect(
                sum <= amount, "\(sum) within \(window), where \(amount) are allowed: \(arrivals[first...index])",
                sourceLocation: sourceLocation)
        }
    }
}
