import Model
import Testing

@testable import UpstreamSimulator

@Suite("The simulated daily quota")
struct DailyQuotaTests {
    private let start = Timestamp(microseconds: 1_790_000_000_000_000)

    @Test("Each admitted request gets the remaining number and the time of the reset, and further ones are refused")
    func exhaustedQuota() {
        var quota = DailyQuota(limit: 2, length: .seconds(100))
        let reset = start.advanced(by: .seconds(100))
        #expect(quota.admit(at: start) == .granted(.init(limit: 2, available: 1, resetsAt: reset)))
        #expect(
            quota.admit(at: start.advanced(by: .seconds(99)))
                == .granted(.init(limit: 2, available: 0, resetsAt: reset)))
        #expect(quota.admit(at: start.advanced(by: .microseconds(99_999_999))) == .exhausted(resetsAt: reset))
    }

    @Test("The quota resets a day's length after the first counted request, whether or not requests were refused")
    func resetOfTheQuota() {
        var quota = DailyQuota(limit: 1, length: .seconds(100))
        _ = quota.admit(at: start)
        _ = quota.admit(at: start.advanced(by: .seconds(60)))
        let later = start.advanced(by: .seconds(100))
        #expect(
            quota.admit(at: later)
                == .granted(.init(limit: 1, available: 0, resetsAt: later.advanced(by: .seconds(100)))))
    }

    @Test("A limit that is lowered below what was used refuses the next request")
    func loweredLimit() {
        var quota = DailyQuota(limit: 5, length: .seconds(100))
        for _ in 0..<3 { _ = quota.admit(at: start) }
        quota.limit = 2
        #expect(quota.admit(at: start) == .exhausted(resetsAt: start.advanced(by: .seconds(100))))
        #expect(quota.used == 3)
    }
}
