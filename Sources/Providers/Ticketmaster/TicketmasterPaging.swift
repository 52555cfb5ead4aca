import Model

/// The numbers of one page, and how many items were left out of it.
package struct TicketmasterPage: Hashable, Sendable {
    /// Zero-based.
    package var number: Int
    /// The requested number of items.
    package var size: Int
    /// Capped at 10,000 by Ticketmaster.
    package var totalElements: Int
    package var totalPages: Int
    /// Malformed or null items that were skipped.
    package var skippedItems: Int
    /// Items that Ticketmaster marks as tests.
    package var testItems: Int
    package var rateLimit: TicketmasterRateLimit

    package init(
        number: Int, size: Int, totalElements: Int, totalPages: Int, skippedItems: Int = 0, testItems: Int = 0,
        rateLimit: TicketmasterRateLimit = TicketmasterRateLimit(headers: [:])
    ) {
        self.number = number
        self.size = size
        self.totalElements = totalElements
        self.totalPages = totalPages
        self.skippedItems = skippedItems
        self.testItems = testItems
        self.rateLimit = rateLimit
    }
}

/// The pages that follow the first page of a query.
package struct TicketmasterPaging: Hashable, Sendable {
    /// The largest page size; 201 is refused (DIS1036).
    package static let maximumSize = 200
    /// The largest allowed `page × size` (DIS1035).
    package static let depth = 1_000

    /// The next page numbers to fetch, in order.
    package var pages: [Int]
    /// Whether the query has more than paging reaches and must be split (``TicketmasterEventQuery/split(now:)``).
    package var needsSplit: Bool

    /// Uses the totals of the first page, since a short page need not be the last.
    ///
    /// - Parameter limit: the most pages, including the first.
    package init(after first: TicketmasterPage, limit: Int = .max) {
        let size = max(1, first.size)
        let byElements = (max(0, first.totalElements) + size - 1) / size
        let total = max(first.totalPages, byElements)
        let reachable = Self.depth / size + 1
        let next = first.number + 1
        let end = min(total, reachable, limit)
        pages = next < end ? Array(next..<end) : []
        needsSplit = total > reachable
    }
}

extension TicketmasterEventQuery {
    /// Where a window without an end is split first: most announced shows are earlier.
    private static let horizon: Duration = .seconds(180 * 86_400)
    /// No show is announced further ahead than this.
    private static let end: Duration = .seconds(20 * 365 * 86_400)

    /// Two queries that together match the same events: with half the attractions each, or, with at most one
    /// attraction, with half the time each. `nil` when neither can be halved.
    ///
    /// The ends of a window are inclusive, so both halves match the second at which they meet: remove duplicates by id.
    /// Windows may miss undated events, so keep the events of the unsplit query.
    package func split(now: Timestamp) -> [TicketmasterEventQuery]? {
        if case .attractions(let ids) = subject, ids.count > 1 {
            let half = ids.count / 2
            return [Array(ids[..<half]), Array(ids[half...])].map {
                TicketmasterEventQuery(.attractions($0), window: window)
            }
        }
        guard let middle = middle(now: now) else { return nil }
        return [
            TicketmasterEventQuery(subject, window: TicketmasterDateWindow(start: window?.start, end: middle)),
            TicketmasterEventQuery(subject, window: TicketmasterDateWindow(start: middle, end: window?.end)),
        ]
    }

    /// A second strictly inside the window.
    private func middle(now: Timestamp) -> Timestamp? {
        let second: Int64 = 1_000_000
        guard let end = window?.end else {
            // Without an end, each split is twice as far away as the previous one.
            let start = window?.start.map { max($0, now) } ?? now
            let span = max(Self.horizon.microseconds, now.duration(to: start).microseconds)
            guard start < now.advanced(by: Self.end) else { return nil }
            return Self.wholeSecond(start.microseconds + span)
        }
        let start = window?.start ?? now
        guard end.microseconds - start.microseconds >= 2 * second else { return nil }
        return Self.wholeSecond((start.microseconds + end.microseconds) / 2)
    }

    private static func wholeSecond(_ microseconds: Int64) -> Timestamp {
        Timestamp(microseconds: microseconds / 1_000_000 * 1_000_000)
    }
}
