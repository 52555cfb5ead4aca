import Model
import Testing
import Ticketmaster

@Suite("Paging and splitting")
struct TicketmasterPagingTests {
    @Test("No quota header crashes the process")
    func rateLimits() {
        for text in ["9223372036854775807", "9223372036854775", "-9223372036854775808", "1e9", "-1", ""] {
            let limit = TicketmasterRateLimit(
                headers: ["rate-limit": text, "rate-limit-available": text, "rate-limit-reset": text])
            #expect(limit == TicketmasterRateLimit(headers: [:]), "\(text)")
        }
        let limit = TicketmasterRateLimit(headers: ["rate-limit": "5000", "rate-limit-reset": "1790000000000"])
        #expect(limit.limit == 5_000 && limit.resetsAt == Timestamp(microseconds: 1_790_000_000_000_000))
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var page: TicketmasterPage
        var pages: [Int]
        var split: Bool
        var testDescription: String { "\(page.totalElements) in \(page.totalPages) pages of \(page.size)" }

        init(_ elements: Int, _ totalPages: Int, size: Int = 200, number: Int = 0, _ pages: [Int], split: Bool) {
            page = TicketmasterPage(number: number, size: size, totalElements: elements, totalPages: totalPages)
            self.pages = pages
            self.split = split
        }
    }

    @Test(
        "The remaining pages follow from the totals",
        arguments: [
            Case(0, 0, [], split: false),
            Case(200, 1, [], split: false),
            Case(201, 2, [1], split: false),
            Case(1_000, 5, [1, 2, 3, 4], split: false),
            Case(1_200, 6, [1, 2, 3, 4, 5], split: false),
            Case(1_201, 7, [1, 2, 3, 4, 5], split: true),
            Case(10_000, 50, [1, 2, 3, 4, 5], split: true),
            // Totals that contradict each other: the larger counts.
            Case(150, 3, [1, 2], split: false),
            Case(500, 0, [1, 2], split: false),
            Case(87_958, 87_958, size: 1, Array(1...1_000), split: true),
            Case(600, 3, number: 1, [2], split: false),
            Case(130, 7, size: 20, [1, 2, 3, 4, 5, 6], split: false),
        ])
    func remainingPages(of example: Case) {
        let paging = TicketmasterPaging(after: example.page)
        #expect(paging.pages == example.pages)
        #expect(paging.needsSplit == example.split)
    }

    @Test("A limit on pages is respected")
    func limitOfPages() {
        let page = TicketmasterPage(number: 0, size: 200, totalElements: 900, totalPages: 5)
        #expect(TicketmasterPaging(after: page, limit: 2).pages == [1])
        #expect(TicketmasterPaging(after: page, limit: 1).pages == [])
    }

    private let now = Timestamp(microseconds: 1_790_000_000_000_000)

    @Test("Attractions are split first, then time")
    func splitOrder() throws {
        let halves = try #require(TicketmasterEventQuery(.attractions(["a", "b", "c"])).split(now: now))
        #expect(halves.map(\.subject) == [.attractions(["a"]), .attractions(["b", "c"])])

        let windows = try #require(halves[0].split(now: now)).map(\.window)
        #expect(windows[0]?.start == nil)
        #expect(windows[1]?.end == nil)
        #expect(windows[0]?.end == windows[1]?.start)
        #expect(try #require(windows[0]?.end) > now)
    }

    @Test("Repeated splitting covers the same span, at whole seconds, down to one second")
    func splitsCover() throws {
        let end = Timestamp(microseconds: now.microseconds + 10_000_000)
        var pending = [
            TicketmasterEventQuery(.keyword("x"), window: TicketmasterDateWindow(start: now, end: end))
        ]
        var leaves: [TicketmasterDateWindow] = []
        while let query = pending.popLast() {
            if let parts = query.split(now: now) {
                #expect(parts.count == 2)
                pending += parts.reversed()
            } else {
                leaves.append(try #require(query.window))
            }
        }
        #expect(leaves.first?.start == now)
        #expect(leaves.last?.end == end)
        for (left, right) in zip(leaves, leaves.dropFirst()) {
            #expect(left.end == right.start)
            #expect(try #require(left.end).microseconds % 1_000_000 == 0)
        }
    }

    @Test("A window without an end is split further away each time, up to twenty years")
    func openEnd() throws {
        var query = TicketmasterEventQuery(.attractions(["a"]))
        var cuts = 0
        while let parts = query.split(now: now) {
            query = parts[1]
            cuts += 1
            try #require(cuts < 100)
        }
        #expect((3...30).contains(cuts))
    }
}
