import Glibc
import Telemetry
import Testing

@Suite("Metrics of a process")
struct MetricSnapshotTests {
    @Test("A snapshot has the values of instruments and sources")
    func valuesOfASnapshot() {
        let registry = MetricRegistry()
        registry.counter(.jobRuns, ["a", "failed"]).add(2)
        registry.counter(.jobRuns, ["a", "failed"]).add()
        registry.histogram(.runTime, ["a"]).observe(.milliseconds(1))
        registry.addSource { $0.set(.processMemory, to: 7) }
        let snapshot = registry.snapshot()
        #expect(snapshot.values(.jobRuns, ["a", "failed"]) == [3])
        #expect(snapshot.values(.jobRuns, ["b", "failed"]) == nil)
        #expect(snapshot.values(.runTime, ["a"])?.last == 1_000)
        #expect(snapshot.values(.processMemory) == [7])
    }

    @Test("Totals are added up, without gauges")
    func totalsWithoutGauges() {
        var (first, second) = (MetricSnapshot(), MetricSnapshot())
        first.set(.jobRuns, ["a", "failed"], to: 1)
        first.set(.processMemory, to: 100)
        second.set(.jobRuns, ["a", "failed"], to: 2)
        second.set(.jobRuns, ["b", "failed"], to: 5)
        second.set(.processMemory, to: 50)
        first.addTotals(of: second)
        #expect(first.values(.jobRuns, ["a", "failed"]) == [3])
        #expect(first.values(.jobRuns, ["b", "failed"]) == [5])
        #expect(first.values(.processMemory) == [100])
        #expect(first.sum(of: .jobRuns) == [8])
        #expect(first.sum(of: .jobRuns) { $0[0] == "b" } == [5])
        #expect(first.series(of: .jobRuns).map(\.labels) == [["a", "failed"], ["b", "failed"]])
    }

    @Test("Names, labels and units follow the conventions of Prometheus", arguments: MetricFamily.all)
    func namesAndUnits(family: MetricFamily) throws {
        #expect(family.name.wholeMatch(of: /(backline|process)_[a-z_]+/) != nil)
        #expect(family.name.hasSuffix("_total") == (family.kind == .counter), "\(family.name)")
        if family.unit == .seconds { #expect(family.name.contains("_seconds"), "\(family.name)") }
        for label in family.labels { #expect(label.wholeMatch(of: /[a-z]+/) != nil && label != "le") }
        #expect(family.help.hasSuffix("."))
        #expect(MetricFamily.named(family.name) == family)
    }

    @Test("A process reports the kernel's values for itself")
    func valuesOfTheProcess() throws {
        var snapshot = MetricSnapshot()
        ProcessMetrics.collect(into: &snapshot)
        #expect(try #require(snapshot.values(.processMemory))[0] > 1 << 20)
        #expect(try #require(snapshot.values(.processFiles))[0] >= 3)
        #expect(try #require(snapshot.values(.processCPU))[0] > 0)
        // 2020-01-01, and not later than this machine's clock.
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let start = try #require(snapshot.values(.processStart))[0]
        #expect(start > 1_577_836_800_000_000 && start <= Int64(now.tv_sec + 1) * 1_000_000)
    }
}

@Suite("Trace ids of requests")
struct TraceIDTests {
    private static let id = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test("A valid header has its trace id")
    func validTraceHeader() {
        #expect(TraceID.parse("00-\(Self.id)-00f067aa0ba902b7-01") == Self.id)
        #expect(TraceID.parse("cc-\(Self.id)-00f067aa0ba902b7-01-what-comes-later") == Self.id)
    }

    @Test(
        "An invalid header has no trace id",
        arguments: [
            "", "00", "00-\(id)-00f067aa0ba902b7", "ff-\(id)-00f067aa0ba902b7-01",
            "00-\(id.uppercased())-00f067aa0ba902b7-01", "00-\(String(repeating: "0", count: 32))-00f067aa0ba902b7-01",
            "00-\(id)-0000000000000000-01", "00-\(id)-00f067aa0ba902b7-01-more", "00-\(id)-00f067aa0ba902b7-0g",
            "cc-\(id)-00f067aa0ba902b7-01more", "00_\(id)_00f067aa0ba902b7_01",
            "00-é\(id.dropFirst(2))-00f067aa0ba902b7-01",
        ])
    func invalidTraceHeaders(header: String) {
        #expect(TraceID.parse(header) == nil)
    }
}
