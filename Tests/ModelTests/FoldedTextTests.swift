import Model
import Testing

@Suite("Folded text")
struct FoldedTextTests {
    @Test(
        "Words lose case, accents, width and apostrophes, and keep marks that make a different letter",
        arguments: [
            ("Sigur Rós – live", ["sigur", "ros", "live"]),
            ("ＡＢＢＡ", ["abba"]),
            ("Guns N’ Roses", ["guns", "n", "roses"]),
            ("Ænima straße Ørsted Łódź", ["aenima", "strasse", "orsted", "lodz"]),
            ("İstanbul ISPARTA ışık", ["istanbul", "isparta", "isik"]),
            ("ΑΘΉΝΑ ΝΊΚΟΣ νίκος", ["αθηνα", "νικοσ", "νικοσ"]),
            ("ガンバ", ["ガンバ"]),
            ("กรุงเทพ", ["กรุงเทพ"]),
            ("हिन्दी", ["हिन्दी"]),
            ("서울", ["서울"]),
            ("مُحَمَّد", ["محمد"]),
            ("Ёлка", ["елка"]),
            ("", []),
            ("?!", []),
        ])
    func foldedWords(text: String, expected: [String]) {
        let words = FoldedText.words(of: text)
        // Scalars are compared: Swift treats composed and decomposed forms as equal, a database does not.
        #expect(words.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
    }

    @Test("Folding twice changes nothing")
    func foldingTwice() {
        for text in ["Motörhead", "Ænima", "東京事変", "ガンバ", "Sunn O)))", "हिन्दी", "Straße ŁØ"] {
            let once = FoldedText.words(of: text)
            #expect(FoldedText.words(of: once.joined(separator: " ")) == once)
        }
    }

    @Test("Scalars in the table fold as they do in a text that needs all of Unicode's rules")
    func tableAgrees() throws {
        // Emoji are not in the table, so a text with one is folded as a whole.
        let emoji = try #require("\u{1F600}".unicodeScalars.first)
        let values =
            Array(0x20..<0x700) + Array(0x2000..<0x2100) + Array(0x3000..<0x3100)
            + Array(0x4E00..<0x4E40) + Array(0xAC00..<0xAD00) + Array(0xD780..<0xD7A4)
        for value in values {
            let scalar = try #require(Unicode.Scalar(value))
            for text in ["\(scalar)", "a\(scalar)", "か\(scalar)\u{301}b", "\(scalar)\u{3099}"] {
                let whole = FoldedText.scalars(of: text + "\u{1F600}")
                #expect(FoldedText.scalars(of: text) + [emoji] == whole, "U+\(String(value, radix: 16))")
            }
        }
    }

    @Test(
        "Other scripts become Latin letters",
        arguments: [
            ("Звезда", "zvezda"), ("さくら", "sakura"), ("サクラ", "sakura"), ("ガンバ", "ganba"), ("ポップ", "popu"),
            ("사랑", "sarang"), ("Θάλασσα", "thalassa"), ("שלום", "shlvm"), ("東京 Drift", "東京 drift"),
            ("Motörhead", "motorhead"),
        ])
    func romanizedScripts(text: String, expected: String) {
        let romanized = FoldedText.romanized(FoldedText.scalars(of: text))
        #expect(String(String.UnicodeScalarView(romanized)) == expected)
    }
}
