import Model

/// Distinguishes shows from extras such as parking and upgrades.
///
/// Sellers may mark extras by classification; otherwise only the name tells. A show that is taken for an extra does
/// little harm: an extra without a show keeps its own row.
enum EventKindRules {
    /// - Parameters:
    ///   - performers: names on the bill, whose words are ignored ("Parking Lot Band").
    ///   - days: how many days the event lasts, usually 1.
    static func kind(
        name: String, classifications: [ClassificationResponse], performers: [String], days: Int
    ) -> ConcertKind {
        let labels = classifications.flatMap { [$0.type, $0.subType] }.compactMap { $0.map(FoldedText.words(of:)) }
        let isSoldOnTop = labels.contains { ["upsell", "parking"].contains($0.first) }
        let performers = performers.map(FoldedText.words(of:))
        let stripped = removing(performers, from: FoldedText.words(of: name))

        var found = Set(phrases.compactMap { stripped.containsRun($0.words) ? $0.kind : nil })
        let wholes =
            segments(of: name).filter { !performers.contains($0) }
            + stripped.split(separator: "|").map(Array.init)
            + labels
            + (isSoldOnTop ? stripped.map { [$0] } : [])
        found.formUnion(wholes.compactMap { loneWords[$0.joined(separator: " ")] })
        if let pass = passKind(stripped, days: days) { found.insert(pass) }
        if isSoldOnTop { found.insert(labels.contains(["parking"]) ? .parking : .upsell) }
        return precedence.first(where: found.contains) ?? .show
    }

    /// The kind of a name that matches several: VIP parking is parking.
    private static let precedence: [ConcertKind] = [.parking, .baggage, .festivalPass, .vip, .dayPass, .upsell]

    /// The words without the names of performers.
    private static func removing(_ performers: [[String]], from words: [String]) -> [String] {
        var words = words
        for performer in performers where !performer.isEmpty && performer.count <= words.count {
            while let start = words.firstIndex(ofRun: performer) {
                // A bar prevents the words on both sides from forming a phrase.
                words.replaceSubrange(start..<(start + performer.count), with: ["|"])
            }
        }
        return words
    }

    /// The parts of a name between its separators, as words.
    private static func segments(of name: String) -> [[String]] {
        name.replacing(" - ", with: "|")
            .split { "|–—:()[],/".contains($0) }
            .map { FoldedText.words(of: String($0)) }
            .filter { !$0.isEmpty }
    }

    /// Passes: "3-Day Pass", "Weekend Ticket", "Friday Ticket", "Tagesticket" …
    private static func passKind(_ words: [String], days: Int) -> ConcertKind? {
        for (index, word) in words.enumerated() where passWords.contains(word) {
            // "3-Day General Admission Pass" has its number four words earlier.
            let before = words[max(0, index - 4)..<index]
            if let day = before.lastIndex(where: { ["day", "days"].contains($0) }) {
                let count = day > 0 ? words[day - 1] : ""
                let isSeveral =
                    Int(decimal: count, in: 0...1_000).map { $0 > 1 }
                    ?? (numbers.contains(count) || words[day] == "days")
                return isSeveral ? .festivalPass : .dayPass
            }
            if before.contains(where: severalDays.contains) { return .festivalPass }
            if let last = before.last, weekdays.contains(last) { return .dayPass }
            if days > 1 { return .festivalPass }
        }
        return nil
    }

    private static let passWords: Set = ["pass", "passes", "ticket", "tickets", "wristband"]
    private static let numbers: Set = ["two", "three", "four", "five", "multi"]
    private static let severalDays: Set = [
        "multiday", "weekend", "festival", "season", "combi", "combo", "2day", "3day", "4day", "5day",
    ]
    private static let weekdays: Set = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
}

extension EventKindRules {
    private struct Phrase {
        var kind: ConcertKind
        var words: [String]
    }

    /// Phrases that mean the kind anywhere in a name.
    private static let phrases: [Phrase] = table([
        .parking: """
        parking pass, parking ticket, parking tickets, parking permit, parking voucher, parking garage, car park,
        car parking, premium parking, vip parking, event parking, parkticket, parkplatz, parkschein, parkkarte,
        parkovani, parkovne, estacionamiento, aparcamiento, parcheggio, parkering, parkeerticket, parkeren
        """,
        .baggage: """
        baggage storage, baggage check, baggage deposit, baggage service, luggage storage, luggage check,
        luggage deposit, bag storage, bag check, bag drop, locker rental, gepackaufbewahrung, uschovna zavazadel
        """,
        .vip: """
        vip package, vip packages, vip upgrade, vip upgrades, vip ticket, vip tickets, vip experience,
        vip experiences, vip pass, vip lounge, vip entry, vip box, vip seating, vip nation, vip meet, vip add,
        meet and greet, meet greet, hot seat, hot seats, soundcheck experience, soundcheck package,
        early entry package, hospitality package, hospitality packages, platinum package, ultimate fan package
        """,
        .festivalPass: """
        festivalticket, festivalpass, weekendticket, wochenendticket, kombiticket, passepartout, abonnement,
        abbonamento, permanentka, festivalova vstupenka, pass 2 jours, pass 3 jours, pass 4 jours
        """,
        .dayPass: """
        tagesticket, tageskarte, dagticket, dagkaart, dagsbiljett, dagsbillett, dagsbillet, jednodenni vstupenka,
        biglietto giornaliero, abono de dia, pass 1 jour, billet journee
        """,
        .upsell: """
        upsell, ticket upgrade, seat upgrade, lawn upgrade, club upgrade, upgrade only, upgrade package, add on,
        add ons, fast lane, fast track entry, early entry upgrade, merchandise bundle, merch bundle,
        merchandise voucher, merch voucher, hotel package, travel package, ticket and hotel, shuttle bus,
        shuttle pass, shuttle ticket, camping pass, camping ticket, camping upgrade, lounge access, club access,
        official platinum, premium seating, premium seats, dinner package, drinks package, food voucher,
        not a concert ticket, not a ticket, does not include ticket, does not include concert ticket,
        ticket not included
        """,
    ])

    /// Phrases that mean the kind when they are a whole part of the name ("Tool (VIP)").
    private static let loneWords: [String: ConcertKind] = Dictionary(
        uniqueKeysWithValues: table([
            .parking: "parking, parkings",
            .baggage: "baggage, luggage, locker, lockers, cloakroom, garderobe, guardarropa, guardaroba, consigne",
            .vip: "vip, vips, hospitality, platinum",
            .festivalPass: "weekend, combo, combi",
            .upsell: """
            upgrade, upgrades, shuttle, camping, glamping, merchandise, merch, premium, hotel, transport,
            transportation, suites, addon, dining, club access, tailgate
            """,
        ]).map { ($0.words.joined(separator: " "), $0.kind) })

    private static func table(_ texts: [ConcertKind: String]) -> [Phrase] {
        texts.flatMap { kind, text in
            text.split(separator: ",").map { phrase in
                Phrase(kind: kind, words: phrase.split(whereSeparator: \.isWhitespace).map(String.init))
            }
        }
    }
}

extension [String] {
    fileprivate func firstIndex(ofRun run: [String]) -> Int? {
        guard !run.isEmpty, run.count <= count else { return nil }
        return (0...(count - run.count)).first { start in self[start..<(start + run.count)].elementsEqual(run) }
    }

    fileprivate func containsRun(_ run: [String]) -> Bool {
        firstIndex(ofRun: run) != nil
    }
}
