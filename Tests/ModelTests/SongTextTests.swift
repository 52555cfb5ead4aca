import Testing

@testable import Model

@Suite("Texts of songs")
struct SongTextTests {
    @Test(
        "A long text is cut between two scalars, and nothing before the cut is lost",
        arguments: [
            ("abcdef", 3, "abc…"), ("abc", 3, "abc"), ("", 0, ""), ("abc", 0, "…"),
            // Scalars of two, three and four bytes.
            ("éé", 3, "é…"), ("ab€", 3, "ab…"), ("ab€", 4, "ab…"), ("€€", 5, "€…"),
            ("🎸🎸", 7, "🎸…"), ("🎸🎸", 8, "🎸🎸"), ("🎸", 3, "…"),
            // A text with damaged bytes keeps what follows them.
            ("a\u{FFFD}b\u{FFFD}cdef", 9, "a\u{FFFD}b\u{FFFD}c…"), ("\u{FFFD}\u{FFFD}", 4, "\u{FFFD}…"),
            // The cut is between a letter and its accent.
            ("e\u{301}", 1, "e…"), ("e\u{301}", 2, "e…"),
        ])
    func truncatedText(text: String, bytes: Int, expected: String) {
        let cut = text.truncated(toBytes: bytes, mark: "…")
        #expect(Array(cut.unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test(
        "A name has one line and no control characters, wherever it comes from",
        arguments: [
            ("One\r\n  Two", "One Two"), ("One\n\n\u{85}Two\u{2028}", "One Two"), ("A\u{0}B\u{7}\u{9F}", "AB"),
            ("\n", ""), ("L\tP", "L P"), ("\tA \t B", " A   B"), ("A\t\nB", "A B"), (" One ", " One "),
            ("One\u{0B}Two\u{2029}Three", "One Two Three"),
        ])
    func oneLine(text: String, expected: String) {
        #expect(SongText.name(text) == expected && SongText.program(text) == expected)
    }

    @Test(
        "The name of a list or a file has no hidden characters, and its words and emoji stay whole",
        arguments: [
            ("Road\u{202E} trip", "Road trip"), ("a\u{200B}b\u{FEFF}c\u{AD}", "abc"), ("One\r\nTwo\u{2028}", "One Two"),
            ("a\u{0}b\tc", "ab c"), ("\u{2066}x\u{2069}\u{200F}", "x"), ("\u{E000}x\u{115F}", "x"),
            // Persian, Hindi and emoji need joiners and variations.
            ("می\u{200C}خواهم", "می\u{200C}خواهم"), ("क्\u{200D}ष", "क्\u{200D}ष"),
            ("👩\u{200D}🚀 ❤\u{FE0F}", "👩\u{200D}🚀 ❤\u{FE0F}"),
            // The flag of Scotland, and invisible letters.
            (
                "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}\u{E0041}",
                "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}"
            ),
            ("x\u{E0041}", "x"), ("\u{200D} \u{200B}", ""), ("\u{202E}", ""), (" ", ""), ("", ""),
        ])
    func labelsOfLists(text: String, expected: String) {
        #expect(Array(SongText.label(text).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test("An id has no control characters; a text of only control characters is not an id")
    func idsWithoutControlCharacters() {
        #expect(SongText.id("a\u{0}b") == "ab" && SongText.id("\u{1}") == nil)
        #expect(SongText.isrc("us\u{7}abc") == "USABC")
    }

    @Test("A name with a damaged letter keeps the rest")
    func damagedName() {
        let name = "Caf\u{FFFD} " + String(repeating: "x", count: 3_000)
        #expect(SongText.name(name).utf8.count > 1_990 && SongText.name("Caf\u{FFFD} del Mar") == "Caf\u{FFFD} del Mar")
    }
}
