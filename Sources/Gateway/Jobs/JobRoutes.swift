import Contracts
import HTTPTypes
import Hummingbird
import JobStorage
import Jobs
import Model
import Storage

/// The routes of `/v1/jobs`: submit, read, cancel and requeue the user's own jobs.
struct JobRoutes {
    let queue: JobQueue
    let maximumBodyBytes: Int

    /// The bytes of rows at which a page of the list ends: 200 jobs with large results would take hundreds of
    /// megabytes.
    private static let pageBytes = 2 << 20

    func add(to group: RouterGroup<GatewayContext>) {
        group.post("jobs", use: submit)
        group.post("jobs/batch", use: submitBatch)
        group.get("jobs", use: list)
        group.get("jobs/summary", use: summary)
        group.get("jobs/:id", use: show)
        group.post("jobs/:id/cancel", use: cancel)
        group.post("jobs/:id/requeue", use: requeue)
    }

    // MARK: Submitting

    @Sendable private func submit(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.bodyBytes(limit: maximumBodyBytes)
        let job = try JobRequest.job(
            .body(body, opaqueMembers: JobRequest.opaqueMembers), kinds: queue.kinds,
            isAdmin: context.user?.isAdmin == true)
        let userID = try context.userID
        let wait = request.preferredWait
        let accepted = try await queue.submit(
            [job], userID: userID, idempotencyKey: try request.idempotencyKey(body: body), expectsWait: wait != nil)
        let id = accepted.ids[0]
        var headers: HTTPFields = [.location: "/v1/jobs/\(id)"]
        if let wait {
            headers[.preferenceApplied] = "wait=\(wait.components.seconds)"
            if let finished = try await queue.finished(id, userID: userID, waiter: accepted.waiter, within: wait) {
                return .json(.ok, JobResource(finished, kinds: queue.kinds).json, headers: headers)
            }
        }
        if let inserted = accepted.inserted.first, wait == nil {
            return .json(.accepted, JobResource(inserted, kinds: queue.kinds).json, headers: headers)
        }
        guard let job = try await queue.database.read({ try $0.jobs.job(id: id, userID: userID) }) else {
            throw Problem.notFound("job")
        }
        return .json(
            job.state.isFinished ? .ok : .accepted,
            JobResource(job, kinds: queue.kinds, progress: queue.dispatcher.progress(ofJob: id)).json, headers: headers)
    }

    @Sendable private func submitBatch(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let body = try await request.bodyBytes(limit: maximumBodyBytes)
        let jobs = try JobRequest.batch(
            .body(body, opaqueMembers: JobRequest.opaqueMembers), kinds: queue.kinds,
            isAdmin: context.user?.isAdmin == true)
        let userID = try context.userID
        let accepted = try await queue.submit(
            jobs, userID: userID, idempotencyKey: try request.idempotencyKey(body: body))
        let (resources, gone) = try await resources(of: accepted, userID: userID)
        var json = JSONWriter(reserving: 400 * resources.count)
        json.object {
            $0.member("jobs") { json in
                json.array(resources) { $1.write(to: &$0) }
            }
            guard !gone.isEmpty else { return }
            $0.member("gone") { json in
                json.array(gone) { json, job in
                    json.object {
                        $0.member("index", job.index)
                        $0.member("id", job.id)
                    }
                }
            }
        }
        return .json(.accepted, json.bytes)
    }

    /// A job of a repeated request that has been deleted since.
    private struct DeletedJob {
        /// Its index in the request.
        var index: Int
        var id: String
    }

    /// The jobs of a batch, in the order of the request.
    private func resources(
        of accepted: JobQueue.Submission, userID: String
    ) async throws -> (jobs: [JobResource], gone: [DeletedJob]) {
        if accepted.inserted.count == accepted.ids.count {
            return (accepted.inserted.map { JobResource($0, kinds: queue.kinds) }, [])
        }
        // Some already existed.
        let fresh = Dictionary(
            uniqueKeysWithValues: accepted.inserted.map { ($0.id, JobResource($0, kinds: queue.kinds)) })
        let earlier = accepted.ids.filter { fresh[$0] == nil }
        let known = try await queue.database.read { try $0.jobs.jobs(ids: earlier, userID: userID) }
        let byID = fresh.merging(known.map { ($0.id, JobResource($0, kinds: queue.kinds)) }) { first, _ in first }
        let gone = accepted.ids.enumerated().filter { byID[$1] == nil }.map { DeletedJob(index: $0, id: $1) }
        return (accepted.ids.compactMap { byID[$0] }, gone)
    }

    // MARK: Reading

    @Sendable private func list(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let limit = try request.pageLimit(standard: 50, maximum: 200)
        let userID = try context.userID
        let kind = request.parameter("kind")
        let state = try request.parameter("state").map { text in
            guard let state = JobState(rawValue: text) else {
                throw Problem.invalidRequest(
                    code: .invalidParameter,
                    "state: expected one of \(JobState.allCases.map(\.rawValue).joined(separator: ", ")), "
                        + "found '\(text.prefix(40))'.", field: "state")
            }
            return state
        }
        let cursor = try request.cursor(of: JobLists.own)
        let (page, hasMore) = try await queue.database.read {
            try $0.jobs.jobs(
                userID: userID, state: state, kind: kind, after: cursor, limit: limit, maximumBytes: Self.pageBytes)
        }
        let body = JSONWriter.object { json in
            json.member("items") { json in
                json.array(page) { json, job in
                    JobResource(job, kinds: queue.kinds, progress: queue.dispatcher.progress(ofJob: job.id)).write(
                        to: &json)
                }
            }
            json.member("nextCursor", hasMore ? page.last.map { JobLists.own.text(of: RowID($0.id)) } : nil)
        }
        return .cacheable(body, for: request)
    }

    @Sendable private func summary(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let counts = try await queue.database.read { try $0.jobs.jobCounts(userID: userID) }
        let body = JSONWriter.object { json in
            json.member("scheduled", counts[.scheduled] ?? 0)
            json.member("queued", counts[.queued] ?? 0)
            json.member("running", counts[.running] ?? 0)
            json.member("succeeded", counts[.succeeded] ?? 0)
            json.member("failed", counts[.failed] ?? 0)
            json.member("cancelled", counts[.cancelled] ?? 0)
        }
        return .cacheable(body, for: request)
    }

    @Sendable private func show(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let userID = try context.userID
        let id = try context.parameters.require("id")
        let found = try await queue.database.read { reader in
            try reader.jobs.job(id: id, userID: userID).map { ($0, try reader.jobs.attempts(jobID: id)) }
        }
        guard let (job, attempts) = found else { throw Problem.notFound("job") }
        let resource = JobResource(
            job, kinds: queue.kinds, progress: queue.dispatcher.progress(ofJob: id), attempts: attempts)
        return .cacheable(resource.json, for: request)
    }

    // MARK: Cancelling and requeueing

    @Sendable private func cancel(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.parameters.require("id")
        guard let job = try await queue.cancel(id: id, userID: context.userID) else { throw Problem.notFound("job") }
        guard job.state == .cancelled else {
            throw Problem.conflict(
                code: .alreadyFinished, "The job has already \(job.state.rawValue); there is nothing left to cancel.")
        }
        return .json(.ok, JobResource(job, kinds: queue.kinds).json)
    }

    @Sendable private func requeue(_ request: Request, _ context: GatewayContext) async throws -> Response {
        let id = try context.parameters.require("id")
        guard let result = try await queue.requeue(id: id, userID: context.userID) else {
            throw Problem.notFound("job")
        }
        guard result.wasFailed else {
            throw Problem.conflict(
                code: .notFailed, "The job is \(result.job.state.rawValue); only a failed job can be requeued.")
        }
        return .json(
            .accepted, JobResource(result.job, kinds: queue.kinds).json, headers: [.location: "/v1/jobs/\(id)"])
    }
}
