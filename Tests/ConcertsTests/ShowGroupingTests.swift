import Concerts
import Model
import Testing

@Suite("Grouping of shows")
struct ShowGroupingTests {
    @Test("An event of several artists is one row with the best rank and the other artists")
    func severalArtists() throws {
        let shared = event("shared", bill: ["b", "a", "c"])
        let grouping = ShowGrouping([source("b", rank: 4, shared), source("c", rank: 9, shared), source("a", shared)])
        let row = try #require(grouping.rows.first)
        #expect(grouping.rows.count == 1)
        #expect(row.artists.map(\.name) == ["a", "b", "c"])
        let item = ConcertListItem(row)
        #expect(item.artistName == "a")
        #expect(item.artistRank == 1)
        #expect(item.additionalArtists == ["b", "c"])
    }

    @Test("An artist with two ranks has the better one")
    func rankedTwice() {
        let shared = event("1")
        let other = source("a", rank: 5, shared)
        for sources in [[source("a", rank: 2, shared), other], [other, source("a", rank: 2, shared)]] {
            #expect(ShowGrouping(sources).rows.first?.artists.map(\.rank) == [2])
        }
    }

    @Test("Several listings of one show are one row with the best listing")
    func crossListed() {
        let first = event("g1", status: .cancelled)
        let second = event("z2", name: "Another name")
        var third = event("k3")
        third.venue?.id = "another shop's id"
        #expect(ShowGrouping([source("a", first, second, third)]).summary == ["k3=z2=g1"])
    }

    @Test(
        "Shows that differ in artist, venue, city, date or time are separate rows",
        arguments: [
            event("2", at: "15:00"), event("2", at: nil), event("2", on: "2027-06-05"), event("2", venue: "club"),
            event("2", city: "Brno"), event("2", venue: nil),
        ])
    func separateShows(other: ConcertEvent) {
        #expect(Set(ShowGrouping([source("a", event("1"), other)]).summary) == ["1", "2"])
    }

    @Test("Two artists of a search in two listings at one venue are two rows")
    func separateArtists() {
        let grouping = ShowGrouping([
            source("a", event("1", bill: ["a", "festival"])),
            source("b", rank: 2, event("2", bill: ["b", "festival"])),
        ])
        #expect(grouping.summary == ["1", "2"])
    }

    @Test("A row has the whole bill: the search's artists by rank, then the others, each once")
    func wholeBill() throws {
        let first = event("1", bill: ["support", "b", "a"])
        let second = event("2", bill: ["a", "late addition"])
        let grouping = ShowGrouping([source("a", first, second), source("B", rank: 2, first)])
        let item = ConcertListItem(try #require(grouping.rows.first))
        #expect(item.artistName == "a")
        #expect(item.additionalArtists == ["B", "support", "late addition"])
        // An area has no artists.
        let nearby = ShowGrouping([ShowGrouping.Source(artist: nil, events: [first])])
        let shown = ConcertListItem(try #require(nearby.rows.first))
        #expect(shown.artistName == "support")
        #expect(shown.additionalArtists == ["b", "a"])
    }

    @Test("Events without a date are never merged")
    func undatedEvents() {
        #expect(ShowGrouping([source("a", event("1", on: nil), event("2", on: nil))]).rows.count == 2)
    }

    @Test("Two listings found through different artists are one row with both")
    func copiesOfTwoArtists() {
        let grouping = ShowGrouping([
            source("a", rank: 3, event("1", bill: ["a", "b"])), source("b", rank: 2, event("1", bill: ["a", "b"])),
            source("b", rank: 2, event("2", bill: ["b"])),
        ])
        #expect(grouping.summary == ["1=2"])
        #expect(grouping.rows.first?.artists.map(\.name) == ["b", "a"])
    }

    @Test(
        "Extras belong to the show of their artist, city and date, at any venue",
        arguments: [
            event("x", .vip), event("x", .parking, venue: "car park"), event("x", .baggage, city: "Praha 9"),
            event("x", .upsell, at: nil), event("x", .dayPass, venue: nil),
            event("x", .festivalPass, bill: ["b", "a"]),
        ])
    func extrasOfAShow(extra: ConcertEvent) {
        #expect(ShowGrouping([source("a", event("show"), extra)]).summary == ["show+x"])
    }

    @Test(
        "An extra without a show gets its own row",
        arguments: [
            event("x", .vip, on: "2027-06-05"), event("x", .parking, city: "Brno"), event("x", .vip, on: nil),
            event("x", .upsell, city: nil), event("x", .festivalPass, on: "2027-06-12"),
            event("x", .festivalPass, venue: "elsewhere", on: "2027-06-06"), event("x", .dayPass, on: "2027-06-06"),
        ])
    func extrasAlone(extra: ConcertEvent) {
        #expect(Set(ShowGrouping([source("a", event("show"), extra)]).summary) == ["show", "x"])
    }

    @Test("An extra of another artist on the same day in the same city does not belong to the show")
    func extrasOfOthers() {
        let grouping = ShowGrouping([
            source("a", event("show")), source("b", rank: 2, event("x", .parking, bill: ["b"])),
        ])
        #expect(grouping.summary == ["show", "x"])
    }

    @Test("With a festival's attraction on every bill, an extra belongs to its artist's show")
    func festivalOnEveryBill() {
        let grouping = ShowGrouping([
            source("a", event("1", bill: ["festival", "a"])),
            source(
                "b", rank: 2, event("2", bill: ["festival", "b"]), event("x", .vip, bill: ["festival", "b"])),
        ])
        #expect(grouping.summary == ["1", "2+x"])
    }

    @Test(
        "Passes for several days belong to the artist's nearest show at the venue, within seven days",
        arguments: [
            ("2027-06-04", "2027-06-04"), ("2027-05-28", "2027-06-04"), ("2027-06-13", "2027-06-06"),
            ("2027-06-05", "2027-06-06"),
        ])
    func passesForSeveralDays(passDate: String, showDate: String) {
        let dates: [String] = ["2027-06-04", "2027-06-06"]
        let shows = dates.map { (date: String) in event("show \(date)", on: date) }
        let pass = event("pass", .festivalPass, city: "Prague", on: passDate)
        let grouping = ShowGrouping([
            ShowGrouping.Source(
                artist: RankedArtist(id: "a", name: "a", rank: 1), events: shows + [pass])
        ])
        #expect(grouping.rows.first { !$0.extras.isEmpty }?.event.id == "show \(showDate)")
    }

    @Test("A ticket for a later day of a festival belongs to the festival")
    func festivalDays() {
        let festival = event("festival", until: "2027-06-07")
        #expect(
            ShowGrouping([source("a", festival, event("x", .dayPass, venue: "gate", on: "2027-06-06"))]).summary
                == ["festival+x"])
    }

    @Test(
        "An extra belongs to the show at its time, or else to the evening show",
        arguments: [
            ("14:00", "matinee"), ("15:00", "matinee"), ("20:00", "evening"), (nil, "evening"),
        ])
    func extraOfAMatinee(time: String?, expected: String) {
        let grouping = ShowGrouping([
            source("a", event("matinee", at: "15:00"), event("evening"), event("x", .vip, at: time))
        ])
        #expect(grouping.rows.map(\.event.id) == ["matinee", "evening"])
        #expect(grouping.rows.first { !$0.extras.isEmpty }?.event.id == expected)
    }

    @Test("An extra listed twice is one extra; two names are two extras")
    func duplicateExtras() throws {
        let grouping = ShowGrouping([
            source(
                "a", event("show"), event("p1", .parking, name: "Parking"), event("p2", .parking, name: "PARKING"),
                event("p3", .parking, name: "Parking, gate 3"))
        ])
        #expect(grouping.summary == ["show+p1+p3"])
        #expect(grouping.rows.first?.duplicateExtras.map(\.id) == ["p2"])
    }

    @Test("Cancelled shows are left out with their extras unless included")
    func cancelledShows() {
        let sources = [
            source(
                "a", event("gone", status: .cancelled), event("x", .parking),
                event("on", on: "2027-07-01"), event("y", .vip, on: "2027-07-01", status: .cancelled))
        ]
        let plain = ShowGrouping(sources)
        #expect(plain.summary == ["on"])
        #expect(plain.leftOut.map(\.id) == ["gone", "x", "y"])
        let all = ShowGrouping(sources, options: .init(includesCancelled: true))
        #expect(all.summary == ["gone+x", "on+y"])
        #expect(all.leftOut.isEmpty)
    }

    @Test("Postponed and rescheduled shows are included with their status")
    func postponedShows() {
        let grouping = ShowGrouping([
            source(
                "a", event("p", on: nil, status: .postponed), event("r", status: .rescheduled))
        ])
        #expect(grouping.rows.map { ConcertListItem($0).status.code } == ["rescheduled", "postponed"])
    }

    @Test("An extra of a postponed show is assigned by the original day")
    func postponedExtras() {
        var show = event("show", on: nil, status: .postponed)
        show.initialDate = LocalDate("2027-06-04")
        #expect(ShowGrouping([source("a", show, event("x", .parking))]).summary == ["show+x"])
    }

    @Test("Past shows are left out, current ones are not")
    func pastShows() {
        let sources = [
            source(
                "a", event("over", on: "2027-06-03"), event("today"),
                event("under way", on: "2027-06-01", until: "2027-06-05"),
                event("unknown", on: nil))
        ]
        let grouping = ShowGrouping(sources, options: .init(notBefore: LocalDate("2027-06-04")))
        #expect(grouping.summary == ["under way", "today", "unknown"])
        #expect(grouping.leftOut.map(\.id) == ["over"])
    }

    @Test("Rows are ordered by rank, date, time and id, unknown values last")
    func orderOfRows() {
        let grouping = ShowGrouping([
            source("b", rank: 2, event("early", bill: ["b"], on: "2027-01-01")),
            source(
                "a", event("undated", on: nil), event("later", on: "2027-06-05"), event("untimed", venue: "1", at: nil),
                event("z", venue: "2"), event("y", venue: "3"), event("matinee", venue: "4", at: "15:00")),
            ShowGrouping.Source(artist: nil, events: [event("nobody's", bill: ["c"], on: "2026-12-01")]),
        ])
        #expect(
            grouping.summary == ["matinee", "y", "z", "untimed", "later", "undated", "early", "nobody's"])
    }

    @Test("Events of an area are grouped without artists")
    func eventsOfAnArea() throws {
        let grouping = ShowGrouping([
            ShowGrouping.Source(
                artist: nil,
                events: [
                    event("show", bill: ["a", "b"]), event("copy", bill: ["a"], ticketURL: nil), event("x", .parking),
                    event("other", bill: ["b"], venue: "club"), event("bare", bill: [], venue: "pub"),
                ])
        ])
        #expect(Set(grouping.summary) == ["show=copy+x", "other", "bare"])
        let item = ConcertListItem(try #require(grouping.rows.first { $0.event.id == "show" }))
        #expect(item.artistName == "a")
        #expect(item.artistRank == nil)
        let bare = ConcertListItem(try #require(grouping.rows.first { $0.event.id == "bare" }))
        #expect(bare.artistName == "Event bare")
    }
}
