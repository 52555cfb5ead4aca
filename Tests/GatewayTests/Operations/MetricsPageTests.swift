import Jobs
import Model
import Telemetry
import Testing

@testable import Gateway

@Suite("Metrics in Prometheus's text format")
struct MetricsPageTests {
    @Test("Counters and gauges have help, type and the label of their process")
    func countersAndGauges() {
        var (installation, gateway, worker) = (MetricSnapshot(), MetricSnapshot(), MetricSnapshot())
        installation.set(.workers, to: 1)
        installation.set(.jobs, ["a.kind", "queued"], to: 3)
        gateway.set(.databaseCommits, to: 7)
        worker.set(.databaseCommits, to: 8)
        worker.set(.processCPU, to: 1_250_000)
        let page = MetricsPage(
            installation: installation,
            processes: [
                .init(name: "api-gateway", metrics: gateway, reportedAt: nil),
                .init(name: "concert-worker-1", metrics: worker, reportedAt: nil),
            ])
        #expect(
            page.text == """
                # HELP backline_jobs Jobs by kind and state, from counters.
                # TYPE backline_jobs gauge
                backline_jobs{kind="a.kind",state="queued"} 3
                # HELP backline_workers Connected workers.
                # TYPE backline_workers gauge
                backline_workers 1
                # HELP backline_database_commits_total Transactions committed.
                # TYPE backline_database_commits_total counter
                backline_database_commits_total{process="api-gateway"} 7
                backline_database_commits_total{process="concert-worker-1"} 8
                # HELP process_cpu_seconds_total User and system CPU time.
                # TYPE process_cpu_seconds_total counter
                process_cpu_seconds_total{process="concert-worker-1"} 1.25

                """)
    }

    @Test("A histogram's buckets are cumulative, in seconds, and end with +Inf")
    func bucketsOfAHistogram() {
        let histogram = Histogram(.times)
        histogram.observe(50)
        histogram.observe(200)
        histogram.observe(.seconds(600))
        var metrics = MetricSnapshot()
        metrics.set(.runTime, ["k"], values: histogram.values)
        let lines = MetricsPage(
            installation: MetricSnapshot(), processes: [.init(name: "w", metrics: metrics, reportedAt: nil)]
        ).text.split(separator: "\n")
        let name = "backline_job_run_seconds"
        #expect(lines[2] == #"\#(name)_bucket{process="w",kind="k",le="0.0001"} 1"#)
        #expect(lines[3] == #"\#(name)_bucket{process="w",kind="k",le="0.00025"} 2"#)
        let end: [Substring] = [
            #"\#(name)_bucket{process="w",kind="k",le="300"} 2"#, #"\#(name)_bucket{process="w",kind="k",le="+Inf"} 3"#,
            #"\#(name)_sum{process="w",kind="k"} 600.00025"#, #"\#(name)_count{process="w",kind="k"} 3"#,
        ]
        #expect(Array(lines.suffix(4)) == end)
    }

    @Test(
        "A label's value is escaped",
        arguments: [
            ("a\"b", #"a\"b"#), (#"a\b"#, #"a\\b"#), ("a\nb", #"a\nb"#), ("\\\"\n", #"\\\"\n"#), (#"\n"#, #"\\n"#),
            ("a\"} 1\nforged 2", #"a\"} 1\nforged 2"#), ("é日🎵", "é日🎵"),
            ("a\r\nb", "a\r\\nb"),
        ])
    func escapedLabels(value: String, escaped: String) {
        var page = MetricsPage()
        page.add(.workerHeldJobs, [(labels: [("process", value)], values: [1])])
        let lines = page.text.utf8.split(separator: UInt8(ascii: "\n")).map(Array.init)
        #expect(lines.count == 3)
        #expect(lines.last == Array("backline_worker_held_jobs{process=\"\(escaped)\"} 1".utf8))
    }

    @Test(
        "Microseconds become seconds exactly",
        arguments: [
            (0, "0"), (1, "0.000001"), (250, "0.00025"), (1_000_000, "1"), (-1_500_000, "-1.5"),
            (1_795_000_000_123_456, "1795000000.123456"),
        ] as [(Int64, String)])
    func exactSeconds(value: Int64, text: String) {
        #expect(MetricsPage.number(value, .seconds) == text)
    }
}
