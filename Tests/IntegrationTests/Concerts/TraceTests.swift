import TestProcesses
import TestSupport
import Testing

@Suite("A request's trace, from the gateway to the upstream call", .timeLimit(.minutes(20)))
struct TraceTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let headers = ["traceparent": "00-\(trace)-00f067aa0ba902b7-01"]

    @Test("The gateway and the worker log the trace, and the gateway counts the upstream calls")
    func loggedTrace() async throws {
        var setup = ConcertInstallation.Setup.standard
        setup.environment = ["BACKLINE_LOG_LEVEL": "debug"]
        try await ConcertInstallation.run(setup) { concerts in
            let ada = try await concerts.addUser()
            let response = try await ada.post(
                "/v1/concert-searches", #"{"artists":["Imagine Dragons"]}"#,
                headers: Self.headers.merging(["Prefer": "wait=30"]) { $1 })
            #expect(response.status == 200, "\(response.text)")
            let calls = try await concerts.calls()
            #expect(calls > 0)
            let gateway = try #require(concerts.base.running("api-gateway").first)
            let worker = try #require(concerts.base.running("concert-worker").first)
            // Lines about a request and about a call are written when they have ended, and read later.
            let requests =
                try await eventually("the line about the request") {
                    let lines = gateway.errors.lines.filter {
                        $0.contains("trace=\(Self.trace)") && $0.contains(": request ")
                    }
                    return lines.isEmpty ? nil : lines
                } as [String]
            #expect(requests.count == 1)
            #expect(requests.first?.contains("path=/v1/concert-searches ") == true, "\(requests)")
            #expect(requests.first?.contains("status=200") == true && requests.first?.contains("user=") == true)
            let ofCalls =
                try await eventually("the lines about the calls") {
                    let lines = worker.errors.lines.filter { $0.contains("upstream call ") }
                    return lines.count >= calls ? lines : nil
                } as [String]
            #expect(ofCalls.count == calls)
            for line in ofCalls {
                #expect(line.contains("trace=\(Self.trace)"), "\(line)")
                #expect(line.contains("kind=concerts.lookup") && line.contains("job=") && line.contains("jobAttempt=1"))
                #expect(line.contains("user=system"))
            }
            let metrics = try await concerts.base.metrics("the report of the upstream calls") {
                $0.sum("backline_upstream_calls_total") == Double(calls)
            }
            let provider = ["provider": "ticketmaster", "process": "concert-worker-1"]
            let answered = provider.merging(["status": "200"]) { $1 }
            #expect(metrics.sum("backline_upstream_calls_total", answered) == Double(calls))
            #expect(metrics.sum("backline_upstream_call_seconds_count", provider) == Double(calls))
            #expect(metrics.sum("backline_upstream_permit_wait_seconds_count", provider) == Double(calls))
            #expect(metrics.sum("backline_upstream_response_bytes_total", provider) > 0)
            #expect(metrics.values[.init(name: "backline_upstream_circuit_open", labels: provider)] == 0)
            #expect(metrics.sum("backline_permits", ["provider": "ticketmaster"]) == Double(setup.requestsPerSecond))
        }
    }

    @Test("The trace survives the first worker of a job; without a traced request no log has one")
    func traceOutlivesAWorker() async throws {
        try await Installation.run(environment: ["BACKLINE_LOG_LEVEL": "debug"]) { installation in
            try await installation.startGateway()
            let ada = try await installation.addUser(isAdmin: true)
            let response = try await ada.post("/v1/jobs", Echo.job(1, sleepMs: 20_000), headers: Self.headers)
            let id = try response.job.id
            let first = try await installation.startWorker()
            try await ada.job(id, reaches: "running")
            first.kill()
            try await first.waitForEnd()
            let second = try await installation.startWorker()
            try await ada.job(id, reaches: "succeeded")
            let plain = try await ada.submit(Echo.job(2), wait: 30)
            let ends =
                try await eventually("the lines about both ends") {
                    let lines = second.errors.lines.filter { $0.contains("a run ended") }
                    return [id, plain.id].allSatisfy { id in lines.contains { $0.contains(id) } } ? lines : nil
                } as [String]
            #expect(ends.count { $0.contains("job=\(id) ") && $0.contains("trace=\(Self.trace)") } == 1, "\(ends)")
            #expect(ends.count { $0.contains("job=\(plain.id) ") && !$0.contains("trace=") } == 1, "\(ends)")
            let user = try #require(ends.first?.firstMatch(of: /user=([0-9a-f]{12})\b/)?.1)
            #expect(ends.allSatisfy { $0.contains("user=\(user)") }, "one person has one pseudonym")
        }
    }
}
