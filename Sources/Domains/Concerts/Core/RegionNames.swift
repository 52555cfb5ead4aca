/// The folded names and codes of states and countries, which people write after a city's name.
enum RegionNames {
    /// The states and provinces of the countries in whose addresses they are customary.
    static let states: [(code: String, name: String, country: String)] =
        table(unitedStates, country: "US") + table(canada, country: "CA") + table(australia, country: "AU")

    /// ISO 3166-1 codes of countries, with their English and partly also local names.
    static let countries: [(code: String, names: Set<String>)] = entries(of: countryList).map { code, names in
        (code, Set(names.split(separator: "/").map { $0.split(separator: " ").joined(separator: " ") }))
    }

    /// The ISO 3166-1 codes of three letters by those of two.
    static let longCodes = Dictionary(uniqueKeysWithValues: entries(of: longCodeList).map { ($0, $1) })

    private static func table(_ text: String, country: String) -> [(code: String, name: String, country: String)] {
        entries(of: text).map { ($0, $1, country) }
    }

    /// The pairs of a text such as "AL alabama, AK alaska".
    private static func entries(of text: String) -> [(String, String)] {
        text.split(separator: ",").map { entry in
            let words = entry.split(whereSeparator: \.isWhitespace)
            return (String(words[0]), words.dropFirst().joined(separator: " "))
        }
    }

    private static let longCodeList = """
        US USA, CA CAN, MX MEX, GB GBR, IE IRL, FR FRA, DE DEU, AT AUT, CH CHE, CZ CZE, SK SVK, PL POL, HU HUN, SI SVN,
        HR HRV, RS SRB, BG BGR, RO ROU, GR GRC, TR TUR, IT ITA, ES ESP, PT PRT, NL NLD, BE BEL, LU LUX, DK DNK, SE SWE,
        NO NOR, FI FIN, IS ISL, EE EST, LV LVA, LT LTU, UA UKR, RU RUS, AU AUS, NZ NZL, JP JPN, KR KOR, CN CHN, TW TWN,
        SG SGP, TH THA, PH PHL, MY MYS, ID IDN, IN IND, AE ARE, SA SAU, IL ISR, EG EGY, ZA ZAF, BR BRA, AR ARG, CL CHL,
        CO COL, PE PER, UY URY, PA PAN, CR CRI, CU CUB
        """

    private static let unitedStates = """
        AL alabama, AK alaska, AZ arizona, AR arkansas, CA california, CO colorado, CT connecticut, DE delaware,
        DC district of columbia, FL florida, GA georgia, HI hawaii, ID idaho, IL illinois, IN indiana, IA iowa,
        KS kansas, KY kentucky, LA louisiana, ME maine, MD maryland, MA massachusetts, MI michigan, MN minnesota,
        MS mississippi, MO missouri, MT montana, NE nebraska, NV nevada, NH new hampshire, NJ new jersey,
        NM new mexico, NY new york, NC north carolina, ND north dakota, OH ohio, OK oklahoma, OR oregon,
        PA pennsylvania, RI rhode island, SC south carolina, SD south dakota, TN tennessee, TX texas, UT utah,
        VT vermont, VA virginia, WA washington, WV west virginia, WI wisconsin, WY wyoming, PR puerto rico
        """

    private static let canada = """
        AB alberta, BC british columbia, MB manitoba, NB new brunswick, NL newfoundland and labrador,
        NS nova scotia, NT northwest territories, NU nunavut, ON ontario, PE prince edward island, QC quebec,
        SK saskatchewan, YT yukon
        """

    private static let australia = """
        ACT australian capital territory, NSW new south wales, NT northern territory, QLD queensland,
        SA south australia, TAS tasmania, VIC victoria, WA western australia
        """

    private static let countryList = """
        US usa/united states/united states of america/u s a, CA canada, MX mexico, GB uk/united kingdom/
        great britain/england/scotland/wales/northern ireland, IE ireland, FR france, DE germany/deutschland,
        AT austria/osterreich, CH switzerland/schweiz/suisse, CZ czechia/czech republic/cesko/ceska republika,
        SK slovakia/slovensko, PL poland/polska, HU hungary, SI slovenia, HR croatia, RS serbia, BG bulgaria,
        RO romania, GR greece, TR turkey/turkiye, IT italy/italia, ES spain/espana, PT portugal, NL netherlands/
        the netherlands/holland/nederland, BE belgium/belgie/belgique, LU luxembourg, DK denmark/danmark,
        SE sweden/sverige, NO norway/norge, FI finland/suomi, IS iceland, EE estonia, LV latvia, LT lithuania,
        UA ukraine, RU russia, AU australia, NZ new zealand, JP japan, KR south korea/korea, CN china, TW taiwan,
        SG singapore, TH thailand, PH philippines, MY malaysia, ID indonesia, IN india, AE united arab emirates/uae,
        SA saudi arabia, IL israel, EG egypt, ZA south africa, BR brazil/brasil, AR argentina, CL chile, CO colombia,
        PE peru, UY uruguay, PA panama, CR costa rica, CU cuba
        """
}
