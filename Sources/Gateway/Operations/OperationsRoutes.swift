import Contracts
import HTTPTypes
import Hummingbird
import Jobs
import Model
import Storage

/// `/healthz`, `/readyz` and `/metrics`: for supervisors and monitoring, without a token.
struct OperationsRoutes {
    let queue: JobQueue
    let service: OperationsService
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
            // A damaged database is a 500 elsewhere. Here it is a 503 too, so that no traffic is sent to this gateway.
            problem.status = .serviceUnavailable
            throw problem
        }
        if queue.events.isClosed {
            throw Problem(
                .serviceUnavailable, code: .stopping, title: "Not ready",
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

    /// Whether the request proves to be an administrator's. A wrong or missing credential is no error here, since
    /// `/readyz` answers everybody.
    private func isAdministrator(_ request: Request, _ context: GatewayContext) async -> Bool {
        let identified = try? await authentication.identified(request, context)
        return identified?.user?.isAdmin == true
    }

    @Sendable private func metrics(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let processes = service.processes()
        let page = MetricsPage(
            installation: try await service.installation().snapshot(reports: processes), processes: processes)
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page.text)))
    }
}
