import Foundation
import TestSupport

/// Requests for jobs.
extension APIClient {
    /// Submits a job.
    ///
    /// - Parameter wait: the seconds of `Prefer: wait`. If the job ends later, on a busy machine, this waits for it as
    ///   well.
    package func submit(_ body: String, wait: Int? = nil) async throws -> JobView {
        let headers = wait.map { ["Prefer": "wait=\($0)"] } ?? [:]
        let response = try await post("/v1/jobs", body, headers: headers)
        guard [200, 202].contains(response.status) else {
            throw UnexpectedAnswer(description: "submit: \(response.status) \(response.text)")
        }
        let job = try response.job
        return wait == nil || job.isFinished ? job : try await ended(job.id)
    }

    /// Submits a batch; returns the ids in order.
    package func submitBatch(_ body: String) async throws -> [String] {
        struct Batch: Decodable { var jobs: [JobView] }
        let response = try await post("/v1/jobs/batch", body)
        guard response.status == 202 else {
            throw UnexpectedAnswer(description: "batch: \(response.status) \(response.text)")
        }
        return try response.decode(Batch.self).jobs.map(\.id)
    }

    package func job(_ id: String) async throws -> JobView {
        try await get("/v1/jobs/\(id)").job
    }

    package func summary() async throws -> JobSummary {
        try await get("/v1/jobs/summary").decode()
    }

    /// All jobs, newest first, page by page.
    package func allJobs(query: String = "") async throws -> [JobView] {
        var jobs: [JobView] = []
        var cursor: String?
        repeat {
            let page: JobPage = try await get(
                "/v1/jobs?limit=200\(query)" + (cursor.map { "&cursor=\($0)" } ?? "")
            ).decode()
            jobs += page.items
            cursor = page.nextCursor
        } while cursor != nil
        return jobs
    }

    // MARK: Waiting

    /// Waits until a job is in a state.
    @discardableResult
    package func job(_ id: String, reaches state: String) async throws -> JobView {
        try await eventually("job \(id) to be \(state)") {
            let job = try await job(id)
            if job.state == state { return job }
            if job.isFinished {
                throw UnexpectedAnswer(description: "job \(id) is \(job.state), not \(state): \(job.error?.code ?? "")")
            }
            return nil
        }
    }

    /// Waits until a job has ended, and returns it.
    package func ended(_ id: String) async throws -> JobView {
        try await eventually("the end of job \(id)") {
            let job = try await job(id)
            return job.isFinished ? job : nil
        }
    }

    /// Waits until none of the user's jobs is unfinished.
    @discardableResult
    package func allEnded(within limit: Duration = .seconds(300)) async throws -> JobSummary {
        try await eventually("the end of all jobs", within: limit) {
            // The gateway may be restarting.
            guard let summary = try? await summary() else { return nil }
            return summary.unfinished == 0 ? summary : nil
        }
    }
}
