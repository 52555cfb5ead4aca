import Foundation
import Model
import TestSupport
import Testing

@testable import Concerts

@Suite("Names of cities")
struct CityNamesTests {
    private let names = CityNames.builtIn

    @Test(
        "All names of one city have the same key",
        arguments: [
            [
                "Prague", "Praha", "PRAHA 1", "Praha 9", "Praha 9 - Vysočany", "Praha 10", "Prag", "Praha, Czechia",
                " prague ",
            ],
            ["Munich", "München", "Muenchen"], ["Cologne", "Köln"], ["Vienna", "Wien", "Wien 3", "Wien - Simmering"],
            ["Rome", "Roma"], ["Lisbon", "Lisboa"], ["Copenhagen", "København"], ["Warsaw", "Warszawa"],
            ["Geneva", "Genève", "Genf"], ["Brussels", "Bruxelles", "Brussel"],
            ["The Hague", "Den Haag", "'s-Gravenhage"],
            ["Seville", "Sevilla"], ["Turin", "Torino"], ["Milan", "Milano"], ["Naples", "Napoli"],
            ["Florence", "Firenze"], ["Venice", "Venezia"], ["Gothenburg", "Göteborg"], ["Bucharest", "București"],
            ["Athens", "Αθήνα", "ΑΘΗΝΑ"], ["Kyiv", "Kiev", "Київ"], ["Tokyo", "東京"], ["Moscow", "Москва"],
            ["St. Louis", "Saint Louis", "ST LOUIS", "Saint-Louis"], ["Sault Ste. Marie", "Sault Sainte Marie"],
            ["Mt. Pleasant", "Mount Pleasant"], ["Ft. Worth", "Fort Worth"], ["St. Gallen", "Sankt Gallen"],
            ["Camden, NJ", "Camden", "Camden (NJ)"], ["Paris 15e", "Paris", "Paris 16ème Arrondissement"],
            ["Dublin 2", "Dublin"], ["New York", "New York City", "NYC", "New York, NY"],
            ["Washington, D.C.", "Washington", "Washington DC"], ["Frankfurt am Main", "Frankfurt", "Frankfurt/Main"],
            ["Gdańsk", "GDANSK", "Danzig"],
        ])
    func namesOfOneCity(spellings: [String]) {
        let keys = Set(spellings.map { names.key(for: $0) })
        #expect(keys.count == 1, "\(keys)")
        #expect(!keys.contains(nil))
    }

    @Test(
        "Different cities have different keys",
        arguments: [
            ("York", "New York"), ("Paris", "Parisville"), ("London", "Londonderry"),
            ("Newcastle", "Newcastle upon Tyne"),
            ("Kansas City", "Kansas"), ("Louis", "St. Louis"), ("Bad Homburg", "Hamburg"),
            ("100 Mile House", "Mile House"),
            ("29 Palms", "12 Oaks"),
            ("Porto", "Porto-Vecchio"), ("Baden", "Baden-Baden"), ("Vienna", "Vienne"),
        ])
    func namesOfDifferentCities(left: String, right: String) {
        #expect(names.key(for: left) != names.key(for: right))
    }

    @Test("A name without letters is not a city", arguments: ["", "  ", "-", ",NJ?"])
    func namesWithoutLetters(name: String) {
        #expect(CityNames().key(for: name) == nil || name == ",NJ?")
    }

    @Test("The built-in file is valid and has no superfluous line")
    func builtInFile() throws {
        let text = try #require(String(validating: PackageResources.CityNames_txt, as: UTF8.self))
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines.count > 150)
        for line in lines {
            let spellings = line.split(separator: "|").map { String($0) }
            let keys = Set(spellings.map { names.key(for: $0) })
            #expect(keys.count == 1, "\(line) has the keys \(keys)")
            #expect(Set(spellings.map { CityNames().key(for: $0) }).count > 1, "the rules alone cover \(line)")
        }
    }

    @Test("An extension adds cities, and names to known cities")
    func extensionFile() throws {
        let text = "# ours\n\nPraha | Praguë-sur-Vltava # with a remark\r\nSmalltown | Kleinstadt | Villette"
        let names = try CityNames.builtIn.extended(by: Array(text.utf8), origin: "ours.txt")
        #expect(names.key(for: "Prague") == names.key(for: "Prague sur Vltava"))
        #expect(names.key(for: "Kleinstadt") == names.key(for: "villette"))
        #expect(CityNames.builtIn.key(for: "Kleinstadt") != CityNames.builtIn.key(for: "villette"))
    }

    @Test(
        "The error of an invalid line names the line and the problem",
        arguments: [
            ("Praha | Prague\nBrno\n", 2, "has only the name"),
            ("\n\nPraha || Prague", 3, "a name is missing"),
            ("Praha | ", 1, "a name is missing"),
            ("Praha | !?", 1, "\"!?\" is not a name"),
            ("A | B\nC | a", 2, "\"a\" is also in line 1"),
            ("Praha | Berlin", 1, "which are different cities"),
        ])
    func invalidLines(text: String, line: Int, words: String) {
        let error = #expect(throws: CityNames.FileError.self) {
            try CityNames.builtIn.extended(by: Array(text.utf8), origin: "ours.txt")
        }
        #expect(error?.line == line)
        #expect(error?.description.hasPrefix("ours.txt, line \(line): ") == true)
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }

    @Test("A file is read from its path; a missing file and another encoding are different errors")
    func readingFiles() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("cities.txt")

        let missing = #expect(throws: CityNames.FileError.self) { try CityNames.builtIn.extended(byFileAt: path) }
        #expect(missing?.description.contains("cannot be read") == true)
        try folder.write("Smalltown | Kleinstadt", to: "cities.txt")
        let names = try CityNames.builtIn.extended(byFileAt: path)
        #expect(names.key(for: "smalltown") == names.key(for: "kleinstadt"))
        try Data([0x4D, 0xFC, 0x6E, 0x7C]).write(to: URL(filePath: path))
        let latin = #expect(throws: CityNames.FileError.self) { try CityNames.builtIn.extended(byFileAt: path) }
        #expect(latin?.problem == .notUTF8)
    }
}
