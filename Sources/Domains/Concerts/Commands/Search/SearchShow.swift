import Model

/// The fields of a show that the table needs.
struct SearchShow: Decodable, Equatable {
    struct Extra: Decodable, Equatable {
        var name: String
    }

    var artistName: String
    var artistRank: Int?
    var additionalArtists: [String]
    var venueName: String?
    var city: String?
    var countryCode: String?
    var localDate: LocalDate?
    var localTime: LocalTime?
    var timeTBA: Bool
    var dateTBA: Bool
    var status: ConcertStatus
    var isHomeCity: Bool
    var priceRange: String?
    var extras: [Extra]
}
