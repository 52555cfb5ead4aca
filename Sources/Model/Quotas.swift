/// What one person may use, at once or in a day, of what all people share, so that nobody fills the queue, the memory or the
/// connections that others wait for. `nil` sets no limit.
package struct Quotas: Sendable, Equatable {
    /// Jobs that the person submitted and that have not ended.
    package var unfinishedJobs: Int?
    /// The bytes of these jobs' payloads.
    package var unfinishedBytes: Int?
    /// Concert searches that wait for an answer.
    package var runningSearches: Int?
    /// Open event streams.
    package var eventStreams: Int?
    /// Requests of a day (UTC) with the installation's own key for Ticketmaster; workers keep it.
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

    /// The key of the configuration that sets it.
    package var key: String { "quotas.\(rawValue)" }
}

/// A person asked for more than a quota allows; nothing was done.
package struct QuotaReached: Error, Sendable, Equatable {
    package var quota: Quota
    /// What the quota allows.
    package var limit: Int
    /// What the person uses already; more than the limit where that was lowered meanwhile.
    package var used: Int
    /// What was asked for besides.
    package var asked: Int

    package init(_ quota: Quota, limit: Int, used: Int, asked: Int) {
        self.quota = quota
        self.limit = limit
        self.used = used
        self.asked = asked
    }
}
