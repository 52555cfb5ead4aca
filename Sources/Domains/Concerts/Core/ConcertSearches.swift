import Contracts
import Model
import Storage

/// Starts, cancels and repeats people's searches for concerts.
///
/// A search has targets: artists, or one area. Each target has an answer, or waits for a lookup. Searches share
/// lookups: while a lookup for a target is under way, all searches for that target wait for it, and while its answer is
/// fresh, none is needed. Each function decides and writes in one transaction, so that two people who search at the
/// same time cause only one lookup.
package struct ConcertSearches: Sendable {
    /// A search that was started.
    package struct SearchStart: Sendable {
        package let searchID: String
        package let lookups: [Lookup]
    }

    /// The outcome of a request to repeat a search.
    package enum Retry: Sendable {
        /// The search is still running, or all its targets have complete answers.
        case nothingToRetry
        case begun([Lookup])
    }

    package static let artistsKind = "artists"
    package static let nearbyKind = "nearby"
    /// In kilometers.
    package static let radiusRange = 1...500
    /// In kilometers.
    package static let standardRadius = 50

    let freshness: Duration
    private let maximumRunning: Int?

    /// - Parameters:
    ///   - freshness: how long an answer counts as fresh.
    ///   - maximumRunning: the most searches that one person may have running; `nil` sets no limit.
    package init(freshness: Duration, maximumRunning: Int? = nil) {
        self.freshness = freshness
        self.maximumRunning = maximumRunning
    }

    // MARK: Beginning

    /// Begins a search for the artists' concerts.
    ///
    /// - Throws: `QuotaReached`.
    package func begin(
        _ artists: [RankedArtist], homeCity: String?, userID: String, in transaction: WriteTransaction
    ) throws -> SearchStart {
        let search = ConcertSearchRecord(
            id: UUIDv7.next(), userID: userID, kind: Self.artistsKind, homeCity: homeCity, createdAt: .now())
        let targets = artists.map { artist in
            SearchTargetRecord(
                rank: artist.rank, artistID: artist.id, name: artist.name,
                targetKey: Self.key(ofArtist: artist.name, spotifyID: artist.spotify?.id))
        }
        return try begin(search, for: targets, in: transaction)
    }

    /// Begins a search around a city, unless the person already has one that waits for the same area.
    ///
    /// - Parameter radius: in kilometers, within ``radiusRange``.
    /// - Returns: the search that was started, or the one that is already waiting, without lookups.
    /// - Throws: `QuotaReached`.
    package func beginNearby(
        city: String, cityKey: String, radius: Int, userID: String, in transaction: WriteTransaction
    ) throws -> SearchStart {
        let key = Self.key(ofCity: cityKey, radius: radius)
        if let jobID = try transaction.concerts.target(key: key)?.jobID,
            let running = try transaction.concerts.search(waitingFor: jobID, userID: userID)
        {
            return SearchStart(searchID: running, lookups: [])
        }
        let search = ConcertSearchRecord(
            id: UUIDv7.next(), userID: userID, kind: Self.nearbyKind, homeCity: city, createdAt: .now())
        let target = SearchTargetRecord(rank: 1, artistID: key, name: city, targetKey: key)
        return try begin(search, for: [target], in: transaction)
    }

    private func begin(
        _ search: ConcertSearchRecord, for targets: [SearchTargetRecord], in transaction: WriteTransaction
    ) throws -> SearchStart {
        try admit(targets, userID: search.userID, in: transaction)
        try transaction.concerts.insertSearch(search)
        let lookups = try attach(targets, to: search, in: transaction)
        try transaction.concerts.updateRunning(ofSearch: search.id)
        return SearchStart(searchID: search.id, lookups: lookups)
    }

    /// - Parameter spotifyID: `nil` when only the name is known. Namesakes on Spotify are different targets.
    package static func key(ofArtist name: String, spotifyID: String? = nil) -> String {
        // No folded name has a space.
        "artist:" + FoldedName(name).key + (spotifyID.map { " spotify:" + $0 } ?? "")
    }

    /// The Spotify id in an artist's key.
    static func spotifyID(inKey key: String) -> String? {
        key.split(separator: " spotify:", maxSplits: 1).dropFirst().first.map(String.init)
    }

    package static func key(ofCity cityKey: String, radius: Int) -> String { "nearby:\(cityKey):\(radius)" }

    /// Refuses a search that would have to wait when its person already has the maximum number of running searches.
    /// This only reads, so that repeated requests do not occupy the database's writer.
    ///
    /// - Throws: `QuotaReached`.
    private func admit(
        _ targets: [SearchTargetRecord], userID: String, in transaction: WriteTransaction
    ) throws {
        guard let maximumRunning else { return }
        let running = try transaction.concerts.runningSearches(ofUser: userID)
        guard running >= maximumRunning else { return }
        let waits = try targets.contains { target in
            var target = target
            return try !useFreshAnswer(&target, by: transaction.concerts.target(key: target.targetKey))
        }
        if waits { throw QuotaReached(.runningSearches, limit: maximumRunning, used: running, asked: 1) }
    }

    /// The fresh answer for an area, as a search that is not stored; `nil` when a lookup is needed.
    package func freshNearby(
        city: String, cityKey: String, radius: Int, in reader: some SQLReader
    ) throws -> ConcertSearchResult? {
        let key = Self.key(ofCity: cityKey, radius: radius)
        var target = SearchTargetRecord(rank: 1, artistID: key, name: city, targetKey: key)
        guard useFreshAnswer(&target, by: try reader.concerts.target(key: key)) else { return nil }
        let search = ConcertSearchRecord(
            id: "", userID: "", kind: Self.nearbyKind, homeCity: city, createdAt: .now())
        return ConcertSearchResult(search, targets: [target])
    }

    // MARK: Cancelling and repeating

    /// Cancels a search, and those of its lookups that no other search waits for.
    ///
    /// - Returns: what happened to the lookups; `nil` when the user has no such search.
    package func cancel(id: String, userID: String, in transaction: WriteTransaction) throws -> ReleaseResult? {
        guard let search = try transaction.concerts.search(id: id, userID: userID) else { return nil }
        let targets = try transaction.concerts.searchTargets(searchID: id)
        guard SearchOutcome(search, targets).state == .running else { return ReleaseResult() }
        let jobs = try transaction.concerts.cancelSearch(id: id, userID: userID, now: .now()) ?? []
        return try Self.release(jobs, in: transaction)
    }

    /// Repeats a search for the targets whose lookups failed, were incomplete, or were cancelled.
    ///
    /// - Returns: `nil` when the user has no such search.
    /// - Throws: `QuotaReached`.
    package func retry(id: String, userID: String, in transaction: WriteTransaction) throws -> Retry? {
        guard let search = try transaction.concerts.search(id: id, userID: userID) else { return nil }
        let targets = try transaction.concerts.searchTargets(searchID: id)
        guard SearchOutcome(search, targets).state != .running else { return .nothingToRetry }
        let open = targets.filter { target in
            let coverage = target.status.flatMap(SearchOutcome.Coverage.init)
            return coverage == nil || coverage == .failed || coverage == .partial
        }
        guard !open.isEmpty else { return .nothingToRetry }
        let fresh = open.map {
            SearchTargetRecord(
                rank: $0.rank, artistID: $0.artistID, name: $0.name, targetKey: $0.targetKey)
        }
        try admit(fresh, userID: userID, in: transaction)
        try transaction.concerts.reopenSearch(id: id)
        let lookups = try attach(fresh, to: search, in: transaction)
        try transaction.concerts.updateRunning(ofSearch: id)
        return .begun(lookups)
    }

    // MARK: Ends

    /// Fails the targets of one person's searches that wait for a lookup. Other people's searches continue to wait.
    package static func failWaiter(
        _ userID: String, of jobID: String, with code: ConcertWarningCode, in transaction: WriteTransaction
    ) throws {
        let searches = try transaction.concerts.completeWaiters(
            jobID: jobID, userID: userID, targetKey: nil, status: SearchOutcome.Coverage.failed.rawValue,
            warningCode: code.rawValue, resetsAt: nil)
        for search in searches { try transaction.concerts.touchSearch(id: search) }
    }

    /// Fails the targets that are still waiting for a lookup that has ended.
    static func failWaiters(ofLookup jobID: String, in transaction: WriteTransaction) throws {
        let searches = try transaction.concerts.completeWaiters(
            jobID: jobID, targetKey: nil, status: SearchOutcome.Coverage.failed.rawValue,
            warningCode: ConcertWarningCode.upstreamError.rawValue, resetsAt: nil)
        for search in searches { try transaction.concerts.touchSearch(id: search) }
    }
}

extension SearchOutcome {
    /// The progress of a stored search.
    package init(_ search: ConcertSearchRecord, _ targets: [SearchTargetRecord]) {
        self.init(
            artists: targets.map { target in
                (
                    RankedArtist(id: target.artistID, name: target.name, rank: target.rank),
                    target.status.flatMap(SearchOutcome.Coverage.init)
                )
            },
            isCancelled: search.cancelledAt != nil)
    }
}
