import Contracts
import HTTPTypes
import Hummingbird
import Jobs
import Model
import NIOCore
import Storage
import Synchronization
import Telemetry
import Vault

/// `/healthz`, `/readyz` and `/metrics`: for supervisors and monitoring.
struct OperationsRoutes {
    let queue: JobQueue
    let service: OperationsService
    let authentication: AuthenticationMiddleware
    let metricsAccess: MetricsAccess
    private let readinessCache: ReadinessCache

    init(
        queue: JobQueue, sealer: CurrentPublicKey, service: OperationsService,
        authentication: AuthenticationMiddleware, metricsAccess: MetricsAccess
    ) {
        (self.queue, self.service, self.authentication) = (queue, service, authentication)
        self.metricsAccess = metricsAccess
        readinessCache = ReadinessCache(queue.database, sealer)
    }

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
            // A damaged database is a 500 elsewhere. Here it is a 503, so that no traffic is sent to this gateway.
            problem.status = .serviceUnavailable
            throw problem
        }
        if queue.events.isClosed {
            throw Problem(
                .serviceUnavailable, code: .stopping, title: "Not ready",
                detail: "The gateway is stopping.", retryAfter: 5)
        }
        let found = try await readinessCache.present()
        return .json(
            .ok,
            JSONWriter.object { json in
                json.member("status", "ready")
                json.member("missing") { json in json.array(found.missing) { $0.value($1.rawValue) } }
                json.member("schema", found.schema)
                json.member("workers", queue.dispatcher.workers.count)
            })
    }

    /// Whether the request comes from an administrator. A wrong or missing credential is not an error here, since
    /// `/readyz` answers everybody.
    private func isAdministrator(_ request: Request, _ context: GatewayContext) async -> Bool {
        let identified = try? await authentication.identified(request, context)
        return identified?.user?.isAdmin == true
    }

    @Sendable private func metrics(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await checkMetricsAccess(request, context)
        let processes = service.processes()
        let page = MetricsPage(
            installation: try await service.installation().snapshot(reports: processes), processes: processes)
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: page.text)))
    }

    /// - Throws: a ``Problem`` for somebody who may not read the metrics.
    private func checkMetricsAccess(_ request: Request, _ context: GatewayContext) async throws {
        switch metricsAccess {
        case .open: return
        case .local where isLocal(request, context): return
        case .local, .token: break
        }
        guard let user = try await authentication.identified(request, context).user, user.isAdmin else {
            throw Problem.adminOnly
        }
    }

    /// Whether the request comes from a program on this machine. A proxy on this machine has the same address, and is
    /// recognized only by a header which says that it forwards somebody else's request. The header's value does not
    /// matter: there are two such headers, and a client can send the one that a proxy does not write itself.
    private func isLocal(_ request: Request, _ context: GatewayContext) -> Bool {
        // A local socket has no address.
        guard let peer = context.remoteAddress else { return true }
        let isForwarded = request.headers[.xForwardedFor] != nil || request.headers[.forwarded] != nil
        return !isForwarded && peer.isLoopback
    }
}

/// The state that `/readyz` reports, read about once a second, since it has no limit of requests. Requests that arrive
/// while it is being read may read it, too.
private final class ReadinessCache: Sendable {
    struct ReadinessState: Sendable {
        /// The version of the database's schema.
        var schema: Int
        /// What is missing although the gateway is ready, as the codes with which it refuses requests meanwhile.
        var missing: [ProblemCode] = []
    }

    private let database: Database
    private let sealer: CurrentPublicKey
    private let known = Mutex<(state: ReadinessState, until: MonotonicInstant)?>(nil)

    init(_ database: Database, _ sealer: CurrentPublicKey) {
        (self.database, self.sealer) = (database, sealer)
    }

    func present() async throws -> ReadinessState {
        let now = MonotonicInstant.now()
        if let known = known.withLock({ $0 }), known.until > now { return known.state }
        // The key's file is read on the reader's thread, too.
        let state = try await database.read { [sealer] reader in
            var state = ReadinessState(schema: try reader.schemaVersion())
            if (try? sealer.key()) == nil { state.missing.append(.vaultUnavailable) }
            return state
        }
        known.withLock { $0 = (state, now.advanced(by: .seconds(1))) }
        return state
    }
}
