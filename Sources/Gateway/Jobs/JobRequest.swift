import Contracts
import Jobs
import Model

/// What `POST /v1/jobs` and each entry of a batch ask for.
enum JobRequest {
    /// Its payload is kept as it was written.
    static let opaqueMembers = ["payload"]
    static let maximumBatch = 1_000

    private static let members = ["kind", "payload", "priority", "runAt", "uniqueKey"]

    static func job(_ body: RequestField) throws -> NewJob {
        let fields = try body.object(members)
        guard let kindField = fields["kind"] else { throw body.refuse("the field kind is missing.") }
        let name = try kindField.string(limit: 100)
        guard let kind = JobKind.named(name), kind.submitter == .user else {
            let open = JobKind.all.filter { $0.submitter == .user }.map(\.name)
            throw kindField.refuse("'\(name)' cannot be submitted; kinds that can: \(open.joined(separator: ", ")).")
        }
        var job = NewJob(kind: kind, payload: fields["payload"]?.rawText ?? "{}")
        if let priority = fields["priority"] { job.priority = try priority.integer(in: JobPriority.range) }
        if let runAt = fields["runAt"] { job.runAt = try runAt.timestamp() }
        if let uniqueKey = fields["uniqueKey"] {
            let key = try uniqueKey.string(limit: 200)
            guard !key.isEmpty else { throw uniqueKey.refuse("an empty key is none; leave the field out.") }
            job.uniqueKey = key
        }
        return job
    }

    static func batch(_ body: RequestField) throws -> [NewJob] {
        guard let jobs = try body.object(["jobs"])["jobs"] else { throw body.refuse("the field jobs is missing.") }
        let entries = try jobs.array(limit: maximumBatch, of: "jobs")
        guard !entries.isEmpty else { throw jobs.refuse("a batch holds at least one job.") }
        return try entries.map(job)
    }
}
