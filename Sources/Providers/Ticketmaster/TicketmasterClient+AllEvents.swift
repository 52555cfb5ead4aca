import Model

extension TicketmasterClient {
    /// The events of all pages of a query.
    package struct EventCollection: Sendable {
        /// Each event once.
        package var events: [ConcertEvent] = []
        package var attractions: [ConcertAttraction] = []
        /// Whether pages were not fetched because of the caller's limit, or because paging does not reach them.
        package var hasMore = false
        /// The error of the first page that failed, not counting the very first; `nil` when none did.
        package var gap: (any Error)?

        private var eventIDs: Set<String> = []
        private var attractionIDs: Set<String> = []

        fileprivate mutating func add(_ page: EventPage) {
            events += page.events.filter { eventIDs.insert($0.id).inserted }
            attractions += page.attractions.filter { attractionIDs.insert($0.id).inserted }
        }

        fileprivate mutating func add(_ other: EventCollection) {
            events += other.events.filter { eventIDs.insert($0.id).inserted }
            attractions += other.attractions.filter { attractionIDs.insert($0.id).inserted }
            hasMore = hasMore || other.hasMore
            gap = gap ?? other.gap
        }
    }

    /// Fetches a query page by page. A query that is larger than paging reaches is split.
    ///
    /// A page that fails leaves a gap; the other pages are returned.
    ///
    /// - Parameters:
    ///   - pageLimit: the most pages, including the first. A query with a limit is not split.
    ///   - now: the time at which splitting by time begins.
    /// - Throws: when the first page fails, or the task is cancelled.
    package func allEvents(
        _ query: TicketmasterEventQuery, pageLimit: Int = .max, now: Timestamp = .now()
    ) async throws -> EventCollection {
        try await allEvents(query, after: try await events(query), pageLimit: pageLimit, now: now)
    }

    /// Fetches all events of a query that is not created until its first call has its permit.
    ///
    /// - Parameter freeze: creates the query, and returns the same one from then on. If it throws, nothing is sent and
    ///   its error is thrown.
    package func allEvents(
        whenSent freeze: @escaping @Sendable () throws -> TicketmasterEventQuery
    ) async throws -> EventCollection {
        let first = try await events(whenSent: freeze)
        return try await allEvents(try freeze(), after: first, pageLimit: .max, now: .now())
    }

    private func allEvents(
        _ query: TicketmasterEventQuery, after first: EventPage, pageLimit: Int, now: Timestamp
    ) async throws -> EventCollection {
        var collection = EventCollection()
        collection.add(first)
        let paging = TicketmasterPaging(after: first.page, limit: pageLimit)
        if paging.needsSplit, pageLimit == .max, let parts = query.split(now: now) {
            for part in parts {
                do {
                    collection.add(try await allEvents(part, now: now))
                } catch let error as CancellationError {
                    throw error
                } catch {
                    collection.gap = collection.gap ?? error
                }
            }
            return collection
        }
        for page in paging.pages {
            do {
                collection.add(try await events(query, page: page))
            } catch let error as CancellationError {
                throw error
            } catch {
                collection.gap = collection.gap ?? error
                break
            }
        }
        let reached = first.page.number + 1 + paging.pages.count
        collection.hasMore = reached < max(first.page.totalPages, 1) || paging.needsSplit
        return collection
    }
}
