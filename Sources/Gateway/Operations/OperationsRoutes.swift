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
        page.gauge("backline_jobs", "Jobs by state.", JobState.allCases.map { (["state": $0.rawValue], counts[$0] ?? 0) })
        let workers = queue.dispatcher.workers
        page.gauge("backline_workers", "Workers that are connected.", [([:], workers.count)])
        page.gauge("backline_worker_held_jobs", "Jobs a worker holds.", workers.map { (["worker": $0.name], $0.held) })
        let writes = queue.database.writeStatistics.snapshot
        page.counter("backline_gateway_database_commits_total", "Transactions of the gateway.", writes.batches)
        page.counter("backline_gateway_database_writes_total", "Writes within them.", writes.entries)
        page.counter("backline_gateway_database_lock_waits_total", "Times another process held the write lock.", writes.lockWaits)
        page.gauge("backline_database_log_bytes", "Size of the write-ahead log.", [([:], Int(queue.database.logSize))])
        let messages = router.statistics
        page.counter("backline_gateway_messages_sent_total", "Messages to workers.", messages.messagesSent)
        page.counter("backline_gateway_messages_received_total", "Messages from workers.", messages.messagesReceived)
        page.counter("backline_gateway_messages_undeliverable_total", "Messages that could not leave.", messages.undeliverable)
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page.text)))
    }
}

/// Prometheus's text format (prometheus.io/docs/instrumenting/exposition_formats).
private struct MetricsPage {
    private(set) var text = ""

    mutating func gauge(_ name: String, _ help: String, _ samples: [(labels: [String: String], value: Int)]) {
        write(name, help, type: "gauge", samples)
    }

    mutating func counter(_ name: String, _ help: String, _ value: Int) {
        write(name, help, type: "counter", [([:], value)])
    }

    private mutating func write(
        _ name: String, _ help: String, type: String, _ samples: [(labels: [String: String], value: Int)]
    ) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        for sample in samples {
            let labels = sample.labels.sorted { $0.key < $1.key }.map { key, value in
                let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
                return "\(key)=\"\(escaped)\""
            }
            text += name + (labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}") + " \(sample.value)\n"
        }
    }
}
