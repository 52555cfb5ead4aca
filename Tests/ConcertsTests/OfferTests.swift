import Concerts
import Model
import Testing

@Suite("Offers around a show")
struct OfferTests {
    private func extras(_ events: ConcertEvent..., artist: String = "a") throws -> [String] {
        let grouping = ShowGrouping([
            ShowGrouping.Source(artist: RankedArtist(id: artist, name: artist, rank: 1), events: events)
        ])
        let row = try #require(grouping.rows.first)
        #expect(grouping.rows.count == 1)
        #expect(row.event.name == "Tour X")
        return ConcertListItem(row).extras.map { "\($0.kind) \($0.name) \($0.ticketURL ?? "")" }
    }

    @Test(
        "A show's name with a separator and an addition is an offer, whatever the words",
        arguments: [
            "Tour X | Something Experiences", "TOUR X: Something Experiences", "Tour X - Something Experiences",
            "Tour X – Something Experiences", "Tour X (Something Experiences)", "Tour X • Something Experiences",
        ])
    func namedAround(name: String) throws {
        // The offer would be the better listing, because only the offer is on sale.
        let show = event("1", name: "Tour X", status: .offsale, ticketURL: "https://t/1")
        let offer = event("2", name: name, ticketURL: "https://t/2")
        #expect(try extras(show, offer) == ["upsell Something Experiences https://t/2"])
        #expect(try extras(offer, show) == ["upsell Something Experiences https://t/2"])
    }

    @Test("An offer at another time or venue in the city belongs to its show")
    func offerAtAnotherTime() throws {
        let show = event("1", name: "Tour X")
        for offer in [
            event("2", name: "Tour X | Dinner", at: "17:00", ticketURL: "https://t/2"),
            event("2", name: "Tour X | Dinner", venue: "hotel", at: nil, ticketURL: "https://t/2"),
        ] {
            #expect(try extras(show, offer) == ["upsell Dinner https://t/2"])
        }
    }

    @Test(
        "An addition that names performers or a performance, or that has no separator, is not an offer",
        arguments: [
            "Tour X (with special guest Moby)", "Tour X - Matinee", "Tour X-treme", "Tour Xtra", "Tour",
            "Tour X - Tarde", "Tour X | Abendvorstellung", "Tour X (Soirée)", "Tour X - Udsolgt",
            "Tour X【Matinee】", "Tour X ~ Matinee", "Tour X (2nd Show)", "Tour X (1st set)", "Tour X - Set 1",
            "Tour X - 18:00", "Tour X (6pm show)", "Tour X - 20h30", "Tour X - secondo spettacolo", "Tour X (Matiné)",
            "Tour X - Familienkonzert", "Tour X (+16)", "Tour X - 18 Uhr",
        ])
    func noOffers(name: String) {
        let other = event("2", name: name, bill: ["a", "Moby"], at: "15:00")
        let grouping = ShowGrouping([source("a", event("1", name: "Tour X"), other)])
        #expect(Set(grouping.rows.map(\.event.id)) == ["1", "2"])
    }

    @Test("An offer without a show in its city on its day gets its own row")
    func offerWithoutAShow() {
        for other in [
            event("2", name: "Tour X | Dinner", on: "2027-06-05"),
            event("2", name: "Tour X | Dinner", venue: "hall", city: "Brno"),
        ] {
            #expect(ShowGrouping([source("a", event("1", name: "Tour X"), other)]).rows.count == 2)
        }
    }

    @Test("Merged listings keep their names and links")
    func mergedListings() throws {
        var cross = event("2", name: "Tour X in Prague", ticketURL: "https://t/2")
        cross.venue?.id = "another shop's id"
        let copy = event("3", name: "Tour X", status: .offsale, ticketURL: "https://t/1")
        let parking = event("4", .parking, name: "Parking - Tour X", ticketURL: "https://t/4")
        let again = event("5", .parking, name: "PARKING - TOUR X", ticketURL: "https://t/5")
        let package = event("6", .vip, name: "Tour X - VIP Package", ticketURL: "https://t/6")
        let show = event("1", name: "Tour X", ticketURL: "https://t/1")
        #expect(
            Set(try extras(show, cross, copy, parking, again, package)) == [
                "show Tour X in Prague https://t/2", "parking Parking - Tour X https://t/4",
                "parking PARKING - TOUR X https://t/5", "vip VIP Package https://t/6",
            ])
    }

    @Test(
        "An addition before the show's name also makes an offer",
        arguments: [
            "Quelque chose - Tour X", "Etwas: Tour X", "Něco | Tour X", "[Coś] Tour X", "Qualcosa • Tour X",
            "Noget ｜ Tour X", "【Noe】Tour X", "Något ~ Tour X",
        ])
    func additionBeforeTheName(name: String) throws {
        let row = try extras(event("1", name: "Tour X"), event("2", name: name, at: "18:00", ticketURL: "https://t/2"))
        #expect(row == ["upsell \(name) https://t/2"])
    }

    @Test(
        "A tour's name beside the artist's belongs to the show, whichever seller lists it",
        arguments: ["Ada Quill: Winter", "Ada Quill - Winter", "Winter | Ada Quill", "Ada Quill (Winter)"])
    func nameOfATour(name: String) throws {
        let copy = event("2", name: "Ada Quill", bill: [], ticketURL: "https://t/2")
        var own = event("1", name: name, bill: ["Ada Quill"])
        own.venue?.id = "another shop's id"
        let grouping = ShowGrouping([source("Ada Quill", own, copy)])
        #expect(grouping.summary == ["1=2"])
        #expect(grouping.rows.first?.extras.isEmpty == true)
        // At another time, the words of tours distinguish a second show from an offer.
        let later = event("3", name: "Ada Quill - Winter Tour", bill: ["Ada Quill"], at: "22:30")
        let bus = event("4", name: "Ada Quill - Etwas", bill: ["Ada Quill"], at: "17:00")
        #expect(ShowGrouping([source("Ada Quill", own, copy, later, bus)]).summary == ["1=2+4", "3"])
    }

    @Test(
        "Notes on age, stock and date do not make an offer",
        arguments: [
            "Tour X (SOLD OUT)", "Tour X (18+)", "Tour X [Ages 21 and over]", "Tour X - Ausverkauft",
            "Tour X (Complet)", "Tour X - Vyprodáno", "Tour X (New Date)", "Tour X (Under 16s with an adult)",
            "Tour X | Agotado",
        ])
    func notesAreNotOffers(name: String) {
        let grouping = ShowGrouping([source("a", event("1", name: "Tour X"), event("2", name: name))])
        #expect(grouping.summary == ["1=2"])
    }

    @Test("The shorter of two similar names represents the show, a billed one before others, resale last")
    func representativeListing() {
        var package = event("1", name: "Ada Quill - Sans billet")
        package.priceRange = .init(minimum: 90, maximum: 90, currency: "EUR")
        let show = event("2", name: "Ada Quill")
        #expect(ShowGrouping([source("Ada Quill", package, show)]).summary == ["2=1"])
        var resale = event("0", name: "Ada Quill")
        resale.isResale = true
        var soldOut = event("3", name: "Ada Quill: Winter Tour", status: .offsale)
        soldOut.priceRange = package.priceRange
        #expect(ShowGrouping([source("Ada Quill", resale, soldOut)]).summary == ["3=0"])
        soldOut.status = .cancelled
        #expect(ShowGrouping([source("Ada Quill", resale, soldOut)]).summary == ["0=3"])
    }
}
