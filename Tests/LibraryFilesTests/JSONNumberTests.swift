import Testing

@testable import LibraryFiles

@Suite("JSON numbers")
struct JSONNumberTests {
    private func value(_ text: String) -> JSONValue? { JSONValueParser.value(of: Array(text.utf8)) }

    @Test(
        "A number that follows the grammar is read",
        arguments: [
            ("0", 0), ("-0", 0), ("7", 7), ("-12", -12), ("1.50", 1.5), ("1e3", 1_000), ("1E+3", 1_000), ("25e-1", 2.5),
            ("-1.5e2", -150), ("0.25", 0.25), ("123456789012345678", 123_456_789_012_345_680),
        ] as [(String, Double)])
    func numbersOfTheGrammar(text: String, number: Double) {
        #expect(value(text) == .number(number))
        #expect(value("[\(text),\(text)]") == .array([.number(number), .number(number)]))
    }

    @Test("A number beyond anything that songs have counts as missing", arguments: ["1e999", "-1e301", "9e400"])
    func outOfRange(text: String) {
        #expect(value(text) == .null)
    }

    @Test(
        "Other texts are damaged, which is not the same as missing",
        arguments: [
            "-", "--", "--1", "1-2", "1+1", "+1", ".5", "1.", "1.e3", "1e", "1e+", "1e+-2", "1.2.3", "1e2e3", "01",
            "-01", "1e1.5", "NaN", "-Infinity", "0x10", "1_000", "１",
        ])
    func malformedNumbers(text: String) {
        #expect(value(text) == nil)
        #expect(value("[\(text)]") == nil && value(#"{"a":\#(text)}"#) == nil)
    }
}
