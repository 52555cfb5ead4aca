import Model
import TestSupport
import Testing

@testable import Library

@Suite("Folded texts of searches")
struct SearchTextTests {
    @Test(
        "Case, width, diacritics, apostrophes and kinds of white space do not matter",
        arguments: [
            ("Beyoncé", "BEYONCE"), ("Sigur Rós", "sigur ros"), ("Straße", "STRASSE"), ("ＡＢＣ", "abc"),
            ("ｶﾞﾗｽ", "ガラス"), ("Don’t", "dont"), ("a\u{A0}b\n c", "A B C"), ("  x  ", "x"), ("ﬁre", "FIRE"),
            ("Ёлка", "елка"), ("Αγάπη", "αγαπη"), ("e\u{301}", "é"),
            ("İSTANBUL", "istanbul"), ("IŞIK", "ışık"), ("مُحَمَّد", "محمد"), ("أغنية", "اغنية"), ("سـلام", "سلام"),
            ("\u{FEE3}\u{FEA4}\u{FEE4}\u{FEAA}", "محمد"), ("❤\u{FE0F}", "❤"), ("שָׁלוֹם", "שלום"), ("Việt", "viet"),
            ("한글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"),
        ])
    func equalTexts(one: String, other: String) {
        #expect(SearchText.folded(one) == SearchText.folded(other))
        #expect(Array(SearchText.folded(one).utf8) == Array(SearchText.folded(other).utf8))
    }

    @Test("Voiced and unvoiced kana are different letters")
    func kanaStayDifferent() {
        #expect(SearchText.folded("ガラス") != SearchText.folded("カラス"))
        let query = SearchQuery("カ")
        #expect(query?.isPart(of: SearchText.folded("ガラス")) == false)
    }

    @Test(
        "One character finds the texts that contain it, in any script",
        arguments: [
            ("L", "Élan"), ("ł", "LODZ"), ("글", "한글"), ("글", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}"),
            ("م", "سَلام"), ("字", "漢字"), ("ﾗ", "ガラス"), ("🎵", "🎶🎵🎶"), ("❤", "I ❤\u{FE0F} you"), ("👍", "👍🏽"),
            ("ı", "İZMİR"), ("７", "track 7"), ("ा", "गाना"), ("&", "A ＆ B"), ("𝄞", "𝄞"),
        ])
    func singleCharacters(text: String, title: String) throws {
        let query = try #require(SearchQuery(text))
        #expect(query.isPart(of: SearchText.folded(title)))
        #expect(!query.isPart(of: SearchText.folded("Zzz")))
    }

    @Test("A text that folds to nothing is not a query", arguments: ["", " ", "\t\n", "'", "’", "\u{301}", "\u{200B}"])
    func emptyQueries(text: String) {
        #expect(SearchQuery(text) == nil)
    }

    @Test("A query never matches across two fields")
    func queriesAcrossFields() throws {
        let text = SearchText(title: "one", artist: "two", album: "three")
        for (query, count) in [("onetwo", 0), ("one two", 0), ("e", 1), ("two", 1), ("thre", 1)] {
            var hits = SearchHits()
            let (entries, texts) = SearchBlock([(1, text.bytes)]).columns
            try SearchBlock.search(
                try #require(SearchQuery(query)), entries: entries, texts: texts, into: &hits)
            #expect(hits.ids.count == count, "\(query)")
        }
    }

    @Test("No folded text contains the separator or a control character", arguments: 0..<20)
    func separatorFree(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for _ in 0..<50 {
            let folded = SearchText.folded(random.text(upTo: 30))
            #expect(!folded.utf8.contains(SearchText.separator))
            #expect(!folded.utf8.contains { $0 < 0x20 } && !folded.contains("  "))
            #expect(SearchText.folded(folded) == folded)
        }
    }

    @Test("Sort keys are short, and equal for texts that differ in case and diacritics")
    func sortKeys() {
        #expect(LibrarySortKey.sortKey("Émilie") == LibrarySortKey.sortKey("EMILIE"))
        let long = LibrarySortKey.sortKey(String(repeating: "長い題名", count: 100))
        #expect(long.unicodeScalars.count == LibrarySortKey.maximumLength)
        #expect(LibrarySortKey.sortKey("") == "")
    }

    @Test("A set of keys contains exactly its keys", arguments: [0, 1, 3, 500, 20_000])
    func keySet(count: Int) {
        var random = SeededRandom(seed: UInt64(count))
        var keys: Set<Int64> = []
        // The keys are both neighboring, like those of one page, and random.
        for number in 0..<count {
            keys.insert(number % 2 == 0 ? Int64(1 << 40 + number) : Int64.random(in: 1...(.max), using: &random))
        }
        let set = RowIDSet(Array(keys))
        #expect(set.count == keys.count)
        #expect(keys.allSatisfy(set.contains))
        for _ in 0..<1_000 {
            let key = Int64.random(in: 1...(.max), using: &random)
            #expect(set.contains(key) == keys.contains(key))
        }
        #expect(!set.contains(1 << 50) || keys.contains(1 << 50))
    }
}
