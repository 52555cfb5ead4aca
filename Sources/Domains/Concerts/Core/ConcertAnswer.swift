import Model
import Storage

/// The answer of a lookup for one target.
package struct ConcertAnswer: Sendable {
    package var targetKey: String
    package var coverage: SearchOutcome.Coverage
    /// Ticketmaster's id of the artist, learned or confirmed by this lookup.
    package var attractionID: String?
    package var events: [ConcertEvent]
    /// The reason why something is missing.
    package var gap: ProviderFailure?
    /// A warning about an answer that is otherwise complete.
    package var remark: ConcertWarningCode?
    /// Whether the artist's name was searched for, and whether all results were received.
    package var nameSearch: NameSearch
    /// Whether there are later events that were not requested.
    var isCut: Bool
    /// The shows of the events, once ``grouped(names:)`` has found them.
    private var shows: [AnsweredShow]?

    package enum NameSearch: Sendable {
        case none
        /// There are more results than were requested.
        case partial
        case complete
    }

    init(
        targetKey: String, attractionID: String?, events: [ConcertEvent], gap: ProviderFailure?,
        nameSearch: NameSearch = .none, isCut: Bool = false, hasFailed: Bool = false
    ) {
        self.nameSearch = nameSearch
        self.isCut = isCut
        self.targetKey = targetKey
        self.attractionID = attractionID
        self.events = events
        self.gap = gap
        coverage = hasFailed ? .failed : gap == nil ? .complete : .partial
    }

    package var warningCode: ConcertWarningCode? { gap.map(ConcertWarningCode.init) ?? remark }
    /// When the quota or the share is renewed, for ``ConcertWarningCode/quotaExhausted`` and
    /// ``ConcertWarningCode/dailyShareUsed``.
    package var resetsAt: Timestamp? {
        gap.flatMap { [.quotaExhausted, .shareUsed].contains($0.kind) ? $0.until : nil }
    }

    static func failed(_ key: String, _ failure: ProviderFailure) -> ConcertAnswer {
        ConcertAnswer(targetKey: key, attractionID: nil, events: [], gap: failure, hasFailed: true)
    }

    static func notFound(_ key: String) -> ConcertAnswer {
        var answer = ConcertAnswer(targetKey: key, attractionID: nil, events: [], gap: nil)
        answer.coverage = .notFound
        return answer
    }

    /// Whether an event is only found by searching for the name: the artist's attraction is not on its bill.
    private func isFoundByName(_ event: ConcertEvent) -> Bool {
        nameSearch != .none && !event.attractions.contains { $0.id == attractionID }
    }

    private var reach: AnswerReach {
        switch (coverage, nameSearch) {
        case (.failed, _), (.partial, _): .some
        case (_, .none) where attractionID != nil: .attraction
        case (_, .partial): .attraction
        case (_, .none), (_, .complete): .everything
        }
    }

    /// The answer with the shows of its events. Call it before the transaction that stores the answer, which would do it otherwise.
    ///
    /// - Parameter names: the names of cities, by which listings of one hall are recognized.
    package func grouped(names: CityNames) -> ConcertAnswer {
        var answer = self
        answer.shows = AnsweredShow.all(in: events, names: names)
        return answer
    }

    /// The last day of the events, in days since 1970, if there may be more events after it.
    private var horizon: Int? { isCut ? events.compactMap(\.localDate).max()?.dayNumber : nil }

    /// Stores the answer, completes the target in every search that waits for it, and publishes what is new, in the
    /// transaction that ends the lookup. A failed answer leaves the already stored events in place.
    package func store(
        jobID: String, cityNames: CityNames = .builtIn, now: Timestamp, in transaction: WriteTransaction
    ) throws {
        let isAnswer = coverage == .complete || coverage == .notFound
        if isAnswer || coverage == .partial || attractionID != nil {
            let news = try transaction.concerts.storeAnswer(
                targetKey: targetKey, status: coverage.rawValue, warningCode: warningCode?.rawValue,
                attractionID: attractionID,
                events: try events.map { try StoredConcertEvent($0, isFoundByName: isFoundByName($0)) }, reach: reach,
                searchedName: nameSearch != .none, cityNames: cityNames, now: now)
            try NewsPublishing(transaction: transaction, now: now).publish(
                { shows ?? AnsweredShow.all(in: events, names: cityNames) }, ofSubject: targetKey,
                proves: { nameSearch != .partial || !isFoundByName($0) }, isComplete: isAnswer, horizon: horizon,
                news: news)
        }
        try transaction.concerts.clearLookup(targetKey: targetKey, jobID: jobID)
        try transaction.concerts.endRefresh(of: targetKey, failure: isAnswer ? nil : warningCode ?? .upstreamError)
        let searches = try transaction.concerts.completeWaiters(
            jobID: jobID, targetKey: targetKey, status: coverage.rawValue, warningCode: warningCode?.rawValue,
            resetsAt: resetsAt)
        for search in searches { try transaction.concerts.touchSearch(id: search) }
    }
}
