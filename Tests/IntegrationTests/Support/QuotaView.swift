import TestProcesses

/// A person's use of one quota.
struct QuotaView: Decodable, Sendable, Equatable {
    var used: Int
    var limit: Int?
}

/// `quotas` of `GET /v1/me`.
struct QuotasView: Decodable, Sendable, Equatable {
    var unfinishedJobs: QuotaView
    var unfinishedBytes: QuotaView
    var runningSearches: QuotaView
    var eventStreams: QuotaView
    var ticketmasterRequests: QuotaView
}

extension APIClient {
    func quotas() async throws -> QuotasView {
        struct Profile: Decodable { var quotas: QuotasView }
        return try await get("/v1/me").decode(Profile.self).quotas
    }
}

extension APIResponse {
    /// The configuration key that a refusal names; `nil` for another answer.
    var reachedQuota: String? {
        get throws {
            guard status == 429, try problem.code == "quotaReached" else { return nil }
            return try problem.detail.split(separator: " ").first.map(String.init)
        }
    }
}
