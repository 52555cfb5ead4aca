import Contracts
import HTTPTypes
import Hummingbird
import Jobs
import Messaging
import Model
import Storage

/// `/healthz`, `/readyz` and `/metrics`: for supervisors and monitoring, without a token.
struct OperationsRoutes {
    let queue: JobQueue
    let router: MessageRouter

    func add(to group: Router<GatewayContext>) {
        group.get("healthz") { _, _ in
            Response.json(.ok, JSONWriter.object { $0.member("status", "alive") })
        }
        group.get("readyz", use: readiness)
        group.get("metrics", use: metrics)
    }

    @Sendable private func readiness(_ request: Request, _ context: GatewayContext) async throws -> Response {
        if let blockage = queue.database.blockage { throw ProblemMiddleware.problem(for: blockage) }
        if queue.events.isClosed {
            throw Problem(
                .serviceUnavailable, code: "stopping", title: "Not ready",
                detail: "The gateway is stopping.", retryAfter: 5)
        }
        let schema = try await queue.database.schemaVersion()
        return .json(
            .ok,
            JSONWriter.object {
                $0.member("status", "ready")
                $0.member("schema", schema)
                $0.member("workers", queue.dispatcher.workers.count)
            })
    }

    @Sendable private func metrics(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let counts = try await queue.database.read { try $0.jobCounts() }
        var page = MetricsPage()
        page.gauge(
            "backline_jobs", "Jobs by state.", JobState.allCases.map { (["state": $0.rawValue], counts[$0] ?? 0) })
        let workers = queue.dispatcher.workers
        page.gauge("backline_workers", "Workers that are connected.", [([:], workers.count)])
        page.gauge("backline_worker_held_jobs", "Jobs a worker holds.", workers.map { (["worker": $0.name], $0.held) })
        let writes = queue.database.writeStatistics.snapshot
        page.counter("backline_gateway_database_commits_total", "Transactions of the gateway.", writes.batches)
        page.counter("backline_gateway_database_writes_total", "Writes within them.", writes.entries)
        page.counter(
            "backline_gateway_database_lock_waits_total", "Times another process held the write lock.", writes.lockWaits
        )
        page.gauge("backline_database_log_bytes", "Size of the write-ahead log.", [([:], Int(queue.database.logSize))])
        let messages = router.statistics
        page.counter("backline_gateway_messages_sent_total", "Messages to workers.", messages.messagesSent)
        page.counter("backline_gateway_messages_received_total", "Messages from workers.", messages.messagesReceived)
        page.counter(
            "backline_gateway_messages_undeliverable_total", "Messages that could not leave.", messages.undeliverable)
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page.text)))
    }
}
