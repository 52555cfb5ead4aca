/// A city of the catalog, and how its venues spell it.
struct City: Sendable {
    /// The plain English name.
    var name: String
    /// The spellings in the venues' records, used in turn.
    var spellings: [String]
    var countryCode: String
    var countryName: String
    var state: Venue.State?
    var center: GeoPoint
    var timezone: String
    var postalCode: String

    init(
        _ name: String, _ spellings: [String], _ countryCode: String, _ countryName: String,
        _ stateCode: String?, _ stateName: String?, _ latitude: Double, _ longitude: Double, _ timezone: String,
        _ postalCode: String
    ) {
        self.name = name
        self.spellings = spellings
        self.countryCode = countryCode
        self.countryName = countryName
        if let stateCode, let stateName { state = Venue.State(code: stateCode, name: stateName) }
        center = GeoPoint(latitude: latitude, longitude: longitude)
        self.timezone = timezone
        self.postalCode = postalCode
    }
}

extension City {
    /// Mostly cities in Europe and North America, where Ticketmaster sells; Prague comes first.
    static let all: [City] = [
        City(
            "Prague", ["Praha 9", "Praha 1", "Praha 7", "Prague"], "CZ", "Czech Republic", nil, nil, 50.0755, 14.4378,
            "Europe/Prague", "190 00"),
        City("Brno", ["Brno"], "CZ", "Czech Republic", nil, nil, 49.1951, 16.6068, "Europe/Prague", "602 00"),
        City("Ostrava", ["Ostrava"], "CZ", "Czech Republic", nil, nil, 49.8209, 18.2625, "Europe/Prague", "702 00"),
        City("Bratislava", ["Bratislava"], "SK", "Slovakia", nil, nil, 48.1486, 17.1077, "Europe/Bratislava", "811 01"),
        City("Vienna", ["Wien", "Vienna"], "AT", "Austria", nil, nil, 48.2082, 16.3738, "Europe/Vienna", "1010"),
        City("Graz", ["Graz"], "AT", "Austria", nil, nil, 47.0707, 15.4395, "Europe/Vienna", "8010"),
        City("Berlin", ["Berlin"], "DE", "Germany", nil, nil, 52.52, 13.405, "Europe/Berlin", "10115"),
        City("Munich", ["München", "Munich"], "DE", "Germany", nil, nil, 48.1351, 11.582, "Europe/Berlin", "80331"),
        City("Hamburg", ["Hamburg"], "DE", "Germany", nil, nil, 53.5511, 9.9937, "Europe/Berlin", "20095"),
        City("Cologne", ["Köln"], "DE", "Germany", nil, nil, 50.9375, 6.9603, "Europe/Berlin", "50667"),
        City("Leipzig", ["Leipzig"], "DE", "Germany", nil, nil, 51.3397, 12.3731, "Europe/Berlin", "04109"),
        City("Dresden", ["Dresden"], "DE", "Germany", nil, nil, 51.0504, 13.7373, "Europe/Berlin", "01067"),
        City("Warsaw", ["Warszawa", "Warsaw"], "PL", "Poland", nil, nil, 52.2297, 21.0122, "Europe/Warsaw", "00-001"),
        City("Kraków", ["Kraków", "Krakow"], "PL", "Poland", nil, nil, 50.0647, 19.945, "Europe/Warsaw", "30-001"),
        City("Łódź", ["Łódź"], "PL", "Poland", nil, nil, 51.7592, 19.456, "Europe/Warsaw", "90-001"),
        City("Budapest", ["Budapest"], "HU", "Hungary", nil, nil, 47.4979, 19.0402, "Europe/Budapest", "1051"),
        City("Paris", ["Paris"], "FR", "France", nil, nil, 48.8566, 2.3522, "Europe/Paris", "75001"),
        City("Lyon", ["Lyon"], "FR", "France", nil, nil, 45.764, 4.8357, "Europe/Paris", "69001"),
        City(
            "Brussels", ["Bruxelles", "Brussel", "Brussels"], "BE", "Belgium", nil, nil, 50.8503, 4.3517,
            "Europe/Brussels", "1000"),
        City("Antwerp", ["Antwerpen"], "BE", "Belgium", nil, nil, 51.2194, 4.4025, "Europe/Brussels", "2000"),
        City("Amsterdam", ["Amsterdam"], "NL", "Netherlands", nil, nil, 52.3676, 4.9041, "Europe/Amsterdam", "1011"),
        City(
            "The Hague", ["Den Haag", "The Hague"], "NL", "Netherlands", nil, nil, 52.0705, 4.3007,
            "Europe/Amsterdam", "2511"),
        City("London", ["London"], "GB", "Great Britain", nil, nil, 51.5074, -0.1278, "Europe/London", "SE10 0DX"),
        City(
            "Manchester", ["Manchester"], "GB", "Great Britain", nil, nil, 53.4808, -2.2426,
            "Europe/London", "M3 1AR"),
        City("Glasgow", ["Glasgow"], "GB", "Great Britain", nil, nil, 55.8642, -4.2518, "Europe/London", "G3 8YW"),
        City("Dublin", ["Dublin", "Dublin 1"], "IE", "Ireland", nil, nil, 53.3498, -6.2603, "Europe/Dublin", "D01"),
        City(
            "Copenhagen", ["København", "Copenhagen"], "DK", "Denmark", nil, nil, 55.6761, 12.5683,
            "Europe/Copenhagen", "1050"),
        City("Stockholm", ["Stockholm"], "SE", "Sweden", nil, nil, 59.3293, 18.0686, "Europe/Stockholm", "111 20"),
        City("Gothenburg", ["Göteborg"], "SE", "Sweden", nil, nil, 57.7089, 11.9746, "Europe/Stockholm", "411 03"),
        City("Oslo", ["Oslo"], "NO", "Norway", nil, nil, 59.9139, 10.7522, "Europe/Oslo", "0150"),
        City("Helsinki", ["Helsinki"], "FI", "Finland", nil, nil, 60.1699, 24.9384, "Europe/Helsinki", "00100"),
        City("Madrid", ["Madrid"], "ES", "Spain", nil, nil, 40.4168, -3.7038, "Europe/Madrid", "28001"),
        City("Barcelona", ["Barcelona"], "ES", "Spain", nil, nil, 41.3851, 2.1734, "Europe/Madrid", "08001"),
        City("Seville", ["Sevilla"], "ES", "Spain", nil, nil, 37.3891, -5.9845, "Europe/Madrid", "41001"),
        City("Lisbon", ["Lisboa", "Lisbon"], "PT", "Portugal", nil, nil, 38.7223, -9.1393, "Europe/Lisbon", "1100"),
        City("Milan", ["Milano", "Milan"], "IT", "Italy", nil, nil, 45.4642, 9.19, "Europe/Rome", "20121"),
        City("Rome", ["Roma"], "IT", "Italy", nil, nil, 41.9028, 12.4964, "Europe/Rome", "00184"),
        City("Turin", ["Torino"], "IT", "Italy", nil, nil, 45.0703, 7.6869, "Europe/Rome", "10121"),
        City("Florence", ["Firenze"], "IT", "Italy", nil, nil, 43.7696, 11.2558, "Europe/Rome", "50122"),
        City("Zürich", ["Zürich", "Zurich"], "CH", "Switzerland", nil, nil, 47.3769, 8.5417, "Europe/Zurich", "8001"),
        City("Geneva", ["Genève"], "CH", "Switzerland", nil, nil, 46.2044, 6.1432, "Europe/Zurich", "1201"),
        City("Athens", ["Αθήνα", "Athens"], "GR", "Greece", nil, nil, 37.9838, 23.7275, "Europe/Athens", "105 57"),
        City(
            "Bucharest", ["București", "Bucharest"], "RO", "Romania", nil, nil, 44.4268, 26.1025,
            "Europe/Bucharest", "010011"),
        City(
            "New York", ["New York"], "US", "United States Of America", "NY", "New York", 40.7128, -74.006,
            "America/New_York", "10001"),
        City(
            "Brooklyn", ["Brooklyn"], "US", "United States Of America", "NY", "New York", 40.6782, -73.9442,
            "America/New_York", "11217"),
        City(
            "Camden", ["Camden, NJ", "Camden"], "US", "United States Of America", "NJ", "New Jersey", 39.9448, -75.1199,
            "America/New_York", "08102"),
        City(
            "Philadelphia", ["Philadelphia"], "US", "United States Of America", "PA", "Pennsylvania", 39.9526, -75.1652,
            "America/New_York", "19107"),
        City(
            "Boston", ["Boston"], "US", "United States Of America", "MA", "Massachusetts", 42.3601, -71.0589,
            "America/New_York", "02108"),
        City(
            "Chicago", ["Chicago"], "US", "United States Of America", "IL", "Illinois", 41.8781, -87.6298,
            "America/Chicago", "60601"),
        City(
            "St. Louis", ["St. Louis", "Saint Louis"], "US", "United States Of America", "MO", "Missouri", 38.627,
            -90.1994,
            "America/Chicago", "63101"),
        City(
            "Minneapolis", ["Minneapolis"], "US", "United States Of America", "MN", "Minnesota", 44.9778, -93.265,
            "America/Chicago", "55401"),
        City(
            "Nashville", ["Nashville"], "US", "United States Of America", "TN", "Tennessee", 36.1627, -86.7816,
            "America/Chicago", "37201"),
        City(
            "Austin", ["Austin"], "US", "United States Of America", "TX", "Texas", 30.2672, -97.7431,
            "America/Chicago", "78701"),
        City(
            "Denver", ["Denver"], "US", "United States Of America", "CO", "Colorado", 39.7392, -104.9903,
            "America/Denver", "80202"),
        City(
            "Phoenix", ["Phoenix"], "US", "United States Of America", "AZ", "Arizona", 33.4484, -112.074,
            "America/Phoenix", "85003"),
        City(
            "Las Vegas", ["Las Vegas"], "US", "United States Of America", "NV", "Nevada", 36.1699, -115.1398,
            "America/Los_Angeles", "89109"),
        City(
            "Los Angeles", ["Los Angeles"], "US", "United States Of America", "CA", "California", 34.0522, -118.2437,
            "America/Los_Angeles", "90015"),
        City(
            "Long Beach", [" Long Beach", "Long Beach "], "US", "United States Of America", "CA", "California", 33.7701,
            -118.1937,
            "America/Los_Angeles", "90802"),
        City(
            "San Francisco", ["San Francisco"], "US", "United States Of America", "CA", "California", 37.7749,
            -122.4194,
            "America/Los_Angeles", "94102"),
        City(
            "Seattle", ["Seattle"], "US", "United States Of America", "WA", "Washington", 47.6062, -122.3321,
            "America/Los_Angeles", "98101"),
        City(
            "Portland (Oregon)", ["Portland"], "US", "United States Of America", "OR", "Oregon", 45.5152, -122.6784,
            "America/Los_Angeles", "97201"),
        City(
            "Portland (Maine)", ["Portland"], "US", "United States Of America", "ME", "Maine", 43.6591, -70.2568,
            "America/New_York", "04101"),
        City(
            "Miami", ["Miami"], "US", "United States Of America", "FL", "Florida", 25.7617, -80.1918,
            "America/New_York", "33132"),
        City("Toronto", ["Toronto"], "CA", "Canada", "ON", "Ontario", 43.6532, -79.3832, "America/Toronto", "M5V 1A1"),
        City(
            "Montréal", ["Montréal", "Montreal"], "CA", "Canada", "QC", "Quebec", 45.5017, -73.5673,
            "America/Toronto", "H3B 1A1"),
        City(
            "Brisbane", ["Brisbane"], "AU", "Australia", "QLD", "Queensland", -27.4698, 153.0251,
            "Australia/Brisbane", "4000"),
        City(
            "Sydney", ["Sydney"], "AU", "Australia", "NSW", "New South Wales", -33.8688, 151.2093,
            "Australia/Sydney", "2000"),
        City("Tokyo", ["Tokyo"], "JP", "Japan", nil, nil, 35.6762, 139.6503, "Asia/Tokyo", "100-0001"),
    ]
    /// Cities in which shows take place only on command: those in time zones of other kinds. No seed chooses them.
    static let distant: [City] = [
        City(
            "Lord Howe Island", ["Lord Howe Island"], "AU", "Australia", "NSW", "New South Wales", -31.5554, 159.0769,
            "Australia/Lord_Howe", "2898"),
        City("Casablanca", ["Casablanca"], "MA", "Morocco", nil, nil, 33.5731, -7.5898, "Africa/Casablanca", "20000"),
        City("Kathmandu", ["Kathmandu"], "NP", "Nepal", nil, nil, 27.7172, 85.324, "Asia/Kathmandu", "44600"),
    ]
}
