import Model
import Testing

@testable import UpstreamSimulator

@Suite("The simulator's traffic limits")
struct TrafficTests {
    private let wall = Timestamp(microseconds: 1_790_000_000_000_000)

    private func arrive(
        _ traffic: inout Traffic, _ line: String = "/discovery/v2/events.json?apikey=demo-key", at microseconds: Int64
    ) -> Arrival.Verdict {
        traffic.arrive(RequestTarget(line), at: MonotonicInstant(microseconds: microseconds), wallTime: wall).verdict
    }

    private func isAdmitted(_ verdict: Arrival.Verdict) -> Bool {
        if case .admitted = verdict { true } else { false }
    }

    @Test("Five arrivals share a second, and the sixth is admitted exactly a second after the first")
    func arrivalsOfASecond() {
        var traffic = Traffic(limits: TrafficLimits())
        for offset in 0..<5 { #expect(isAdmitted(arrive(&traffic, at: Int64(offset)))) }
        #expect(isAdmitted(arrive(&traffic, at: 1_000_000)))
        var early = Traffic(limits: TrafficLimits())
        for offset in 0..<5 { _ = arrive(&early, at: Int64(offset)) }
        #expect(arrive(&early, at: 999_999) == .tooFast(perSecond: 5))
    }

    @Test("A refused arrival counts toward the rate, but uses no quota")
    func refusedArrivalsCount() {
        var traffic = Traffic(limits: TrafficLimits(perSecond: 1))
        #expect(isAdmitted(arrive(&traffic, at: 0)))
        #expect(arrive(&traffic, at: 600_000) == .tooFast(perSecond: 1))
        #expect(arrive(&traffic, at: 1_200_000) == .tooFast(perSecond: 1))
        #expect(isAdmitted(arrive(&traffic, at: 2_200_000)))
        #expect(traffic.summary.keys["demo-key"] == .init(arrivals: 4, quotaUsed: 2, largestInOneSecond: 2))
    }

    @Test("Limits belong to a key; a missing or unknown key uses no limit")
    func limitsOfKeys() {
        var traffic = Traffic(limits: TrafficLimits(perSecond: 1, validKeys: ["one", "two"]))
        #expect(isAdmitted(arrive(&traffic, "/e?apikey=one", at: 0)))
        #expect(isAdmitted(arrive(&traffic, "/e?apikey=two", at: 0)))
        #expect(arrive(&traffic, "/e?apikey=three", at: 0) == .unknownKey)
        #expect(arrive(&traffic, "/e?apikey=", at: 0) == .missingKey)
        #expect(arrive(&traffic, "/e", at: 0) == .missingKey)
        #expect(traffic.summary.arrivals == 5)
        #expect(traffic.summary.largestInOneSecond == 5)
        #expect(traffic.summary.keys.keys.sorted() == ["one", "two"])
    }

    @Test("The refusal of the quota repeats the key")
    func refusalOfTheQuota() {
        var traffic = Traffic(limits: TrafficLimits(perSecond: 100, dailyQuota: 2))
        for _ in 0..<2 { #expect(isAdmitted(arrive(&traffic, at: 0))) }
        #expect(arrive(&traffic, at: 1) == .quotaExhausted(key: "demo-key"))
    }

    @Test("The log contains the moment and the request, but never the key")
    func loggedRequests() {
        var traffic = Traffic(limits: TrafficLimits())
        _ = arrive(&traffic, "/discovery/v2/events.json?keyword=Low&apikey=demo-key&size=5", at: 42)
        #expect(traffic.log == [.init(at: 42, request: "/discovery/v2/events.json?keyword=Low&size=5")])
        #expect(traffic.summary.keywords == ["Low": 1])
    }

    @Test("The largest number of open requests is counted, and a reset does not forget open requests")
    func openRequests() {
        var traffic = Traffic(limits: TrafficLimits())
        let first = traffic.arrive(
            RequestTarget("/e?apikey=demo-key"), at: MonotonicInstant(microseconds: 0), wallTime: wall)
        _ = arrive(&traffic, at: 1)
        traffic.close()
        #expect(traffic.summary.largestOpen == 2)
        #expect(traffic.summary.open == 1)
        traffic.reset()
        #expect(traffic.summary.open == 1)
        #expect(traffic.summary.arrivals == 0)
        #expect(traffic.claim(first.id) != nil)
        #expect(traffic.claim(first.id) == nil)
    }
}
