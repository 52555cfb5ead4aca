import Model
import TestSupport
import Testing
import Ticketmaster

@Suite("Kinds of events")
struct EventKindTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var name: String
        var kind: ConcertKind
        var type: String?
        var subType: String?
        var performer: String?
        var lastDay: String?
        var testDescription: String { "\(name) [\(type ?? "no type")] is \(kind)" }

        init(
            _ name: String, _ kind: ConcertKind, type: String? = nil, subType: String? = nil,
            performer: String? = nil, lastDay: String? = nil
        ) {
            self.name = name
            self.kind = kind
            self.type = type
            self.subType = subType
            self.performer = performer
            self.lastDay = lastDay
        }
    }

    @Test(
        "The kind follows from classification and name",
        arguments: [
            Example("Imagine Dragons: LOOM World Tour", .show),
            Example("Imagine Dragons - VIP Packages", .vip),
            Example("Imagine Dragons | VIP", .vip),
            Example("Imagine Dragons VIP", .vip, performer: "Imagine Dragons"),
            Example("Imagine Dragons (Meet & Greet)", .vip),
            Example("Parking: Imagine Dragons", .parking),
            Example("Imagine Dragons - VIP Parking Pass", .parking),
            Example("Imagine Dragons", .parking, type: "Parking"),
            Example("Imagine Dragons", .upsell, type: "Upsell"),
            Example("Imagine Dragons", .vip, type: "Upsell", subType: "VIP"),
            Example("Imagine Dragons - Print", .upsell, type: "Upsell", subType: "Merchandise Voucher"),
            Example("Imagine Dragons Parking", .parking, type: "Upsell"),
            Example("Baggage Storage - Imagine Dragons", .baggage),
            Example("Imagine Dragons – Locker", .baggage),
            Example("Emotional Baggage Tour", .show),
            Example("Parking para Nora Vale", .parking, performer: "Nora Vale"),
            Example("Navette pour Nora Vale", .upsell, performer: "Nora Vale"),
            Example("Camping für Nora Vale", .upsell, performer: "Nora Vale"),
            Example("Autobús desde Valencia Nora Vale", .upsell, performer: "Nora Vale"),
            Example("Hotel + Entrada Nora Vale", .upsell, performer: "Nora Vale"),
            Example("Taquillas Nora Vale", .baggage, performer: "Nora Vale"),
            Example("Seguro Nora Vale", .upsell, performer: "Nora Vale"),
            Example("Pacote VIP Nora Vale", .vip, performer: "Nora Vale"),
            Example("Pachet VIP pentru Nora Vale", .vip, performer: "Nora Vale"),
            Example("Garderob till Nora Vale", .baggage, performer: "Nora Vale"),
            Example("Nora Vale Early Entry", .upsell, performer: "Nora Vale"),
            Example("Parking Lot Band Tour", .show, performer: "Parking Lot Band"),
            Example("Nora Vale en concierto", .show, performer: "Nora Vale"),
            Example("Nora Vale & the Camping Lights", .show, performer: "Nora Vale"),
            Example("Imagine Dragons - Lawn Upgrade (not a concert ticket)", .upsell),
            Example("Rock im Park - Tagesticket Freitag", .dayPass),
            Example("Colours - Single Day Ticket", .dayPass),
            Example("Colours - 1-Day Pass", .dayPass),
            Example("Colours - Friday Ticket", .dayPass),
            Example("Colours - 3-Day Pass", .festivalPass),
            Example("Colours - 3-Day General Admission Pass", .festivalPass),
            Example("Colours - Two Day Ticket", .festivalPass),
            Example("Colours - Festival Pass", .festivalPass),
            Example("Colours - VIP Weekend Pass", .festivalPass),
            Example("Colours Wochenendticket", .festivalPass),
            Example("Colours Pass", .festivalPass, lastDay: "2027-07-03"),
            Example("Colours of Ostrava", .show, lastDay: "2027-07-03"),
            // The words of a performer's name say nothing about the event.
            Example("VIP Lounge Orchestra", .show, performer: "VIP Lounge Orchestra"),
            Example("The Parking Lot Band live", .show, performer: "The Parking Lot Band"),
            Example("Hotel", .show, performer: "Hotel"),
            Example("Vampire Weekend", .show, performer: "Vampire Weekend"),
            Example("Metallica at Camping World Stadium", .show),
            Example("Premium Blend: an evening of jazz", .show),
            Example("One Day Like This: Elbow", .show),
            Example("Airbourne - No Parking Tour", .show),
            Example("Bono: Songs and Stories", .show),
            Example("Ulver - Anniversary Ticket", .show, performer: "Ulver"),
        ])
    func kindsOfEvents(example: Example) async throws {
        func level(_ name: String, _ value: String?) -> String? {
            value.map { #""\#(name)": {"name": "\#($0)"}"# }
        }
        let labels = [level("type", example.type), level("subType", example.subType)].compactMap(\.self)
        let performers = example.performer.map { #"[{"id": "a", "name": "\#($0)"}]"# } ?? "[]"
        let end = example.lastDay.map { #", "end": {"localDate": "\#($0)"}"# } ?? ""
        let page = try await ScriptedUpstream(
            .events(
                """
                {"id": "e", "name": "\(example.name)", "classifications": [{\(labels.joined(separator: ","))}],
                 "dates": {"start": {"localDate": "2027-07-01"}\(end)}, "_embedded": {"attractions": \(performers)}}
                """)
        ).client().events(keyword: "x")
        #expect(page.events.first?.kind == example.kind)
    }

    @Test(
        "Offers are recognized in the languages of Ticketmaster's shops, before and after the artist's name",
        arguments: [
            Example("Plaza de aparcamiento - Vetusta Sur", .parking, performer: "Vetusta Sur"),
            Example("Vetusta Sur | Experiencias VIP", .vip, performer: "Vetusta Sur"),
            Example("Autobús desde Sevilla - Vetusta Sur", .upsell, performer: "Vetusta Sur"),
            Example("Norte Sonoro - Abono 3 días", .festivalPass),
            Example("Place de parking : Les Ondes", .parking), Example("Forfait VIP - Les Ondes", .vip),
            Example("Navette aller-retour | Les Ondes", .upsell), Example("Les Ondes - Billet samedi", .dayPass),
            Example("Parkschein: Nordlicht", .parking), Example("Nordlicht | VIP-Paket", .vip),
            Example("Bustransfer ab Köln - Nordlicht", .upsell), Example("Schließfach - Nordlicht", .baggage),
            Example("Nordlicht (Früher Einlass)", .upsell), Example("Nordlicht - Dreitagesticket", .festivalPass),
            Example("Parcheggio - Le Onde", .parking), Example("Le Onde | Pacchetti VIP", .vip),
            Example("Servizio navetta: Le Onde", .upsell), Example("Le Onde - Abbonamento", .festivalPass),
            Example("Parkeerkaart - Noorderwind", .parking), Example("VIP-arrangement | Noorderwind", .vip),
            Example("Pendelbus - Noorderwind", .upsell), Example("Noorderwind - Dagkaart", .dayPass),
            Example("Miejsce parkingowe - Zorza", .parking), Example("Zorza | Pakiet VIP", .vip),
            Example("Przejazd autokarem: Zorza", .upsell), Example("Zorza - Bilet jednodniowy", .dayPass),
            Example("Parkování - Zář", .parking), Example("Zář | VIP balíček", .vip),
            Example("Autobusová doprava: Zář", .upsell), Example("Úschovna zavazadel - Zář", .baggage),
            Example("Zář - Permanentka", .festivalPass),
        ])
    func languagesOfOffers(example: Example) async throws { try await kindsOfEvents(example: example) }
}
