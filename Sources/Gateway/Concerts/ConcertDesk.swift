import Accounts
import Concerts
import Contracts
import Jobs
import Model
import Storage

/// The gateway's side of concert searches: joins the domain to the queue and the event stream.
package struct ConcertDesk: Sendable {
    let queue: JobQueue
    let searches: ConcertSearches
    let cityNames: CityNames
    let showCache: ShowCache

    /// - Parameter freshness: how long an answer is served without asking the upstream again.
    package init(queue: JobQueue, freshness: Duration, cityNames: CityNames) {
        self.queue = queue
        searches = ConcertSearches(freshness: freshness, maximumRunning: queue.quotas.runningSearches)
        self.cityNames = cityNames
        showCache = ShowCache(cityNames: cityNames)
    }

    // MARK: Searches

    func begin(
        _ artists: [RankedArtist]?, homeCity: String?, userID: String, idempotencyKey: JobQueue.IdempotencyKey?
    ) async throws -> String {
        try await queue.write { [searches, cityNames] transaction, submissions in
            let earlier = try idempotencyKey?.answer(for: userID, in: transaction) { ids in
                try ids.contains { try transaction.concerts.search(id: $0, userID: userID) != nil }
            }
            if let id = earlier?.first { return id }
            let ranked = try artists ?? transaction.concerts.rankedArtists(userID: userID)
            guard !ranked.isEmpty else {
                throw Problem.invalidRequest(
                    code: "noArtists",
                    "There is nobody to search for: name artists, or put some into your list (PUT /v1/artists).",
                    field: "$.artists")
            }
            // A home that people wrote freely into their profile may be no city's name.
            let home =
                try homeCity
                ?? transaction.accounts.homeCity(userID: userID).flatMap { city in
                    HomeCity(city, names: cityNames) == nil ? nil : city
                }
            let id = try searches.begin(ranked, homeCity: home, userID: userID, in: transaction) {
                try Self.submit($0, for: userID, to: &submissions, in: transaction)
            }
            if let idempotencyKey {
                try transaction.jobs.rememberIdempotentAnswer(
                    key: idempotencyKey.key, userID: userID, fingerprint: idempotencyKey.fingerprint,
                    resourceIDs: [id], now: .now())
            }
            return id
        }
    }

    func beginNearby(city: String, cityKey: String, radius: Int, userID: String) async throws -> String {
        try await queue.write { [searches] transaction, submissions in
            let key = ConcertSearches.key(ofCity: cityKey, radius: radius)
            if let jobID = try transaction.concerts.subject(key: key)?.jobID,
                let running = try transaction.concerts.search(waitingFor: jobID, userID: userID)
            {
                return running
            }
            return try searches.beginNearby(
                city: city, cityKey: cityKey, radius: radius, userID: userID, in: transaction
            ) {
                try Self.submit($0, for: userID, to: &submissions, in: transaction)
            }
        }
    }

    /// - Returns: whether the user has such a search.
    func cancel(id: String, userID: String) async throws -> Bool {
        let released = try await queue.database.write { [searches] transaction in
            try searches.cancel(id: id, userID: userID, in: transaction)
        }
        if let released { tellDispatcher(of: released) }
        return released != nil
    }

    private func tellDispatcher(of released: ConcertSearches.Released) {
        for job in released.cancelled { queue.dispatcher.cancelledBySystem(job) }
        if released.haveMoved { queue.dispatcher.lookAtTable() }
    }

    /// - Returns: how many artists are looked for again; `nil` when the user has no such search.
    func retry(id: String, userID: String) async throws -> Int? {
        try await queue.write { [searches] transaction, submissions in
            try searches.retry(id: id, userID: userID, in: transaction) {
                try Self.submit($0, for: userID, to: &submissions, in: transaction)
            }
        }
    }

    /// Submits a lookup, which queues under the person who is the first to wait for it.
    private static func submit(
        _ lookup: ConcertSearches.Lookup, for userID: String, to submissions: inout JobSubmissions,
        in transaction: WriteTransaction
    ) throws -> String {
        // Somebody waits for every lookup, so all of them have the priority of those who wait.
        var job =
            switch lookup {
            case .artists(let artists): try NewJob(.concertsLookup, artists, priority: JobPriority.interactive)
            case .nearby(let area): try NewJob(.concertsNearby, area, priority: JobPriority.interactive)
            }
        job.onBehalfOf = userID
        return try submissions.submit(job, userID: SystemUser.id, in: transaction)
    }

    // MARK: Results

    /// A search as it stands with a page of its shows; `nil` when the user has none of that id.
    func page(
        id: String, userID: String, filter: ShowFilter, cursor: ConcertPage.Position?, limit: Int
    ) async throws -> [UInt8]? {
        try await queue.database.read { [showCache] reader in
            guard let result = try ConcertSearchResult(id: id, userID: userID, in: reader) else { return nil }
            let items = try showCache.items(of: result, filter, today: .todayUTC, in: reader)
            return try ConcertSearchResource(result).json(page: ConcertPage(of: items, after: cursor, limit: limit))
        }
    }

    /// The fresh concerts around a city; `nil` when they have to be looked up.
    func freshNearby(
        city: String, cityKey: String, radius: Int, filter: ShowFilter, cursor: ConcertPage.Position?, limit: Int
    ) async throws -> [UInt8]? {
        try await queue.database.read { [searches, showCache] reader in
            guard let result = try searches.freshNearby(city: city, cityKey: cityKey, radius: radius, in: reader)
            else { return nil }
            let items = try showCache.items(of: result, filter, today: .todayUTC, in: reader)
            var resource = ConcertSearchResource(result)
            resource.id = nil
            return try resource.json(page: ConcertPage(of: items, after: cursor, limit: limit))
        }
    }

    /// A page of the user's searches for artists, newest first.
    func list(userID: String, cursor: Cursor<RowID>?, limit: Int) async throws -> [UInt8] {
        try await queue.database.read { reader in
            let found = try reader.concerts.searches(
                userID: userID, kind: ConcertSearches.artistsKind, after: cursor, limit: limit + 1)
            let page = try found.prefix(limit).map { ConcertSearchResource(try ConcertSearchResult($0, in: reader)) }
            return JSONWriter.object { json in
                json.member("items") { json in
                    json.array(page) { json, search in json.object { search.writeStatus(to: &$0) } }
                }
                let last = found.count > limit ? page.last?.id : nil
                json.member("nextCursor", last.map { ConcertLists.searches.text(of: RowID($0)) })
            }
        }
    }

    /// The shows of a search that are known so far, or one of them; `nil` when the user has none of that id.
    func shows(id: String, userID: String, item: String?, filter: ShowFilter) async throws -> [ConcertListItem]? {
        try await queue.database.read { [showCache] reader in
            guard let result = try ConcertSearchResult(id: id, userID: userID, in: reader) else { return nil }
            // Who names a show wants it, whatever became of it.
            let filter = item == nil ? filter : ShowFilter(includesCancelled: true)
            let items = try showCache.items(of: result, filter, today: .todayUTC, in: reader)
            return item.map { id in items.filter { $0.id == id } } ?? items
        }
    }

    /// Waits until a search no longer runs, or the deadline.
    func wait(forSearch id: String, userID: String, within limit: Duration) async throws -> Bool {
        let deadline = ContinuousClock.now.advanced(by: limit)
        while true {
            let waiter = queue.events.waiter(forUser: userID)
            let state = try await queue.database.read {
                try ConcertSearchResult(id: id, userID: userID, in: $0)?.outcome.state
            }
            if state != .running { return true }
            if ContinuousClock.now >= deadline || queue.events.isClosed || Task.isCancelled { return false }
            await waiter.wait(until: deadline)
        }
    }

    /// What searches add to the event stream.
    var eventSource: EventSource {
        EventSource(
            "concertSearch",
            count: { try $0.concerts.countOfSearches(userID: $1, changedAfter: $2, limit: $3) }
        ) { reader, userID, after, limit in
            try reader.concerts.searches(userID: userID, changedAfter: after, limit: limit).map { search in
                let resource = ConcertSearchResource(try ConcertSearchResult(search, in: reader))
                return EventSource.Change(number: search.change, data: resource.status)
            }
        }
    }

    // MARK: Upkeep

    /// Deletes what has grown old, and what nobody asks for any more.
    func prune(by upkeep: ConcertUpkeep, at time: PruningTime) async throws {
        try await upkeep.pruneSearches(at: time) { tellDispatcher(of: $0) }
        try await upkeep.forget(at: time)
    }
}

extension LocalDate {
    /// Today in UTC.
    static var todayUTC: LocalDate? { LocalDate(dayNumber: Int(Timestamp.now().microseconds / 86_400_000_000)) }
}
