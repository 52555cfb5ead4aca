import Contracts
import Jobs
import Model

/// Decodes the body of `POST /v1/jobs`, and each entry of a batch.
enum JobRequest {
    /// Members that are kept as JSON text.
    static let opaqueMembers = ["payload"]
    static let maximumBatch = 1_000

    private static let members = ["kind", "payload", "priority", "runAt", "uniqueKey"]

    /// - Parameters:
    ///   - kinds: all kinds of jobs.
    ///   - isAdmin: whether an administrator submits it.
    static func job(_ body: RequestField, kinds: JobKinds, isAdmin: Bool) throws -> NewJob {
        let fields = try body.object(members)
        guard let kindField = fields["kind"] else { throw body.refuse("the field kind is missing.") }
        let name = try kindField.string(limit: 100)
        guard let kind = kinds[name], kind.submitter == .user else {
            let open = kinds.submittable.map(\.name)
            throw kindField.refuse("'\(name)' cannot be submitted; these kinds can: \(open.joined(separator: ", ")).")
        }
        var job = NewJob(kind: kind, payload: fields["payload"]?.rawText ?? "{}")
        job.isSubmission = true
        if !isAdmin { try DiagnosticsLimits.check(job, payload: fields["payload"]) }
        if let priority = fields["priority"] { job.priority = try Self.priority(priority) }
        if let runAt = fields["runAt"] { job.runAt = try runAt.timestamp() }
        if let uniqueKey = fields["uniqueKey"] {
            let key = try uniqueKey.string(limit: 200)
            guard !key.isEmpty else { throw uniqueKey.refuse("the key is empty; leave the field out to use none.") }
            job.uniqueKey = key
        }
        return job
    }

    private static func priority(_ field: RequestField) throws -> Int {
        let priority = try field.integer(in: JobPriority.range.lowerBound...Int.max)
        guard priority <= JobPriority.submittable.upperBound else {
            throw Problem(
                .badRequest, code: .invalidField, title: "The request is not valid",
                detail:
                    "\(field.path): \(priority) is out of range; expected \(JobPriority.submittable.lowerBound) to "
                    + "\(JobPriority.submittable.upperBound). Higher priorities are for jobs that somebody waits for "
                    + "at a screen.", field: field.path)
        }
        return priority
    }

    static func batch(_ body: RequestField, kinds: JobKinds, isAdmin: Bool) throws -> [NewJob] {
        guard let jobs = try body.object(["jobs"])["jobs"] else { throw body.refuse("the field jobs is missing.") }
        let entries = try jobs.array(limit: maximumBatch, of: "jobs")
        guard !entries.isEmpty else { throw jobs.refuse("a batch needs at least one job.") }
        return try entries.map { try job($0, kinds: kinds, isAdmin: isAdmin) }
    }
}
