import Testing

@testable import CommandSupport

@Suite("The width of text")
struct TextWidthTests {
    @Test(
        "East Asian wide characters and emoji take two columns, combining marks none",
        arguments: [
            ("Coldplay", 8), ("Beyoncé", 7), ("Beyonce\u{301}", 7), ("Sigur Rós", 9), ("東京事変", 8), ("방탄소년단", 10),
            ("ＡＢＣ", 6), ("ｱｲｳ", 3), ("🎸", 2), ("👩‍🎤", 2), ("🇨🇿", 2), ("❤️", 2), ("★", 1), ("…", 1), ("Αθήνα", 5),
            ("Мумий Тролль", 12), ("", 0), ("a\u{200B}b", 2),
        ])
    func widthOfCharacters(text: String, columns: Int) {
        #expect(TextWidth.of(text) == columns)
    }

    @Test("Wide text is cut with an ellipsis to at most its columns")
    func cutWithEllipsis() {
        #expect(TextWidth.cut("Imagine Dragons", to: 15) == "Imagine Dragons")
        #expect(TextWidth.cut("Imagine Dragons", to: 10) == "Imagine D…")
        #expect(TextWidth.cut("Imagine Dragons", to: 9) == "Imagine…")
        #expect(TextWidth.cut("東京事変", to: 7) == "東京事…")
        // Half of a wide character cannot be shown.
        #expect(TextWidth.cut("東京事変", to: 6) == "東京…")
        #expect(TextWidth.cut("東京", to: 1) == "…")
        #expect(TextWidth.cut("東京", to: 0) == "")
    }

    @Test("Names cannot send control codes to the terminal")
    func controlCharacters() {
        #expect(TextWidth.printable("\u{1B}[31mred\u{7}\nline\ttwo\u{9B}2J") == "[31mred line two 2J")
        #expect(TextWidth.printable("a\u{202E}b") == "ab")
        #expect(TextWidth.printable("👩‍🎤 Zoë") == "👩‍🎤 Zoë")
    }
}
