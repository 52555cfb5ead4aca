import Foundation
import TestProcesses
import TestSupport
import Testing

@Suite(
    "More connections than file descriptors",
    .enabled(if: OpenFiles.tool != nil, "util-linux' prlimit is not installed."), .timeLimit(.minutes(20)))
struct DescriptorTests {
    @Test("The gateway reserves descriptors: jobs continue, and waiting clients are served as others disconnect")
    func reservedDescriptors() async throws {
        try await Installation.run { installation in
            // The gateway reserves 96 of these for itself.
            let gateway = try await installation.startGateway(
                through: [try #require(OpenFiles.tool), "--nofile=160:160"])
            _ = try await installation.startWorker()
            try await installation.connected(workers: 1)
            let ada = try await installation.addUser()
            let ids = try await ada.submitBatch(Echo.batch(0..<20, sleepMs: 500))
            // One address may hold a quarter of the connections.
            let idle = try (0..<120).map { number in
                try RawConnection(to: installation.visitor.baseURL, from: "127.0.0.\(2 + number / 12)")
            }
            // Between requests a connection may be idle for 75 seconds, but a new one only for 10, in which a busy
            // machine may not accept 64.
            for connection in idle { connection.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") }
            try await gateway.waitForLog("no further connections are accepted")
            #expect(gateway.errors.contains("raise LimitNOFILE"))
            async let waiting = ada.submit(Echo.job(1), wait: 30)
            try await eventually("the jobs to end meanwhile") {
                let storedJobs = try await installation.storedJobs()
                return ids.allSatisfy { storedJobs[$0]?.state == "succeeded" }
            }
            #expect(OpenFiles(of: gateway).count < 150, "some are left")
            // A worker that connects meanwhile is also accepted.
            let late = try await installation.startWorker(.sync)
            try await gateway.waitForLog("worker sync-worker-1 (process \(late.processID)) connected")
            extendLifetime(idle)
            for client in idle { client.hangUp() }
            #expect(try await waiting.state == "succeeded")
            #expect(try await installation.metrics().sum("backline_http_connections_limit") == 64)
            #expect(gateway.errors.count(of: "no further connections") < 5)
        }
    }

    @Test("Slow clients at one address cannot hold all connections, and others are served")
    func connectionsOfOneAddress() async throws {
        try await Installation.run { installation in
            // 64 connections, of which one address may hold 16.
            let gateway = try await installation.startGateway(
                through: [try #require(OpenFiles.tool), "--nofile=160:160"])
            let ada = try await installation.addUser()
            // They send the beginning of a request, and read nothing.
            let slow = try (0..<100).map { _ in
                try RawConnection(to: installation.visitor.baseURL, from: "127.0.0.2")
            }
            for connection in slow { connection.send("GET /v1/events HTTP/1.1\r\n") }
            try await gateway.waitForLog("an address has reached its share of the connections")
            #expect(gateway.errors.contains("http.trustedProxies"))
            for _ in 0..<20 { #expect(try await ada.get("/v1/jobs/summary").status == 200) }
            #expect(gateway.errors.count(of: "no further connections are accepted") == 0)
            #expect(try await installation.metrics().sum("backline_http_connections", [:]) < 48)
            for client in slow { client.hangUp() }
        }
    }

    @Test("Connections that cannot be accepted wait: the gateway neither exits nor spins, and jobs continue")
    func exhaustedDescriptors() async throws {
        try await Installation.run { installation in
            let (gateway, _) = try await installation.startAll()
            let ada = try await installation.addUser()
            // The jobs make the gateway open its database readers.
            _ = try await ada.submitBatch(Echo.batch(0..<50))
            try await ada.allEnded()
            let ids = try await ada.submitBatch(Echo.batch(0..<20, sleepMs: 2_000))
            let files = OpenFiles(of: gateway)
            try await files.setLimit(files.count + 8)
            let idle = try (0..<40).map { _ in try RawConnection(to: installation.visitor.baseURL) }
            try await gateway.waitForLog("connections cannot be accepted")
            #expect(gateway.errors.contains("Too many open files") && gateway.errors.contains("raise LimitNOFILE"))
            let (before, began) = (files.processorTime, ContinuousClock.now)
            try await eventually("the jobs to end meanwhile") {
                let storedJobs = try await installation.storedJobs()
                return ids.allSatisfy { storedJobs[$0]?.state == "succeeded" }
            }
            // A loop without a pause would use a whole processor. The jobs also use some of its time, more of it when
            // processes share the processors' caches.
            let elapsed = began.duration(to: .now)
            #expect(files.processorTime - before < elapsed / 3 + .seconds(1), "of \(elapsed)")
            for client in idle { client.hangUp() }
            #expect(try await ada.submit(Echo.job(1), wait: 30).state == "succeeded")
            #expect(gateway.errors.count(of: "cannot be accepted") < 5)
            #expect(gateway.isRunning)
        }
    }

    @Test("A worker that cannot open files accepts no jobs and says so, and continues once it can")
    func workerWithoutDescriptors() async throws {
        try await ConcertInstallation.run { concerts in
            let ada = try await concerts.addUser()
            let names = try await concerts.upstream.artists(.unknown, count: 2)
            let worker = try #require(concerts.base.running("concert-worker").first)
            // The search makes the worker open its database readers, and the fault closes its connection to the
            // upstream.
            try await concerts.upstream.injectFault("closeAfterResponse")
            #expect(try await ada.search([names[0]]).state == "complete")
            let files = OpenFiles(of: worker)
            // The limit is lower than the number of files that it has opened, so that it cannot reopen one that it
            // closes.
            try await files.setLimit(16)
            try await worker.waitForLog("too few file descriptors are left")
            #expect(worker.errors.contains("raise LimitNOFILE"))
            let search = try await ada.beginSearch([names[1]])
            let jobs = try await ada.submitBatch(Echo.batch(0..<20))
            try await eventually("all of them to wait") {
                try await concerts.base.metrics().sum("backline_jobs", ["state": "queued"]) >= 21
            }
            // This is longer than libdispatch takes to notice that its threads are blocked.
            let late = try await ada.post("/v1/jobs", Echo.job(1), headers: ["Prefer": "wait=3"]).job
            #expect(late.state == "queued" && worker.isRunning)

            try await files.setLimit(4_096)
            try await worker.waitForLog("enough file descriptors are free again")
            for id in jobs + [late.id] { #expect(try await ada.ended(id).state == "succeeded") }
            let done =
                try await eventually("the end of the search") {
                    let search = try await ada.search(id: search)
                    return search.isRunning ? nil : search
                } as SearchView
            #expect(done.state == "complete" && done.warnings.isEmpty)
            #expect(worker.isRunning)
        }
    }
}
