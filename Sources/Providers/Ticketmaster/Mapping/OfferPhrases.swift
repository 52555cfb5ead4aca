import Model

/// The words that sellers use for what they offer around a show, folded (`FoldedText`), in one table per subject.
///
/// The words come from the names of events at Ticketmaster (US, UK, ES, FR, DE, AT, IT, NL, BE, PL, CZ), of the shops
/// of Eventim, Ticketportal, eBilet, Festicket and pakietyvip.com, and of the shops of festivals and venues (Märzpark,
/// Fuchsbau, Pivo in cvetje, Palladium Praha). Add a language's words to each subject; their order does not matter.
enum OfferPhrases {
    struct Phrase {
        var kind: ConcertKind
        var words: [String]
    }

    /// Phrases that indicate the kind anywhere in a name, by their first words.
    static let anywhere: [String: [Phrase]] = Dictionary(
        grouping: table([
            .parking: """
            parking pass, parking ticket, parking tickets, parking permit, parking voucher, parking garage, car park,
            car parking, premium parking, vip parking, event parking, official parking,
            plaza de parking, plazas de parking, plaza de aparcamiento, plazas de aparcamiento, ticket de parking,
            reserva de parking, abono parking, estacionamiento, aparcamiento, estacionamento,
            place de parking, places de parking, place de stationnement, parc de stationnement, stationnement,
            parkticket, parktickets, parkplatz, parkplatze, parkplatzticket, parkschein, parkscheine, parkkarte,
            parkkarten,
            parkausweis, parkberechtigung, parkgutschein,
            parcheggio, parcheggi, posto auto, posti auto,
            parkeerticket, parkeertickets, parkeerkaart, parkeerkaarten, parkeerplaats, parkeerplek, parkeerbewijs,
            parkeren,
            miejsce parkingowe, miejsca parkingowe, bilet parkingowy, bilety parkingowe, karta parkingowa,
            bilet na parking, parkowanie,
            parkovani, parkovne, parkovaci, parkoviste,
            parkering, parkeringsbiljett, parkeringsbillet, parc auto, πάρκινγκ, 駐車場
            """,
            .baggage: """
            baggage storage, baggage check, baggage deposit, baggage service, luggage storage, luggage check,
            luggage deposit, bag storage, bag check, bag drop, locker rental,
            consigna de equipaje, servicio de consigna, consigne a bagages, gepackaufbewahrung, gepackabgabe,
            schliessfach, schliessfacher, deposito bagagli, servizio guardaroba, bagageopslag, bagagekluis,
            przechowalnia bagazu, uschovna zavazadel, uschovna
            """,
            .vip: """
            meet and greet, meet greet, meet y greet, meet et greet, meet und greet, meet i greet, meet a greet, hot
            seat,
            hot seats, soundcheck experience, soundcheck package, early entry package, ultimate fan package, platinum
            package, platinum packages,
            loge privee, palco vip, business seat, business seats, logenplatz, logenplatze, carre or, gold package,
            vipパッケージ, spotkanie z artysta, setkani s kapelou
            """,
            .festivalPass: """
            festivalticket, festivaltickets, festivalpass, festivalkarte, weekendticket, weekendkaart, wochenendticket,
            kombiticket, combiticket, mehrtagesticket, zweitagesticket, dreitagesticket, dauerkarte, passepartout,
            abonnement, abbonamento, abbonamenti, abono general, abono festival, abono completo, bono general,
            pass integral, pass week end, permanentka, permanentky, festivalova vstupenka, celofestivalova vstupenka,
            karnet, karnety, bilet weekendowy, bilet dwudniowy, bilet trzydniowy, passe partout
            """,
            .dayPass: """
            tagesticket, tagestickets, tageskarte, tageskarten, dagticket, dagtickets, dagkaart, dagkaarten,
            dagsbiljett,
            dagsbillett, dagsbillet, jednodenni vstupenka, jednodenni vstupenky, biglietto giornaliero,
            biglietti giornalieri, abono de dia, entrada de dia, entrada de un dia, billet journee, pass journee,
            bilet jednodniowy, bilety jednodniowe, karnet jednodniowy
            """,
            .upsell: """
            upsell, ticket upgrade, seat upgrade, lawn upgrade, club upgrade, upgrade only, upgrade package, add on,
            add ons, fast lane, fast pass, early entry, coat check, drink token, drink tokens, zona premium,
            pulsera recargable, cena entrada, hotel entrada, hotel billet, diner spectacle, offre restauration,
            rollstuhlplatz, rollstuhlplatze, fan paket, dinner arrangement, fruhzeitiger einlass, token bevande,
            cena concerto, hotel biglietto, consumptiemunten, hotelovernachting, hotellpaket, buskorsel,
            seguro de cancelacion, fast track entry, early entry upgrade, merchandise bundle, merch bundle,
            merchandise voucher, merch voucher, hotel package, travel package, ticket and hotel, shuttle bus,
            shuttle pass, shuttle ticket, camping pass, camping ticket, camping upgrade, lounge access, club access,
            official platinum, premium seating, premium seats, dinner package, drinks package, food voucher,
            not a concert ticket, not a ticket, does not include ticket, does not include concert ticket,
            ticket not included, ticket insurance,
            servicio de autobus, autobus ida y vuelta, bus ida y vuelta, autobus oficial, bus oficial, bus lanzadera,
            autobus lanzadera, paquete hotel, paquetes hotel, entrada hotel, entrada y hotel, zona de acampada,
            mejora de entrada, acceso anticipado, acceso preferente, vale de consumicion, no incluye entrada,
            seguro de entradas, upgrade de entrada,
            navette aller retour, bus aller retour, transport en bus, trajet en bus, forfait hotel, forfait transport,
            surclassement, acces anticipe, acces prioritaire, coupe file, entree prioritaire, assurance annulation,
            billet non inclus, bon repas, formule repas,
            bustransfer, bustransfers, bustransport, busticket, bustickets, busshuttle, shuttlebus, busreise, busreisen,
            busfahrt, busanreise, sonderzug, hotelpaket, hotelpakete, hotelarrangement, ubernachtungspaket, reisepaket,
            essensgutschein, verzehrgutschein, getrankegutschein, wertgutschein, dinnerpaket, fanpaket, fruher einlass,
            fruheinlass, schneller einlass, schnelleinlass, campingticket, campingtickets, campingplatz, caravanticket,
            wohnmobilticket, ticketversicherung, eintritt nicht enthalten, kein eintrittsticket,
            servizio navetta, bus navetta, bus andata e ritorno, pacchetto hotel, pacchetti hotel, biglietto hotel,
            ingresso anticipato, accesso anticipato, ingresso prioritario, accesso prioritario, buono pasto,
            biglietto non incluso, assicurazione biglietto,
            busvervoer, pendelbus, pendelbussen, retourbus, hotelpakket, hotelpakketten, hotelarrangementen,
            dinerarrangement, dinerarrangementen, consumptiebonnen, drankbonnen, vroege toegang, voorrang toegang,
            annuleringsverzekering, ticket niet inbegrepen,
            przejazd autokarem, przejazd autobusem, transport autokarowy, transfer autokarowy, dojazd autokarem,
            pakiet hotelowy, pakiety hotelowe, pole namiotowe, pole kempingowe, wczesniejsze wejscie,
            pierwszenstwo wejscia, szybkie wejscie, kupon na napoje, ubezpieczenie biletu, bilet nie jest wliczony,
            autobusova doprava, kyvadlova doprava, svoz autobusem, hotelovy balicek, hotelovy balik, stanove mestecko,
            drivejsi vstup, prednostni vstup, prednostni vchod, pojisteni vstupenky, poukaz na obcerstveni,
            darkovy poukaz, neni soucasti vstupenka
            """,
        ]), by: { $0.words[0] })

    /// Phrases that indicate the kind when they are a whole part of the name ("Tool (VIP)").
    static let wholePart: [String: ConcertKind] = Dictionary(
        uniqueKeysWithValues: table([
            .parking: "parking, parkings, parken",
            .baggage: """
            baggage, luggage, locker, lockers, taquilla, taquillas, cloakroom, garderobe, garderoben, guardarropa, guardarropas, guardaroba,
            consigna, consigne, vestiaire, armadietto, armadietti, kluisje, kluisjes, szatnia, szafka, satna, skrinka
            """,
            .vip: """
            vip, vips, hospitality, hospitalite, platinum, loge, loges, palco, palcos, camarote, camarotes, suite
            """,
            .festivalPass: "weekend, combo, combi, abono, abonos, karnet",
            .upsell: """
            upgrade, upgrades, shuttle, camping, glamping, merchandise, merch, premium, hotel, transport,
            transportation, suites, addon, dining, dinner, donativo, botella, boisson, ticketless, club access, tailgate, bus, autobus, traslado, transporte, lanzadera,
            acampada, cena, menu, merchandising, seguro, navette, navettes, diner, repas, sejour, transfer, anreise,
            ubernachtung, gutschein, versicherung, navetta, campeggio, assicurazione, busreis, overnachting,
            autokar, przejazd, dojazd, nocleg, kolacja, voucher, ubezpieczenie, doprava, ubytovani, stanovani,
            vecere, obcerstveni, pojisteni, poukaz
            """,
        ]).map { ($0.words.joined(separator: " "), $0.kind) })

    /// Words that begin or end a part of the name other than the artist's or the show's: `Parking Zona Norte - X`, `X |
    /// Autobús desde Sevilla`.
    static let edges: [String: ConcertKind] = [
        "parking": .parking, "parkings": .parking, "parkeerplaatsen": .parking, "autobus": .upsell,
        "autobuses": .upsell,
        "shuttle": .upsell, "shuttles": .upsell, "navette": .upsell, "navettes": .upsell, "navetta": .upsell,
        "autokar": .upsell, "pendelbus": .upsell, "bustransfer": .upsell, "busreis": .upsell, "doprava": .upsell,
        "przejazd": .upsell, "acampada": .upsell, "campeggio": .upsell,
        "parkeren": .parking, "parcheggio": .parking, "aparcamiento": .parking, "estacionamento": .parking,
        "stationnement": .parking, "parkplatz": .parking, "parkovani": .parking, "parkering": .parking,
        "otopark": .parking, "parcare": .parking, "parkolojegy": .parking, "pysakointi": .parking, "駐車場": .parking,
        "taquillas": .baggage, "consigna": .baggage, "consigne": .baggage, "guardarropa": .baggage,
        "vestiaire": .baggage, "guardaroba": .baggage, "garderobe": .baggage, "szatnia": .baggage, "satna": .baggage,
        "garderob": .baggage, "locker": .baggage, "lockers": .baggage, "kluisje": .baggage,
        "camping": .upsell, "glamping": .upsell, "bus": .upsell, "busreise": .upsell, "busvervoer": .upsell,
        "bussresa": .upsell, "onibus": .upsell, "autocarro": .upsell, "seguro": .upsell, "hotel": .upsell,
        "assurance": .upsell, "assicurazione": .upsell, "ubezpieczenie": .upsell, "pojisteni": .upsell,
    ]

    /// Words between an offer and the name of the show, in the languages of the tables above.
    static let prepositions: Set = [
        "para", "pour", "fur", "fuer", "zu", "zum", "zur", "per", "voor", "na", "do", "for", "to", "de", "del", "a",
        "al", "au", "aux", "alla", "pro", "till", "til", "pentru", "con", "mit", "avec", "with", "met", "z", "s", "y",
        "et", "und", "e", "en", "i", "and",
    ]

    /// Words that indicate a VIP offer together with one of ``vipNouns`` in the same part of the name.
    static let vipMarkers: Set = ["vip", "vips", "hospitality"]

    /// Things that are sold as VIP, in any order: `Paquetes VIP`, `VIP-Paket`, `forfait VIP`.
    static let vipNouns: Set = [
        "package", "packages", "pack", "packs", "upgrade", "upgrades", "ticket", "tickets", "experience", "experiences",
        "pass", "passes", "lounge", "entry", "access", "area", "zone", "box", "boxes", "seat", "seats", "seating",
        "nation", "meet", "add", "table", "tables", "bundle", "suite", "suites",
        "paquete", "paquetes", "entrada", "entradas", "experiencia", "experiencias", "pase", "pases", "zona", "palco",
        "palcos", "acceso", "mesa", "mesas",
        "forfait", "forfaits", "formule", "formules", "billet", "billets", "acces", "loge", "loges", "espace", "carre",
        "paket", "pakete", "karte", "karten", "bereich", "erlebnis", "zugang", "arrangement", "tisch", "logen",
        "pacchetto", "pacchetti", "biglietto", "biglietti", "esperienza", "accesso", "tavolo",
        "pakket", "pakketten", "kaart", "kaarten", "arrangementen", "ervaring", "toegang", "tafel",
        "pakiet", "pakiety", "bilet", "bilety", "strefa", "wejscie", "loza", "loze", "stolik",
        "pacote", "pacotes", "pachet", "pachete", "pakke", "pakker", "paketti", "csomag", "balicek", "balicky", "balik",
        "vstupenka", "vstupenky", "listek", "listky", "zazitek", "vstup", "stul",
    ]

    /// Words for passes and tickets, which together with days indicate a pass for one day or for several.
    static let passes: Set = [
        "pass", "passes", "ticket", "tickets", "wristband", "wristbands", "abono", "abonos", "pase", "entrada",
        "entradas", "billet", "billets", "forfait", "karte", "karten", "biglietto", "biglietti", "kaart", "kaarten",
        "bilet", "bilety", "vstupenka", "vstupenky", "listek", "bandje",
    ]
    /// Words for a day, and for several days.
    static let day: Set = ["day", "dia", "jour", "tag", "tages", "giorno", "dag", "dzien", "dniowy", "den", "denni"]
    static let days: Set = ["days", "dias", "jours", "tage", "giorni", "dagen", "dni", "dny", "dnu"]
    /// Numbers of days greater than one.
    static let numbers: Set = [
        "two", "three", "four", "five", "multi", "dos", "tres", "cuatro", "deux", "trois", "quatre", "zwei", "drei",
        "vier",
        "due", "quattro", "twee", "drie", "dwa", "trzy", "cztery", "dva", "tri", "ctyri",
    ]
    static let severalDays: Set = [
        "multiday", "weekend", "festival", "season", "combi", "combo", "2day", "3day", "4day", "5day", "2tages",
        "3tages",
    ]
    static let weekdays: Set = [
        "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
        "lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo",
        "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
        "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonnabend", "sonntag",
        "lunedi", "martedi", "mercoledi", "giovedi", "venerdi", "domenica",
        "maandag", "dinsdag", "woensdag", "donderdag", "vrijdag", "zaterdag", "zondag",
        "poniedzialek", "wtorek", "sroda", "czwartek", "piatek", "sobota", "niedziela",
        "pondeli", "utery", "streda", "ctvrtek", "patek", "nedele",
    ]

    private static func table(_ texts: [ConcertKind: String]) -> [Phrase] {
        texts.flatMap { kind, text in
            text.split(separator: ",").map { phrase in
                Phrase(kind: kind, words: phrase.split(whereSeparator: \.isWhitespace).map(String.init))
            }
        }
    }
}
