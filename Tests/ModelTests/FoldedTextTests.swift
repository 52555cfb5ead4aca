import Model
import Testing

@Suite("Folded text")
struct FoldedTextTests {
    @Test(
        "Words lose case, accents, width and apostrophes, and keep marks that make another letter",
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
    func words(text: String, expected: [String]) {
        let words = FoldedText.words(of: text)
        // Compared by scalars: Swift takes composed and decomposed forms for equal, a database does not.
        #expect(words.map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
    }

    @Test("Folding twice changes nothing")
    func idempotent() {
        for text in ["Motörhead", "Ænima", "東京事変", "ガンバ", "Sunn O)))", "हिन्दी", "Straße ŁØ"] {
            let once = FoldedText.words(of: text)
            #expect(FoldedText.words(of: once.joined(separator: " ")) == once)
        }
    }
}
