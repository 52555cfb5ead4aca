import Contracts
import HTTPTypes
import Hummingbird
import Jobs
import Model
import Storage

/// `/healthz`, `/readyz` and `/metrics`: for supervisors and monitoring, without a token.
struct OperationsRoutes {
    let queue: JobQueue
    let desk: OperationsDesk
    let authentication: AuthenticationMiddleware

    func add(to group: Router<GatewayContext>) {
        group.get("healthz") { _, _ in
            Response.json(.ok, JSONWriter.object { $0.member("status", "alive") })
        }
        group.get("readyz", use: readiness)
        group.get("metrics", use: metrics)
    }

    @Sendable private func readiness(_ request: Request, _ context: GatewayContext) async throws -> Response {
        if let blockage = queue.database.blockage {
            var problem = ProblemMiddleware.problem(
                for: blockage, isAdmin: await isAdministrator(request, context))
            // Also of a damaged database: what can be read is served, but nothing should be sent here.
            problem.status = .serviceUnavailable
            throw problem
        }
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

    /// Whoever cannot be told to be one counts as anybody: this page answers everybody, whatever they send.
    private func isAdministrator(_ request: Request, _ context: GatewayContext) async -> Bool {
        let identified = try? await authentication.identified(request, context)
        return identified?.user?.isAdmin == true
    }

    @Sendable private func metrics(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let processes = desk.processes()
        let page = MetricsPage(
            installation: try await desk.installation().snapshot(reports: processes), processes: processes)
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page.text)))
    }
}
