import Accounts
import HTTPTypes
import Hummingbird
import JobStorage
import Jobs
import Model
import PermitStorage
import Storage

/// `/v1/admin`: the whole installation, for administrators.
struct AdminRoutes {
    let queue: JobQueue
    let service: OperationsService

    func add(to group: RouterGroup<GatewayContext>) {
        let admin = group.group("admin").add(middleware: AdminMiddleware())
        admin.get("overview", use: overview)
        admin.get("workers", use: workers)
        admin.get("permits", use: permits)
        admin.get("series", use: series)
        admin.get("dead-letters", use: deadLetters)
        admin.post("jobs/:id/requeue", use: requeue)
    }

    @Sendable private func overview(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let resource = OverviewResource(
            installation: try await service.installation(), processes: service.processes().map(\.metrics), at: .now())
        return .json(.ok, resource.json)
    }

    @Sendable private func workers(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let (workers, now) = (queue.dispatcher.workers, MonotonicInstant.now())
        let body = JSONWriter.object { json in
            json.member("items") { json in
                json.array(workers) { json, worker in worker.write(to: &json, now: now, wallNow: .now()) }
            }
        }
        return .json(.ok, body)
    }

    @Sendable private func permits(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let permits = try await queue.database.read { try $0.permits.permitStatus() }
        let body = JSONWriter.items(permits) { json, status in
            json.member("provider", status.provider)
            json.member("credential", status.credential)
            json.member("slots", status.requests)
            json.member("free", status.free)
            json.member("busy", status.busy)
            json.member("pausedUntil", status.pause?.until)
            json.member("waiting", status.waiting)
            json.member("quotas") { json in
                json.array(status.quotas) { json, quota in
                    json.object {
                        $0.member("name", quota.quota.name)
                        $0.member("amount", quota.quota.amount)
                        $0.member("used", quota.used)
                        $0.member("windowSeconds", Int(quota.quota.window.components.seconds))
                    }
                }
            }
        }
        return .json(.ok, body)
    }

    @Sendable private func series(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let samples = service.series.samples
        var json = JSONWriter(reserving: 200 * samples.count + 100)
        json.object { json in
            json.member("intervalSeconds", Int(SeriesRecorder.interval.components.seconds))
            json.member("samples") { json in json.array(samples) { json, sample in sample.write(to: &json) } }
        }
        return .json(.ok, json.bytes)
    }

    // MARK: Dead letters

    @Sendable private func deadLetters(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let limit = try request.pageLimit(standard: 50, maximum: 200)
        let cursor = try request.cursor(of: JobLists.deadLetters)
        let found = try await queue.database.read { reader in
            let found = try reader.jobs.deadLetters(after: cursor, limit: limit + 1)
            let names = try reader.accounts.names(ofUsers: found.map(\.userID))
            // Jobs of the system have no user's name.
            return try found.map { ($0, names[$0.userID], try reader.jobs.attempts(jobID: $0.id)) }
        }
        let page = found.prefix(limit)
        let body = JSONWriter.object { json in
            json.member("items") { json in
                json.array(page) { json, entry in
                    var resource = JobResource(entry.0, kinds: queue.kinds, attempts: entry.2)
                    resource.owner = .init(name: entry.1)
                    resource.write(to: &json)
                }
            }
            let last = found.count > limit ? page.last : nil
            json.member("nextCursor", last.map { JobLists.deadLetters.text(of: RowID($0.0.id)) })
        }
        return .json(.ok, body)
    }

    @Sendable private func requeue(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.parameters.require("id")
        guard let owner = try await queue.database.read({ try $0.jobs.owner(ofJob: id) }),
            let result = try await queue.requeue(id: id, userID: owner, isByOwner: false)
        else {
            throw Problem(.notFound, code: .notFound, title: "Not found", detail: "There is no job with this id.")
        }
        guard result.wasFailed else {
            throw Problem.conflict(
                code: .notFailed, "The job is \(result.job.state.rawValue); only a failed job can be requeued.")
        }
        context.logger.notice("an administrator requeued a job", metadata: ["job": "\(id)"])
        return .json(.accepted, JobResource(result.job, kinds: queue.kinds).json)
    }
}
