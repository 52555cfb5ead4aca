/// The most that one person may use of shared resources, at once or per day, so that no person fills the queue, the
/// memory or the connections. `nil` sets no limit.
package struct Quotas: Sendable, Equatable {
    /// The number of unfinished jobs that the person submitted.
    package var unfinishedJobs: Int?
    /// The size of the payloads of these jobs in bytes.
    package var unfinishedBytes: Int?
    /// The number of running concert searches.
    package var runningSearches: Int?
    /// The number of open event streams.
    package var eventStreams: Int?
    /// The number of requests per day (UTC) with the installation's own key for Ticketmaster; enforced by workers.
    package var ticketmasterRequests: Int? = 1_000

    package init(
        unfinishedJobs: Int? = 10_000, unfinishedBytes: Int? = 256 << 20, runningSearches: Int? = 10,
        eventStreams: Int? = 20
    ) {
        self.unfinishedJobs = unfinishedJobs
        self.unfinishedBytes = unfinishedBytes
        self.runningSearches = runningSearches
        self.eventStreams = eventStreams
    }
}

/// One of the limits of ``Quotas``.
package enum Quota: String, Sendable, CaseIterable {
    case unfinishedJobs, unfinishedBytes, runningSearches, eventStreams

    /// The configuration key of the limit.
    package var key: String { "quotas.\(rawValue)" }
}

/// A person asked for more than a quota allows. Nothing was done.
package struct QuotaReached: Error, Sendable, Equatable {
    package var quota: Quota
    /// The limit of the quota.
    package var limit: Int
    /// The present use; above the limit if that was lowered meanwhile.
    package var used: Int
    /// The additional use that was asked for.
    package var asked: Int

    package init(_ quota: Quota, limit: Int, used: Int, asked: Int) {
        self.quota = quota
        self.limit = limit
        self.used = used
        self.asked = asked
    }
}
