import Accounts
import Concerts
import Contracts
import Gateway
import Jobs
import Model
import Storage

/// Keeps the shows in people's feeds up to date, and reports how far that is.
struct ConcertFeed {
    let queue: JobQueue
    let refreshes: ConcertRefreshes

    /// Submits the lookups that are due.
    func refresh() async throws {
        while !Task.isCancelled, try await queue.database.read({ try $0.concerts.areRefreshesDue(now: .now()) }) {
            let now = Timestamp.now()
            let due = try await queue.database.read { reader in
                let people = reader.accounts.peopleSeen(since: now.advanced(by: .zero - ConcertRefreshes.attention))
                return try ConcertRefreshes.dueSubjects(among: people, now: now, in: reader)
            }
            guard let due else { break }
            try await queue.write { [refreshes] transaction, submissions in
                for lookup in try refreshes.lookups(of: due, now: now, in: transaction) {
                    try submissions.submit(lookup, in: transaction)
                }
            }
            guard due.hasMore else { break }
        }
    }

    /// Gives coming shows to people who waited for them with many others.
    func giveOwed() async throws {
        while !Task.isCancelled {
            guard try await queue.database.write({ try ConcertRefreshes.giveOwed(in: $0) }) else { return }
        }
    }

    /// The parts `artists` and `nearby` of the feed.
    var refreshSource: FeedRefreshSource {
        FeedRefreshSource("concerts") { reader, userID in
            let (parts, failures) = try ConcertRefreshes.progress(userID: userID, now: .now(), in: reader)
            return FeedRefresh(
                parts: parts.map { part, progress in
                    FeedRefreshPart(
                        part.name, .init(progress.state), done: progress.done, total: progress.total)
                },
                missing: failures.sorted { $0.rawValue < $1.rawValue }.map { Problem(missingConcerts: $0) })
        }
    }
}

extension JobSubmissions {
    fileprivate mutating func submit(_ lookup: ConcertRefreshes.Lookup, in transaction: WriteTransaction) throws {
        let priority = lookup.isFirst ? JobPriority.standard : ConcertRefreshes.priority
        var job =
            switch lookup.job.payload {
            case .artists(let artists): try NewJob(.concertsLookup, artists, priority: priority)
            case .nearby(let area): try NewJob(.concertsNearby, area, priority: priority)
            }
        job.id = lookup.job.jobID
        if lookup.job.userID != SystemUser.id { job.onBehalfOf = lookup.job.userID }
        try submit(job, userID: SystemUser.id, in: transaction)
    }
}

extension FeedRefreshPart.State {
    fileprivate init(_ state: RefreshProgress.State) {
        self =
            switch state {
            case .waiting: .waiting
            case .running: .running
            case .done: .done
            case .failed: .failed
            }
    }
}

extension Problem {
    /// Why shows are missing in a feed, and what to do.
    fileprivate init(missingConcerts warning: ConcertWarningCode) {
        let (code, remedy): (ProblemCode, String?) =
            switch warning {
            case .ticketmasterKeyMissing: (.ticketmasterNotConnected, Self.ownKey)
            case .ticketmasterKeyInvalid: (.keyRefused, Self.ownKey)
            case .dailyShareUsed: (.quotaExhausted, Self.ownKey)
            case .quotaExhausted: (.quotaExhausted, nil)
            case .rateLimited: (.rateLimited, nil)
            case .networkError: (.networkError, nil)
            case .invalidResponse: (.invalidResponse, nil)
            case .upstreamError, .radiusIgnored: (.upstreamError, nil)
            }
        self.init(
            .serviceUnavailable, code: code, title: "Some concerts are missing",
            detail: "\(warning.message) \(remedy ?? "The concerts are looked up again within a day.")")
        recovery = (remedy == nil ? Recovery.tellUser : .reconnect).rawValue
    }

    private static let ownKey = "Enter your own Ticketmaster key, which is free."
}
