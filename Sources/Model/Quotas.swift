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
    /// The number of observations of listens: one for each source of a listen.
    package var listens: Int?
    /// The size of the songs of listens and of the details that programs and files report about them, in bytes.
    package var listenBytes: Int?

    package init(
        unfinishedJobs: Int? = 10_000, unfinishedBytes: Int? = 256 << 20, runningSearches: Int? = 10,
        eventStreams: Int? = 20, listens: Int? = 3_000_000, listenBytes: Int? = 512 << 20
    ) {
        self.unfinishedJobs = unfinishedJobs
        self.unfinishedBytes = unfinishedBytes
        self.runningSearches = runningSearches
        self.eventStreams = eventStreams
        self.listens = listens
        self.listenBytes = listenBytes
    }
}

/// One of the limits of ``Quotas``.
package enum Quota: String, Sendable, CaseIterable {
    case unfinishedJobs, unfinishedBytes, runningSearches, eventStreams, listens, listenBytes

    /// The configuration key of the limit.
    package var key: String { "quotas.\(rawValue)" }
}

/// A person asked for more than a quota allows. Nothing was done.
package struct QuotaReached: Error, Sendable, Equatable {
    package var quota: Quota
    /// The limit of the quota.
    package var limit: Int
    /// The current use; above the limit if the limit has been lowered since.
    package var used: Int
    /// The additional use that was requested.
    package var asked: Int

    package init(_ quota: Quota, limit: Int, used: Int, asked: Int) {
        self.quota = quota
        self.limit = limit
        self.used = used
        self.asked = asked
    }
}

extension Quota {
    /// What the person can do, as the first part of a sentence.
    package var remedy: String {
        switch self {
        case .unfinishedJobs: "Wait until some have ended, or cancel some"
        case .unfinishedBytes: "Wait until some jobs have ended, or cancel some"
        case .runningSearches: "Wait until one has ended, or cancel one"
        case .eventStreams: "Close a window that has one"
        case .listens, .listenBytes: "Remove a source or an import that you do not need, or ask the administrator"
        }
    }
}

extension QuotaReached: CustomStringConvertible {
    /// What the quota allows and what was requested, as text for people that begins with the configuration key.
    package var description: String {
        switch quota {
        case .unfinishedJobs:
            "\(quota.key) allows each person \(limit) unfinished jobs at once; you have \(used), and asked for \(asked)"
                + " more."
        case .unfinishedBytes:
            "\(quota.key) allows each person \(limit) bytes of payloads of unfinished jobs; yours have \(used), and you"
                + " asked for \(asked) more."
        case .runningSearches:
            "\(quota.key) allows each person \(limit) concert searches at once; \(used) of yours are running."
        case .eventStreams: "\(quota.key) allows each person \(limit) open event streams; you have \(used)."
        case .listens:
            "\(quota.key) allows each person \(limit) listens, counted once for each source; you have \(used), and"
                + " \(asked) more were sent."
        case .listenBytes:
            "\(quota.key) allows each person \(limit) bytes of songs and details of listens; yours have \(used), and"
                + " \(asked) more were sent."
        }
    }
}
