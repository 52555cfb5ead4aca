import Accounts
import Concerts
import Contracts
import Gateway
import Jobs
import Model
import Storage

/// Concert searches in the gateway: connects the domain to the job queue and the event stream.
package struct ConcertService: Sendable {
    let cityNames: CityNames
    private let queue: JobQueue
    private let searches: ConcertSearches
    private let showCache: ShowCache
    private let pictures: PicturePaths

    /// - Parameter freshness: how long an answer is served without a new lookup.
    package init(queue: JobQueue, freshness: Duration, cityNames: CityNames, pictures: PicturePaths) {
        self.queue = queue
        self.pictures = pictures
        searches = ConcertSearches(freshness: freshness, maximumRunning: queue.quotas.runningSearches)
        self.cityNames = cityNames
        showCache = ShowCache(cityNames: cityNames)
    }

    // MARK: Searches

    /// Begins a search for artists, the person's list unless the request names others.
    ///
    /// - Returns: its id, or that of the search which the same request began before.
    /// - Throws: a ``Problem`` when there are no artists; `QuotaReached`.
    func begin(
        _ request: ConcertSearchRequest, userID: String, idempotencyKey: JobQueue.IdempotencyKey?
    ) async throws -> String {
        let ids = try await queue.write { [searches, cityNames] transaction, submissions in
            try transaction.once(idempotencyKey, userID: userID) { ids in
                try ids.contains { try transaction.concerts.search(id: $0, userID: userID) != nil }
            } make: {
                let ranked = try request.artists ?? transaction.concerts.rankedArtists(userID: userID)
                guard !ranked.isEmpty else {
                    throw Problem.invalidRequest(
                        code: .noArtists,
                        "There are no artists to search for: name some, or add some with 'backline artists add NAME'.",
                        field: "$.artists")
                }
                // The home city of a profile is free text, which may not be a city's name.
                let home =
                    try request.homeCity
                    ?? transaction.accounts.homeCity(userID: userID).flatMap { city in
                        HomeCity(city, names: cityNames) == nil ? nil : city
                    }
                let begun = try searches.begin(ranked, homeCity: home, userID: userID, in: transaction)
                try submissions.submit(begun.lookups, in: transaction)
                return [begun.searchID]
            }
        }
        return ids[0]
    }

    /// Begins a search around a city.
    ///
    /// - Returns: its id, or that of the person's search that is already waiting for the same area.
    /// - Throws: `QuotaReached`.
    func beginNearby(_ area: NearbyRequest, userID: String) async throws -> String {
        try await queue.write { [searches] transaction, submissions in
            let begun = try searches.beginNearby(
                city: area.city, cityKey: area.cityKey, radius: area.radius, userID: userID, in: transaction)
            try submissions.submit(begun.lookups, in: transaction)
            return begun.searchID
        }
    }

    /// Cancels a search that runs.
    ///
    /// - Returns: the search as it is now; `nil` when the user has no such search.
    func cancel(id: String, userID: String) async throws -> ConcertSearchResult? {
        let (released, search) = try await queue.database.write { [searches] transaction in
            let released = try searches.cancel(id: id, userID: userID, in: transaction)
            return (released, try ConcertSearchResult(id: id, userID: userID, in: transaction))
        }
        if let released { notifyDispatcher(of: released) }
        return search
    }

    private func notifyDispatcher(of released: ConcertSearches.ReleaseResult) {
        for job in released.cancelled { queue.dispatcher.cancelledBySystem(job) }
        if released.haveMoved { queue.dispatcher.pollTableSoon() }
    }

    /// Repeats a search for the targets that failed.
    ///
    /// - Returns: whether there were such targets; `nil` when the user has no such search.
    /// - Throws: `QuotaReached`.
    func retry(id: String, userID: String) async throws -> Bool? {
        try await queue.write { [searches] transaction, submissions in
            switch try searches.retry(id: id, userID: userID, in: transaction) {
            case nil: return nil
            case .nothingToRetry: return false
            case .begun(let lookups):
                try submissions.submit(lookups, in: transaction)
                return true
            }
        }
    }

    // MARK: Results

    /// How far a search is, without its shows; `nil` when the user has no such search.
    func status(id: String, userID: String) async throws -> [UInt8]? {
        let search = try await queue.database.read { try ConcertSearchResult(id: id, userID: userID, in: $0) }
        return search.map { ConcertSearchResource($0).status }
    }

    /// A search with a page of its shows; `nil` when the user has no such search.
    func page(id: String, userID: String, page: ShowPageRequest) async throws -> [UInt8]? {
        try await queue.database.read { reader in
            try ConcertSearchResult(id: id, userID: userID, in: reader).map { try json($0, page, in: reader) }
        }
    }

    /// A search after a wait for its end, as JSON.
    enum WaitResult: Sendable {
        case running(status: [UInt8])
        case ended(page: [UInt8])
    }

    /// Waits until a search no longer runs.
    ///
    /// - Parameters:
    ///   - page: the shows to answer with when it has ended.
    ///   - limit: how long to wait.
    /// - Returns: the search as it is then; `nil` when the user has no such search.
    func awaitEnd(
        id: String, userID: String, page: ShowPageRequest, within limit: Duration
    ) async throws -> WaitResult? {
        try await queue.read(ofUser: userID, within: limit) { reader in
            try ConcertSearchResult(id: id, userID: userID, in: reader).map { search -> WaitResult in
                search.outcome.state == .running
                    ? .running(status: ConcertSearchResource(search).status)
                    : .ended(page: try json(search, page, in: reader))
            }
        } until: { search in
            if case .running = search { false } else { true }
        }
    }

    /// The fresh concerts around a city; `nil` when they have to be looked up.
    func freshNearby(_ area: NearbyRequest, page: ShowPageRequest) async throws -> [UInt8]? {
        try await queue.database.read { reader in
            try searches.freshNearby(city: area.city, cityKey: area.cityKey, radius: area.radius, in: reader)
                .map { try json($0, page, in: reader, isStored: false) }
        }
    }

    /// - Parameter isStored: whether the search has an id.
    private func json(
        _ search: ConcertSearchResult, _ page: ShowPageRequest, in reader: ReadTransaction, isStored: Bool = true
    ) throws -> [UInt8] {
        let items = try showCache.items(of: search, page.filter, today: .todayUTC, in: reader)
        var resource = ConcertSearchResource(search)
        if !isStored { resource.id = nil }
        return try resource.json(
            page: ConcertPage(of: items, after: page.cursor, limit: page.limit), pictures: pictures)
    }

    /// A page of the user's searches for artists, newest first.
    func list(
        userID: String, cursor: Cursor<RowID>?, limit: Int
    ) async throws -> (page: [UInt8], seq: Int64) {
        try await queue.database.read { reader in
            let found = try reader.concerts.searches(
                userID: userID, kind: ConcertSearches.artistsKind, after: cursor, limit: limit + 1)
            let page = try found.prefix(limit).map { ConcertSearchResource(try ConcertSearchResult($0, in: reader)) }
            let list = JSONWriter.object { json in
                json.member("items") { json in
                    json.array(page) { json, search in json.object { search.writeStatus(to: &$0) } }
                }
                let last = found.count > limit ? page.last?.id : nil
                json.member("nextCursor", last.map { ConcertLists.searches.text(of: RowID($0)) })
            }
            return (list, try reader.lastChange())
        }
    }

    /// The shows of a search that are known so far.
    ///
    /// - Parameter item: the id of the only show to return, which may be cancelled.
    /// - Returns: `nil` when the user has no such search.
    func shows(id: String, userID: String, item: String?, filter: ShowFilter) async throws -> [ConcertListItem]? {
        try await queue.database.read { [showCache] reader in
            guard let result = try ConcertSearchResult(id: id, userID: userID, in: reader) else { return nil }
            let filter = item == nil ? filter : ShowFilter(includesCancelled: true)
            let items = try showCache.items(of: result, filter, today: .todayUTC, in: reader)
            return item.map { id in items.filter { $0.id == id } } ?? items
        }
    }

    /// The events of searches in the event stream.
    var eventSource: EventSource {
        EventSource(
            .concertSearch, topics: [.concerts],
            count: { try $0.concerts.countOfSearches(userID: $1, changedAfter: $2, limit: $3) }
        ) { reader, userID, after, limit in
            try reader.concerts.searches(userID: userID, changedAfter: after, limit: limit).map { search in
                let resource = ConcertSearchResource(try ConcertSearchResult(search, in: reader))
                return EventSource.Change(number: search.change, id: search.id, data: resource.status)
            }
        }
    }

    // MARK: Upkeep

    /// Deletes old searches, and stored answers that no search has used recently.
    func prune(by upkeep: ConcertUpkeep, at time: PruningTime) async throws {
        try await upkeep.pruneSearches(at: time) { notifyDispatcher(of: $0) }
        try await upkeep.forget(at: time)
    }
}

extension JobSubmissions {
    /// Submits the lookups that a search needs, as jobs of the system.
    fileprivate mutating func submit(_ lookups: [ConcertSearches.Lookup], in transaction: WriteTransaction) throws {
        for lookup in lookups {
            // Somebody is waiting for every lookup, so each has the priority of interactive jobs.
            var job =
                switch lookup.payload {
                case .artists(let artists): try NewJob(.concertsLookup, artists, priority: JobPriority.interactive)
                case .nearby(let area): try NewJob(.concertsNearby, area, priority: JobPriority.interactive)
                }
            job.id = lookup.jobID
            job.onBehalfOf = lookup.userID
            try submit(job, userID: SystemUser.id, in: transaction)
        }
    }
}

extension LocalDate {
    /// Today in UTC.
    static var todayUTC: LocalDate? { LocalDate(dayNumber: Int(Timestamp.now().microseconds / 86_400_000_000)) }
}
